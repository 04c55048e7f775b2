"""A careful player: weighs each card by what the trick is likely to bring, and by what the card is still worth.

For every card of the hand it estimates who will win the trick, and what that is worth: tricks are counted
per player, so a trick is worth more to whoever already has some, and an opponent who collects must be
stopped. Against that stands the card's own *power*, the trick that it may win later. Out of this the
usual rules follow by themselves: second hand low, third hand high, last hand as cheaply as it goes.
"""

from typing import Final

import aluette
from aluette_bots.memory import Memory

__all__ = ["Careful"]

COLLECTED: Final = 0.30
"""How much more a trick is worth to a player for each trick won before."""
AHEAD: Final = 0.1
"""How much more a trick is worth that puts its winner ahead of everybody."""
CARD: Final = 1.6
"""What the power of a card is worth, in tricks."""
LAST_SEAT: Final = 0.2
"""What it is worth that an opponent leads next, so that our side plays last."""
WEAK_HAND: Final = 2.6
"""Under so much power in nine cards a hand is happier to be dealt anew."""


class Careful(aluette.Bot):
    """Weighs position, the count of each player, and the cards still out; signals, and reads signals."""

    def look(self, view: aluette.View) -> aluette.Signal | aluette.Sign | None:
        """Show the partner the strongest named card, several aces, or that there is nothing."""
        best = view.hand[0]
        for signal in aluette.Signal:
            if signal.card is best:
                return signal
        aces = sum(card.rank is aluette.Rank.ACE for card in view.hand)
        return aluette.aces(aces) if aces >= 2 else aluette.Signal.USELESS_HAND

    def chant(self, view: aluette.View) -> bool:
        """Agree with a weak hand: the side that has less gains most from new cards."""
        memory = Memory(view)
        return sum(memory.power(card) for card in view.hand) < WEAK_HAND

    def play(self, view: aluette.View) -> aluette.Card:
        """The card of the best balance; of equal ones the weakest."""
        memory = Memory(view)
        seen: dict[int, float] = {}
        for card in view.hand:
            if card.strength not in seen:
                seen[card.strength] = self._balance(view, memory, card)
        return max(reversed(view.hand), key=lambda card: seen[card.strength])

    def _balance(self, view: aluette.View, memory: Memory, card: aluette.Card) -> float:
        chances = memory.chances(card)
        worth = sum(chance * _worth(view, seat) for seat, chance in chances.items())
        return worth - CARD * memory.power(card) * _urgency(view)


def _worth(view: aluette.View, winner: aluette.Seat | None) -> float:
    if winner is None:
        return 0.0
    counts = view.counts
    worth = 1.0 + COLLECTED * counts[winner]
    # At equal most, whoever reached the number first scores: getting ahead counts, drawing level does not.
    if counts[winner] and counts[winner] == max(counts.values()):
        worth += AHEAD
    return worth if winner.side is view.side else LAST_SEAT - worth


def _urgency(view: aluette.View) -> float:
    """A card kept is worth nothing after the last trick."""
    return 0.0 if view.deal.tricks_left == 1 else 1.0
