"""Bots that are absent, late or lost: they forfeit, and everything else is played."""

from functools import partial

import pytest
import trio
from referee.play.memory import Bot, Crash, MemoryLine, hello, never_answers, play_honestly
from referee.play.runs import plan_of, play, record

from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette_referee.faults import FaultType
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import READY_TRIES

pytestmark = pytest.mark.trio


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
    assert len(start.of("bad")) == 5 * (1 + READY_TRIES)
    # With a match that is tried again come three more, for that match alone.
    assert len(start.of("good")) == 3 + 5 * READY_TRIES * 3


# -- who does not get ready ------------------------------------------------------------------------


def unready(lives: int, way: Bot) -> Bot:
    """Fails so in its first lives, and is honest after that."""
    lived: list[int] = []

    async def bot(line: MemoryLine) -> None:
        lived.append(1)
        await (way if len(lived) <= lives else play_honestly)(line)

    return bot


@pytest.mark.parametrize("way", [crashes, never_answers])
async def test_who_does_not_get_ready_has_two_fresh_tries(autojump_clock, way):
    plans = [plan_of(0, ["bad", "good", "good", "good"])]
    ended, start = await play({"bad": unready(READY_TRIES, way), "good": play_honestly}, plans)
    assert ended["m0"].outcome.faults == ()
    assert ended["m0"].voids == []
    assert to_bytes(ended["m0"].outcome.record) == record(0)
    assert len(start.of("bad")) == 1 + READY_TRIES


@pytest.mark.parametrize(("way", "kind"), [(crashes, FaultType.CRASHED), (never_answers, FaultType.LATE)])
async def test_and_then_it_loses(autojump_clock, way, kind):
    plans = [plan_of(0, ["bad", "good", "good", "good"])]
    ended, start = await play({"bad": way, "good": play_honestly}, plans)
    assert [fault[:4] for fault in ended["m0"].outcome.faults] == [(kind, Seat.N, 0, 0)]
    assert len(start.of("bad")) == 1 + READY_TRIES


async def test_who_does_not_get_ready_and_then_does_not_even_start_loses(autojump_clock):
    """What the process of the first try printed was given up with it."""
    lives: list[int] = []

    async def worse(line: MemoryLine) -> None:
        lives.append(1)
        await (crashes if len(lives) == 1 else cannot_start)(line)

    plans = [plan_of(0, ["bad", "good", "good", "good"])]
    ended, _ = await play({"bad": worse, "good": play_honestly}, plans)
    assert [fault[:4] for fault in ended["m0"].outcome.faults] == [(FaultType.NOT_STARTED, Seat.N, 0, 0)]
    assert ended["m0"].logs == {}
