"""Not all bots live at once: who holds a place, who gives way, and that nobody waits for ever."""

import random

import pytest
import trio
import trio.testing
from referee.play.memory import memory_pool, play_honestly, settle
from referee.play.runs import plan_of

from aluette_referee.clock import Limits
from aluette_referee.play.gate import Gate
from aluette_referee.play.places import Places
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Runner

pytestmark = pytest.mark.trio


class Ended:
    def __init__(self) -> None:
        self.posts: list[str] = []

    async def __call__(self, post: str) -> None:
        await trio.lowlevel.checkpoint()
        self.posts.append(post)


async def test_who_was_idle_longest_gives_way():
    ended = Ended()
    places = Places(4, ended)
    for post in "abcd":
        async with places.hold(post):
            pass
    async with places.hold("a"):
        pass
    async with places.hold("ef"):
        assert ended.posts == ["b", "c"]
    async with places.hold("abcd"):
        assert set(ended.posts[2:]) == {"e", "f"}


async def test_what_is_held_does_not_give_way_and_who_asked_first_goes_first():
    ended, order = Ended(), []
    places = Places(4, ended)

    async def play(name: str, posts: str, over: trio.Event) -> None:
        async with places.hold(posts):
            order.append(name)
            await over.wait()

    async with trio.open_nursery() as nursery:
        one, two, three = trio.Event(), trio.Event(), trio.Event()
        nursery.start_soon(play, "one", "abcd", one)
        await settle()
        nursery.start_soon(play, "two", "efgh", two)
        await settle()
        nursery.start_soon(play, "three", "abcd", three)
        await settle()
        assert order == ["one"], "three has its places, but may not overtake"
        one.set()
        await settle()
        assert order == ["one", "two"]
        assert sorted(ended.posts) == list("abcd")
        two.set()
        three.set()
    assert order == ["one", "two", "three"]


async def test_no_more_than_there_is_room_for_are_ever_held_and_all_get_their_turn(autojump_clock):
    live: set[str] = set()
    most = 0

    async def vacate(post: str) -> None:
        await trio.sleep(chance.random())
        live.discard(post)

    places, chance, done = Places(6, vacate), random.Random(5), 0

    async def play(posts: list[str]) -> None:
        nonlocal most, done
        async with places.hold(posts):
            live.update(posts)
            most = max(most, len(live))
            await trio.sleep(chance.random())
        done += 1

    async with trio.open_nursery() as nursery:
        for _ in range(300):
            nursery.start_soon(play, chance.sample("abcdefghijklmnop", 4))
    assert (most, done) == (6, 300)


async def test_many_teams_play_with_few_processes(autojump_clock):
    bots = dict.fromkeys((f"bot{number}" for number in range(12)), play_honestly)
    ended = []

    async def deliver(played) -> None:
        await trio.lowlevel.checkpoint()
        ended.append(played)

    most = 0
    async with memory_pool(bots, Limits(), max_bots=5) as (pool, start):
        names = [[f"bot{(number + seat) % 12}" for seat in range(4)] for number in range(12)]
        plans = [
            plan_of(number, bots, posts=[Post(bot, 1, 1) for bot in bots])
            for number, bots in enumerate(names)
        ]

        async def watch() -> None:
            nonlocal most
            while True:
                most = max(most, sum(not process.ended.is_set() for _, process in start.started))
                await trio.testing.wait_all_tasks_blocked()
                await trio.sleep(0.01)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch)
            await Runner(pool, Limits()).play_all(plans, deliver, Gate(4, 4))
            nursery.cancel_scope.cancel()
    assert [played.outcome.faults for played in ended] == [()] * 12
    assert most <= 5
