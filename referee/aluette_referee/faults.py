"""What a bot can do wrong, said exactly: a type, a seat, a place in the match, and evidence.

A fault is the bot's. A person's mistake is `aluette.Misuse`, and our own bugs are exceptions that
nobody catches: no bot pays for them.
"""

from enum import StrEnum
from typing import Any, NamedTuple

from aluette.seats import Seat

__all__ = ["Fault", "FaultType"]


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
    DISCONNECTED = "disconnected"
    """The stream ended while the process lives, or belongs to somebody else."""
    NOT_STARTED = "not started"
    """The process ended before it connected, or could not be started."""
    NOT_CONNECTED = "not connected"
    """The process lives, but no `Hello` came in time."""
    REFUSED = "refused"
    """The `Hello` was refused, for instance for its protocol version."""
    FLOODING = "flooding"
    """Too many answers that nobody asked for."""


class Fault(NamedTuple):
    """One fault of one seat.

    `deal` and `trick` count from 1; 0 is "before the first". `evidence` is for the bot's author and may
    show a hand: it never reaches another seat.
    """

    type: FaultType
    seat: Seat
    deal: int
    trick: int
    evidence: str = ""

    def as_record(self) -> dict[str, Any]:
        """The part that is in a result: type, seat, deal and trick."""
        return {"type": self.type.value, "seat": self.seat.name, "deal": self.deal, "trick": self.trick}
