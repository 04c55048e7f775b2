"""The four seats and the two sides. Everything goes clockwise: N, E, S, W, N.

Numbers are those on the wire (0 is "no seat" there).
"""

from enum import IntEnum
from typing import Final

__all__ = ["SEATS", "Seat", "Side"]


class Side(IntEnum):
    """Two partners who sit opposite each other."""

    NS = 1
    EW = 2

    @property
    def other(self) -> "Side":
        """The opponents."""
        return Side.EW if self is Side.NS else Side.NS

    @property
    def seats(self) -> "tuple[Seat, Seat]":
        """The side's two seats."""
        return (Seat.N, Seat.S) if self is Side.NS else (Seat.E, Seat.W)

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


class Seat(IntEnum):
    """A chair at the table, clockwise from N."""

    N = 1
    E = 2
    S = 3
    W = 4

    @property
    def left(self) -> "Seat":
        """The next seat clockwise, who acts after this one."""
        return SEATS[self % 4]

    @property
    def partner(self) -> "Seat":
        """The seat opposite."""
        return SEATS[(self + 1) % 4]

    @property
    def right(self) -> "Seat":
        """The seat before this one; as dealer's neighbour, the one who cuts."""
        return SEATS[(self + 2) % 4]

    @property
    def side(self) -> Side:
        """NS or EW."""
        return Side.NS if self % 2 else Side.EW

    def after(self, steps: int) -> "Seat":
        """The seat so many places clockwise from here (`after(0)` is the seat itself)."""
        return SEATS[(self - 1 + steps) % 4]

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


SEATS: Final[tuple[Seat, Seat, Seat, Seat]] = (Seat.N, Seat.E, Seat.S, Seat.W)
