"""One bot's stream, live: batches, the clock, and which match pays when the process is lost."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from referee.play.memory import MemoryLine, Notes, connected, hello, settle

from aluette.events import MatchBegun, MatchEnded, Reason
from aluette.packs import BlockKey
from aluette.rules import STANDARD, Match
from aluette.seats import Seat
from aluette.session import Turn
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points, View, view_of
from aluette_referee.faults import FaultType
from aluette_referee.play.player import LATE_GRACE, Player
from aluette_referee.table import FLOODING

pytestmark = pytest.mark.trio

VIEW: View = view_of(Match(STANDARD, BlockKey(bytes(32))), Seat.E)
BEGUN = MatchBegun(Seat.E, STANDARD, 7)
ENDED = MatchEnded(Reason.VOID, None, Points(0, 0))
LIMIT = 2.0


def look(table: int, number: int) -> wire.Move:
    return wire.Move(table=table, number=number, look=wire.Looked())


def ask(player: Player, *turns: tuple[int, int], limit: float | None = LIMIT) -> None:
    for table, number in turns:
        player.ask(Turn(table, number, VIEW), limit)
    player.flush()


async def numbers(line: MemoryLine) -> list[tuple[int, int]]:
    return [(turn.table, turn.number) for turn in (await line.batch()).turns]


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


# -- when the process is lost ----------------------------------------------------------------------


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


# -- what a bot should not send --------------------------------------------------------------------


async def test_a_hundred_answers_for_tables_one_does_not_play_at_are_flooding(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        ask(player, (1, 0))
        for number in range(FLOODING - 1):
            line.answer(look(99, number))
        await settle()
        assert not player.gone.is_set()
        line.answer(look(98, 0))
        await settle()
        (fault,) = notes.faults
        assert fault[1] is FaultType.FLOODING
        assert fault[2] == "100 answers came for tables that it does not play at"


async def test_an_answer_to_a_turn_of_a_match_that_has_ended_is_no_flood(autojump_clock):
    async with connected() as [(player, line)]:
        for table in range(1, FLOODING + 50):
            Notes(player, table)
            ask(player, (table, 0))
            player.leave(table)
            line.answer(look(table, 0))
            await settle()
        assert not player.gone.is_set()


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (hello(), "a second Hello came: it is sent once, first"),
        (None, "what came is no message of the protocol"),
    ],
    ids=["a second hello", "no message"],
)
async def test_what_breaks_the_protocol_is_refused_and_malformed(autojump_clock, sent, sentence):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        line.send(sent)
        refused = (await line.receive()).refused
        assert refused.reason == wire.Refused.REASON_HELLO
        assert refused.message == sentence
        assert notes.faults == [(Seat.N, FaultType.MALFORMED, refused.message)]


async def test_a_kind_of_message_that_is_not_known_is_an_answer_that_nobody_asked_for(autojump_clock):
    """A later minor version may send more; within reason it is ignored."""
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        for _ in range(FLOODING - 1):
            line.send(wire.PlayRequest())
        await settle()
        assert not player.gone.is_set()
        line.send(wire.PlayRequest())
        await settle()
        assert [kind for _, kind, _ in notes.faults] == [FaultType.FLOODING]


async def test_what_a_lost_bot_still_sends_is_not_heard(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        ask(player, (1, 0))
        line.answer(look(1, 0))
        line.answer(*[look(5, 5)] * 500)
        line.send(None)
        player.lose(FaultType.LATE, "no answer")
        await settle()
        assert (len(notes.faults), notes.answers) == (1, [])


async def test_what_comes_in_one_message_after_the_hundredth_is_not_heard(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        ask(player, (1, 0))
        line.answer(*[look(5, 5)] * FLOODING, look(1, 0))
        await settle()
        assert (len(notes.faults), notes.answers) == (1, [])


# -- places ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "capacity"), [(0, 1), (1, 1), (64, 64)])
async def test_as_many_tables_as_the_hello_says(autojump_clock, said, capacity):
    async with connected(capacity=said) as [(player, _)]:
        assert player.capacity == capacity
        assert await player.reserve(capacity)
        with trio.move_on_after(3600) as waiting:
            await player.reserve(1)
        assert waiting.cancelled_caught
        player.release(1)
        assert await player.reserve(1)


async def test_places_are_taken_all_at_once_in_the_order_of_asking(autojump_clock):
    served: list[str] = []

    async def reserve(name: str, places: int) -> None:
        assert await player.reserve(places)
        served.append(name)

    async with connected(capacity=3) as [(player, _)], trio.open_nursery() as nursery:
        assert await player.reserve(2)
        for name, places in [("two", 2), ("one", 1), ("three", 3)]:
            nursery.start_soon(reserve, name, places)
            await settle()
        assert served == []
        player.release(1)
        await settle()
        assert served == ["two"]
        player.release(1)
        await settle()
        assert served == ["two", "one"]
        player.release(2)
        await settle()
        assert served == ["two", "one"]
        player.release(1)
        await settle()
        assert served == ["two", "one", "three"]


async def lost(player: Player, line: MemoryLine) -> None:
    player.lose(FaultType.LATE, "no answer")


async def left(player: Player, line: MemoryLine) -> None:
    line.send(wire.PlayRequest(leave=wire.Leave()))


async def dismissed(player: Player, line: MemoryLine) -> None:
    player.goodbye("that was all")


@pytest.mark.parametrize("how", [lost, left, dismissed])
async def test_who_waits_for_a_place_hears_that_there_will_be_none(autojump_clock, how):
    async with connected(capacity=1) as [(player, line)], trio.open_nursery() as nursery:
        Notes(player, 1)
        assert await player.reserve(1)
        results: list[bool] = []

        async def wait() -> None:
            results.append(await player.reserve(1))

        nursery.start_soon(wait)
        nursery.start_soon(wait)
        await settle()
        await how(player, line)
        await settle()
        assert results == [False, False]
        assert not player.takes_tables
        player.release(1)
        assert not await player.reserve(1)


async def test_who_leaves_plays_its_matches_to_the_end_and_then_hears_goodbye(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        ask(player, (1, 0))
        await line.batch()
        line.send(wire.PlayRequest(leave=wire.Leave()))
        line.answer(look(1, 0))
        await settle()
        assert len(notes.answers) == 1
        ask(player, (1, 1))
        assert await numbers(line) == [(1, 1)]
        player.tell(1, ENDED)
        player.leave(1)
        player.flush()
        await settle()
        assert line.waiting() == 0, "the last turn is still under way"
        line.answer(look(1, 1))
        assert len((await line.batch()).events) == 1
        assert (await line.receive()).WhichOneof("body") == "goodbye"
        assert player.gone.is_set()
        assert player.ended_by_us


async def test_who_leaves_without_a_match_hears_goodbye_at_once(autojump_clock):
    async with connected() as [(_, line)]:
        line.send(wire.PlayRequest(leave=wire.Leave()))
        assert (await line.receive()).WhichOneof("body") == "goodbye"


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


async def test_a_turn_that_comes_up_while_the_bot_is_away_has_its_clock(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        line.hang_up()
        await player.moved.wait()
        ask(player, (1, 0))
        await trio.sleep(1.0)
        async with returning(player) as back:
            (turn,) = (await back.batch()).turns
            assert turn.number == 0
            await trio.sleep(0.5)
            back.answer(look(1, 0))
            await settle()
            assert notes.answers == [(Seat.N, 0, pytest.approx(1.5))]


async def test_a_turn_that_is_said_again_says_what_is_left_of_its_time(autojump_clock):
    async with connected() as [(player, line)]:
        Notes(player, 1)
        player.ask(Turn(1, 0, VIEW._replace(time_left=2.0)), LIMIT)
        player.flush()
        line.hang_up()
        await player.moved.wait()
        await trio.sleep(1.25)
        async with returning(player) as back:
            (turn,) = (await back.batch()).turns
            assert turn.time_left_ms == 750


# -- away and back ---------------------------------------------------------------------------------


@asynccontextmanager
async def returning(player: Player) -> AsyncIterator[MemoryLine]:
    """A second stream, over which a player has come back."""
    line = MemoryLine()
    player.resume(line.referee)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.listen, line.referee)
        yield line
        nursery.cancel_scope.cancel()


async def test_who_comes_back_hears_all_again_and_its_answers_count(autojump_clock):
    async with connected() as [(player, line)]:
        one, two = Notes(player, 1), Notes(player, 2)
        one.told = [BEGUN]
        ask(player, (1, 3), (2, 5))
        line.answer(look(1, 3))
        line.hang_up()
        await player.moved.wait()
        ask(player, (1, 4))
        async with returning(player) as back:
            batch = await back.batch()
            assert [event.WhichOneof("body") for event in batch.events] == ["match_begun"]
            assert [(turn.table, turn.number) for turn in batch.turns] == [(2, 5)]
            back.answer(look(2, 5))
            assert await numbers(back) == [(1, 4)]
            back.answer(look(1, 4))
            await settle()
            assert [number for _, number, _ in one.answers] == [3, 4]
            assert [number for _, number, _ in two.answers] == [5]
            assert not player.is_away


async def test_the_clock_of_who_is_away_runs_on(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        ask(player, (1, 0))
        await trio.sleep(0.5)
        line.hang_up()
        await player.moved.wait()
        await trio.sleep(1.0)
        async with returning(player) as back:
            await back.batch()
            await trio.sleep(0.4)
            back.answer(look(1, 0))
            await settle()
            assert notes.answers == [(Seat.N, 0, pytest.approx(1.9))]


async def test_who_is_away_when_its_time_is_over_is_disconnected_and_not_late(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        ask(player, (1, 7))
        line.hang_up()
        await player.gone.wait()
        evidence = "it was away when the time for turn 7 was over"
        assert notes.faults == [(Seat.N, FaultType.DISCONNECTED, evidence)]
        assert trio.current_time() == pytest.approx(LIMIT + LATE_GRACE)


async def test_a_stream_that_is_thought_to_live_is_taken_over(autojump_clock):
    async with connected() as [(player, line)]:
        notes = Notes(player, 1)
        ask(player, (1, 0))
        async with returning(player) as back:
            await line.batch()
            with pytest.raises(trio.EndOfChannel):
                await line.receive()
            line.answer(look(1, 0))
            await settle()
            assert notes.answers == []
            assert not player.is_away
            assert await numbers(back) == [(1, 0)]
            back.answer(look(1, 0))
            await settle()
            assert len(notes.answers) == 1
            back.hang_up()
            await player.moved.wait()
            assert player.is_away, "and the end of that one is seen"


async def test_who_is_away_gets_no_new_table_until_it_is_back(autojump_clock):
    async with connected() as [(player, line)], trio.open_nursery() as nursery:
        line.hang_up()
        await player.moved.wait()
        reserved: list[bool] = []

        async def reserve() -> None:
            reserved.append(await player.reserve(1))

        nursery.start_soon(reserve)
        await settle()
        assert reserved == []
        async with returning(player):
            await settle()
            assert reserved == [True]


async def test_who_is_lost_while_away_is_gone_for_all_that_wait(autojump_clock):
    async with connected() as [(player, line)]:
        line.hang_up()
        await player.moved.wait()
        player.lose(FaultType.CRASHED, "exit code 1")
        assert not await player.reserve(1)
        player.goodbye("that was all")


async def test_streams_taken_up_again_that_had_not_ended_are_flooding_in_the_end(autojump_clock):
    async with connected() as [(player, _)]:
        notes = Notes(player, 1)
        lines = [MemoryLine() for _ in range(FLOODING)]
        for line in lines[:-1]:
            player.resume(line.referee)
        assert player.lost is None
        player.resume(lines[-1].referee)
        assert player.lost == (FaultType.FLOODING, "it took 100 streams up again that had not ended")
        assert [kind for _, kind, _ in notes.faults] == [FaultType.FLOODING]


async def test_streams_that_ended_before_they_are_taken_up_again_are_none(autojump_clock):
    async with connected() as [(player, line)]:
        Notes(player, 1)
        line.hang_up()
        await player.moved.wait()
        for _ in range(2 * FLOODING):
            async with returning(player) as back:
                back.hang_up()
                await player.moved.wait()
        assert player.lost is None


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
