"""Many matches on live processes: the same records however they run, and never too many at once."""

import itertools
import random
from functools import partial

import pytest
import trio
from referee.play.memory import Bot, MemoryLine, launch_of, memory_pool, play_honestly
from referee.play.runs import key, plan_of, play, play_slowly, record

import aluette
from aluette.errors import Misuse
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette.testing import play_match
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.play.gate import Gate
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import MatchPlan, MatchPlayed, Runner

pytestmark = pytest.mark.trio


def thinking(seed: int) -> Bot:
    chance = random.Random(seed)
    return lambda line: play_slowly(line, lambda _: chance.choice([0.0, 0.001, 0.3, 1.9]))


# -- honest play -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
async def test_records_depend_neither_on_who_is_quick_nor_on_how_many_play_at_once(autojump_clock, seed):
    plans = [plan_of(number, ["think"] * 4) for number in range(5)]
    ended, _ = await play({"think": thinking(seed)}, plans, tables=1 + 3 * seed)
    assert set(ended) == {plan.id for plan in plans}
    for number in range(5):
        played = ended[f"m{number}"]
        assert played.outcome.faults == ()
        assert played.voids == []
        assert to_bytes(played.outcome.record) == record(number)


@pytest.mark.parametrize(
    "rules",
    [RuleSet(), RuleSet(seating="draw", deals=1), RuleSet(cut="player", chant="always", deals=2)],
    ids=str,
)
async def test_a_match_under_any_rules_has_the_record_of_the_testing_module(autojump_clock, rules):
    names = ["random", "lowest", "lowest", "random"]
    bots = {name: partial(play_honestly, bot=name) for name in names}
    ended, _ = await play(bots, [plan_of(3, names, rules=rules)])
    expected = play_match(names, key=key(3), rules=rules, first_dealer=SEATS[3])
    assert to_bytes(ended["m3"].outcome.record) == to_bytes(expected)


async def test_matches_of_the_same_posts_share_processes(autojump_clock):
    posts = [Post("team", slot, 1) for slot in range(4)]
    plans = [plan_of(number, ["good"] * 4, posts=posts) for number in range(10)]
    ended, start = await play({"good": play_honestly}, plans)
    assert start.names() == ["good"] * 4
    assert [to_bytes(ended[f"m{number}"].outcome.record) for number in range(10)] == [
        record(number) for number in range(10)
    ]


async def test_one_process_for_all_seats_of_all_matches(autojump_clock):
    posts = [Post("content", 0, 0)] * 4
    plans = [plan_of(number, ["good"] * 4, posts=posts) for number in range(10)]
    ended, start = await play({"good": play_honestly}, plans)
    assert start.names() == ["good"]
    assert all(to_bytes(ended[f"m{number}"].outcome.record) == record(number) for number in range(10))


async def test_a_match_is_delivered_when_it_ends(autojump_clock):
    bots = {"quick": play_honestly, "slow": partial(play_slowly, seconds=1.0)}
    plans = [plan_of(0, ["slow"] * 4), plan_of(1, ["quick"] * 4), plan_of(2, ["slow", "quick"] * 2)]
    ended, _ = await play(bots, plans)
    assert list(ended) == ["m1", "m2", "m0"]
    assert ended["m2"].timing["N"]["longest"] == pytest.approx(1.0)


async def test_with_one_table_matches_are_played_in_their_order(autojump_clock):
    plans = [plan_of(number, ["slow"] * 4) for number in (5, 3, 9, 1)]
    ended, _ = await play({"slow": partial(play_slowly, seconds=0.1)}, plans, tables=1)
    assert list(ended) == ["m5", "m3", "m9", "m1"]


async def test_never_more_matches_at_once_than_the_gate_lets_in(autojump_clock):
    count = Count()
    posts = [Post("content", 0, 0)] * 4
    plans = [plan_of(number, ["bot"] * 4, posts=posts) for number in range(9)]
    await play({"bot": count.bot(capacity=100)}, plans, tables=3)
    assert count.most == 3 * 4


async def test_a_closed_gate_lets_the_running_matches_end_and_no_more_begin(autojump_clock):
    gate = Gate(2, 3)
    ended: list[str] = []

    async def deliver(played: MatchPlayed) -> None:
        ended.append(played.plan.id)

    async def close() -> None:
        await trio.sleep(1.0)
        assert ended == []
        gate.close()

    plans = [plan_of(number, ["slow"] * 4) for number in range(10)]
    async with (
        memory_pool({"slow": partial(play_slowly, seconds=0.1)}) as (pool, _),
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(close)
        await Runner(pool, Limits()).play_all(plans, deliver, gate)
    assert sorted(ended) == ["m0", "m1", "m2"]


async def test_where_results_are_taken_slowly_no_more_is_played_than_a_bound(autojump_clock):
    ended: list[str] = []

    async def deliver(played: MatchPlayed) -> None:
        ended.append(played.plan.id)
        await trio.sleep_forever()

    posts = [Post("content", 0, 0)] * 4
    plans = (plan_of(number, ["good"] * 4, posts=posts) for number in itertools.count())
    async with memory_pool({"good": play_honestly}) as (pool, _):
        with trio.move_on_after(60):
            await Runner(pool, Limits()).play_all(plans, deliver, Gate(2, 3, most_behind=5))
    assert 5 <= len(ended) <= 5 + 3 - 1


@pytest.mark.parametrize("names", [True, False])
async def test_names_are_told_if_the_contest_tells_them(autojump_clock, names):
    seen: set[tuple[str, ...]] = set()

    class Curious(aluette.Bot):
        def play(self, view: aluette.View) -> aluette.Card:
            seen.add(self.match.names)
            return view.hand[0]

    bots = {"n": partial(play_honestly, bot=Curious), "e": play_honestly, "w": play_honestly}
    await play(bots, [plan_of(0, ["n", "e", "n", "w"], names=names)])
    assert seen == {("n", "e", "n", "w") if names else ()}


async def test_an_untimed_bot_has_no_clock_and_the_others_have(autojump_clock):
    limits: dict[Seat, float | None] = {}

    class Looks(aluette.Bot):
        def on_match_start(self, match: aluette.MatchState) -> None:
            limits[match.seat] = match.begun.move_limit

        def play(self, view: aluette.View) -> aluette.Card:
            return view.hand[0]

    bots = {
        "person": partial(play_slowly, seconds=3000.0, bot=Looks),
        "bot": partial(play_honestly, bot=Looks),
    }
    plan = plan_of(0, ["person", "bot", "bot", "bot"])
    person = plan.chairs[Seat.N]._replace(launch=launch_of("person", untimed=True))
    plan = MatchPlan(plan.id, plan.rules, plan.key, plan.first_dealer, {**plan.chairs, Seat.N: person})
    ended, _ = await play(bots, [plan])
    assert ended["m0"].outcome.faults == ()
    assert limits == {Seat.N: None, Seat.E: 2.0, Seat.S: 2.0, Seat.W: 2.0}


# -- places ----------------------------------------------------------------------------------------


class Count:
    """How many tables a process plays at, and the most it ever did."""

    def __init__(self) -> None:
        self.now = self.most = 0

    def bot(self, capacity: int) -> Bot:
        count = self

        class Counting(aluette.Bot):
            def on_match_start(self, match: aluette.MatchState) -> None:
                count.now += 1
                count.most = max(count.most, count.now)

            def on_match_end(self, ended: object) -> None:
                count.now -= 1

            def play(self, view: aluette.View) -> aluette.Card:
                return view.hand[-1]

        return partial(play_honestly, bot=Counting, capacity=capacity)


@pytest.mark.parametrize("capacity", [0, 1, 3])
async def test_a_process_never_plays_at_more_tables_than_it_said_and_all_is_played(autojump_clock, capacity):
    """Six processes, eighteen matches of random fours of them, all at once."""
    chance = random.Random(capacity)
    counts = {f"bot{number}": Count() for number in range(6)}
    bots = {name: count.bot(capacity) for name, count in counts.items()}
    plans: list[MatchPlan] = []
    for number in range(18):
        chosen = chance.sample(list(bots), 4)
        plans.append(plan_of(number, chosen, posts=[Post(name, 1, 1) for name in chosen]))
    with trio.fail_after(3600):
        ended, start = await play(bots, plans)
    assert len(ended) == 18
    assert all(played.outcome.faults == () for played in ended.values())
    assert max(count.most for count in counts.values()) == max(1, capacity)
    assert sorted(start.names()) == sorted(bots)


@pytest.mark.parametrize("capacity", [4, 5, 7, 9])
async def test_matches_that_need_several_places_in_one_process_never_hold_each_other_up(
    autojump_clock, capacity
):
    count = Count()
    posts = [Post("content", 0, 0)] * 4
    plans = [plan_of(number, ["bot"] * 4, posts=posts) for number in range(6)]
    with trio.fail_after(3600):
        ended, _ = await play({"bot": count.bot(capacity)}, plans)
    assert len(ended) == 6
    assert count.most == capacity // 4 * 4


async def test_a_process_with_too_few_places_for_one_match_is_said_so(autojump_clock):
    posts = [Post("a", 0, 0), Post("b", 0, 0)] * 2
    with pytest.raises(ExceptionGroup) as raised:
        await play({"a": partial(play_honestly, capacity=1)}, [plan_of(0, ["a"] * 4, posts=posts)])
    sentence = (
        'the bot a has a capacity of 1, and 2 of a match would play in one process: use isolation = "full"'
    )
    assert raised.group_contains(Misuse, match=sentence)


async def test_who_leaves_is_replaced_and_everything_is_played(autojump_clock):
    async def leaves(line: MemoryLine) -> None:
        """Leave at the third match, with two under way."""
        matches: set[int] = set()
        relay = MemoryLine()

        async def forward() -> None:
            while True:
                line.send(await relay.referee.receive())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(forward)
            nursery.start_soon(partial(play_honestly, relay, capacity=2))
            async for response in line:
                matches |= {turn.table for turn in response.batch.turns}
                if len(matches) == 3:
                    line.send(wire.PlayRequest(leave=wire.Leave()))
                relay.referee.send(response.SerializeToString())
            nursery.cancel_scope.cancel()

    posts = [Post("leaver", 1, 1), *[Post("good", slot, 1) for slot in range(3)]]
    plans = [plan_of(number, ["leaver", "good", "good", "good"], posts=posts) for number in range(6)]
    with trio.fail_after(3600):
        ended, start = await play({"leaver": leaves, "good": play_honestly}, plans)
    assert all(to_bytes(ended[f"m{number}"].outcome.record) == record(number) for number in range(6))
    assert len(start.of("leaver")) > 1
