"""Many bots at once: whether a referee that is busy ever calls one late, and what bots cost that only sit there.

One other process is all the bots, asyncio streams of plain `grpc.aio` with a connection each. A *thinker* takes its
time for each answer, one after the other, and notes how long it really took; what the referee's clock says above that is
the referee's own share, with the way there and back.
"""

import asyncio
import itertools
import json
import re
import signal
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any, Final, NamedTuple

import grpc
import grpc.aio
import trio

from aluette.address import KEEPALIVE
from aluette.client import METHOD
from aluette.packs import block_key, open_contest_key, pairing_id
from aluette.rules import RuleSet
from aluette.seats import SEATS
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL
from aluette_bench.noting import NotingRunner
from aluette_referee.clock import Limits
from aluette_referee.play import bridge
from aluette_referee.play.gate import Gate
from aluette_referee.play.launch import EXTERNAL, Launch
from aluette_referee.play.pool import Pool, Post, open_pool
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed

__all__ = ["measure_idle", "measure_thinkers"]

THINKING: Final = 0.05
CAPACITY: Final = 16
LIMIT: Final = 1.0
_WAY: Final = re.compile(r"ALUETTE_SERVER=(\S+) ALUETTE_TOKEN=(\S+)")
_WARM_UP: Final = 1.0
_TICK: Final = 0.005
_LAUNCH: Final = Launch(EXTERNAL, None, EXTERNAL)


def measure_thinkers(tables: int, seconds: float) -> dict[str, Any]:
    """Play so many matches at once with bots that think 50 ms, at 16 tables each, and a limit of a second.

    `late` is how many faults there were, of any type; `own_ms` the 99th percentile of the referee's share of an
    answer's time, `longest_ms` the longest.
    """
    of_each_seat = -(-tables // CAPACITY)
    found: dict[str, Any] = {}

    async def main() -> None:
        limits = Limits(move=LIMIT, ready=30.0)
        async with _crowd(4 * of_each_seat, THINKING, limits) as crowd:
            found.update(await _think(crowd, limits, tables, seconds))

    bridge.run(main)
    return found


def measure_idle(bots: int, seconds: float) -> float:
    """What share of one core the referee takes while so many bots are connected and do nothing."""
    shares: list[float] = []

    async def main() -> None:
        async with _crowd(bots, THINKING, Limits()):
            await trio.sleep(_WARM_UP)
            began, cpu = time.perf_counter(), time.process_time()
            await trio.sleep(seconds)
            shares.append((time.process_time() - cpu) / (time.perf_counter() - began))

    bridge.run(main)
    return shares[0]


async def _think(crowd: "_Crowd", limits: Limits, tables: int, seconds: float) -> dict[str, Any]:
    faults = 0
    charged: dict[tuple[int, int], float] = {}

    def note(move: wire.Move, seconds: float | None) -> None:
        if seconds is not None:
            charged[move.table, move.number] = seconds

    async def deliver(played: MatchPlayed) -> None:
        nonlocal faults
        faults += len(played.outcome.faults) + len(played.outcome.strikes) + len(played.voids)

    runner = NotingRunner(crowd.pool, limits, note)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(runner.play_all, _plans(crowd.posts), deliver, Gate(tables, tables))
        lags: list[float] = []
        nursery.start_soon(_note_lags, lags)
        await trio.sleep(_WARM_UP)
        lags.clear()
        charged.clear()
        began, cpu = time.perf_counter(), time.process_time()
        await trio.sleep(seconds)
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        nursery.cancel_scope.cancel()
    thought = await crowd.took()
    own = sorted(1000 * (seconds - thought[turn]) for turn, seconds in charged.items() if turn in thought)
    return {
        "bots": len(crowd.posts),
        "decisions_per_s": len(charged) / took,
        "late": faults,
        "own_ms": quantiles(own, n=100, method="inclusive")[-1],
        "longest_ms": own[-1],
        "lag_ms": 1000 * quantiles(lags, n=100, method="inclusive")[-1],
        "cpu": cpu / took,
    }


async def _note_lags(lags: list[float]) -> None:
    """How much too late the referee comes by, looked at again and again."""
    while True:
        due = trio.current_time() + _TICK
        await trio.sleep_until(due)
        lags.append(trio.current_time() - due)


def _plans(posts: Sequence[Post]) -> Iterator[MatchPlan]:
    """Each bot always sits at the same seat; they take turns."""
    of_each_seat = len(posts) // 4
    for number in itertools.count():
        key = block_key(open_contest_key("crowd"), pairing_id("one", "other"), number)
        place = number % of_each_seat
        chairs = {seat: Chair(posts[4 * place + seat - 1], _LAUNCH, "crowd") for seat in SEATS}
        yield MatchPlan(str(number), RuleSet(), key, SEATS[number % 4], chairs)


@asynccontextmanager
async def _crowd(bots: int, thinking: float, limits: Limits) -> "AsyncGenerator[_Crowd]":
    """A pool with so many connected bots."""
    told, said = trio.open_memory_channel[str](bots)
    posts = [Post("crowd", number, 1) for number in range(bots)]
    with tempfile.TemporaryDirectory(prefix="aluette-bench-") as folder:
        async with open_pool(f"{folder}/referee", limits, told.send_nowait) as pool:
            async with trio.open_nursery() as nursery:
                for post in posts:
                    nursery.start_soon(pool.player, post, _LAUNCH)
                ways = [_way(await said.receive()) for _ in posts]
                notes = Path(folder, "notes")
                orders = Path(folder, "orders")
                orders.write_text(json.dumps([thinking, str(notes), ways]), encoding="ascii")  # noqa: ASYNC240
                call = [sys.executable, "-m", "aluette_bench.crowd", str(orders)]
                process = await trio.lowlevel.open_process(call)
                # All have come when the nursery ends.
            try:
                yield _Crowd(pool, posts, process, notes)
            finally:
                process.kill()
                with trio.CancelScope(shield=True):
                    await process.wait()


def _way(said: str) -> tuple[str, str]:
    """The address and the token that a person is told."""
    found = _WAY.search(said)
    assert found is not None, said
    return found[1], found[2]


class _Crowd(NamedTuple):
    pool: Pool
    posts: list[Post]
    process: trio.Process
    notes: Path

    async def took(self) -> dict[tuple[int, int], float]:
        """How long each answer really took, by table and number of its turn; the bots are gone then."""
        self.process.terminate()
        await self.process.wait()
        turns = json.loads(self.notes.read_text(encoding="ascii"))
        return {(table, number): seconds for table, number, seconds in turns}


# -- the other process: all the bots -------------------------------------------------------------------


async def _be_all(thinking: float, notes: str, ways: Sequence[tuple[str, str]]) -> None:
    took: list[tuple[int, int, float]] = []
    over = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    bots = [
        asyncio.ensure_future(_be(server, token, thinking, took if notes else None)) for server, token in ways
    ]
    await over.wait()
    for bot in bots:
        bot.cancel()
    if notes:
        Path(notes).write_text(json.dumps(took), encoding="ascii")  # noqa: ASYNC240 - all is over


async def _be(server: str, token: str, thinking: float, took: list[tuple[int, int, float]] | None) -> None:
    """One bot: its connection, its stream, an answer every so often."""
    options = [
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.max_receive_message_length", -1),
        *KEEPALIVE.items(),
    ]
    async with grpc.aio.insecure_channel(server, options=options) as channel:
        call = channel.stream_stream(
            METHOD,
            request_serializer=wire.PlayRequest.SerializeToString,
            response_deserializer=wire.PlayResponse.FromString,
        )(metadata=(("authorization", f"Bearer {token}"),))
        hello = wire.Hello(protocol=PROTOCOL, bot_name="crowd", sdk="crowd", capacity=CAPACITY)
        await call.write(wire.PlayRequest(hello=hello))
        while isinstance(response := await call.read(), wire.PlayResponse):
            began = time.perf_counter()
            for turn in response.batch.turns:
                await asyncio.sleep(thinking)
                answer = wire.PlayRequest(moves=wire.Moves(moves=[_answer(turn)]))
                answered = time.perf_counter()
                if took is not None:
                    took.append((turn.table, turn.number, answered - began))
                began = answered
                await call.write(answer)


def _answer(turn: wire.Turn) -> wire.Move:
    move = wire.Move(table=turn.table, number=turn.number)
    if turn.asked == game.ASK_PLAY:
        move.play = turn.hand[-1]
    elif turn.asked == game.ASK_READY:
        move.ready.SetInParent()
    elif turn.asked == game.ASK_LOOK:
        move.look.SetInParent()
    else:
        move.chant = False
    return move


if __name__ == "__main__":
    asyncio.run(_be_all(*json.loads(Path(sys.argv[1]).read_text(encoding="ascii"))))
