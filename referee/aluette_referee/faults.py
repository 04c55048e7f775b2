"""What a bot can do wrong, said exactly: a type, a seat, a place in the match, and evidence.

And what it costs: a `Policy`. A fault is the bot's. A person's mistake is `aluette.Misuse`, and our own
bugs are exceptions: the match they hit is void, and no bot pays for them.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from aluette.seats import Seat

__all__ = ["FORFEIT", "MENDABLE", "Fault", "FaultType", "Policy"]


class FaultType(StrEnum):
    """The kinds of fault, kept apart; never guessed."""

    ILLEGAL = "illegal"
    """An action that the rules do not allow."""
    FAILED = "failed"
    """The bot's code raised an exception, and its SDK said so."""
    MALFORMED = "malformed"
    """The answer is not what was asked, or names a card that does not exist."""
    LATE = "late"
    """The limit passed without an answer."""
    CRASHED = "crashed"
    """The process ended."""
    OUT_OF_MEMORY = "out of memory"
    """The referee ended the process, because it took more memory than it may."""
    DISCONNECTED = "disconnected"
    """The stream ended, and was not taken up again, while the process lives or belongs to somebody else."""
    NOT_STARTED = "not started"
    """The process ended before it connected, or could not be started."""
    NOT_CONNECTED = "not connected"
    """The process lives, but no `Hello` came in time."""
    REFUSED = "refused"
    """The `Hello` was refused, for instance for its protocol version."""
    FLOODING = "flooding"
    """Too many answers that nobody asked for."""


MENDABLE: Final = frozenset({FaultType.ILLEGAL, FaultType.FAILED, FaultType.MALFORMED, FaultType.LATE})
"""Faults after which the bot is still there to play on."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What faults cost: the match at once, or only when a seat has made `strikes` of them in it.

    Until then, and while the bot is still there to play on, its dullest legal action is done for it.
    """

    strikes: int = 1

    def __str__(self) -> str:
        return "forfeit" if self.strikes == 1 else f"substitute, {self.strikes} strikes"

    def mends(self, kind: FaultType, made: int) -> bool:
        """Whether the match goes on after a fault of this kind, when the seat has `made` some before."""
        return kind in MENDABLE and made + 1 < self.strikes


FORFEIT: Final = Policy()
"""The first fault loses the match."""


class Fault(NamedTuple):
    """One fault of one seat.

    `deal` and `trick` count from 1; 0 is "before the first". All that follows is for the bot's author, and may
    show a hand: it never reaches another seat. `elapsed` and `limit` are in seconds, where a turn was open;
    `legal` is what would have been right; `output` is the end of what the process printed.
    """

    type: FaultType
    seat: Seat
    deal: int
    trick: int
    evidence: str = ""
    elapsed: float | None = None
    limit: float | None = None
    legal: str = ""
    output: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """Deal and trick."""
        return self.deal, self.trick

    @property
    def public(self) -> "Fault":
        """What anybody may know of it."""
        return Fault(self.type, self.seat, self.deal, self.trick)

    def as_record(self) -> dict[str, Any]:
        """The part that is in a result: type, seat, deal and trick."""
        return {"type": self.type.value, "seat": self.seat.name, "deal": self.deal, "trick": self.trick}
