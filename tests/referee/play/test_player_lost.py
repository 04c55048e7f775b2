"""A player's process is lost: which match pays, and which are void."""

import pytest
import trio
from referee.play.memory import BEGUN, ENDED, LIMIT, ask, connected, look, numbers, settle
from referee.play.notes import Notes

from aluette.seats import Seat
from aluette_referee.faults import FaultType
from aluette_referee.play.player import LATE_GRACE

pytestmark = pytest.mark.trio


async def test_the_match_whose_clock_ran_out_pays_and_the_others_are_void(autojump_clock):
    async with connected(["slow"]) as [(player, line)]:
        notes = [Notes(player, table) for table in (1, 2, 3)]
        ask(player, (3, 0), (2, 0), (1, 0))
        line.answer(look(3, 0))
        await settle()
        player.lose(FaultType.LATE, "evidence")
        void = ["slow was lost in another match (late)"]
        assert [note.faults for note in notes] == [[], [(Seat.N, FaultType.LATE, "evidence")], []]
        assert [note.voids for note in notes] == [void, [], void]


@pytest.mark.parametrize("answered", [[], [1]])
async def test_a_crash_at_several_tables_is_blamed_on_none(autojump_clock, answered):
    # An answer to any of them may have been ready, and have died with the process.
    async with connected() as [(player, line)]:
        notes = [Notes(player, table) for table in (1, 2)]
        ask(player, (1, 0), (2, 0))
        line.answer(*(look(table, 0) for table in answered))
        await settle()
        player.lose(FaultType.CRASHED, "exit code 1")
        assert [(note.faults, len(note.voids)) for note in notes] == [([], 1)] * 2


@pytest.mark.parametrize("kind", [FaultType.CRASHED, FaultType.LATE])
async def test_who_may_have_been_with_the_end_of_a_match_before_is_not_blamed_for_the_next(
    autojump_clock, kind
):
    async with connected() as [(player, _)]:
        before, notes = Notes(player, 1), Notes(player, 2)
        player.tell(1, ENDED)
        player.leave(1)
        ask(player, (2, 0))
        player.lose(kind, "evidence")
        assert (before.faults, notes.faults, len(notes.voids)) == ([], [], 1)


@pytest.mark.parametrize("kind", [FaultType.CRASHED, FaultType.LATE])
async def test_who_has_answered_since_is_blamed(autojump_clock, kind):
    async with connected() as [(player, line)]:
        Notes(player, 1)
        notes = Notes(player, 2)
        player.tell(1, ENDED)
        player.leave(1)
        ask(player, (2, 0))
        line.answer(look(2, 0))
        await settle()
        ask(player, (2, 1))
        player.lose(kind, "evidence")
        assert notes.faults == [(Seat.N, kind, "evidence")]


@pytest.mark.parametrize(("answered", "sure"), [([], False), ([1], True)])
async def test_who_may_have_been_with_an_event_of_another_match_is_not_blamed_for_a_turn(
    autojump_clock, answered, sure
):
    async with connected() as [(player, line)]:
        one, two, three = Notes(player, 1), Notes(player, 2), Notes(player, 3)
        player.tell(3, BEGUN)
        ask(player, (1, 0), (2, 0))
        line.answer(*(look(table, 0) for table in answered))
        await settle()
        player.lose(FaultType.LATE, "evidence")
        assert [len(note.faults) for note in (one, two, three)] == [0, int(sure), 0]


async def test_with_no_turn_under_way_a_single_match_pays(autojump_clock):
    async with connected() as [(player, _)]:
        notes = Notes(player, 1)
        player.lose(FaultType.CRASHED, "exit code 1")
        assert notes.faults == [(Seat.N, FaultType.CRASHED, "exit code 1")]


async def test_with_no_turn_under_way_none_of_several_matches_is_guessed(autojump_clock):
    async with connected() as [(player, _)]:
        notes = [Notes(player, 1), Notes(player, 2)]
        player.lose(FaultType.CRASHED, "exit code 1")
        assert [(note.faults, len(note.voids)) for note in notes] == [([], 1)] * 2


async def test_the_seat_of_the_open_turn_is_blamed_before_others_of_the_process_in_that_match(autojump_clock):
    async with connected() as [(player, _)]:
        notes = Notes(player, 1, 2, 3)
        ask(player, (3, 0))
        player.lose(FaultType.LATE, "no answer")
        assert notes.faults[0] == (Seat.S, FaultType.LATE, "no answer")
        assert {seat for seat, *_ in notes.faults} == {Seat.N, Seat.E, Seat.S}
        assert [evidence for *_, evidence in notes.faults[1:]] == ["", ""]


async def test_a_turn_of_a_match_that_is_over_is_awaited_but_costs_no_other_match(autojump_clock):
    async with connected() as [(player, line)]:
        notes = [Notes(player, 1), Notes(player, 2)]
        ask(player, (1, 0))
        player.leave(1)
        ask(player, (2, 0))
        await settle()
        assert await numbers(line) == [(1, 0)]
        await player.gone.wait()
        assert trio.current_time() == pytest.approx(LIMIT + LATE_GRACE)
        assert [note.faults for note in notes] == [[], []]
        assert [len(note.voids) for note in notes] == [0, 1]


async def test_a_player_is_lost_once(autojump_clock):
    async with connected() as [(player, _)]:
        notes = Notes(player, 1)
        player.lose(FaultType.LATE, "first")
        player.lose(FaultType.CRASHED, "second")
        assert [kind for _, kind, _ in notes.faults] == [FaultType.LATE]


async def test_nothing_is_sent_to_a_player_that_is_gone(autojump_clock):
    async with connected() as [(player, line)]:
        Notes(player, 1)
        player.lose(FaultType.LATE, "no answer")
        ask(player, (1, 0))
        with pytest.raises(trio.EndOfChannel):
            await line.receive()


async def test_after_a_goodbye_the_stream_ends(autojump_clock):
    async with connected() as [(player, line)]:
        player.goodbye("that was all")
        assert (await line.receive()).goodbye.message == "that was all"
        with pytest.raises(trio.EndOfChannel):
            await line.receive()
        assert player.gone.is_set()


async def test_what_came_up_after_the_stream_had_ended_is_not_blamed_for_it(autojump_clock):
    """Which match pays is decided by what the process had been asked when it hung up."""
    async with connected() as [(player, line)]:
        notes = [Notes(player, 1), Notes(player, 2)]
        ask(player, (1, 0))
        line.answer(look(1, 0))
        line.hang_up()
        await settle()
        ask(player, (2, 0))
        player.lose(FaultType.CRASHED, "exit code 1")
        assert [(note.faults, len(note.voids)) for note in notes] == [([], 1)] * 2
