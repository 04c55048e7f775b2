"""Streams that nobody started: strangers, silent ones, and tokens that are used twice."""

import pytest
import trio
from referee.play.memory import MemoryLine, hello, launch_of, memory_pool, play_honestly, settle
from referee.play.posts import LIMITS, ONE, hangs_up_when_asked, seated

from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType
from aluette_referee.play.pool import NotPlaying

pytestmark = pytest.mark.trio


async def refusal(line: MemoryLine) -> wire.Refused:
    response = await line.receive()
    assert response.WhichOneof("body") == "refused", response
    with pytest.raises(trio.EndOfChannel):
        await line.receive()
    return response.refused


async def test_a_stranger_is_refused(autojump_clock):
    async with memory_pool({}) as (_, start):
        line = start.dial("guessed")
        line.send(hello())
        assert (await refusal(line)).reason == wire.Refused.REASON_TOKEN


async def test_a_stream_without_a_hello_is_ended(autojump_clock):
    async with memory_pool({}, LIMITS) as (_, start):
        line = start.dial("")
        refused = await refusal(line)
        assert (refused.reason, refused.message) == (wire.Refused.REASON_HELLO, "no Hello came within 5 s")
        assert trio.current_time() == pytest.approx(5.0)


async def test_a_stream_that_ends_before_its_hello_is_ended_here_too(autojump_clock):
    async with memory_pool({}) as (_, start):
        line = start.dial("")
        line._requests.close()  # the bot sends no more, but would still listen
        with pytest.raises(trio.EndOfChannel):
            await line.receive()


def remembering(lines: list[MemoryLine], behave=play_honestly):
    async def bot(line: MemoryLine) -> None:
        lines.append(line)
        await behave(line)

    return bot


async def test_a_second_stream_with_a_token_is_refused_and_disturbs_not_the_first(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"good": remembering(lines)}) as (pool, start):
        player = await pool.player(ONE, launch_of("good"))
        second = start.dial(lines[0].referee.token)
        second.send(hello())
        assert (await refusal(second)).reason == wire.Refused.REASON_TAKEN
        notes = seated(player, 1)
        await settle()
        assert len(notes.answers) == 1
        assert player.takes_tables


async def test_the_token_of_a_stream_that_has_ended_is_worth_nothing(autojump_clock):
    lines: list[MemoryLine] = []
    async with memory_pool({"bad": remembering(lines, hangs_up_when_asked)}) as (pool, start):
        player = await pool.player(ONE, launch_of("bad"))
        seated(player, 1)
        await player.gone.wait()
        again = start.dial(lines[0].referee.token)
        again.send(hello())
        assert (await refusal(again)).reason == wire.Refused.REASON_TOKEN


async def test_a_bot_that_was_refused_once_may_not_try_again_with_the_same_token(autojump_clock):
    lines: list[MemoryLine] = []

    async def tries_twice(line: MemoryLine) -> None:
        lines.append(line)
        line.send(hello(capacity=10_001))
        await trio.sleep_forever()

    async with memory_pool({"bad": tries_twice}) as (pool, start):
        with pytest.raises(NotPlaying) as not_playing:
            await pool.start_once(launch_of("bad"))
        assert not_playing.value.kind is FaultType.REFUSED
        again = start.dial(lines[0].referee.token)
        again.send(hello())
        assert (await refusal(again)).reason == wire.Refused.REASON_TOKEN
