"""One bot's stream, live: batches, the clock, and answers that are given up."""

import pytest
import trio
from referee.play.memory import BEGUN, ENDED, LIMIT, ask, connected, look, settle
from referee.play.notes import Notes

from aluette.seats import Seat
from aluette.session import Turn
from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType
from aluette_referee.play.player import LATE_GRACE

pytestmark = pytest.mark.trio

# -- batches ---------------------------------------------------------------------------------------


async def test_what_is_due_together_goes_together_and_the_rest_when_all_is_answered(autojump_clock):
    async with connected() as [(player, line)]:
        Notes(player, 1), Notes(player, 2)
        player.tell(1, BEGUN)
        ask(player, (1, 0), (2, 0))
        batch = await line.batch()
        assert [event.table for event in batch.events] == [1]
        assert [turn.table for turn in batch.turns] == [1, 2]
        player.tell(2, ENDED)
        ask(player, (1, 1))
        line.answer(look(1, 0))
        await settle()
        assert line.waiting() == 0
        line.answer(look(2, 0))
        await settle()
        assert line.waiting() == 1
        batch = await line.batch()
        assert ([event.table for event in batch.events], [turn.number for turn in batch.turns]) == ([2], [1])
        assert (player.stream.batches, player.stream.turns) == (2, 3)


async def test_answers_go_to_their_matches_with_what_they_are_charged(autojump_clock):
    async with connected() as [(player, line)]:
        one, other = Notes(player, 1), Notes(player, 2, 3)
        ask(player, (1, 0), (2, 0), (3, 0))
        await trio.sleep(0.5)
        line.answer(look(1, 0))
        await trio.sleep(0.25)
        line.answer(look(3, 0))
        await trio.sleep(0.25)
        line.answer(look(2, 0))
        await settle()
        assert one.answers == [(Seat.N, 0, 0.5)]
        assert other.answers == [(Seat.E, 0, 0.0), (Seat.N, 0, 0.5)]


async def test_many_answers_in_one_message_are_read_in_their_order(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1, 2, 3, 4)
        ask(player, (1, 0), (2, 0), (3, 0), (4, 0))
        line.answer(look(1, 0), look(2, 0), look(3, 0), look(4, 0))
        await settle()
        assert [seat for seat, *_ in notes.answers] == list(Seat)


async def test_an_answer_to_a_turn_not_under_way_is_told_apart(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        ask(player, (1, 3))
        ask(player, (1, 4))
        line.answer(look(1, 4), look(1, 2), look(1, 3), look(1, 3))
        await settle()
        assert [(number, charged is None) for _, number, charged in notes.answers] == [
            (4, True), (2, True), (3, False), (3, True),
        ]  # fmt: skip
        assert not player.gone.is_set()


# -- the clock -------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [0.01, 2.0, 3600.0])
async def test_a_bot_that_never_answers_is_late_at_the_limit_and_the_grace(autojump_clock, limit):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        await trio.sleep(5.0)
        ask(player, (1, 7), limit=limit)
        await player.gone.wait()
        assert notes.faults == [(Seat.N, FaultType.LATE, "no answer came in time to turn 7")]
        assert notes.at == pytest.approx([trio.current_time()])
        assert trio.current_time() == pytest.approx(5.0 + limit + LATE_GRACE)
        assert line.referee.closed


async def test_an_answer_just_before_the_limit_is_in_time(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        for number in range(20):
            ask(player, (1, number))
            await trio.sleep(LIMIT - 0.001)
            line.answer(look(1, number))
            await settle()
        await trio.sleep(10 * LIMIT)
        assert [charged for *_, charged in notes.answers] == pytest.approx([LIMIT - 0.001] * 20)
        assert not player.gone.is_set()


async def test_an_answer_that_is_read_within_the_grace_counts_and_starts_the_next_clock(autojump_clock):
    async with connected() as [(player, line)]:
        one, other = Notes(player, 1), Notes(player, 2)
        ask(player, (1, 0), (2, 0))
        await trio.sleep(LIMIT + LATE_GRACE / 2)
        line.answer(look(1, 0))
        await player.gone.wait()
        assert [charged for *_, charged in one.answers] == pytest.approx([LIMIT + LATE_GRACE / 2])
        assert [kind for _, kind, _ in other.faults] == [FaultType.LATE]
        assert trio.current_time() == pytest.approx(2 * LIMIT + 1.5 * LATE_GRACE)


async def test_a_bot_at_many_tables_has_its_limit_for_each(autojump_clock):
    async with connected() as [(player, line)]:
        notes = [Notes(player, table) for table in range(1, 51)]
        ask(player, *[(table, 0) for table in range(1, 51)])
        for table in range(1, 51):
            await trio.sleep(LIMIT * 0.9)
            line.answer(look(table, 0))
        await settle()
        assert [note.answers[0][2] for note in notes] == pytest.approx([LIMIT * 0.9] * 50)
        assert not player.gone.is_set()


async def test_at_many_tables_the_first_turn_that_takes_too_long_is_late_at_its_own_limit(autojump_clock):
    async with connected() as [(player, line)]:
        notes = [Notes(player, table) for table in range(1, 6)]
        ask(player, *[(table, 0) for table in range(1, 6)])
        for table in (1, 2, 3):
            await trio.sleep(1.5)
            line.answer(look(table, 0))
        await player.gone.wait()
        assert [len(note.faults) for note in notes] == [0, 0, 0, 1, 0]
        assert [len(note.voids) for note in notes] == [1, 1, 1, 0, 1]
        assert trio.current_time() == pytest.approx(4.5 + LIMIT + LATE_GRACE)


async def test_a_short_limit_behind_a_long_one_counts(autojump_clock):
    """In one batch: getting ready in one match, then a move in another."""
    async with connected() as [(player, line)]:
        _, moving = Notes(player, 1), Notes(player, 2)
        player.ask(Turn(1, 0, None), 600.0)
        ask(player, (2, 5))
        await trio.sleep(1.0)
        line.answer(wire.Move(table=1, ready=wire.Ready()))
        await player.gone.wait()
        assert [kind for _, kind, _ in moving.faults] == [FaultType.LATE]
        assert trio.current_time() == pytest.approx(1.0 + LIMIT + LATE_GRACE)


async def test_nobody_waits_for_a_person_in_vain(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        ask(player, (1, 0), limit=None)
        await trio.sleep(36_000.0)
        line.answer(look(1, 0))
        await settle()
        assert notes.answers == [(Seat.N, 0, pytest.approx(36_000.0))]
        ask(player, (1, 1), limit=1.0)
        await player.gone.wait()
        assert trio.current_time() == pytest.approx(36_000.0 + 1.0 + LATE_GRACE)


async def test_idle_time_is_nobodys(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        for number in range(3):
            ask(player, (1, number))
            line.answer(look(1, number))
            await trio.sleep(100 * LIMIT)
        assert len(notes.answers) == 3
        assert not player.gone.is_set()


async def test_the_clock_of_a_turn_that_waits_for_the_batch_before_it_does_not_run(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1), Notes(player, 2)
        ask(player, (1, 0))
        ask(player, (2, 0))
        await trio.sleep(1.9)
        line.answer(look(1, 0))
        await trio.sleep(1.9)
        line.answer(look(2, 0))
        await settle()
        assert notes[1].answers == [(Seat.N, 0, pytest.approx(1.9))]


# -- answers that are given up ---------------------------------------------------------------------


async def test_a_late_answer_that_its_match_goes_on_without_costs_no_process(autojump_clock):
    async with connected() as [(player, line)]:
        one, two = Notes(player, 1), Notes(player, 2)
        one.forgives = True
        ask(player, (1, 0), (2, 0))
        await line.batch()
        await trio.sleep(LIMIT + LATE_GRACE + 0.01)
        assert [(kind, evidence) for _, kind, evidence in one.faults] == [
            (FaultType.LATE, "it did not get ready in time")
        ]
        assert not player.gone.is_set()
        line.answer(look(1, 0), look(2, 0))
        await settle()
        assert one.answers == [(Seat.N, 0, None)], "it is stale"
        assert two.answers == [(Seat.N, 0, pytest.approx(0.01))], (
            "its clock began when the other was given up"
        )


async def test_a_bot_that_hangs_is_late_again_and_again_until_a_match_is_lost(autojump_clock):
    async with connected() as [(player, _)]:
        one, two = Notes(player, 1), Notes(player, 2)
        one.forgives = True
        ask(player, (1, 0), (2, 0))
        await player.gone.wait()
        assert (len(one.faults), len(one.voids), len(two.faults)) == (1, 1, 1)
        assert trio.current_time() == pytest.approx(2 * (LIMIT + LATE_GRACE))
