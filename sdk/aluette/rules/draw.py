"""The partner draw (`seating = draw`): four luettes decide who plays with whom.

A shuffled pack is dealt face up one card at a time, clockwise from the first seat. Whoever holds one
of the four luettes gets no more cards; it ends when all four are out. Monsieur and Madame are
partners against le Borgne and la Vache. Madame keeps her chair and deals first; la Vache sits on
her left, Monsieur opposite, le Borgne on her right.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from aluette.cards import Card
from aluette.errors import Misuse
from aluette.seats import Seat

__all__ = ["LUETTES", "Draw", "draw_partners"]

LUETTES: Final = (Card.D3, Card.C3, Card.D2, Card.C2)
# Clockwise from Madame's chair.
_PLACES: Final = (Card.C3, Card.C2, Card.D3, Card.D2)


class Draw(NamedTuple):
    """A partner draw: the first seat, every card drawn in order, and who held each luette."""

    first: Seat
    cards: tuple[Card, ...]
    holders: dict[Card, Seat]

    @property
    def first_dealer(self) -> Seat:
        """Madame's chair; she deals first."""
        return self.holders[Card.C3]

    @property
    def chairs(self) -> dict[Seat, Seat]:
        """Where the player who drew at each chair now sits."""
        madame = self.first_dealer
        return {self.holders[card]: madame.after(place) for place, card in enumerate(_PLACES)}


def draw_partners(pack: Sequence[Card], first: Seat) -> Draw:
    """Draw from `pack`, top first; raises `Misuse` when the pack lacks a luette."""
    holders: dict[Card, Seat] = {}
    seat = first
    for drawn, card in enumerate(pack, start=1):
        if card in LUETTES:
            holders[card] = seat
            if len(holders) == len(LUETTES):
                return Draw(first, tuple(pack[:drawn]), holders)
        seat = seat.left
        while seat in holders.values():
            seat = seat.left
    raise Misuse("the pack for the partner draw does not hold all four luettes")
