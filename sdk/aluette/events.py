"""What a bot is told besides its turns: a match begins, a deal has ended, the match is over."""

from enum import StrEnum
from typing import NamedTuple

from aluette.rules.ruleset import RuleSet
from aluette.seats import Seat, Side
from aluette.view import DealEnded, Points

__all__ = ["DealEnded", "Event", "MatchBegun", "MatchEnded", "Reason", "SeatFaulted"]


class MatchBegun(NamedTuple):
    """You sit down at a table.

    `seed` is for your own random numbers. `names` says who sits N, E, S, W, and is empty unless the
    contest tells names. `move_limit` and `ready_limit` are in seconds, None when no clock runs; `bank` is
    what moves of this match may take over their limit, all together.
    """

    seat: Seat
    rules: RuleSet
    seed: int
    names: tuple[str, ...] = ()
    move_limit: float | None = None
    ready_limit: float | None = None
    bank: float = 0.0


class SeatFaulted(NamedTuple):
    """A seat did wrong, in one word how, and the match goes on.

    What it had to do was done for it: its weakest card, a no, no signal.
    """

    seat: Seat
    fault: str


class Reason(StrEnum):
    """Why a match ended."""

    PLAYED = "played"
    FAULT = "fault"
    VOID = "void"


class MatchEnded(NamedTuple):
    """The match is over.

    `winner` is None for a draw and for a void match, which counts for nobody. After a fault,
    `fault_seat` and `fault` say who and in one word what.
    """

    reason: Reason
    winner: Side | None
    points: Points
    fault_seat: Seat | None = None
    fault: str = ""


Event = MatchBegun | DealEnded | SeatFaulted | MatchEnded
