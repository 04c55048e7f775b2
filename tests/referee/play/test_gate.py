"""How many matches are played at once."""

import pytest
import trio
from referee.play.memory import settle

from aluette_referee.play.gate import Gate
from aluette_referee.play.runner import MatchPlayed
from aluette_referee.table import Outcome

pytestmark = pytest.mark.trio


def played(mean: float, answers: int = 50) -> MatchPlayed:
    """A match in which a seat took that many seconds for each answer, on the average."""
    timing = {
        "N": {"answers": answers, "seconds": 2 * mean * answers, "longest": 1.0},
        "S": {"answers": answers, "seconds": 0.0, "longest": 0.0},
    }
    return MatchPlayed(None, Outcome(None), timing)


async def fill(gate: Gate) -> int:
    """Enter as often as there is room."""
    entered = 0
    while True:
        with trio.move_on_after(1):
            assert await gate.enter()
            entered += 1
            continue
        return entered


@pytest.mark.parametrize(("cores", "fixed", "room"), [(2, None, 2), (8, None, 8), (2, 5, 5), (8, 1, 1)])
async def test_so_many_at_first(autojump_clock, cores, fixed, room):
    assert await fill(Gate(cores, fixed)) == room


async def test_each_that_leaves_makes_room_for_one(autojump_clock):
    gate = Gate(4)
    await fill(gate)
    gate.leave()
    gate.leave()
    assert await fill(gate) == 2


async def test_quick_bots_double_the_tables_up_to_a_limit(autojump_clock):
    gate = Gate(3)
    seen: list[int] = []
    for _ in range(7):
        gate.learn(played(0.0001).timing)
        seen.append(gate.tables)
    assert seen == [6, 12, 24, 48, 64, 64, 64]
    assert await fill(gate) == 64


async def test_slow_bots_bring_them_down_to_the_cores_again(autojump_clock):
    gate = Gate(3)
    for _ in range(4):
        gate.learn(played(0.0001).timing)
    seen: list[int] = []
    for _ in range(6):
        gate.learn(played(0.1).timing)
        seen.append(gate.tables)
    assert seen == [24, 12, 6, 3, 3, 3]


@pytest.mark.parametrize(
    ("mean", "tables"), [(Gate.QUICK * 0.99, 4), (Gate.QUICK, 2)], ids=["quick", "not quick"]
)
async def test_where_quick_ends(mean, tables):
    gate = Gate(2)
    gate.learn(played(mean).timing)
    assert gate.tables == tables


@pytest.mark.parametrize(
    "match", [played(0.0, answers=0), MatchPlayed(None, Outcome(None))], ids=["no answers", "not played"]
)
async def test_a_match_without_answers_teaches_nothing(match):
    gate = Gate(2)
    gate.learn(match.timing)
    assert gate.tables == 2


async def test_a_fixed_number_stays(autojump_clock):
    gate = Gate(2, 7)
    for mean in (0.0001, 1.0):
        gate.learn(played(mean).timing)
        assert gate.tables == 7


async def test_more_tables_let_in_who_waits(autojump_clock):
    gate = Gate(2)
    await fill(gate)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(gate.enter)
        nursery.start_soon(gate.enter)
        await settle()
        gate.learn(played(0.0001).timing)
    assert await fill(gate) == 0


async def test_a_closed_gate_turns_away_who_waits_and_who_comes(autojump_clock):
    gate = Gate(1)
    await fill(gate)
    results: list[bool] = []

    async def wait() -> None:
        results.append(await gate.enter())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        nursery.start_soon(wait)
        await settle()
        gate.close()
    gate.leave()
    await wait()
    assert results == [False] * 3
    assert gate.closed
