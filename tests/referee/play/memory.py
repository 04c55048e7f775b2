"""Live play without network and processes: streams, bots and processes in memory, on trio's clock.

    line = MemoryLine()            one stream: `line.referee` is a `Connection`, `line` the bot's end
    await play_honestly(line)      a bot that says Hello and plays; `seconds` is how long it thinks
    start = Starter(bots)          starts bots by the first word of their command, for a `Pool`

A *bot* is an async function of a line and is written like a process: when it returns the process has
ended, and an exception makes it crash. Time is trio's: with the autojump clock, hours pass at once.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trio
import trio.testing

from aluette.bot import BotFactory
from aluette.codec import read_event, read_turn, write_answer
from aluette.events import Event, MatchBegun, MatchEnded, Reason
from aluette.loading import load_bot
from aluette.packs import BlockKey
from aluette.rules import STANDARD, Match
from aluette.seats import Seat
from aluette.session import Session, Turn
from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL
from aluette.view import Points, View, view_of
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.play.connection import Unreadable
from aluette_referee.play.door import Door, FindGuest, nobody
from aluette_referee.play.launch import Launch
from aluette_referee.play.output import Log
from aluette_referee.play.player import Player
from aluette_referee.play.pool import Pool
from aluette_referee.play.processes import Command

__all__ = [
    "BEGUN", "ENDED", "LIMIT", "VIEW", "Bot", "Crash", "MemoryLine", "MemoryProcess", "Starter", "ask", "connected",
    "converse", "hello", "launch_of", "look", "memory_pool", "never_answers", "numbers", "play_honestly", "returning", "settle",
]  # fmt: skip

VIEW: View = view_of(Match(STANDARD, BlockKey(bytes(32))), Seat.E)
BEGUN = MatchBegun(Seat.E, STANDARD, 7)
ENDED = MatchEnded(Reason.VOID, None, Points(0, 0))
LIMIT = 2.0


async def settle() -> None:
    """Let everything happen that can without time passing."""
    await trio.testing.wait_all_tasks_blocked()


class MemoryLine:
    """One stream, at the bot's end."""

    def __init__(self, token: str = "") -> None:
        self._requests, requests = trio.open_memory_channel[wire.PlayRequest | None](float("inf"))
        responses, self._responses = trio.open_memory_channel[wire.PlayResponse](float("inf"))
        self.referee = _Referee(token, requests, responses, self._requests)
        self._seats: dict[int, Seat] = {}
        self.secret = ""
        """Of its welcome, where a bot notes it."""

    def send(self, request: wire.PlayRequest | None) -> None:
        """Send any message, None for one that cannot be read; to a stream that has ended it does nothing."""
        if not self.referee.closed:
            self._requests.send_nowait(request)

    def answer(self, *moves: wire.Move) -> None:
        """Send answers, all in one message."""
        self.send(wire.PlayRequest(moves=wire.Moves(moves=moves)))

    def hang_up(self) -> None:
        """End the stream from this end."""
        self._requests.close()
        self._responses.close()

    async def receive(self) -> wire.PlayResponse:
        """The next message; raises `trio.EndOfChannel` at the end."""
        return await self._responses.receive()

    def waiting(self) -> int:
        """How many messages have come and are not received."""
        return self._responses.statistics().current_buffer_used

    def __aiter__(self) -> AsyncIterator[wire.PlayResponse]:
        return self._responses.__aiter__()

    async def batch(self) -> wire.Batch:
        """The next message, which must be a batch."""
        response = await self.receive()
        assert response.WhichOneof("body") == "batch", response
        return response.batch

    def read(self, batch: wire.Batch) -> tuple[list[tuple[int, Event]], list[Turn]]:
        """What a batch says: events by table, and turns."""
        events: list[tuple[int, Event]] = []
        for message in batch.events:
            event = read_event(message)
            assert event is not None
            if isinstance(event, MatchBegun):
                self._seats[message.table] = event.seat
            events.append((message.table, event))
        return events, [read_turn(turn, self._seats.get(turn.table)) for turn in batch.turns]


class _Referee:
    """The other end: a `Connection`."""

    def __init__(
        self,
        token: str,
        requests: trio.MemoryReceiveChannel[wire.PlayRequest | None],
        responses: trio.MemorySendChannel[wire.PlayResponse],
        bots_end: trio.MemorySendChannel[wire.PlayRequest | None],
    ) -> None:
        self.token = token
        self.closed = False
        self._requests = requests
        self._responses = responses
        self._bots_end = bots_end

    async def receive(self) -> wire.PlayRequest:
        request = await self._requests.receive()
        if request is None:
            raise Unreadable
        return request

    async def serve(self, take: Callable[[wire.PlayRequest | None], None]) -> None:
        async for request in self._requests:
            take(request)

    def send(self, response: bytes) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            self._responses.send_nowait(wire.PlayResponse.FromString(response))

    def close(self) -> None:
        self.closed = True
        self._responses.close()
        self._bots_end.close()


Bot = Callable[[MemoryLine], Awaitable[None]]


def hello(**changes: object) -> wire.PlayRequest:
    """A good Hello, or with changes."""
    given = {"protocol": PROTOCOL, "bot_name": "memory", "sdk": "memory 1", "capacity": 1024}
    return wire.PlayRequest(hello=wire.Hello(**{**given, **changes}))


async def play_honestly(line: MemoryLine, bot: BotFactory | str = "lowest", **changes: object) -> None:
    """Say Hello, perhaps with changes, and play until the referee's goodbye."""
    line.send(hello(**changes))
    await converse(line, bot)


async def converse(
    line: MemoryLine, bot: BotFactory | str = "lowest", seconds: float | Callable[[Turn], float] = 0.0
) -> None:
    """Play until the referee's goodbye, thinking so long about each answer."""
    session = Session(load_bot(bot) if isinstance(bot, str) else bot)
    async for response in line:
        if response.WhichOneof("body") in ("goodbye", "refused"):
            return
        events, turns = line.read(response.batch)
        for table, event in events:
            session.tell(table, event)
        for turn, answer in zip(turns, session.answer(turns), strict=True):
            if pause := seconds(turn) if callable(seconds) else seconds:
                await trio.sleep(pause)
            line.answer(wire.Move.FromString(write_answer(answer)))


async def never_answers(line: MemoryLine) -> None:
    line.send(hello())
    await trio.sleep_forever()


class Crash(Exception):  # noqa: N818 - what a bot raises to die
    """The process of the bot that raises it ends with this story."""


class MemoryProcess:
    """A bot's task, as the process that the pool thinks it is."""

    def __init__(self, bot: Bot, line: MemoryLine) -> None:
        self._bot = bot
        self._line = line
        self._life = trio.CancelScope()
        self.ended = trio.Event()
        self.story = "the process is gone"
        self.kind = FaultType.CRASHED
        self.how = ""
        self.output = "what it printed"
        self.notes: list[tuple[int, str]] = []
        self.killed = False

    def note(self, table: int, text: str) -> None:
        self.notes.append((table, text))

    def begin_log(self, table: int) -> None:
        pass

    def take_log(self, table: int, since: float) -> Log:
        return Log(f"of {table}", f"since {since:g}")

    def kill(self) -> None:
        self.killed = True
        self._life.cancel()

    async def watch(self) -> None:
        try:
            with self._life:
                await self._bot(self._line)
                self.story = "the process ended with exit code 0"
        except Crash as crash:
            self.story = str(crash)
        finally:
            self._line.hang_up()
            self.ended.set()


class Starter:
    """Starts bots; `started` has each process by the first word of its command, in order."""

    def __init__(self, bots: Mapping[str, Bot]) -> None:
        self._bots = bots
        self.streams, self.connections = trio.open_memory_channel[_Referee](float("inf"))
        self.started: list[tuple[str, MemoryProcess]] = []

    async def __call__(self, command: Command, address: str, token: str) -> MemoryProcess:
        await trio.lowlevel.checkpoint()
        assert address == "own"
        name = command.argv[0]
        process = MemoryProcess(self._bots[name], self.dial(token))
        self.started.append((name, process))
        return process

    def dial(self, token: str) -> MemoryLine:
        """Open a stream."""
        line = MemoryLine(token)
        self.streams.send_nowait(line.referee)
        return line

    def names(self) -> list[str]:
        """The names of all that were started."""
        return [name for name, _ in self.started]

    def of(self, name: str) -> list[MemoryProcess]:
        """The processes of one bot."""
        return [process for started, process in self.started if started == name]


def launch_of(name: str, *, untimed: bool = False) -> Launch:
    """How a bot of a `Starter` is launched."""
    return Launch(name, Command((name,), Path()), name, untimed)


@asynccontextmanager
async def memory_pool(
    bots: Mapping[str, Bot],
    limits: Limits | None = None,
    announce: Callable[[str], None] = lambda _: None,
    max_bots: int = 1000,
    find_guest: FindGuest = nobody,
) -> AsyncIterator[tuple[Pool, Starter]]:
    """A pool of bots in memory while the block runs; at its end all were said goodbye and have ended."""
    start = Starter(bots)
    async with trio.open_nursery() as nursery:
        door = Door(nursery, limits or Limits(), find_guest)
        pool = Pool(
            nursery,
            door,
            ("own", "ALUETTE_SERVER=external"),
            limits or Limits(),
            announce,
            start=start,
            max_bots=max_bots,
        )
        nursery.start_soon(door.receive, start.connections)
        yield pool, start
        await pool.dismiss_all()
        nursery.cancel_scope.cancel()
    assert all(process.ended.is_set() for _, process in start.started)


@asynccontextmanager
async def connected(
    names: Iterable[str] = ("memory",), **changes: object
) -> AsyncIterator[list[tuple[Player, MemoryLine]]]:
    """Players that listen and watch their clock, and their bots' lines, at which nobody sits yet."""
    found: list[tuple[Player, MemoryLine]] = []
    async with trio.open_nursery() as nursery:
        for name in names:
            line = MemoryLine()
            player = Player(line.referee, hello(bot_name=name, **changes).hello)
            nursery.start_soon(player.listen, line.referee)
            nursery.start_soon(player.watch_clock)
            found.append((player, line))
        yield found
        nursery.cancel_scope.cancel()


def look(table: int, number: int) -> wire.Move:
    return wire.Move(table=table, number=number, look=wire.Looked())


def ask(player: Player, *turns: tuple[int, int], limit: float | None = LIMIT) -> None:
    for table, number in turns:
        player.ask(Turn(table, number, VIEW), limit)
    player.flush()


async def numbers(line: MemoryLine) -> list[tuple[int, int]]:
    return [(turn.table, turn.number) for turn in (await line.batch()).turns]


@asynccontextmanager
async def returning(player: Player) -> AsyncIterator[MemoryLine]:
    """A second stream, over which a player has come back."""
    line = MemoryLine()
    player.resume(line.referee)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.listen, line.referee)
        yield line
        nursery.cancel_scope.cancel()
