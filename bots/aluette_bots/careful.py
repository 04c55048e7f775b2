"""A careful player: for each card, who would take the trick, and how would the deal stand then?

`aluette_bots.memory` counts the cards, `aluette_bots.outlook` says what a trick is worth to whom; here the
two are put together, and the votes, discards and signals decided. The rules of thumb follow by themselves:
second hand low, third hand high, the last hand as cheaply as it goes, and the partner who collects is fed.
"""

from typing import Final

import aluette
from aluette import Seat, Signal, View
from aluette.cards import STRENGTH
from aluette_bots.memory import Memory
from aluette_bots.outlook import Outlook

__all__ = ["Careful"]

TAKES: Final = (0.6, 0.73)
"""How likely an opponent's or a free trick is taken by a player who can: in the middle, and playing last."""
ENOUGH_TO_SHARE: Final = (1.0, 2.75)
"""With so many tricks in a hand that receives of the stock, more cards help it more than the other receiver."""
NEGLIGIBLE: Final = 0.001


class Careful(aluette.Bot):
    """Counts the cards, weighs every trick by who would take it, signals and reads signals."""

    def look(self, view: View) -> Signal | None:
        """Show the partner the strongest card, if it has a name."""
        if not self.match.rules.signals_per_deal:
            return None
        return next((signal for signal in Signal if signal.card is view.hand[0]), None)

    def chant(self, view: View) -> bool:
        """Agree if new cards help our side: a receiver with a fair hand, another player with a poor one."""
        tricks = self._outlook(view, self._memory(view)).hand_power
        poor, rich = ENOUGH_TO_SHARE
        return poor <= tricks < rich if view.receives_stock else tricks < poor

    def play(self, view: View) -> aluette.Card:
        """The card with the best prospects; of equal ones the weakest."""
        if len(view.hand) == 1:
            return view.hand[0]
        memory = self._memory(view)
        outlook = self._outlook(view, memory)
        table = _Table(view, memory)
        worth: dict[int, float] = {}
        for card in view.hand:
            strength = STRENGTH[card]
            if strength not in worth:
                worth[strength] = sum(
                    [
                        chance * outlook.worth(winner, strength)
                        for winner, chance in table.winners(strength).items()
                    ]
                )
        return max(reversed(view.hand), key=lambda card: worth[STRENGTH[card]])

    def _memory(self, view: View) -> Memory:
        return Memory(view, trusting=self.match.rules.truthful)

    def _outlook(self, view: View, memory: Memory) -> Outlook:
        return Outlook(view, memory, mordienne=self.match.rules.mordienne)


class _Table:
    """The trick under way: who is ahead, and who is still to play after us."""

    def __init__(self, view: View, memory: Memory) -> None:
        strengths = [STRENGTH[card] for card in view.trick.cards]
        self._memory = memory
        self._me = view.seat
        self._best = max(strengths, default=0)
        place = aluette.strongest(view.trick.cards) if strengths else None
        self._holder = None if place is None else view.trick.leader.after(place)
        self._after = [view.seat.after(step) for step in range(1, len(aluette.SEATS) - len(strengths))]

    def winners(self, strength: int) -> dict[Seat | None, float]:
        """Who takes the trick if we play `strength`, each with a chance; None is a spoiled trick."""
        chances: dict[Seat | None, float] = {}
        if strength > self._best:
            self._follow(chances, 0, strength, self._me, 1.0)
        else:
            self._follow(chances, 0, self._best, None if strength == self._best else self._holder, 1.0)
        return chances

    def _follow(
        self, chances: dict[Seat | None, float], place: int, best: int, holder: Seat | None, chance: float
    ) -> None:
        """Each of the players still to come takes the trick or leaves it; nobody takes the partner's."""
        if place < len(self._after):
            seat = self._after[place]
            if holder is None or holder.side is not seat.side:
                takes = chance * self._memory.can_beat(seat, best) * TAKES[place == len(self._after) - 1]
                if takes > NEGLIGIBLE:
                    self._follow(chances, place + 1, self._memory.next_above(best), seat, takes)
                    chance -= takes
            self._follow(chances, place + 1, best, holder, chance)
        else:
            chances[holder] = chances.get(holder, 0.0) + chance
