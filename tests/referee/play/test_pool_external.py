"""External bots: announced, awaited, and awaited anew."""

import pytest
import trio
from referee.play.memory import MemoryLine, hello, memory_pool, play_honestly, settle
from referee.play.posts import EXTERNAL, ONE, external, seated, speaks_another_protocol

from aluette.seats import Seat
from aluette_referee.faults import FaultType
from aluette_referee.play.player import Player
from aluette_referee.play.pool import NotPlaying

pytestmark = pytest.mark.trio


async def test_an_external_bot_is_announced_and_awaited(autojump_clock):
    announced: list[str] = []
    async with memory_pool({}, announce=announced.append) as (pool, start):
        player = await external(pool, start, announced)
        notes = seated(player, 1)
        await settle()
        assert len(notes.answers) == 1
        assert start.started == []
        assert await pool.player(ONE, EXTERNAL) is player
        assert len(announced) == 1


async def test_an_external_bot_that_hangs_up_is_disconnected_and_awaited_anew(autojump_clock):
    async def hangs_up(line: MemoryLine) -> None:
        line.send(hello())
        async for response in line:
            if response.batch.turns:
                line.hang_up()
                return

    announced: list[str] = []
    async with memory_pool({}, announce=announced.append) as (pool, start):
        player = await external(pool, start, announced, hangs_up)
        notes = seated(player, 1)
        await player.gone.wait()
        assert notes.faults == [
            (Seat.N, FaultType.DISCONNECTED, "the stream ended and was not taken up again")
        ]
        assert await external(pool, start, announced) is not player


async def test_an_external_bot_that_does_not_come_is_not_connected(autojump_clock):
    async with memory_pool({}) as (pool, _):
        with pytest.raises(NotPlaying) as not_playing:
            await pool.start_once(EXTERNAL)
        assert not_playing.value.kind is FaultType.NOT_CONNECTED
        assert not_playing.value.evidence == "no external bot came within 600 s"
        assert trio.current_time() == pytest.approx(600.0)


async def test_an_external_bot_that_is_refused_is_told_and_awaited_anew(autojump_clock):
    announced: list[str] = []
    async with memory_pool({}, announce=announced.append) as (pool, start):
        players: list[Player] = []

        async def wait() -> None:
            players.append(await pool.player(ONE, EXTERNAL))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            for bot in (speaks_another_protocol, play_honestly):
                await settle()
                token = announced[-1].partition("ALUETTE_TOKEN=")[2].split()[0]
                pool._nursery.start_soon(bot, start.dial(token))
        assert [sentence.partition(" ")[0] for sentence in announced] == ["Waiting", "A", "Waiting"]
        assert "was refused: this referee speaks protocol 1 and the bot speaks 2" in announced[1]
        assert players[0].takes_tables
