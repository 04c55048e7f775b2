"""What the service writes: matches begun and ended, once each, whatever breaks; seasons; and what counts."""

import random
from dataclasses import replace

import pytest
import sqlalchemy as sa
from referee.league.club import SETTINGS, enter, fixture, opened, play, registry
from referee.store.club import forfeit, outcome

from aluette.errors import Misuse
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette_referee.contest.tally import Tally
from aluette_referee.faults import FaultType
from aluette_referee.league.counting import read_tallies
from aluette_referee.league.fixture import LeagueFixture, fixtures_of
from aluette_referee.league.ladder import climb, rate
from aluette_referee.league.ledger import Ended, Lost, create_or_open
from aluette_referee.league.office import Office
from aluette_referee.league.pairing import Drawn
from aluette_referee.league.schema import lost, match, rating, record, result, season, standing, void
from aluette_referee.league.settings import Settings


def tallies(ledger) -> list[Tally]:
    of_season = ledger.season.id
    with ledger.database.begin() as connection:
        return sorted(read_tallies(connection, of_season))


def count(ledger, table: sa.Table) -> int:
    with ledger.database.begin() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(table))


def test_a_match_is_committed_to_before_it_is_played_and_stored_once(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea")
        made = fixture(ledger, (1,), (2,))
        ledger.begin([made])
        ledger.begin([made])
        with ledger.database.begin() as connection:
            row = connection.execute(sa.select(match)).one()
        assert row.commitment == made.key.commitment
        assert (row.n, row.e, row.s, row.w) == (1, 2, 1, 2)
        ended = Ended(made.id, outcome("NS"), logs={Seat.N: ("said", "")})
        ledger.save([ended])
        ledger.save([ended], [Lost(2, FaultType.CRASHED, "exit code 1")])
        assert [count(ledger, table) for table in (match, result, record, void, lost)] == [1, 1, 1, 0, 1]
        assert tallies(ledger)[0][:4] == (("1",), ("2",), (1.0,), (0.0,))


def test_no_two_matches_have_the_same_packs_but_the_legs_of_a_mirrored_pair(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea")
        one, other = fixture(ledger, (1,), (2,)), fixture(ledger, (1,), (2,))
        assert one.key.secret != other.key.secret
        legs = list(fixtures_of(Drawn((1,), (2,)), ledger.key, 1, 9, rated=True, mirrored=True))
        assert legs[0].key.secret == legs[1].key.secret
        assert [leg.first_dealer for leg in legs] == [SEATS[1]] * 2
        assert [[leg.seats[seat] for seat in SEATS] for leg in legs] == [[1, 2, 1, 2], [2, 1, 2, 1]]
        assert legs[0].id[:-2] == legs[1].id[:-2]


def test_what_was_being_played_when_the_service_ended_counts_for_nobody_and_packs_go_on(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea")
        play(ledger, fixture(ledger, (1,), (2,)), "NS")
        broken_off = fixture(ledger, (1,), (2,))
        ledger.begin([broken_off])
        last = broken_off.pack
    with opened(place) as ledger:
        assert ledger.next_pack > last
        assert count(ledger, void) == 1
        # A result that comes too late does not count either.
        ledger.save([Ended(broken_off.id, outcome("NS"))])
        assert count(ledger, result) == 1
        assert sum(tally.blocks for tally in tallies(ledger)) == 1


def test_an_old_copy_of_the_database_deals_no_pack_again(tmp_path):
    clock = iter(f"2026-01-0{day}T00:00:00.000+00:00" for day in range(1, 10))
    made: list[LeagueFixture] = []
    for _ in range(2):  # the second time nothing is left of the first
        place = tmp_path / "league.db"
        now = next(clock)
        ledger = create_or_open(place, SETTINGS, lambda now=now: now, bytes)
        enter(ledger, "Ana", "Bea")
        made.append(fixture(ledger, (1,), (2,)))
        ledger.begin(made[-1:])
        ledger.close()
        place.unlink()
    assert made[0].pack < made[1].pack
    assert made[0].key.secret != made[1].key.secret


def test_tallies_are_of_what_counts(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea")
        play(ledger, fixture(ledger, (1,), (2,)), "NS")
        play(ledger, fixture(ledger, (1,), (2,)), "NS")
        play(ledger, fixture(ledger, (2,), (1,)), "NS")
        play(ledger, fixture(ledger, (1,), (2,)), None)
        play(ledger, fixture(ledger, (1,), (2,), rated=False), "NS")
        both_lost = fixture(ledger, (1,), (2,))
        ledger.begin([both_lost])
        ledger.save([Ended(both_lost.id, forfeit(Seat.N, Seat.E))])
        called_off = fixture(ledger, (1,), (2,))
        ledger.begin([called_off])
        ledger.save([Ended(called_off.id, outcome(None)._replace(record=None), "it had gone")])
        legs = list(
            fixtures_of(Drawn((1,), (2,)), ledger.key, 1, ledger.next_pack, rated=True, mirrored=True)
        )
        ledger.begin(legs)
        ledger.save([Ended(legs[0].id, outcome("NS")), Ended(legs[1].id, outcome("NS"))])
        found = {tally[:4]: tally.blocks for tally in tallies(ledger)}
        assert found == {
            (("1",), ("2",), (1.0,), (0.0,)): 2,
            (("2",), ("1",), (1.0,), (0.0,)): 1,
            (("1",), ("2",), (0.5,), (0.5,)): 1,
            (("1",), ("2",), (0.0,), (0.0,)): 1,
            (("1",), ("2",), (1.0, 0.0), (0.0, 1.0)): 1,
        }
        Office(ledger.database, "operator").void(legs[1].id, "the room was dark")
        assert {tally[:4] for tally in tallies(ledger)} >= {(("1",), ("2",), (1.0,), (0.0,))}
        assert sum(tally.blocks * tally.legs for tally in tallies(ledger)) == 6


def test_partners_that_were_drawn_are_two_on_a_side(place):
    with opened(place, replace(SETTINGS, mode="individual")) as ledger:
        enter(ledger, "Ana", "Bea", "Cleo", "Dora")
        play(ledger, fixture(ledger, (1, 3), (4, 2)), "EW")
        assert tallies(ledger)[0][:4] == (("1", "3"), ("4", "2"), (0.0,), (1.0,))


def test_a_match_is_made_void_once_and_only_when_it_is_over(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea")
        office = Office(ledger.database, "operator")
        made = fixture(ledger, (1,), (2,))
        ledger.begin([made])
        with pytest.raises(Misuse, match="is being played"):
            office.void(made.id, "why not")
        ledger.save([Ended(made.id, outcome("NS"))])
        with pytest.raises(Misuse, match="the reason must be"):
            office.void(made.id, " ")
        assert office.void(made.id[:6], "a power cut") == made.id
        assert tallies(ledger) == []
        with pytest.raises(Misuse, match="is void already"):
            office.void(made.id, "again")


def test_the_ladder_is_replaced_and_ratings_are_remembered(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea", "Cleo")
        rng = random.Random(2)
        for _ in range(60):
            one, other = rng.sample([1, 2, 3], 2)
            play(ledger, fixture(ledger, (one,), (other,)), rng.choice(["NS", "NS", "EW"]))
        played = tallies(ledger)
        for _ in range(2):
            rungs = climb(rate(["1", "2", "3"], played), played, 100.0)
            ledger.keep_ladder(1, rungs, rungs[:1])
        assert (count(ledger, standing), count(ledger, rating)) == (3, 1)
        with ledger.database.begin() as connection:
            rows = connection.execute(sa.select(standing).order_by(standing.c.place)).all()
        assert [row.version for row in rows] == [int(rung.entrant) for rung in rungs]
        assert [row.value for row in rows] == [rung.rating.value for rung in rungs]
        assert sum(row.matches for row in rows) == 120


def test_a_season_goes_by_the_file_until_it_is_played_and_then_by_a_successor(place):
    other = Settings("test league", rules=RuleSet(mordienne=False))
    with opened(place) as ledger:
        assert ledger.season[:4] == (1, "Season 1", "teams", "standard/1")
    with opened(place, other) as ledger:
        assert ledger.season.rules == "standard/1+mordienne=off"
        enter(ledger, "Ana", "Bea")
        play(ledger, fixture(ledger, (1,), (2,)), "NS")
    with pytest.raises(
        Misuse, match=r"rules was standard/1\+mordienne=off and is now standard/1.*aluette league season"
    ):
        opened(place).__enter__()
    with opened(place, other) as ledger:
        Office(ledger.database, "operator").ask_for_season("Spring")
        assert ledger.season.successor == "Spring"
    with opened(place) as ledger:
        assert ledger.season == (2, "Spring", "teams", "standard/1", None)
        assert tallies(ledger) == []
        with ledger.database.begin() as connection:
            assert [
                bool(row.ended) for row in connection.execute(sa.select(season).order_by(season.c.id))
            ] == [True, False]


def test_one_service_at_a_time_and_people_beside_it(place):
    from aluette_referee.league.schema import LEAGUE
    from aluette_referee.store.database import open_for_reading, open_for_writing

    with opened(place) as ledger:
        with pytest.raises(Misuse, match="is in use by another run"):
            opened(place).__enter__()
        beside, reader = open_for_writing(place, LEAGUE), open_for_reading(place, LEAGUE)
        try:
            from aluette_referee.league.registry import Registry
            from aluette_referee.league.roster import change_number

            with reader.begin() as connection:
                before = change_number(connection)
            Registry(beside, "operator").register("Ana")
            with reader.begin() as connection:
                assert change_number(connection) == before + 1
        finally:
            beside.close()
            reader.close()
        ledger.reconnect()
        registry(ledger).add_bot("Ana", "fox")
