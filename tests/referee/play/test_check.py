"""Before the first match: what cannot get ready is named, with its own words, and nothing stays behind."""

from dataclasses import replace
from functools import partial

import pytest
import trio
from referee.play.memory import Bot, Crash, MemoryLine, hello, launch_of, memory_pool, play_honestly

import aluette
from aluette.errors import Misuse
from aluette.rules import STANDARD
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.play.check import check_bots
from aluette_referee.play.launch import Launch

pytestmark = pytest.mark.trio

LIMITS = Limits(connect=5.0, ready=3.0, goodbye=1.0)


def answering(**answer: object) -> Bot:
    async def bot(line: MemoryLine) -> None:
        line.send(hello())
        async for response in line:
            for turn in response.batch.turns:
                line.answer(wire.Move(table=turn.table, number=turn.number, **answer))

    return bot


async def silent(line: MemoryLine) -> None:
    line.send(hello())
    await trio.sleep_forever()


async def crashes(line: MemoryLine) -> None:
    line.send(hello())
    async for response in line:
        if response.batch.turns:
            raise Crash("the process ended with exit code 3")


async def refused(line: MemoryLine) -> None:
    line.send(hello(protocol=2))
    await line.receive()


async def cannot_start(line: MemoryLine) -> None:
    raise Crash("the process ended with exit code 1")


async def never_says_hello(line: MemoryLine) -> None:
    await trio.sleep_forever()


async def chatters(line: MemoryLine) -> None:
    """Says something of no importance before it is ready."""
    line.send(hello())
    async for response in line:
        if response.WhichOneof("body") == "goodbye":
            return
        for turn in response.batch.turns:
            line.answer(wire.Move(table=turn.table, number=9, look=wire.Looked()))
            line.answer(wire.Move(table=turn.table, number=turn.number, ready=wire.Ready()))


class Broken(aluette.Bot):
    def __init__(self) -> None:
        raise ValueError("it cannot be made")


PROBLEMS: dict[str, tuple[Bot, str]] = {
    "fails": (answering(failed=wire.Failed(message="ValueError: no")), "failed: ValueError: no"),
    "raises": (partial(play_honestly, bot=Broken), "failed: Traceback"),
    "plays": (answering(play=1), "malformed: it was asked whether it is ready and answered play"),
    "says nothing": (answering(), "malformed: it was asked whether it is ready and answered None"),
    "silent": (silent, "late: it did not get ready in time"),
    "crashes": (crashes, "crashed: the process ended with exit code 3\nwhat it printed"),
    "refused": (refused, "refused: this referee speaks protocol 1 and the bot speaks 2"),
    "cannot start": (cannot_start, "not started: the process ended with exit code 1\nwhat it printed"),
    "no hello": (never_says_hello, "not connected: no hello came within 5 s\nwhat it printed"),
}


@pytest.mark.parametrize("name", PROBLEMS)
async def test_a_bot_that_does_not_get_ready_is_named_with_its_reason(autojump_clock, name):
    bot, problem = PROBLEMS[name]
    async with memory_pool({name: bot, "good": play_honestly}, LIMITS) as (pool, start):
        with pytest.raises(Misuse) as misuse:
            await check_bots(pool, [launch_of("good"), launch_of(name)], STANDARD, LIMITS)
        assert str(misuse.value).startswith(f"the bot {name} cannot play: {problem}")
        assert start.names().count(name) == 1


async def test_all_that_cannot_play_are_named(autojump_clock):
    bots = {name: bot for name, (bot, _) in PROBLEMS.items()}
    async with memory_pool(bots, LIMITS) as (pool, _):
        with pytest.raises(Misuse) as misuse:
            await check_bots(pool, list(map(launch_of, bots)), STANDARD, LIMITS)
        named = [line for line in str(misuse.value).splitlines() if line.startswith("the bot ")]
        assert [line.partition(" cannot play")[0] for line in named] == [
            f"the bot {name}" for name in sorted(bots)
        ]


async def test_each_different_bot_is_checked_once_and_sent_home(autojump_clock):
    async with memory_pool({"good": play_honestly, "chatters": chatters}, LIMITS) as (pool, start):
        launches = [launch_of(name) for name in ("good", "chatters", "good", "good")]
        await check_bots(pool, launches, STANDARD, LIMITS)
        assert sorted(start.names()) == ["chatters", "good"]
        assert [process.story for _, process in start.started] == ["the process ended with exit code 0"] * 2


async def test_an_external_bot_is_not_checked(autojump_clock):
    async with memory_pool({}, LIMITS) as (pool, _):
        await check_bots(pool, [Launch("external", None, "external")], STANDARD, LIMITS)
        assert trio.current_time() == 0


async def test_a_person_may_take_a_while(autojump_clock):
    async def person(line: MemoryLine) -> None:
        line.send(hello())
        async for response in line:
            if response.WhichOneof("body") == "goodbye":
                return
            for turn in response.batch.turns:
                await trio.sleep(1000)
                line.answer(wire.Move(table=turn.table, number=turn.number, ready=wire.Ready()))

    async with memory_pool({"person": person}, LIMITS) as (pool, _):
        await check_bots(pool, [launch_of("person", untimed=True)], STANDARD, LIMITS)


async def test_without_a_clock_a_bot_that_hangs_is_late_at_the_ceiling(autojump_clock):
    limits = replace(LIMITS.untimed, ceiling=60.0)
    async with memory_pool({"silent": silent}, limits) as (pool, _):
        with pytest.raises(Misuse, match="late: it did not get ready in time"):
            await check_bots(pool, [launch_of("silent")], STANDARD, limits)
        assert trio.current_time() == pytest.approx(60.05)
