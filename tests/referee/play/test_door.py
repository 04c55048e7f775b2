"""Guests: bots that come by themselves with a token of their own, in several streams, and come again."""

import pytest
import trio
from referee.play.memory import MemoryLine, hello, memory_pool, settle

from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.lobby import Refusal
from aluette_referee.play.door import NotNow, TakeIn
from aluette_referee.play.player import Player

pytestmark = pytest.mark.trio


class Hall:
    """Knows the tokens "one" and "other"; "barred" is refused."""

    def __init__(self) -> None:
        self.here: list[tuple[str, Player]] = []

    async def find(self, token: str) -> TakeIn | None:
        await trio.lowlevel.checkpoint()
        if token == "barred":
            raise Refusal(wire.Refused.REASON_BARRED, "it was retired")
        return (lambda player: self.here.append((token, player))) if token in {"one", "other"} else None

    @property
    def tokens(self) -> list[str]:
        return [token for token, _ in self.here]


async def welcomed(line: MemoryLine, **fields: str) -> wire.Welcome:
    line.send(hello(**fields))
    response = await line.receive()
    assert response.WhichOneof("body") == "welcome", response
    return response.welcome


async def refused(line: MemoryLine, **fields: object) -> wire.Refused:
    line.send(hello(**fields))
    response = await line.receive()
    assert response.WhichOneof("body") == "refused", response
    return response.refused


async def test_a_guest_may_come_in_several_streams_each_a_player(autojump_clock):
    hall = Hall()
    async with memory_pool({}, find_guest=hall.find) as (_, start):
        for token in ("one", "one", "other"):
            welcome = await welcomed(start.dial(token))
            assert welcome.lasting
            assert welcome.resume
        assert hall.tokens == ["one", "one", "other"]
        assert len({player for _, player in hall.here}) == 3


async def test_a_stream_that_broke_is_taken_up_again_by_its_own_secret_and_no_other(autojump_clock):
    hall = Hall()
    async with memory_pool({}, find_guest=hall.find) as (_, start):
        line, another = start.dial("one"), start.dial("one")
        secret = (await welcomed(line)).resume
        others = (await welcomed(another)).resume
        line.hang_up()
        await settle()
        assert [player.is_away for _, player in hall.here] == [True, False]
        again = await welcomed(start.dial("one"), resume=secret)
        assert again.lasting
        assert not any(player.is_away for _, player in hall.here)
        assert len(hall.here) == 2
        assert (await refused(start.dial("other"), resume=others)).reason == wire.Refused.REASON_TOKEN


async def test_who_stays_away_is_lost_and_may_come_again_as_new(autojump_clock):
    hall = Hall()
    async with memory_pool({}, Limits(grace=3.0), find_guest=hall.find) as (_, start):
        line = start.dial("one")
        secret = (await welcomed(line)).resume
        line.hang_up()
        await trio.sleep(4.0)
        (_, player), *_ = hall.here
        assert player.gone.is_set()
        assert player.lost is not None
        assert player.lost[0] is FaultType.DISCONNECTED
        sentence = (await refused(start.dial("one"), resume=secret)).message
        assert sentence.startswith("there is nothing to take up again")
        await welcomed(start.dial("one"))
        assert len(hall.here) == 2


async def test_who_is_barred_unknown_or_speaks_another_protocol_is_refused(autojump_clock):
    hall = Hall()
    async with memory_pool({}, find_guest=hall.find) as (_, start):
        barred = await refused(start.dial("barred"))
        assert (barred.reason, barred.message) == (wire.Refused.REASON_BARRED, "it was retired")
        assert (await refused(start.dial("guessed"))).reason == wire.Refused.REASON_TOKEN
        assert (await refused(start.dial("one"), protocol=7)).reason == wire.Refused.REASON_PROTOCOL
        assert hall.here == []


async def test_a_look_up_that_takes_too_long_is_no_hang(autojump_clock):
    async def never(token: str) -> TakeIn | None:
        await trio.sleep_forever()

    async with memory_pool({}, Limits(connect=2.0), find_guest=never) as (_, start):
        assert (await refused(start.dial("one"))).message == "no Hello came within 2 s"
        assert trio.current_time() == pytest.approx(2.0)


async def test_where_nobody_can_tell_the_stream_ends_without_a_word(autojump_clock):
    async def away(token: str) -> TakeIn | None:
        raise NotNow

    async with memory_pool({}, find_guest=away) as (_, start):
        line = start.dial("one")
        line.send(hello())
        with pytest.raises(trio.EndOfChannel):
            await line.receive()
