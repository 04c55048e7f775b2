"""A careful player: for each card, who would take the trick, and how would the deal stand then?

`aluette_bots.memory` counts the cards, `aluette_bots.outlook` says what a trick is worth to whom; here the
two are put together, and the votes, discards and signals decided. The rules of thumb follow by themselves:
second hand low, third hand high, the last hand as cheaply as it goes, and the partner who collects is fed.
"""

from collections.abc import Iterator
from typing import Final

import aluette
from aluette import Seat, Signal, View
from aluette.cards import STRENGTH
from aluette_bots.memory import Memory
from aluette_bots.outlook import Outlook

__all__ = ["Careful"]

TAKES: Final = (0.65, 0.77)
"""How likely an opponent's or a free trick is taken by a player who can: in the middle, and playing last."""
ENOUGH_TO_SHARE: Final = (1.0, 2.75)
"""With so many tricks in a hand that receives of the stock, more cards help it more than the other receiver."""
NEGLIGIBLE: Final = 0.001


class Careful(aluette.Bot):
    """Counts the cards, weighs every trick by who would take it, signals and reads signals."""

    def look(self, view: View) -> Signal | None:
        """Show the partner the strongest card, if it has a name."""
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
        worth: dict[int, float] = {}
        for card in view.hand:
            strength = STRENGTH[card]
            if strength not in worth:
                worth[strength] = sum(
                    chance * outlook.worth(winner, strength)
                    for winner, chance in _winners(view, memory, card).items()
                )
        return max(reversed(view.hand), key=lambda card: worth[STRENGTH[card]])

    def _memory(self, view: View) -> Memory:
        return Memory(view, trusting=self.match.rules.truthful)

    def _outlook(self, view: View, memory: Memory) -> Outlook:
        return Outlook(view, memory, mordienne=self.match.rules.mordienne)


def _winners(view: View, memory: Memory, card: aluette.Card) -> dict[Seat | None, float]:
    """Who takes the trick if we play `card`, each with a chance; None is a spoiled trick."""
    cards = [*view.trick.cards, card]
    place = aluette.strongest(cards)
    holder = None if place is None else view.trick.leader.after(place)
    best = max(STRENGTH[card] for card in cards)
    chances: dict[Seat | None, float] = {}
    after = [view.seat.after(step) for step in range(1, len(aluette.SEATS) - view.position)]
    for winner, chance in _taken(memory, after, best, holder, 1.0):
        chances[winner] = chances.get(winner, 0.0) + chance
    return chances


def _taken(
    memory: Memory, after: list[Seat], best: int, holder: Seat | None, chance: float
) -> Iterator[tuple[Seat | None, float]]:
    """Follow the players still to come: each takes the trick or leaves it; nobody takes the partner's."""
    if not after:
        yield holder, chance
        return
    seat, *later = after
    if holder is not None and holder.side is seat.side:
        takes = 0.0
    else:
        takes = memory.can_beat(seat, best) * TAKES[not later]
    if takes * chance > NEGLIGIBLE:
        yield from _taken(memory, later, memory.next_above(best), seat, takes * chance)
    yield from _taken(memory, later, best, holder, (1 - takes) * chance)
