"""A bot whose stream ended comes back: what it hears again, and how its clock ran on."""

import pytest
import trio
from referee.play.memory import (
    BEGUN,
    LIMIT,
    VIEW,
    MemoryLine,
    ask,
    connected,
    look,
    numbers,
    returning,
    settle,
)
from referee.play.notes import Notes

from aluette.seats import Seat
from aluette.session import Turn
from aluette_referee.faults import FaultType
from aluette_referee.play.player import LATE_GRACE
from aluette_referee.table import FLOODING

pytestmark = pytest.mark.trio


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
