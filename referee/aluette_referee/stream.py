"""What travels on one bot's stream, and when: at most one batch under way, and the serial clock.

Turns and events wait here until every turn of the last batch has been answered; then they go together,
events first. That alone makes the batches. Pure: messages and times come in and go out as values. What an
answer means is for the table; this file only knows whether its turn is open.
"""

import math
from collections.abc import Iterable
from typing import Generic, TypeVar

from aluette.codec import Written, write_batch, write_event, write_turn
from aluette.events import Event, MatchEnded
from aluette.session import Turn
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import SerialClock

__all__ = ["Pending", "Stream"]

S = TypeVar("S")


Pending = tuple[int, int]
"""A turn under way: at which table, and its number."""


class Stream(Generic[S]):
    """One bot's stream. `S` is what sits behind a table number: whatever the caller wants to get back."""

    __slots__ = (
        "_clock", "_events", "_limits", "_sent", "_told", "_turns", "_unheard", "batches", "seats", "turns", "unasked",
    )  # fmt: skip

    def __init__(self) -> None:
        """Nobody sits, nothing waits."""
        self.seats: dict[int, S] = {}
        self.unasked = 0
        """Answers to tables that this stream does not know."""
        self.batches = 0
        self.turns = 0
        """How many batches with turns were sent, and how many turns in them."""
        self._clock: SerialClock[Pending] = SerialClock()
        # What waits, written already, and for how long the turns will be awaited.
        self._events: list[tuple[int, Event, bytes]] = []
        self._turns: dict[Pending, bytes] = {}
        self._limits: dict[Pending, float] = {}
        self._sent: dict[Pending, bytes] = {}
        """The turns of the last batch that had any."""
        self._told: set[int] = set()
        """To which tables that batch had events."""
        self._unheard: list[bytes] = []
        """Ends of matches that were sent, and no turn after them was answered."""

    @property
    def out_of_order(self) -> int:
        """How many turns were answered before an earlier one."""
        return self._clock.out_of_order

    @property
    def first(self) -> Pending | None:
        """The first turn not answered."""
        return self._clock.first

    @property
    def under_way(self) -> int:
        """How many turns were sent and are not answered."""
        return len(self._clock)

    @property
    def deadline(self) -> float:
        """When that turn is late; infinity when nothing is under way."""
        return self._clock.deadline

    @property
    def has_something(self) -> bool:
        """Whether a batch can be sent now."""
        return not self._clock and bool(self._turns or self._events)

    @property
    def is_idle(self) -> bool:
        """Whether nobody sits, nothing waits and nothing is under way."""
        return not (self.seats or self._clock or self._turns or self._events)

    def tell(self, table: int, event: Event) -> None:
        """Queue an event."""
        self._events.append((table, event, write_event(table, event)))

    def ask(self, turn: Turn | Written, limit: float | None) -> None:
        """Queue a turn; `limit` is in seconds, None for no clock."""
        pending = turn[:2]
        self._turns[pending] = turn.message if isinstance(turn, Written) else write_turn(turn)
        self._limits[pending] = math.inf if limit is None else limit

    def leave(self, table: int) -> None:
        """Nobody sits at that table any more: its queued turns are not sent, an open one is still awaited."""
        self.seats.pop(table, None)
        for pending in [pending for pending in self._turns if pending[0] == table]:
            del self._turns[pending], self._limits[pending]

    def next_batch(self, now: float) -> bytes | None:
        """Take what waits as one batch, a `PlayResponse`, if none is under way; its clock starts now."""
        if not self.has_something:
            return None
        events, turns = self._events, self._turns
        self._unheard += [written for _, event, written in events if isinstance(event, MatchEnded)]
        if turns:
            self.batches += 1
            self.turns += len(turns)
            self._sent, self._told = turns, {table for table, _, _ in events}
            self._clock.sent(self._limits, now)
        self._events, self._turns, self._limits = [], {}, {}
        return write_batch([written for _, _, written in events], turns.values())

    def again(self, events: Iterable[tuple[int, Event]], now: float) -> bytes:
        """What a bot that has come back must hear: `events` by table, and the turns that it has not answered.

        Before them the ends of matches that it may not have heard of.
        """
        told = self._unheard + [write_event(table, event) for table, event in events]
        turns = [written for pending, written in self._sent.items() if pending in self._clock]
        if turns:
            first = wire.Turn.FromString(turns[0])
            if first.HasField("time_left_ms"):
                first.time_left_ms = max(0, int((self._clock.deadline - now) * 1000))  # its clock has gone on
                turns[0] = first.SerializeToString()
        return write_batch(told, turns)

    @property
    def is_sure(self) -> bool:
        """Whether what the process does now, it does for the first turn not answered, or for the only match.

        Events are handled before the turns of their batch: until one of these is answered, it may be with an
        event of another table.
        """
        first = self.first
        if first is None:
            return not self._unheard
        if len(self._clock) < len(self._sent):
            return True
        return not self._unheard and self._told <= {first[0]}

    def elapsed(self, now: float) -> float | None:
        """For how long the clock of the first turn not answered has run; None when nothing is under way."""
        return self._clock.elapsed(now)

    def answered(self, table: int, number: int, now: float) -> float | None:
        """An answer came: the seconds it is charged, or None when its turn is not open (stale, repeated)."""
        charged = self._clock.answered((table, number), now)
        if charged is not None and self._unheard:
            self._unheard = []  # nothing is sent while a batch is under way: who answers it has heard all before
        return charged
