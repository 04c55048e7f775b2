"""What travels on one bot's stream, and when: at most one batch under way, and the serial clock.

Turns and events wait here until every turn of the last batch has been answered; then they go together,
events first. That alone makes the batches. Pure: messages and times come in and go out as values. What an
answer means is for the table; this file only knows whether its turn is open.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

from aluette.codec import DealWriter, write_event, write_turn
from aluette.events import Event
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
        "_clock", "_pending", "_response", "_sent", "_unheard", "batches", "seats", "turns", "unasked",
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
        # What waits is written straight into the message that will be sent: copying costs as much again.
        self._response = wire.PlayResponse()
        self._pending: list[tuple[Pending, float | None]] = []
        self._sent = wire.PlayResponse()
        """The last batch with turns."""
        self._unheard: list[wire.Event] = []
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
        return not self._clock and self._response.HasField("batch")

    @property
    def is_idle(self) -> bool:
        """Whether nobody sits, nothing waits and nothing is under way."""
        return not (self.seats or self._clock or self._response.HasField("batch"))

    def tell(self, table: int, event: Event) -> None:
        """Queue an event."""
        write_event(table, event, self._response.batch.events.add())

    def ask(self, turn: Turn, limit: float | None, deals: DealWriter | None = None) -> None:
        """Queue a turn; `limit` is in seconds, None for no clock, `deals` writes the deals of its match."""
        write_turn(turn, self._response.batch.turns.add(), deals.write if deals else None)
        self._pending.append(((turn.table, turn.number), limit))

    def leave(self, table: int) -> None:
        """Nobody sits at that table any more: its queued turns are not sent, an open one is still awaited."""
        self.seats.pop(table, None)
        if any(pending[0] == table for pending, _ in self._pending):
            self._pending = [waiting for waiting in self._pending if waiting[0][0] != table]
            events = self._response.batch.events
            turns = [turn for turn in self._response.batch.turns if turn.table != table]
            # Without a batch if nothing is left: an empty one would be sent.
            kept = wire.Batch(events=events, turns=turns) if events or turns else None
            self._response = wire.PlayResponse(batch=kept)

    def next_batch(self, now: float) -> wire.PlayResponse | None:
        """Take what waits as one batch, if none is under way; its clock starts now."""
        if not self.has_something:
            return None
        self.batches += bool(self._pending)
        self.turns += len(self._pending)
        for pending, limit in self._pending:
            self._clock.sent(pending, limit, now)
        response = self._response
        if self._pending:
            self._sent = response
        self._unheard += [event for event in response.batch.events if event.HasField("match_ended")]
        self._response, self._pending = wire.PlayResponse(), []
        return response

    def again(self, events: Iterable[tuple[int, Event]], now: float) -> wire.PlayResponse:
        """What a bot that has come back must hear: `events` by table, and the turns that it has not answered.

        Before them the ends of matches that it may not have heard of.
        """
        response = wire.PlayResponse()
        response.batch.events.extend(self._unheard)
        for table, event in events:
            write_event(table, event, response.batch.events.add())
        turns = response.batch.turns
        turns.extend(turn for turn in self._sent.batch.turns if (turn.table, turn.number) in self._clock)
        if turns and turns[0].HasField("time_left_ms"):
            turns[0].time_left_ms = max(0, int((self._clock.deadline - now) * 1000))  # its clock has gone on
        return response

    @property
    def is_sure(self) -> bool:
        """Whether what the process does now, it does for the first turn not answered, or for the only match.

        Events are handled before the turns of their batch: until one of these is answered, it may be with an
        event of another table.
        """
        batch, first = self._sent.batch, self.first
        if first is None:
            return not self._unheard
        if len(self._clock) < len(batch.turns):
            return True
        return not self._unheard and all(event.table == first[0] for event in batch.events)

    def elapsed(self, now: float) -> float | None:
        """For how long the clock of the first turn not answered has run; None when nothing is under way."""
        return self._clock.elapsed(now)

    def answered(self, table: int, number: int, now: float) -> float | None:
        """An answer came: the seconds it is charged, or None when its turn is not open (stale, repeated)."""
        charged = self._clock.answered((table, number), now)
        if charged is not None and self._unheard:
            self._unheard = []  # nothing is sent while a batch is under way: who answers it has heard all before
        return charged
