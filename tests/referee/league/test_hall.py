"""Who is here and gets a chair: streams by their tokens, room, barred entrants, and who is lost."""

from dataclasses import replace

import pytest
import trio
from referee.league.bottle import SETTINGS, bottled
from referee.play.memory import Crash, MemoryLine, converse, hello, never_answers, play_honestly, settle

from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType

pytestmark = pytest.mark.trio
TWO = {"fox/1": "Ana", "wolf/1": "Bea"}


async def answer(line: MemoryLine) -> wire.PlayResponse:
    line.send(hello())
    return await line.receive()


async def test_whoever_comes_with_a_token_of_its_own_plays(autojump_clock):
    async with bottled(TWO) as league:
        for name in TWO:
            league.come(name)
        await league.until(10)
        assert all(ended.counts for ended in league.notes.over.values())
        assert {tuple(sorted(set(fixture.seats.values()))) for fixture in league.notes.begun} == {(1, 2)}
        assert len({fixture.pack for fixture in league.notes.begun}) == len(league.notes.begun)
        assert all((fixture.legs, fixture.rated) == (1, True) for fixture in league.notes.begun)


async def test_nothing_of_a_match_that_is_over_is_kept_with_its_players(autojump_clock):
    async with bottled(TWO) as league:
        for name in TWO:
            league.come(name)
        await league.until(10)
        league.matchmaker.paused = True
        await league.tables.empty.wait()
        players = [stream.player for streams in league.hall._places.values() for stream in streams.values()]
        assert [(player._sat, player.stream.seats) for player in players] == [({}, {})] * 2
        assert league.tables.live == {}


@pytest.mark.parametrize(
    ("token", "reason", "sentence"),
    [
        ("guessed", wire.Refused.REASON_TOKEN, "the token is missing or not one"),
        ("owner", wire.Refused.REASON_TOKEN, "this token lets Ana own bots"),
        ("fox/1", wire.Refused.REASON_BARRED, "it crashes"),
    ],
)
async def test_who_may_not_play_hears_why(autojump_clock, token, reason, sentence):
    async with bottled(TWO) as league:
        league.bar("fox/1", "it crashes")
        refused = (await answer(league.start.dial(token))).refused
        assert refused.reason == reason
        assert refused.message.startswith(sentence)


async def test_a_version_has_so_many_streams_and_no_more(autojump_clock):
    async with bottled(TWO, replace(SETTINGS, streams_each=2)) as league:
        lines = [league.start.dial("fox/1") for _ in range(3)]
        kinds = [(await answer(line)).WhichOneof("body") for line in lines]
        assert kinds == ["welcome", "welcome", "refused"]
        lines[0].hang_up()
        await trio.sleep(3.0)
        assert (await answer(league.start.dial("fox/1"))).WhichOneof("body") == "welcome"


async def test_partners_sit_on_streams_of_their_own_where_there_are_two(autojump_clock):
    playing: dict[str, set[int]] = {}

    def noting(name: str):
        async def bot(line: MemoryLine) -> None:
            line.send(hello())
            await converse(
                line, "lowest", lambda turn: playing.setdefault(name, set()).add(turn.table) or 0.001
            )

        return bot

    async with bottled(TWO, replace(SETTINGS, tables_each=1)) as league:
        league.come("fox/1", noting("one"))
        league.come("fox/1", noting("other"))
        league.come("wolf/1")
        await league.until(4)
        assert abs(len(playing["one"]) - len(playing["other"])) <= 1
        assert not playing["one"] & playing["other"]


async def test_nobody_gets_more_tables_than_it_may_or_can(autojump_clock):
    most: list[int] = []

    async def slow(line: MemoryLine) -> None:
        line.send(hello(capacity=5))
        await converse(line, "lowest", 0.01)

    for tables_each, expected in ((1, 1), (2, 2), (4, 2)):  # two seats each, of five
        async with bottled(TWO, replace(SETTINGS, tables_each=tables_each)) as league:
            league.come("fox/1", slow)
            league.come("wolf/1")
            most.clear()
            while len(league.notes.over) < 6:
                most.append(len(league.tables.playing))
                await trio.sleep(0.01)
            assert max(most) == expected


async def test_who_takes_one_table_at_a_time_cannot_play_for_two_seats(autojump_clock):
    async def single(line: MemoryLine) -> None:
        await play_honestly(line, capacity=1)

    async with bottled(TWO) as league:
        league.come("fox/1", single)
        league.come("wolf/1")
        await trio.sleep(5.0)
        assert league.notes.begun == []
        league.come("fox/1", single)
        await league.until(2)
        assert all(ended.counts for ended in league.notes.over.values())


async def test_who_is_barred_while_it_plays_is_seen_off_when_its_matches_are_over(autojump_clock):
    async with bottled(TWO) as league:
        ended = trio.Event()

        async def bot(line: MemoryLine) -> None:
            await play_honestly(line)
            ended.set()

        league.come("fox/1", bot)
        league.come("wolf/1")
        await league.until(2)
        league.bar("fox/1", "it was retired")
        await ended.wait()
        await settle()
        assert league.tables.playing == {}
        # What was about to begin is called off, and nobody loses anything.
        assert all(ended.counts or ended.why.startswith("called off") for ended in league.notes.over.values())
        assert not any(ended.outcome.faults for ended in league.notes.over.values())
        begun = len(league.notes.begun)
        await trio.sleep(10.0)
        assert len(league.notes.begun) == begun


async def test_a_stream_whose_token_was_revoked_is_seen_off(autojump_clock):
    async with bottled(TWO) as league:
        line = league.start.dial("fox/1")
        assert (await answer(line)).WhichOneof("body") == "welcome"
        league.revoked.add(1)
        league.decide()
        assert (await line.receive()).goodbye.message == "the token was revoked"


async def test_who_is_lost_in_several_matches_is_noted_and_nobody_pays(autojump_clock):
    async def dies(line: MemoryLine) -> None:
        tables: set[int] = set()
        line.send(hello())
        async for response in line:
            tables |= {turn.table for turn in response.batch.turns}
            if len(tables) > 2:
                line.hang_up()
                return
            _, turns = line.read(response.batch)
            for turn in turns:
                if turn.view is None:
                    line.answer(wire.Move(table=turn.table, number=turn.number, ready=wire.Ready()))

    async with bottled(TWO) as league:
        league.come("fox/1", dies)
        league.come("wolf/1")
        await trio.sleep(10.0)
        assert [(loss.version, loss.type) for loss in league.notes.losses] == [(1, FaultType.DISCONNECTED)]
        assert league.notes.over
        assert not any(ended.counts for ended in league.notes.over.values())
        assert all("was lost in another match" in ended.why for ended in league.notes.over.values())


async def test_who_goes_while_it_plays_nothing_is_no_loss(autojump_clock):
    async with bottled(TWO) as league:
        line = league.start.dial("fox/1")
        await answer(line)
        line.hang_up()
        await trio.sleep(5.0)
        assert league.hall.here == []
        assert league.notes.losses == []


async def test_at_the_end_everybody_is_told_to_come_again(autojump_clock):
    async with bottled(TWO) as league:
        line = league.start.dial("fox/1")
        await answer(line)
        league.hall.goodbye("a new version")
        goodbye = (await line.receive()).goodbye
        assert (goodbye.message, goodbye.come_again) == ("a new version", True)


async def test_hosted_bots_are_always_here_and_play_mirrored_pairs_among_themselves(autojump_clock):
    three = {**TWO, "hare/1": "Cleo"}
    hosted = {"wolf/1": play_honestly, "hare/1": play_honestly}
    async with bottled(three, hosted=hosted) as league:
        await league.until(4)
        assert {fixture.legs for fixture in league.notes.begun} == {2}
        assert set(league.start.names()) == {"wolf/1", "hare/1"}
        assert len(league.start.started) == 8  # a process for each bot, slot and leg
        league.come("fox/1")
        await league.until(20)
        mixed = [fixture for fixture in league.notes.begun if 1 in fixture.seats.values()]
        assert mixed
        assert {fixture.legs for fixture in mixed} == {1}


async def test_a_hosted_bot_that_does_not_start_counts_as_lost_and_wins_nothing_for_the_other(autojump_clock):
    async def dies_at_once(line: MemoryLine) -> None:
        raise Crash("the process ended with exit code 1")

    async with bottled(TWO, hosted={"wolf/1": dies_at_once}) as league:
        league.come("fox/1")
        await league.until(1)
        (ended,) = list(league.notes.over.values())[:1]
        assert ended.why.startswith("called off: wolf/1: the process ended with exit code 1")
        assert league.notes.losses[0][:2] == (2, FaultType.NOT_STARTED)
        assert league.results == []


async def test_an_opponent_that_hangs_loses_and_the_league_goes_on(autojump_clock):
    async with bottled({**TWO, "hare/1": "Cleo"}) as league:
        league.come("fox/1", never_answers)
        league.come("wolf/1")
        league.come("hare/1")
        await league.until(30)
        lost = [fault for ended in league.results for fault in ended.outcome.faults]
        assert {fault.type for fault in lost} <= {FaultType.LATE}
        assert sum(not ended.outcome.faults for ended in league.results) > 10
