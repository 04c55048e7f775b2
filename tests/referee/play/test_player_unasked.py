"""What a bot should not send: answers that nobody asked for, and what is no message."""

import pytest
from referee.play.memory import ask, connected, hello, look, settle
from referee.play.notes import Notes

from aluette.seats import Seat
from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType
from aluette_referee.table import FLOODING

pytestmark = pytest.mark.trio


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


async def test_a_stale_answer_in_each_of_many_matches_is_no_flood(autojump_clock):
    """It comes when its match is over, and its table known no more."""
    async with connected() as [(player, line)]:
        for table in range(1, FLOODING + 50):
            notes = Notes(player, table)
            ask(player, (table, 0))
            line.answer(look(table, 0))
            await settle()
            player.leave(table)
            line.answer(look(table, 0))
            await settle()
            assert notes.faults == []
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
