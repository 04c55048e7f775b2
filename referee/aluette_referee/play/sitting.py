"""A match being played, as a player sees that sits at it."""

from typing import TYPE_CHECKING, Protocol

from aluette.events import Event
from aluette.seats import Seat
from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType

if TYPE_CHECKING:
    from aluette_referee.play.player import Player

__all__ = ["Game"]


class Game(Protocol):
    """Each method returns the players that now have something to send."""

    def answer(self, seat: Seat, move: wire.Move, charged: float | None) -> "set[Player]":
        """A seat answered: the seconds that its clock says, or None if the turn was not under way."""
        ...

    def mends(self, seat: Seat, kind: FaultType) -> bool:
        """Whether the match would go on after such a fault of the seat at its open turn."""
        ...

    def fault(
        self, seat: Seat, kind: FaultType, evidence: str, elapsed: float | None = None
    ) -> "set[Player]":
        """A seat is at fault, after so many seconds of its open turn."""
        ...

    def void(self, why: str) -> "set[Player]":
        """The match counts for nobody."""
        ...

    def events(self, seat: Seat) -> list[Event]:
        """All that a seat was told so far."""
        ...
