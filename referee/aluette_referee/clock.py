"""Time limits, and the serial clock of a stream.

Pure: time comes in as a number of seconds on one monotonic clock. The serial rule: a turn's clock starts
when it has been sent *and* the turn before it on that stream has been answered. So a process with many
tables gets neither less nor more time for each.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

__all__ = ["Limits", "SerialClock"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """How long everything may take, in seconds; `move` and `ready` are None when no clock runs for them.

    Where no clock runs the ceiling still does, so that nothing hangs for ever; no bot is told of it.
    """

    connect: float = 10.0
    """From starting a bot's process to its `Hello`."""
    ready: float | None = 10.0
    """For the first answer in a match: loading a model is not charged to the first card."""
    move: float | None = 2.0
    """For each answer after that."""
    bank: float = 0.0
    """What a seat's answers in a match may take over `move`, all together."""
    goodbye: float = 2.0
    """From the referee's goodbye to the end of the process."""
    grace: float = 5.0
    """From the end of a stream to its being taken up again; 0 when it cannot be. Clocks run on meanwhile."""
    ceiling: float = 3600.0
    """For an answer for which no clock runs."""
    pace: float = 0.0
    """Turns are sent on ticks so far apart, so that a partner's thinking time says little; 0: at once."""

    @property
    def until_ready(self) -> float:
        """How long the first answer in a match is awaited."""
        return self.ceiling if self.ready is None else self.ready

    @property
    def untimed(self) -> "Limits":
        """The same without a clock for answers: for a person, or a debugger."""
        return replace(self, ready=None, move=None)


class SerialClock(Generic[T]):
    """The turns under way on one stream, oldest first, and how long the first of them still has."""

    __slots__ = ("_started", "_turns", "out_of_order")

    def __init__(self) -> None:
        """Nothing is under way."""
        self._turns: dict[T, float] = {}
        self._started = -math.inf
        self.out_of_order = 0
        """How many turns were answered before an earlier one."""

    def __len__(self) -> int:
        return len(self._turns)

    def __contains__(self, turn: T) -> bool:
        return turn in self._turns

    @property
    def first(self) -> T | None:
        """The first turn not answered: the one whose clock runs."""
        return next(iter(self._turns), None)

    @property
    def deadline(self) -> float:
        """When the first turn is late; infinity when nothing is under way or no clock runs for it."""
        for limit in self._turns.values():
            return self._started + limit
        return math.inf

    def elapsed(self, now: float) -> float | None:
        """For how long the clock of the first turn not answered has run; None when nothing is under way."""
        return now - self._started if self._turns else None

    def sent(self, turns: Mapping[T, float], now: float) -> None:
        """Turns were sent, each with its limit; the clock of the first starts now if no other is before it."""
        if not self._turns:
            self._started = now
        self._turns.update(turns)

    def answered(self, turn: T, now: float) -> float | None:
        """A turn was answered: the seconds it is charged, or None when it was not under way.

        A turn answered before an earlier one is charged nothing, and the earlier one's clock runs on.
        """
        first = self.first
        if self._turns.pop(turn, None) is None:
            return None
        if turn != first:
            self.out_of_order += 1
            return 0.0
        elapsed, self._started = now - self._started, now
        return elapsed
