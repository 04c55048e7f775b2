"""Void matches: played again by fresh processes, until somebody is at fault or it is given up."""

from collections.abc import Collection
from contextlib import nullcontext
from functools import partial

import pytest
import trio
from referee.play.memory import Bot, Crash, MemoryLine, memory_pool, never_answers, play_honestly, settle
from referee.play.runs import plan_of, play, play_slowly, record

from aluette.record import to_bytes
from aluette.seats import SEATS, Seat
from aluette.session import Turn
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.play.gate import Gate
from aluette_referee.play.launch import Launch
from aluette_referee.play.output import Log
from aluette_referee.play.player import LATE_GRACE, Player
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import VOID_TRIES, MatchPlan, MatchPlayed, Runner

pytestmark = pytest.mark.trio


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

    def ask(self, turn: Turn, limit: float | None) -> None:
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


async def test_who_dodges_by_crashing_among_matches_does_it_once(autojump_clock):
    """It ends its process whenever it plays two matches at once: no match pays for that, but the next one would."""

    async def dodges(line: MemoryLine) -> None:
        tables: set[int] = set()

        def seconds(turn: Turn) -> float:
            tables.add(turn.table)
            if len(tables) > 1 and turn.number > 3:
                raise Crash("exit 7")
            return 0.1

        await play_slowly(line, seconds)

    posts = [Post("bad", 1, 1), *[Post("good", slot, 1) for slot in range(3)]]
    plans = [plan_of(number, ["bad", "good", "good", "good"], posts=posts) for number in range(12)]
    ended, _ = await play({"bad": dodges, "good": play_honestly}, plans, tables=4)
    void = [played for played in ended.values() if played.voids]
    assert 2 <= len(void) <= 4
    paid = [played.outcome.faults[0][:2] for played in ended.values() if played.outcome.faults]
    # Its second life saw tables one after the other: it crashed at the second, and paid.
    assert set(paid) == {(FaultType.CRASHED, Seat.N)}


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
