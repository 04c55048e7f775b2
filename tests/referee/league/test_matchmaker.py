"""Tables are filled: rated by the pairing, unrated by request, within bounds, and nothing while something forbids it."""

from dataclasses import replace

import pytest
import trio
from referee.league.bottle import SETTINGS, bottled
from referee.play.memory import MemoryLine, converse, hello

from aluette.seats import Seat
from aluette_referee.league.roster import Wish

pytestmark = pytest.mark.trio
FOUR = {"fox/1": "Ana", "wolf/1": "Bea", "hare/1": "Cleo", "owl/1": "Dora"}


async def slow(line: MemoryLine) -> None:
    line.send(hello())
    await converse(line, "lowest", 0.01)


async def test_partners_are_drawn_where_the_league_is_of_individuals(autojump_clock):
    async with bottled(FOUR, replace(SETTINGS, mode="individual")) as league:
        for name in FOUR:
            league.come(name)
        await league.until(20)
        assert all(sorted(fixture.seats.values()) == [1, 2, 3, 4] for fixture in league.notes.begun)
        assert all(ended.counts for ended in league.notes.over.values())
        partners = {
            frozenset((fixture.seats[Seat.N], fixture.seats[Seat.S])) for fixture in league.notes.begun
        }
        assert len(partners) > 2


async def test_bots_of_one_owner_do_not_meet(autojump_clock):
    async with bottled({"fox/1": "Ana", "fox/2": "Ana"}) as league:
        league.come("fox/1")
        league.come("fox/2")
        await trio.sleep(20.0)
        assert league.notes.begun == []
        # But for themselves, when they ask for it.
        league.matchmaker.wishes = [Wish(7, 1, 2, 2)]
        league.matchmaker.wake()
        await league.until(2)
        await trio.sleep(20.0)
        assert [fixture.rated for fixture in league.notes.begun] == [False, False]
        assert league.matchmaker.wishes[0].left == 0
        assert league.notes.granted == {7: 0}


async def test_no_more_tables_than_the_league_has(autojump_clock):
    async with bottled(FOUR, replace(SETTINGS, tables=3)) as league:
        for name in FOUR:
            league.come(name, slow)
        most = 0
        while len(league.notes.over) < 12:
            most = max(most, len(league.tables.playing))
            await trio.sleep(0.01)
        assert most == 3


async def test_nothing_begins_while_it_is_paused_or_the_database_is_away_or_far_behind(autojump_clock):
    async with bottled(FOUR) as league:
        league.matchmaker.paused = True
        for name in FOUR:
            league.come(name)
        await trio.sleep(10.0)
        assert league.tables.playing == {}
        league.notes.back = trio.Event()
        league.matchmaker.paused = False
        league.matchmaker.wake()
        await trio.sleep(10.0)
        assert league.notes.over == {}
        league.notes.back.set()
        await league.until(5)
        league.notes.behind = 500
        await trio.sleep(10.0)
        begun = len(league.notes.begun)
        await trio.sleep(10.0)
        assert len(league.notes.begun) == begun


async def test_opponents_rest_for_the_spacing(autojump_clock):
    two = dict(list(FOUR.items())[:2])
    async with bottled(two, replace(SETTINGS, spacing=10.0)) as league:
        for name in two:
            league.come(name)
        await trio.sleep(95.0)
        assert len(league.notes.begun) == 10


async def goes(line: MemoryLine) -> None:
    line.send(hello())
    await trio.sleep(1.0)
    line.hang_up()


async def test_who_had_gone_when_the_match_was_to_begin_does_not_lose_it(autojump_clock):
    async with bottled(FOUR) as league:
        league.notes.back = trio.Event()
        league.come("fox/1", goes)
        league.come("wolf/1")
        await trio.sleep(6.0)  # longer than the grace
        league.notes.back.set()
        await trio.sleep(5.0)
        assert league.notes.over
        assert all(
            ended.why.startswith("called off: fox/1: it had gone before the match began")
            for ended in league.notes.over.values()
        )
        assert league.notes.losses == []


async def test_a_bug_of_ours_voids_its_match_and_nothing_else(autojump_clock, monkeypatch, capsys):
    async with bottled(FOUR) as league:
        honest, calls = league.tables._once.play_match, []

        async def breaks(plan):
            calls.append(plan)
            if len(calls) == 3:
                raise ZeroDivisionError("ours")
            return await honest(plan)

        monkeypatch.setattr(league.tables._once, "play_match", breaks)
        for name in FOUR:
            league.come(name)
        await league.until(10)
        bad = [ended.why for ended in league.notes.over.values() if not ended.counts]
        assert bad == ["an error of the referee's own: ZeroDivisionError('ours')"]
    assert "ZeroDivisionError: ours" in capsys.readouterr().err


async def test_matches_that_are_cut_off_at_the_end_are_void(autojump_clock):
    async with bottled(FOUR) as league:
        for name in FOUR:
            league.come(name, slow)
        await trio.sleep(0.5)
        playing = set(league.tables.playing)
        assert playing
        league.nursery.cancel_scope.cancel()
    assert {league.notes.over[name].why for name in playing} == {"the service was ended before it was over"}
    assert league.tables.empty.is_set()
