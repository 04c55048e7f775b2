"""A player's places: how many tables it plays at, who waits for one, and who leaves."""

import pytest
import trio
from referee.play.memory import ENDED, MemoryLine, ask, connected, look, numbers, settle
from referee.play.notes import Notes

from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType
from aluette_referee.play.player import Player

pytestmark = pytest.mark.trio


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
