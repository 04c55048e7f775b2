"""An engine is fed with blocks: as many as it has slots for, again when a worker was lost, and each is handed over once."""

import pytest
import trio
from referee.play.spread.blocks import HERE, Desk, block, write_bot

from aluette.errors import Misuse
from aluette_referee.play.gate import Gate
from aluette_referee.play.inprocess import play_in_process
from aluette_referee.play.spread import coordinator, worker
from aluette_referee.play.spread.coordinator import play_spread
from aluette_referee.play.spread.engine import WorkerLost
from aluette_referee.play.spread.unit import Answer, read_unit, write_answer
from aluette_referee.play.spread.worker import play_unit

pytestmark = pytest.mark.trio
BOTS = ["lowest", "random", "lowest", "random"]


class Told:
    """What came of a run."""

    def __init__(self) -> None:
        self.ended = []
        self.announced = []

    async def deliver(self, played) -> None:
        self.ended.append(played)

    @property
    def ids(self) -> list[str]:
        return [played.plan.id for played in self.ended]


async def run(desk, plans, *, gate=None) -> Told:
    told = Told()
    await play_spread(plans, HERE, desk, told.deliver, gate or Gate(100), announce=told.announced.append)
    return told


def blocks(count, base, bots=BOTS):
    return [plan for number in range(count) for plan in block(number, bots, base)]


async def test_every_match_is_handed_over_once_with_its_record(tmp_path):
    plans = blocks(3, tmp_path)
    desk = Desk(lambda _, data: play_unit(data))
    told = await run(desk, plans)
    assert sorted(told.ids) == [plan.id for plan in plans]
    assert len(desk.calls) == 3
    expected = {plan.id: play_in_process(plan).outcome.record for plan in plans}
    assert {played.plan.id: played.outcome.record for played in told.ended} == expected


async def test_a_block_whose_other_leg_is_stored_is_a_unit_of_one(tmp_path):
    plans = blocks(2, tmp_path)[1:]
    desk = Desk(lambda _, data: play_unit(data))
    assert sorted((await run(desk, plans)).ids) == ["m0-2", "m1-1", "m1-2"]
    assert len(desk.calls) == 2


async def test_what_a_lost_worker_had_under_way_is_played_again(tmp_path):
    lost = WorkerLost("the worker process 12 is gone")
    desk = Desk(lambda count, data: lost if count in {0, 2} else play_unit(data))
    told = await run(desk, blocks(2, tmp_path))
    assert sorted(told.ids) == ["m0-1", "m0-2", "m1-1", "m1-2"]
    assert len(desk.calls) == 4
    assert told.announced == ["the worker process 12 is gone: what it was playing is played again"] * 2


async def test_a_block_that_ends_its_worker_again_and_again_is_given_up(tmp_path):
    desk = Desk(lambda *_: WorkerLost("gone"))
    told = "^the block of match m0-1 was given up, since 3 workers were lost with it: gone$"
    with pytest.RaisesGroup(pytest.RaisesExc(Misuse, match=told), flatten_subgroups=True):
        await run(desk, blocks(1, tmp_path))
    assert len(desk.calls) == 3


async def test_files_are_sent_to_a_worker_that_lacks_them_and_only_then(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "_bots", worker._Bots())
    desk = Desk(lambda _, data: play_unit(data), slots=1)
    desk.sees_files = False
    told = await run(
        desk, blocks(3, write_bot(tmp_path), ["choice.py:choose", "lowest"] * 2), gate=Gate(1, 1)
    )
    assert len(told.ids) == 6
    travelled = [{bot.bundle is not None for bot in read_unit(data).bots} for data in desk.calls]
    assert travelled == [{False}, {True}, {False}, {False}]


async def test_large_files_are_sent_with_one_unit_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "_bots", worker._Bots())
    monkeypatch.setattr(coordinator, "_LARGE", 10)
    desk = Desk(lambda _, data: play_unit(data))
    desk.sees_files = False
    told = await run(desk, blocks(4, write_bot(tmp_path), ["choice.py:choose", "lowest"] * 2))
    assert len(told.ids) == 8
    travelled = [any(bot.bundle is not None for bot in read_unit(data).bots) for data in desk.calls]
    assert sum(travelled) == 1
    assert len(set(desk.calls)) == len(desk.calls)  # an engine may take the same bytes for the same work


async def test_a_refusal_ends_the_run(tmp_path):
    desk = Desk(lambda *_: write_answer(Answer(refused="the worker 1 on here refuses: it has aluette 2")))
    with pytest.RaisesGroup(
        pytest.RaisesExc(Misuse, match="refuses: it has aluette 2"), flatten_subgroups=True
    ):
        await run(desk, blocks(1, tmp_path))


async def test_our_own_bug_in_a_worker_is_raised(tmp_path):
    desk = Desk(lambda *_: RuntimeError("in a worker: Traceback"))
    with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError, match="Traceback"), flatten_subgroups=True):
        await run(desk, blocks(1, tmp_path))


@pytest.mark.parametrize(("slots", "gate", "most"), [(3, 100, 3), (100, 2, 2), (2, 5, 2)])
async def test_so_many_blocks_are_under_way_as_there_are_slots_and_the_gate_lets_in(
    autojump_clock, tmp_path, slots, gate, most
):
    desk = Desk(lambda *_: None, slots=slots)
    with trio.move_on_after(5):
        await run(desk, blocks(5, tmp_path), gate=Gate(gate, gate))
    assert len(desk.calls) == most


async def test_a_worker_that_comes_late_is_waited_for(autojump_clock, tmp_path):
    desk = Desk(lambda _, data: play_unit(data), slots=0)

    async def come() -> None:
        await trio.sleep(300)
        desk.slots = 4

    async with trio.open_nursery() as nursery:
        nursery.start_soon(come)
        told = await run(desk, blocks(1, tmp_path))
    assert told.ids == ["m0-1", "m0-2"]
    assert told.announced == ["no worker is there: waiting for one"]


@pytest.mark.parametrize("slots", [0, 1])
async def test_workers_that_never_come_or_all_go_are_not_waited_for_for_ever(autojump_clock, tmp_path, slots):
    began = trio.current_time()
    desk = Desk(lambda *_: None)
    desk.slots = slots
    told = "no worker has come within 600 s: start some, and run this again"
    with pytest.RaisesGroup(pytest.RaisesExc(Misuse, match=told), flatten_subgroups=True):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run, desk, blocks(1, tmp_path))
            await trio.sleep(5)
            desk.slots = 0
    assert 600 <= trio.current_time() - began < 615


async def test_after_the_gate_is_closed_no_block_begins(autojump_clock, tmp_path):
    gate = Gate(1, 1)
    desk = Desk(lambda _, data: (gate.close(), play_unit(data))[1])
    told = await run(desk, blocks(4, tmp_path), gate=gate)
    assert told.ids == ["m0-1", "m0-2"]
    assert gate.turned_away
