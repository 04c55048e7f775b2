"""One bot process that said hello, live: its stream, the matches it plays, and its clock.

It passes answers to the matches, sends what they ask in batches, and when the process is lost - hung,
crashed, disconnected, flooding - it says which match pays, if that is sure, and that the others are void. What
a fault means in a match is the table's business.

A match reserves its places before it begins. Who has left takes no new tables. Whose stream has ended is
*away*: everything waits for it, but for its clock, until another stream takes it up again or it is lost.
"""

import functools
from collections.abc import Iterable
from typing import Final

import trio

from aluette.codec import Written
from aluette.events import Event
from aluette.seats import Seat
from aluette.session import Turn
from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType
from aluette_referee.lobby import Refusal
from aluette_referee.play.connection import Connection
from aluette_referee.play.output import Log
from aluette_referee.play.processes import Process
from aluette_referee.play.sitting import Game
from aluette_referee.stream import Stream
from aluette_referee.table import FLOODING

__all__ = ["Player"]

LATE_GRACE: Final = 0.05
"""Seconds after a deadline in which an answer that has arrived may still be read: our delay, not the bot's."""


class Player:
    """A bot process that said hello. `gone` is set when it cannot play any more."""

    def __init__(self, connection: Connection, hello: wire.Hello, process: Process | None = None) -> None:
        """Take an open stream whose `Hello` was accepted, and its process if we started it."""
        self._connection: Connection | None = connection
        self.stream: Stream[tuple[Game, Seat]] = Stream()
        """What travels on it, and how much did."""
        self._alarm = trio.CancelScope()
        self._free = self.capacity = max(1, hello.capacity)
        self._queue = trio.Lock()
        self._freed = trio.Event()
        self.name = hello.bot_name
        self.takes_tables = True
        self.has_sat = False
        self.gone = trio.Event()
        self.moved = trio.Event()
        """Set, and replaced, whenever it goes away, comes back, or is gone."""
        self._blamed: int | None = None
        """While it is away: the table that pays if it does not come back."""
        self._taken_over = 0
        self.ended_by_us = False
        self._farewell = "you have left, and your matches are over"
        self.plays_alone = False
        """Whether it plays one match at a time: then it is sure in which one it is lost."""
        self.lost_unsure = False
        """Whether several matches are void because it was lost, and none of them paid."""
        self.lost: tuple[FaultType, str] | None = None
        """How it was lost: the kind of fault, and the evidence."""
        self.process = process
        self._sat: dict[int, float] = {}

    @property
    def is_away(self) -> bool:
        """Whether its stream has ended and may still be taken up again."""
        return self._connection is None and not self.gone.is_set()

    @property
    def output(self) -> str:
        """The end of what its process printed."""
        return self.process.output if self.process else ""

    @property
    def tables(self) -> int:
        """How many matches it is playing."""
        return len(self.stream.seats)

    # -- for matches -----------------------------------------------------------------------------------

    async def reserve(self, places: int) -> bool:
        """Wait for so many free places, at most `capacity`; False when it takes no more tables.

        All are taken at once, in the order of asking, so that matches neither hold what each other
        needs nor overtake one that needs more.
        """
        async with self._queue:
            while self.takes_tables and (
                self._connection is None or self._free < (self.capacity if self.plays_alone else places)
            ):
                self._freed = trio.Event()
                await self._freed.wait()
            if self.takes_tables:
                self._free -= places
            return self.takes_tables

    def release(self, places: int) -> None:
        """Give reserved places back."""
        self._free += places
        self._freed.set()

    def sit(self, table: int, game: Game, seat: Seat) -> None:
        """Take a seat; the bot hears of it through the match's first event."""
        # What was printed before the first match belongs to that one.
        self._sat[table] = trio.current_time() if self.has_sat else 0.0
        self.has_sat = True
        self.stream.unasked = 0  # what comes late from match after match is no flood
        if self.process is not None:
            self.process.begin_log(table)
        self.stream.seats[table] = (game, seat)

    def leave(self, table: int) -> None:
        """The match is over."""
        self.stream.leave(table)

    def take_log(self, table: int) -> Log:
        """What its process printed for a match that is over, and of its own meanwhile."""
        since = self._sat.pop(table)
        return self.process.take_log(table, since) if self.process else Log("", "")

    def note(self, table: int, text: str) -> None:
        """Write a line into its log for a match, 0 for none."""
        if self.process is not None:
            self.process.note(table, text)

    def tell(self, table: int, event: Event) -> None:
        """Queue an event; `flush` sends."""
        self.stream.tell(table, event)

    def ask(self, turn: Turn | Written, limit: float | None) -> None:
        """Queue a turn; `flush` sends."""
        self.stream.ask(turn, limit)

    def flush(self) -> None:
        """Send what waits, unless a batch is under way; to who is away when it is back, but the clock runs."""
        if self.gone.is_set():
            return
        batch = self.stream.next_batch(trio.current_time())
        if batch is not None and self._connection is not None:
            self._connection.send(batch)
        # Also with no new batch: the next turn of the last one may have a shorter limit than the one before.
        if self.stream.deadline < self._alarm.deadline:  # noqa: PLR1730 - setting it costs, changed or not
            self._alarm.deadline = self.stream.deadline
        if not self.takes_tables and self.stream.is_idle:
            self.goodbye(self._farewell)

    # -- live ------------------------------------------------------------------------------------------

    async def listen(self, connection: Connection) -> None:
        """Take in answers over a stream, until it ends or another has taken its place."""
        await connection.serve(functools.partial(self._take_in, connection))
        if connection is self._connection and not self.gone.is_set():
            self._blamed = self._guilty(FaultType.DISCONNECTED)
            self._connection = None
            self._move()

    def resume(self, connection: Connection) -> None:
        """Go on over another stream, and end the old one if it still lives: say again what must be known."""
        if self._connection is not None:
            self._connection.close()
            self._taken_over += 1
            if self._taken_over == FLOODING:
                connection.close()
                self.lose(FaultType.FLOODING, f"it took {FLOODING} streams up again that had not ended")
                return
        self._connection = connection
        told = [
            (table, event) for table, (game, seat) in self.stream.seats.items() for event in game.events(seat)
        ]
        connection.send(self.stream.again(told, trio.current_time()))
        self._move()
        self._freed.set()
        self.flush()

    async def watch_clock(self) -> None:
        """Lose the player when the first turn under way is late."""
        while not self.gone.is_set():
            with trio.CancelScope(deadline=self.stream.deadline) as self._alarm:
                await trio.sleep_forever()
            late = self.stream.first
            if late is None or trio.current_time() < self.stream.deadline:
                continue  # the turn was answered meanwhile; the alarm is not moved for that
            await trio.sleep(LATE_GRACE)
            if self.stream.first != late:
                continue
            table, number = late
            if self._connection is None:
                self._blamed = table
                self.lose(FaultType.DISCONNECTED, f"it was away when the time for turn {number} was over")
            elif not self._goes_on_without(table, number):
                self.lose(FaultType.LATE, _late(number))

    def _goes_on_without(self, table: int, number: int) -> bool:
        """Give a late answer up, if its match goes on without it."""
        sitting = self.stream.seats.get(table)
        if sitting is None or not self.stream.is_sure or not sitting[0].mends(sitting[1], FaultType.LATE):
            return False
        game, seat = sitting
        elapsed = self.stream.answered(table, number, trio.current_time())
        _flush({self, *game.fault(seat, FaultType.LATE, _late(number), elapsed)})
        return True

    def lose(self, kind: FaultType, evidence: str) -> None:
        """The process cannot go on: the match where that is sure to have happened pays, the others are void.

        Sure is the only match, or the turn whose clock ran out - unless the process may have been with the
        end of a match before, or an event of another. Else none is guessed, since answers that were ready may
        have died with the process: all are void and played again, each in processes of its own.
        """
        if self.gone.is_set():
            return
        self._go()
        self.lost = (kind, evidence)
        seats = dict(self.stream.seats)
        guilty = self._guilty(kind) if self._connection is not None else self._blamed
        self.lost_unsure = guilty is None and bool(seats)
        elapsed = self.stream.elapsed(trio.current_time())
        touched: set[Player] = set()
        # The guilty seat first: what it ends is over before another seat of this process can be blamed.
        for table, (game, seat) in sorted(seats.items(), key=lambda sitting: sitting[0] != guilty):
            if guilty is not None and game is seats[guilty][0]:
                touched |= game.fault(seat, kind, evidence if table == guilty else "", elapsed)
            else:
                touched |= game.void(f"{self.name} was lost in another match ({kind})")
        if self._connection is not None:
            self._connection.close()
        _flush(touched)

    def say(self, response: wire.PlayResponse) -> None:
        """Send a message as it is: for trying what a bot makes of it."""
        if self._connection is not None:
            self._connection.send(response.SerializeToString())

    def hang_up(self) -> None:
        """End its stream as if it had broken: for trying whether it comes back."""
        if self._connection is not None:
            self._connection.close()

    def see_off(self, message: str) -> None:
        """Say goodbye when its matches are over, and give it no more."""
        self._farewell = message
        self._take_no_tables()
        self.flush()

    def goodbye(self, message: str, *, come_again: bool = False) -> None:
        """Say goodbye and end the stream; `come_again`: this referee is about to be started anew."""
        self.ended_by_us = True
        self._go()
        if self._connection is not None:
            goodbye = wire.PlayResponse(goodbye=wire.Goodbye(message=message, come_again=come_again))
            self._connection.send(goodbye.SerializeToString())
            self._connection.close()

    def _go(self) -> None:
        self.gone.set()
        self._take_no_tables()
        self._move()

    def _move(self) -> None:
        moved, self.moved = self.moved, trio.Event()
        moved.set()

    def _guilty(self, kind: FaultType) -> int | None:
        """At which table it is sure to have happened, if at any."""
        seats, first = self.stream.seats, self.stream.first
        only = len({game for game, _ in seats.values()}) == 1
        if not self.stream.is_sure or not (only or (kind is FaultType.LATE and first)):
            return None
        if first is not None:
            return first[0] if first[0] in seats else None
        return next(iter(seats))

    def _refuse(self, connection: Connection, sentence: str) -> None:
        connection.send(Refusal(wire.Refused.REASON_HELLO, sentence).as_response().SerializeToString())
        self.lose(FaultType.MALFORMED, sentence)

    def _take_no_tables(self) -> None:
        self.takes_tables = False
        self._freed.set()

    def _take_in(self, connection: Connection, request: wire.PlayRequest | None) -> None:
        if self.gone.is_set() or connection is not self._connection:
            return  # it was under way when the process was lost, or the stream replaced: that is about to end
        match request and request.WhichOneof("body"):
            case "moves":
                assert request is not None
                self._take(request.moves.moves)
            case "leave":
                self._take_no_tables()
                self.flush()
            case "hello":
                self._refuse(connection, "a second Hello came: it is sent once, first")
            case _ if request is None:
                self._refuse(connection, "what came is no message of the protocol")
            case _:  # nothing, or an addition that this version does not know
                self._count_unasked()

    def _take(self, moves: Iterable[wire.Move]) -> None:
        now = trio.current_time()
        touched: set[Player] = {self}
        for move in moves:
            if self.gone.is_set():
                break
            table = move.table
            charged = self.stream.answered(table, move.number, now)
            sitting = self.stream.seats.get(table)
            if sitting is not None:
                game, seat = sitting
                touched |= game.answer(seat, move, charged)
            elif charged is None:
                self.note(0, "dropped: an answer for a table that it does not play at")
                self._count_unasked()
        _flush(touched)

    def _count_unasked(self) -> None:
        self.stream.unasked += 1
        if self.stream.unasked >= FLOODING:
            self.lose(FaultType.FLOODING, f"{FLOODING} answers came for tables that it does not play at")


def _late(number: int) -> str:
    return f"no answer came in time to turn {number}" if number else "it did not get ready in time"


def _flush(players: Iterable[Player]) -> None:
    for player in players:
        player.flush()
