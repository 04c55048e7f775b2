"""What pages and feeds are made of: seasons, pages of a ladder, histories, who met whom, faults."""

from dataclasses import replace

import pytest
from referee.league.club import SETTINGS, enter, fixture, opened, play, registry
from referee.store.club import forfeit, outcome

from aluette.errors import Misuse
from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.league.fixture import fixtures_of
from aluette_referee.league.ladder import Rating, Rung
from aluette_referee.league.ledger import Ended
from aluette_referee.league.office import Office
from aluette_referee.league.pairing import Drawn
from aluette_referee.league.queries import (
    count_ladder,
    read_bots_of,
    read_faults,
    read_head_to_head,
    read_history,
    read_ladder,
    read_match_faults,
    read_matches,
    read_season,
    read_wished,
)
from aluette_referee.league.roster import read_bearer, read_holder


def ask(ledger, question, *given, **named):
    with ledger.database.begin() as connection:
        return question(connection, *given, **named)


def rung(entrant: int, value: float, matches: int = 1) -> Rung:
    return Rung(str(entrant), Rating(value, 50.0), False, entrant, matches, 1, 0, 0, 5, 0)


def test_a_ladder_comes_in_pages_and_is_searched_by_bot_display_and_owner(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea", "Cleo")
        registry(ledger).rename("cleo", "100%_Owl")
        rungs = [rung(1, 1600.0), rung(2, 1500.0), rung(3, 1400.0)]
        ledger.keep_ladder(1, rungs, rungs)
        assert [row.place for row in ask(ledger, read_ladder, 1, skip=1, most=1)] == [2]
        for find, found in {
            "ANA": ["ana/1"],
            "owl": ["cleo/1"],
            "0%_O": ["cleo/1"],
            "%": ["cleo/1"],
            "e": ["bea/1", "cleo/1"],
            "'": [],
        }.items():
            assert [row.name for row in ask(ledger, read_ladder, 1, find=find)] == found
            assert ask(ledger, count_ladder, 1, find) == len(found)
        assert ask(ledger, count_ladder, 1) == 3
        assert ask(ledger, count_ladder, 2) == 0


def test_seasons_by_their_numbers(place):
    with opened(place) as ledger:
        assert ask(ledger, read_season).id == 1
        Office(ledger.database, "operator").ask_for_season("Spring")
        ledger.follow(SETTINGS)
        assert ask(ledger, read_season)[:2] == (2, "Spring")
        assert ask(ledger, read_season, 1).ended is not None
        with pytest.raises(Misuse, match="there is no season 7"):
            ask(ledger, read_season, 7)


def test_the_history_of_a_bot_is_that_of_its_versions(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea")
        registry(ledger).add_version("ana")
        for matches in (1, 2):
            rungs = [rung(number, 1500.0 + matches, matches) for number in (1, 2, 3)]
            ledger.keep_ladder(1, rungs, rungs)
        points = ask(ledger, read_history, "ana", 1)
        assert [(each.version, each.matches, each.value, each.margin) for each in points] == [
            ("ana/1", 1, 1501.0, 50.0), ("ana/1", 2, 1502.0, 50.0), ("ana/2", 1, 1501.0, 50.0), ("ana/2", 2, 1502.0, 50.0),
        ]  # fmt: skip
        assert ask(ledger, read_history, "ana", 2) == []


def test_head_to_head_counts_each_match_once(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea", "Cleo")
        registry(ledger).add_version("ana")  # 4
        play(ledger, fixture(ledger, (1,), (2,)), "NS")
        play(ledger, fixture(ledger, (2,), (4,)), "NS")
        play(ledger, fixture(ledger, (1,), (2,)), None)
        play(ledger, fixture(ledger, (3,), (1,)), "EW")
        play(ledger, fixture(ledger, (1,), (4,)), "NS")  # its own
        play(ledger, fixture(ledger, (1,), (2,), rated=False), "NS")
        both = fixture(ledger, (1,), (3,))
        ledger.begin([both])
        ledger.save([Ended(both.id, forfeit(Seat.N, Seat.E))])
        taken_back = fixture(ledger, (1,), (2,))
        play(ledger, taken_back, "NS")
        Office(ledger.database, "operator").void(taken_back.id, "the room was dark")
        assert [each[:1] + each[2:] for each in ask(ledger, read_head_to_head, "ana", 1)] == [
            ("bea", 3, 1, 1, 1),
            ("cleo", 2, 1, 0, 1),
        ]
        assert [each[:1] + each[2:] for each in ask(ledger, read_head_to_head, "cleo", 1)] == [
            ("ana", 2, 0, 0, 2)
        ]


def test_a_match_against_two_counts_for_both(place):
    with opened(place, replace(SETTINGS, mode="individual")) as ledger:
        enter(ledger, "Ana", "Bea", "Cleo", "Dora")
        play(ledger, fixture(ledger, (1, 2), (3, 4)), "NS")
        met = ask(ledger, read_head_to_head, "ana", 1)
        assert [each[:1] + each[2:] for each in met] == [("cleo", 1, 1, 0, 0), ("dora", 1, 1, 0, 0)]


def test_evidence_is_left_out_while_the_packs_are_in_play(place):
    fault = Fault(FaultType.FAILED, Seat.E, 2, 3, "ValueError: I hold 3D")
    mended = Fault(FaultType.LATE, Seat.N, 1, 2, "slow")
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea")
        legs = list(
            fixtures_of(Drawn((1,), (2,)), ledger.key, 1, ledger.next_pack, rated=True, mirrored=True)
        )
        ledger.begin(legs)
        ledger.save([Ended(legs[0].id, outcome("NS")._replace(faults=(fault,), strikes=(mended,)))])
        ((closed,), (other,)) = ask(ledger, read_faults, "bea"), ask(ledger, read_faults, "ana/1")
        assert (closed.version, closed.owner, closed.mended) == ("bea/1", "Bea", False)
        assert closed.fault == fault.public
        assert (other.mended, other.fault) == (True, mended.public)
        ledger.save([Ended(legs[1].id, outcome("NS"))])
        assert [each.fault for each in ask(ledger, read_faults, "bea")] == [fault]
        assert [each.fault for each in ask(ledger, read_match_faults, legs[0].id)] == [mended, fault]
        assert ask(ledger, read_match_faults, legs[1].id) == []


def test_matches_of_one_moment_are_told_apart_on_the_next_page(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea")
        made = [fixture(ledger, (1,), (2,)) for _ in range(5)]
        ledger._now = lambda: "2026-01-01T00:00:00.000+00:00"
        ledger.begin(made)
        seen, before, then = [], "", ""
        while page := ask(ledger, read_matches, before=before, then=then, most=2):
            seen += [row.id for row in page]
            before, then = page[-1].begun, page[-1].id
        assert sorted(seen) == sorted(each.id for each in made)
        assert ask(ledger, read_matches, before=before) == []


def test_what_an_owner_has(place):
    with opened(place) as ledger:
        enter(ledger, "Ana", "Bea")
        registry(ledger).add_bot("Ana", "ant")
        registry(ledger).request("ana", "bea", 7)
        assert [each.name for each in ask(ledger, read_bots_of, "ana")] == ["ana", "ant"]
        assert [ask(ledger, read_wished, name) for name in ("Ana", "Bea")] == [7, 0]


def test_a_bearer_is_known_until_the_token_is_revoked(place):
    with opened(place) as ledger:
        token = registry(ledger).register("Ana")
        holder = ask(ledger, read_holder, token)
        assert ask(ledger, read_bearer, holder.token) == holder
        registry(ledger).revoke(holder.token)
        assert ask(ledger, read_bearer, holder.token) is None
