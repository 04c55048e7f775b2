"""Streams that broke and are taken up again: with a secret, within the grace."""

import pytest
import trio
from referee.play.memory import Crash, MemoryLine, Starter, hello, launch_of, memory_pool, settle
from referee.play.posts import ONE, away, external, seated

from aluette.events import MatchBegun
from aluette.rules import STANDARD
from aluette.seats import Seat
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType

pytestmark = pytest.mark.trio


def cut_short(lines: list[MemoryLine], *, lives: bool = True):
    """A bot whose stream breaks at its first turn; the process lives on, or ends three seconds later."""

    async def bot(line: MemoryLine) -> None:
        lines.append(line)
        line.send(hello())
        async for response in line:
            line.secret = response.welcome.resume or line.secret
            if response.batch.turns:
                line.hang_up()
                await trio.sleep(1e9 if lives else 3.0)
                raise Crash("the process ended with exit code 1")

    return bot


async def come_back(start: Starter, token: str, secret: str) -> tuple[MemoryLine, wire.PlayResponse]:
    """A new stream with a secret, and what is said to it first."""
    line = start.dial(token)
    line.send(hello(resume=secret))
    return line, await line.receive()


async def test_a_stream_that_broke_is_taken_up_again_with_the_secret_of_its_welcome(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bot": cut_short(lines)}) as (pool, start):
        player = await pool.player(ONE, launch_of("bot"))
        notes = seated(player, 1)
        notes.told = [MatchBegun(Seat.N, STANDARD, 0)]
        await away(player)
        token = lines[0].referee.token
        for wrong in ("guess", ""):
            _, response = await come_back(start, token, wrong)
            assert response.refused.reason == wire.Refused.REASON_TAKEN
        await trio.sleep(4.9)
        line, welcome = await come_back(start, token, lines[0].secret)
        assert (welcome.welcome.resume, welcome.welcome.grace_ms) == ("", 5000), "the secret holds on"
        events, [turn] = line.read(await line.batch())
        assert [table for table, _ in events] == [1]
        line.answer(wire.Move(table=turn.table, number=turn.number, ready=wire.Ready()))
        await settle()
        assert [number for _, number, _ in notes.answers] == [0]
        assert await pool.player(ONE, launch_of("bot")) is player
        line.hang_up()
        await player.gone.wait()
        assert trio.current_time() == pytest.approx(9.9)


async def test_a_process_that_ends_while_it_is_away_has_crashed(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bot": cut_short(lines, lives=False)}) as (pool, _):
        player = await pool.player(ONE, launch_of("bot"))
        notes = seated(player, 1)
        await player.gone.wait()
        assert notes.faults == [(Seat.N, FaultType.CRASHED, "the process ended with exit code 1")]
        assert notes.at == [pytest.approx(3.0)]


async def test_who_comes_back_too_late_is_refused(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bot": cut_short(lines)}) as (pool, start):
        player = await pool.player(ONE, launch_of("bot"))
        seated(player, 1)
        token = lines[0].referee.token
        await player.gone.wait()
        _, response = await come_back(start, token, lines[0].secret)
        assert response.refused.message.startswith("there is nothing to take up again: ")


async def test_each_break_begins_a_new_grace(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bot": cut_short(lines)}) as (pool, start):
        player = await pool.player(ONE, launch_of("bot"))
        seated(player, 1).told = [MatchBegun(Seat.N, STANDARD, 0)]
        token = lines[0].referee.token
        for _ in range(20):
            line, _ = await come_back(start, token, lines[0].secret)
            line.hang_up()
        await trio.sleep(4.9)
        assert not player.gone.is_set()
        line, welcome = await come_back(start, token, lines[0].secret)
        assert welcome.HasField("welcome")


async def test_who_took_its_own_stream_over_is_still_seen_to_end(autojump_clock):
    lines: list[MemoryLine] = []

    async def notes_its_welcome(line: MemoryLine) -> None:
        lines.append(line)
        line.send(hello())
        line.secret = (await line.receive()).welcome.resume
        await trio.sleep_forever()

    async with memory_pool({"bot": notes_its_welcome}, Limits(ready=None)) as (pool, start):
        player = await pool.player(ONE, launch_of("bot"))
        seated(player, 1)
        await settle()
        line, _ = await come_back(start, lines[0].referee.token, lines[0].secret)
        await settle()
        line.hang_up()
        await player.gone.wait()
        assert player.lost is not None
        assert trio.current_time() == pytest.approx(5.0)


@pytest.mark.parametrize("grace", [0.0, 0.5, 8.0])
async def test_the_grace_is_a_setting(autojump_clock, grace):
    announced: list[str] = []
    async with memory_pool({}, Limits(grace=grace), announced.append) as (pool, start):
        player = await external(pool, start, announced, cut_short([]))
        seated(player, 1)
        await player.gone.wait()
        assert player.lost == (FaultType.DISCONNECTED, "the stream ended and was not taken up again")
        assert trio.current_time() == pytest.approx(grace)
