"""One trick: four cards, and who takes it.

The strongest card wins. When two or more tie for strongest the trick is *spoiled*: nobody wins it,
whoever played them, and the same player leads again. Ties below the strongest mean nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

from aluette.cards import STRENGTH, Card
from aluette.seats import Seat

__all__ = ["Trick", "strongest"]


class Trick(NamedTuple):
    """A trick as it lies on the table, complete or not.

    `winner` is None for a trick that is spoiled or not yet complete; `spoiled` tells them apart.
    """

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None = None

    @property
    def complete(self) -> bool:
        """Whether all four have played."""
        return len(self.cards) == 4

    @property
    def spoiled(self) -> bool:
        """Whether all four have played and nobody won."""
        return self.winner is None and self.complete

    @property
    def plays(self) -> tuple[tuple[Seat, Card], ...]:
        """Who played what, in playing order."""
        return tuple((self.leader.after(place), card) for place, card in enumerate(self.cards))

    @property
    def next_leader(self) -> Seat:
        """Who leads the trick after this one."""
        return self.leader if self.winner is None else self.winner


def strongest(cards: Sequence[Card]) -> int | None:
    """The index of the strongest card, or None when two or more tie for it.

    Takes one or more cards, in playing order: on a trick not yet complete it says who is ahead.
    """
    strengths = [STRENGTH[card] for card in cards]
    top = max(strengths)
    place = strengths.index(top)
    return None if top <= 11 and top in strengths[place + 1 :] else place
