"""Many matches on live processes: the same records however they run, forfeits, and void ones again."""

import random
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from functools import partial

import pytest
import trio
from referee.play.memory import (
    Bot,
    Crash,
    MemoryLine,
    Starter,
    converse,
    hello,
    launch_of,
    memory_pool,
    play_honestly,
    settle,
)

import aluette
from aluette.codec import DealWriter
from aluette.errors import Misuse
from aluette.packs import BlockKey, block_key
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette.session import Turn
from aluette.testing import play_match
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.play.launch import Launch
from aluette_referee.play.output import Log
from aluette_referee.play.player import LATE_GRACE, Player
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import VOID_TRIES, Chair, Gate, MatchPlan, MatchPlayed, Runner

pytestmark = pytest.mark.trio

RULES = RuleSet(deals=1)


def key(number: int) -> BlockKey:
    return block_key(bytes(32), "runner", number)


def plan_of(
    number: int,
    bots: Sequence[str],
    *,
    rules: RuleSet = RULES,
    posts: Sequence[Post] | None = None,
    **more: object,
) -> MatchPlan:
    """Match `number`, with bots of a `Starter` at N E S W, each a process of its own unless `posts` says."""
    posts = posts or [Post(f"match {number}", int(seat), 1) for seat in SEATS]
    chairs = {
        seat: Chair(post, launch_of(bot), bot) for seat, bot, post in zip(SEATS, bots, posts, strict=True)
    }
    return MatchPlan(f"m{number}", rules, key(number), SEATS[number % 4], chairs, **more)


def record(number: int, bot: str = "lowest", rules: RuleSet = RULES) -> bytes:
    """What an undisturbed match `number` gives."""
    return to_bytes(play_match([bot] * 4, key=key(number), rules=rules, first_dealer=SEATS[number % 4]))


async def play(
    bots: Mapping[str, Bot], plans: Sequence[MatchPlan], tables: int = 100, limits: Limits | None = None
) -> tuple[dict[str, MatchPlayed], Starter]:
    """Play all; the matches by id in the order in which they ended."""
    ended: dict[str, MatchPlayed] = {}

    async def deliver(played: MatchPlayed) -> None:
        assert played.plan.id not in ended
        ended[played.plan.id] = played

    async with memory_pool(bots, limits) as (pool, start):
        await Runner(pool, limits or Limits()).play_all(plans, deliver, Gate(2, tables))
    return ended, start


def thinking(seed: int) -> Bot:
    chance = random.Random(seed)
    return lambda line: play_slowly(line, lambda _: chance.choice([0.0, 0.001, 0.3, 1.9]))


async def play_slowly(line: MemoryLine, seconds, bot: str = "lowest") -> None:
    line.send(hello())
    await converse(line, bot, seconds)


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
                relay.referee.send(response)
            nursery.cancel_scope.cancel()

    posts = [Post("leaver", 1, 1), *[Post("good", slot, 1) for slot in range(3)]]
    plans = [plan_of(number, ["leaver", "good", "good", "good"], posts=posts) for number in range(6)]
    with trio.fail_after(3600):
        ended, start = await play({"leaver": leaves, "good": play_honestly}, plans)
    assert all(to_bytes(ended[f"m{number}"].outcome.record) == record(number) for number in range(6))
    assert len(start.of("leaver")) > 1


# -- faults ----------------------------------------------------------------------------------------


async def never_answers(line: MemoryLine) -> None:
    line.send(hello())
    await trio.sleep_forever()


async def crashes(line: MemoryLine) -> None:
    line.send(hello())
    async for response in line:
        if response.batch.turns:
            raise Crash("the process ended with exit code 1")


async def cannot_start(line: MemoryLine) -> None:
    raise Crash("the process ended with exit code 127")


async def never_says_hello(line: MemoryLine) -> None:
    await trio.sleep_forever()


async def is_refused(line: MemoryLine) -> None:
    line.send(hello(protocol=3))
    await line.receive()


async def dies_after_hello(line: MemoryLine) -> None:
    line.send(hello())
    await line.receive()
    raise Crash("the process ended with exit code 5")


BAD = {
    "late": never_answers, "crashed": crashes, "not started": cannot_start, "not connected": never_says_hello,
    "refused": is_refused,
}  # fmt: skip


@pytest.mark.parametrize("seat", [Seat.N, Seat.E])
@pytest.mark.parametrize("kind", BAD)
async def test_a_bot_that_does_not_get_as_far_as_a_card_forfeits(autojump_clock, kind, seat):
    bots = [kind if each is seat else "good" for each in SEATS]
    ended, _ = await play({**BAD, "good": play_honestly}, [plan_of(0, bots, rules=RuleSet(deals=3))])
    outcome = ended["m0"].outcome
    (fault,) = outcome.faults
    assert fault[:4] == (FaultType(kind), seat, 0, 0)
    assert outcome.record["result"] == {
        "NS": 3 if seat.side is Seat.E.side else 0,
        "EW": 3 if seat.side is Seat.N.side else 0,
        "winner": seat.side.other.name,
        "fault": {"type": kind, "seat": seat.name, "deal": 0, "trick": 0},
    }


async def test_absent_bots_on_both_sides_lose_both(autojump_clock):
    bots = ["good", "not started", "refused", "good"]
    ended, _ = await play({**BAD, "good": play_honestly}, [plan_of(0, bots)])
    outcome = ended["m0"].outcome
    assert [(fault.seat, fault.type) for fault in outcome.faults] == [
        (Seat.E, FaultType.NOT_STARTED),
        (Seat.S, FaultType.REFUSED),
    ]
    assert outcome.record["result"]["winner"] is None


async def test_an_absent_bot_leaves_the_places_of_the_others_free(autojump_clock):
    posts = [Post("one", 1, 1), Post("two", 1, 1), Post("three", 1, 1)]
    one_place = partial(play_honestly, capacity=1)
    plans = [
        plan_of(number, ["good", "good", "good", "not started"], posts=[*posts, Post("bad", 1, 1)])
        for number in range(4)
    ]
    plans.append(plan_of(4, ["good"] * 4, posts=[*posts, Post("four", 1, 1)]))
    with trio.fail_after(3600):
        ended, _ = await play({**BAD, "good": one_place}, plans)
    assert [bool(ended[f"m{number}"].outcome.faults) for number in range(5)] == [True] * 4 + [False]


async def test_bots_that_die_right_after_their_hello_end_no_run(autojump_clock):
    """Two such processes in one match: while one is started anew the other has died again."""
    bots = ["dies", "dies", "good", "good"]
    with trio.fail_after(3600):
        ended, _ = await play({"dies": dies_after_hello, "good": play_honestly}, [plan_of(0, bots)])
    faults = ended["m0"].outcome.faults
    assert faults
    assert {fault.type for fault in faults} == {FaultType.CRASHED}
    assert {fault.seat for fault in faults} <= {Seat.N, Seat.E}


async def test_a_bot_lost_while_another_is_awaited_is_replaced_and_no_place_is_lost(autojump_clock):
    lives: list[int] = []

    async def dies_once(line: MemoryLine) -> None:
        lives.append(1)
        await (dies_after_hello if len(lives) == 1 else play_honestly)(line)

    async def comes_late(line: MemoryLine) -> None:
        await trio.sleep(3.0)
        await play_honestly(line)

    bots = {"good": partial(play_honestly, capacity=1), "dies once": dies_once, "comes late": comes_late}
    plan = plan_of(0, ["good", "dies once", "good", "comes late"])
    with trio.fail_after(3600):
        ended, start = await play(bots, [plan])
    assert to_bytes(ended["m0"].outcome.record) == record(0)
    assert len(start.of("dies once")) == 2


async def test_after_a_lost_process_the_next_match_has_a_new_one(autojump_clock):
    posts = [Post("bad", 1, 1), *[Post("good", slot, 1) for slot in range(3)]]
    plans = [plan_of(number, ["bad", "good", "good", "good"], posts=posts) for number in range(5)]
    ended, start = await play({"bad": crashes, "good": play_honestly}, plans, tables=1)
    assert [ended[f"m{number}"].outcome.faults[0].type for number in range(5)] == [FaultType.CRASHED] * 5
    assert len(start.of("bad")) == 5
    assert len(start.of("good")) == 3


# -- void matches ----------------------------------------------------------------------------------


def hangs_once(table_turns: int = 6) -> Bot:
    """Hangs at its sixth turn in its first life; the processes after that are honest."""
    lives: list[int] = []

    async def bot(line: MemoryLine) -> None:
        lives.append(1)
        turns = 0

        def seconds(_: Turn) -> float:
            nonlocal turns
            turns += 1
            return 100.0 if len(lives) == 1 and turns == table_turns else 0.0

        await play_slowly(line, seconds)

    return bot


async def test_one_match_pays_for_a_hang_and_the_others_are_played_again_by_fresh_processes(autojump_clock):
    posts = [Post("bad", 1, 1), *[Post("good", slot, 1) for slot in range(3)]]
    plans = [plan_of(number, ["bad", "good", "good", "good"], posts=posts) for number in range(4)]
    ended, start = await play({"bad": hangs_once(), "good": play_honestly}, plans)
    paid = [played for played in ended.values() if played.outcome.faults]
    again = [played for played in ended.values() if played.voids]
    assert (len(paid), len(again)) == (1, 3)
    assert paid[0].outcome.faults[0][:2] == (FaultType.LATE, Seat.N)
    for played in again:
        assert played.voids == ["memory was lost in another match (late)"]
        assert to_bytes(played.outcome.record) == record(int(played.plan.id[1:]))
    # Four at first, and four fresh ones for each match that is played again.
    assert len(start.started) == 4 + 3 * 4


async def test_the_processes_of_a_replay_are_dismissed_after_it(autojump_clock):
    posts = [Post("bad", 1, 1), *[Post("good", slot, 1) for slot in range(3)]]
    plans = [plan_of(number, ["bad", "good", "good", "good"], posts=posts) for number in range(2)]

    async def deliver(played: MatchPlayed) -> None:
        if played.voids:
            await settle()
            assert [process.ended.is_set() for _, process in start.started[4:]] == [True] * 4

    bots = {"bad": hangs_once(), "good": play_honestly}
    async with memory_pool(bots) as (pool, start):
        await Runner(pool, Limits()).play_all(plans, deliver, Gate(2, 9))


class VoidingPlayer:
    """A player in whose matches something always goes wrong that is nobody's fault."""

    takes_tables = True
    capacity = 1
    name = "voiding"

    async def reserve(self, places: int) -> bool:
        return True

    def release(self, places: int) -> None:
        pass

    def sit(self, table: int, game, seat: Seat) -> None:
        self._game = game

    def leave(self, table: int) -> None:
        pass

    def tell(self, table: int, event: object) -> None:
        pass

    def ask(self, turn: Turn, limit: float | None, deals: DealWriter) -> None:
        pass

    def flush(self) -> None:
        self._game.void("the referee's own fault")

    def take_log(self, table: int) -> Log:
        return Log("", "")


class VoidingPool:
    def __init__(self) -> None:
        self.asked: list[Post] = []
        self.dismissed: list[Post] = []

    def hold(self, posts: Collection[Post]):
        return nullcontext()

    async def player(self, post: Post, launch: Launch) -> Player:
        await trio.lowlevel.checkpoint()
        self.asked.append(post)
        return VoidingPlayer()

    async def dismiss_post(self, post: Post) -> None:
        self.dismissed.append(post)


async def test_a_match_that_stays_void_is_given_up_after_a_few_tries(autojump_clock):
    pool = VoidingPool()
    played = await Runner(pool, Limits()).play_match(plan_of(0, ["any"] * 4))
    assert played.outcome.record is None
    assert played.voids == ["the referee's own fault"] * (VOID_TRIES + 1)
    attempts = [post.attempt for post in pool.asked]
    assert attempts == [name for name in ("", "m0#1", "m0#2", "m0#3") for _ in SEATS]
    assert sorted(pool.dismissed) == sorted(pool.asked[4:])


async def test_an_external_bot_plays_on_in_a_replay(autojump_clock):
    pool = VoidingPool()
    plan = plan_of(0, ["any"] * 4)
    external = plan.chairs[Seat.S]._replace(launch=Launch("external", None, "external"))
    plan = MatchPlan(plan.id, plan.rules, plan.key, plan.first_dealer, {**plan.chairs, Seat.S: external})
    await Runner(pool, Limits()).play_match(plan)
    assert pool.asked.count(external.post) == VOID_TRIES + 1
    assert external.post not in pool.dismissed


async def test_a_bot_that_hangs_in_every_match_is_late_in_every_match(autojump_clock):
    """However many of its matches are void at first: played again alone, each is its own fault."""
    posts = [Post("bad", 1, 1), *[Post("good", slot, 1) for slot in range(3)]]
    plans = [plan_of(number, ["bad", "good", "good", "good"], posts=posts) for number in range(6)]
    ended, _ = await play({"bad": never_answers, "good": play_honestly}, plans)
    faults = [fault for played in ended.values() for fault in played.outcome.faults]
    assert [fault[:2] for fault in faults] == [(FaultType.LATE, Seat.N)] * 6
    assert sum(bool(played.voids) for played in ended.values()) == 5


async def test_at_many_tables_a_slow_bot_within_its_limit_is_never_late(autojump_clock):
    limits = Limits(move=2.0)
    slow = partial(play_slowly, seconds=1.95)
    posts = [Post("slow", 1, 1), *[Post("good", slot, 1) for slot in range(3)]]
    plans = [plan_of(number, ["slow", "good", "good", "good"], posts=posts) for number in range(12)]
    ended, _ = await play({"slow": slow, "good": play_honestly}, plans, limits=limits)
    assert all(played.outcome.faults == () for played in ended.values())
    assert all(played.timing["N"]["longest"] == pytest.approx(1.95) for played in ended.values())


async def test_at_many_tables_a_bot_just_beyond_its_limit_is_late(autojump_clock):
    limits = Limits(move=2.0)
    slow = partial(play_slowly, seconds=2.0 + LATE_GRACE + 0.001)
    ended, _ = await play(
        {"slow": slow, "good": play_honestly}, [plan_of(0, ["slow", "good", "good", "good"])], limits=limits
    )
    (fault,) = ended["m0"].outcome.faults
    assert fault[:2] == (FaultType.LATE, Seat.N)
