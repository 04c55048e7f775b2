"""Posts and their processes: started once, started anew when lost, and each end told apart."""

import pytest
import trio
from referee.play.memory import (
    Crash,
    MemoryLine,
    hello,
    launch_of,
    memory_pool,
    never_answers,
    play_honestly,
    settle,
)
from referee.play.posts import LIMITS, ONE, OTHER, away, hangs_up_when_asked, seated, speaks_another_protocol

from aluette.events import MatchEnded, Reason
from aluette.seats import Seat
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points
from aluette_referee.faults import FaultType
from aluette_referee.play.player import Player
from aluette_referee.play.pool import NotPlaying, Post

pytestmark = pytest.mark.trio

# -- bots ------------------------------------------------------------------------------------------


async def ends_at_once(line: MemoryLine) -> None:
    raise Crash("the process ended with exit code 7")


async def never_says_hello(line: MemoryLine) -> None:
    await trio.sleep_forever()


async def crashes_after_hello(line: MemoryLine) -> None:
    line.send(hello())
    await line.receive()
    raise Crash("the process ended with exit code 9")


async def leaves_after_hello(line: MemoryLine) -> None:
    line.send(hello())
    line.send(wire.PlayRequest(leave=wire.Leave()))
    async for response in line:
        if response.WhichOneof("body") == "goodbye":
            return


async def crashes_when_asked(line: MemoryLine) -> None:
    line.send(hello())
    async for response in line:
        if response.batch.turns:
            raise Crash("the process was ended by signal 11 (SIGSEGV)")


def takes_its_time_to_end(seconds: float):
    async def bot(line: MemoryLine) -> None:
        await play_honestly(line)
        await trio.sleep(seconds)

    return bot


# -- starting --------------------------------------------------------------------------------------


async def test_a_post_has_one_process_however_many_ask_at_once(autojump_clock):
    players: list[Player] = []

    async def ask() -> None:
        players.append(await pool.player(ONE, launch_of("good")))

    async with memory_pool({"good": play_honestly}) as (pool, start):
        async with trio.open_nursery() as nursery:
            for _ in range(20):
                nursery.start_soon(ask)
        assert len(set(players)) == 1
        assert players[0] is await pool.player(ONE, launch_of("good"))
        assert players[0] is not await pool.player(OTHER, launch_of("good"))
        assert start.names() == ["good", "good"]


NOT_PLAYING = {
    ends_at_once: (FaultType.NOT_STARTED, "the process ended with exit code 7"),
    never_says_hello: (FaultType.NOT_CONNECTED, "no hello came within 5 s"),
    speaks_another_protocol: (FaultType.REFUSED, "this referee speaks protocol 1 and the bot speaks 2"),
}


@pytest.mark.parametrize("bot", NOT_PLAYING)
async def test_a_bot_that_never_plays_is_tried_three_times(autojump_clock, bot):
    kind, evidence = NOT_PLAYING[bot]
    async with memory_pool({"bad": bot}, LIMITS) as (pool, start):
        with pytest.raises(NotPlaying) as not_playing:
            await pool.player(ONE, launch_of("bad"))
        assert not_playing.value.kind is kind
        assert not_playing.value.evidence.startswith(evidence)
        assert not_playing.value.output == "what it printed"
        assert start.names() == ["bad"] * 3
        assert trio.current_time() == pytest.approx(15.0 if bot is never_says_hello else 0.0)
        await settle()
        assert all(process.ended.is_set() for _, process in start.started)


async def test_for_a_check_a_bot_is_tried_once(autojump_clock):
    async with memory_pool({"bad": ends_at_once}) as (pool, start):
        with pytest.raises(NotPlaying):
            await pool.start_once(launch_of("bad"))
        assert start.names() == ["bad"]


async def test_a_bot_that_starts_at_the_third_try_plays(autojump_clock):
    tries: list[int] = []

    async def flaky(line: MemoryLine) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise Crash("the process ended with exit code 1")
        await play_honestly(line)

    async with memory_pool({"flaky": flaky}) as (pool, _):
        player = await pool.player(ONE, launch_of("flaky"))
        assert player.takes_tables
        assert len(tries) == 3


UNUSED = {
    crashes_after_hello: (FaultType.CRASHED, "the process ended with exit code 9"),
    leaves_after_hello: (FaultType.DISCONNECTED, "it left before its first match"),
}


@pytest.mark.parametrize("bot", UNUSED)
async def test_a_bot_that_goes_before_its_first_match_is_not_started_for_ever(autojump_clock, bot):
    async with memory_pool({"bad": bot}) as (pool, start):
        for round_of_tries in (1, 2):
            for _ in range(3):
                player = await pool.player(ONE, launch_of("bad"))
                await player.gone.wait()
            with pytest.raises(NotPlaying) as not_playing:
                await pool.player(ONE, launch_of("bad"))
            assert (not_playing.value.kind, not_playing.value.evidence) == UNUSED[bot]
            assert len(start.started) == 3 * round_of_tries


async def test_a_process_that_is_lost_in_a_match_is_started_anew_each_time(autojump_clock):
    async with memory_pool({"bad": crashes_when_asked}) as (pool, start):
        for _ in range(10):
            player = await pool.player(ONE, launch_of("bad"))
            seated(player, 1)
            await player.gone.wait()
        assert len(start.started) == 10


# -- ends ------------------------------------------------------------------------------------------

LOST = {
    crashes_when_asked: (
        FaultType.CRASHED, "the process was ended by signal 11 (SIGSEGV)", 0.0,
    ),
    hangs_up_when_asked: (
        FaultType.DISCONNECTED, "the stream ended and was not taken up again, but the process lives", 5.0,
    ),
    never_answers: (FaultType.LATE, "it did not get ready in time", 10.05),
}  # fmt: skip


@pytest.mark.parametrize("bot", LOST)
async def test_how_a_process_was_lost_is_told_apart_and_it_is_gone(autojump_clock, bot):
    kind, evidence, when = LOST[bot]
    async with memory_pool({"bad": bot}) as (pool, start):
        player = await pool.player(ONE, launch_of("bad"))
        notes = seated(player, 1)
        await player.gone.wait()
        assert notes.faults == [(Seat.N, kind, evidence)]
        assert notes.at == [pytest.approx(when)]
        assert player.output == "what it printed"
        await start.of("bad")[0].ended.wait()


async def test_a_process_whose_stream_has_ended_gets_no_new_table_while_its_end_is_awaited(autojump_clock):
    async with memory_pool({"bad": hangs_up_when_asked}) as (pool, start):
        player = await pool.player(ONE, launch_of("bad"))
        seated(player, 1)
        await away(player)
        assert await pool.player(ONE, launch_of("bad")) is player
        assert not await player.reserve(1)
        assert trio.current_time() == pytest.approx(5.0)
        assert await pool.player(ONE, launch_of("bad")) is not player
        assert len(start.started) == 2


@pytest.mark.parametrize(("seconds", "killed"), [(0.0, False), (1.9, False), (2.1, True), (1e4, True)])
async def test_after_the_goodbye_a_process_has_its_time_to_end(autojump_clock, seconds, killed):
    async with memory_pool({"good": takes_its_time_to_end(seconds)}, LIMITS) as (pool, start):
        player = await pool.player(ONE, launch_of("good"))
        await pool.dismiss(player)
        (process,) = start.of("good")
        assert process.ended.is_set()
        assert trio.current_time() == pytest.approx(2.0 if killed else seconds)
        assert process.story == ("the process is gone" if killed else "the process ended with exit code 0")


async def test_at_the_end_everybody_is_said_goodbye_at_once(autojump_clock):
    bots = {"quick": play_honestly, "slow": takes_its_time_to_end(1.5), "hangs": takes_its_time_to_end(1e4)}
    async with memory_pool(bots, LIMITS) as (pool, start):
        for number, name in enumerate(("quick", "slow", "hangs", "slow", "hangs")):
            await pool.player(Post("team", number, 1), launch_of(name))
    assert trio.current_time() == pytest.approx(2.0)
    assert all(process.ended.is_set() for _, process in start.started)


async def test_a_post_that_is_dismissed_is_started_anew_when_it_is_needed(autojump_clock):
    async with memory_pool({"good": play_honestly}) as (pool, start):
        player = await pool.player(ONE, launch_of("good"))
        await pool.dismiss_post(ONE)
        await pool.dismiss_post(OTHER)
        assert start.of("good")[0].ended.is_set()
        assert await pool.player(ONE, launch_of("good")) is not player


async def test_who_leaves_plays_on_beside_its_successor(autojump_clock):
    async def leaves_when_asked(line: MemoryLine) -> None:
        line.send(hello())
        async for response in line:
            if response.batch.turns:
                line.send(wire.PlayRequest(leave=wire.Leave()))
            if response.WhichOneof("body") == "goodbye":
                return

    async with memory_pool({"bot": leaves_when_asked}) as (pool, start):
        old = await pool.player(ONE, launch_of("bot"))
        seated(old, 1)
        await settle()
        new = await pool.player(ONE, launch_of("bot"))
        assert new is not old
        assert not old.gone.is_set()
        old.tell(1, MatchEnded(Reason.VOID, None, Points(0, 0)))
        old.leave(1)
    assert [process.story for _, process in start.started] == ["the process ended with exit code 0"] * 2
