"""A contest in its database: what goes in comes out, and what hides cards stays hidden."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sa
from referee.store.club import club, count, forfeit, ids, match_record, outcome, play, played, raw

from aluette import Misuse
from aluette.packs import open_contest_key
from aluette.record import digest, to_bytes
from aluette.rules import RuleSet
from aluette.seats import Seat
from aluette_referee.clock import Limits
from aluette_referee.faults import Fault, FaultType
from aluette_referee.store import Changes, Played, Voided, VoidMatch, create_or_open, open_existing
from aluette_referee.store.schema import match
from aluette_referee.table import Outcome

# -- the contest ------------------------------------------------------------------------------------------


def test_a_contest_comes_back_as_it_was(place: str) -> None:
    contest, entrants = club(
        ["Ana", "l'équipe"],
        blocks=3,
        seed=7,
        names=True,
        isolation="shared",
        rules=RuleSet(tie="extra_deals", notice=0.25),
        limits=Limits(move=None, connect=1.5),
    )
    store, changes = create_or_open(place, contest, entrants)
    store.close()
    assert changes == Changes(created=True)
    with open_existing(place) as archive:
        assert archive.contest == replace(contest, seed="7")
        assert archive.entrants == tuple(entrants)
        assert archive.key == open_contest_key(7)
        assert archive.created.endswith("+00:00")


def test_a_secret_key_is_drawn_once(place: str) -> None:
    drawn: list[int] = []

    def source(size: int) -> bytes:
        drawn.append(size)
        return bytes(range(size))

    for _ in range(2):
        store, _ = create_or_open(place, *club(), source)
        assert store.key == bytes(range(32))
        store.close()
    assert drawn == [32]


def test_every_block_has_its_commitment_before_any_match(place: str) -> None:
    with create_or_open(place, *club("ABC", blocks=2))[0] as store:
        expected = {block.id: block.key(store.key).commitment for block in store.schedule()}
    with raw(place) as connection:
        rows = connection.exec_driver_sql("SELECT id, commitment FROM block").all()
    assert {row.id: row.commitment for row in rows} == expected
    assert len(expected) == 6


# -- matches ----------------------------------------------------------------------------------------------


def test_a_match_comes_back_as_it_was(place: str) -> None:
    evidence = "it answered \x00, é and \ud800"
    with create_or_open(place, *club())[0] as store:
        first, second = store.missing()
        lost = forfeit(Seat.E, Seat.W, evidence=evidence)
        store.save([Played(first, Outcome(match_record())), Played(second, lost, {"seconds": 1.5})])
    with open_existing(place) as archive:
        one, two = archive.matches()
        assert archive.match(one.fixture.id) == one
    assert (one.fixture, two.fixture) == (first, second)
    assert one.commitment == two.commitment == first.block.key(archive.key).commitment
    assert one.text.encode() == to_bytes(match_record())
    assert one.record == match_record()
    assert one.digest == digest(match_record())
    assert one.faults == ()
    assert one.timing is None
    assert two.record == lost.record
    assert two.result == (5, 0, "NS")
    assert two.faults == lost.faults
    assert two.faults[0] == Fault(FaultType.FAILED, Seat.E, 0, 0, evidence, limit=10.0)
    assert two.timing == {"seconds": 1.5}


def test_what_is_missing_is_what_is_not_stored(place: str) -> None:
    with create_or_open(place, *club("ABC"))[0] as store:
        fixtures = list(store.missing())
        assert [fixture.id for fixture in fixtures] == ids(store)
        store.save(played([fixtures[4], fixtures[1]]))
        assert list(store.missing()) == [fixtures[0], fixtures[2], fixtures[3], fixtures[5]]
        assert store.matches_played() == 2


def test_saving_the_same_match_again_changes_nothing(place: str) -> None:
    with create_or_open(place, *club())[0] as store:
        batch = played(store.missing())
        store.save(batch[:1])
        store.save([*batch, *batch])
        assert store.matches_played() == 2
    assert count(place, "match") == count(place, "record") == 2


def test_any_thread_may_save(place: str) -> None:
    with create_or_open(place, *club())[0] as store, ThreadPoolExecutor(1) as thread:
        thread.submit(store.save, played(store.missing())).result()
        assert store.matches_played() == 2


def test_another_record_for_a_stored_match_is_a_bug(place: str) -> None:
    with create_or_open(place, *club())[0] as store:
        first, second = store.missing()
        store.save([Played(first, outcome("NS"))])
        with pytest.raises(RuntimeError, match=f"match {first.id} has the digest .* but .* is stored"):
            store.save([Played(second, outcome("EW")), Played(first, outcome("EW"))])
        with pytest.raises(RuntimeError, match=second.id):
            store.save([Played(second, outcome("NS")), Played(second, outcome("EW"))])
        assert list(store.missing()) == [second]


def test_void_matches_are_counted_and_still_missing(place: str) -> None:
    with create_or_open(place, *club("ABC"))[0] as store:
        first, second, *_ = store.missing()
        store.save(
            [
                Voided(second, "its neighbour crashed"),
                Played(first, outcome(None)),
                Voided(first, "a\0b\ud800"),
            ]
        )
        assert store.matches_void() == 2
        assert store.voids() == [VoidMatch(second.id, "its neighbour crashed"), VoidMatch(first.id, "a?b?")]
        assert next(store.missing()) == second
        with pytest.raises(ValueError, match="is void and has no record"):
            store.save([Played(second, Outcome(None))])
    # Those of teams that have left count no more.
    stay = {"A", "B", "C"} - {first.block.meeting.one.name}
    with create_or_open(place, *club(sorted(stay)))[0] as store:
        assert store.matches_void() == len(store.voids()) == 0


def test_results_are_seen_from_the_first_team_of_the_block(place: str) -> None:
    endings = [
        outcome("NS"),
        outcome("NS"),
        outcome(None),
        outcome("EW"),
        forfeit(Seat.S),
        forfeit(Seat.S, Seat.W),
    ]
    with create_or_open(place, *club(blocks=3))[0] as store:
        store.save(map(Played, store.missing(), endings))
        results = list(store.results())
        blocks = [block.id for block in store.schedule() for _ in block.legs]
    points = [outcome.record["result"] for outcome in endings if outcome.record]
    assert [result.block for result in results] == blocks
    assert {(result.one, result.other) for result in results} == {(("Ana",), ("Bea",))}
    assert [(result.score, result.score_other) for result in results] == [
        (1, 0),  # leg 1: Ana is NS
        (0, 1),  # leg 2: Ana is EW
        (0.5, 0.5),
        (1, 0),
        (0, 1),
        (0, 0),  # both lose
    ]
    assert [(result.faults, result.faults_other) for result in results] == [
        *[((0,), (0,))] * 4,
        ((1,), (0,)),
        ((1,), (1,)),
    ]
    assert [(result.points, result.points_other) for result in results] == [
        (said["NS"], said["EW"]) if leg == 1 else (said["EW"], said["NS"])
        for said, leg in zip(points, [1, 2] * 3, strict=True)
    ]
    assert results[4][3:5] == (0, 5)


def test_faults_that_were_mended_are_kept_apart_and_counted(place: str) -> None:
    strike = Fault(FaultType.LATE, Seat.N, 2, 3, "slow", 2.5, 2.0, "one of 2D 3D", "tick")
    with create_or_open(place, *club())[0] as store:
        first, second = store.missing()
        store.save([Played(first, outcome("NS")._replace(strikes=(strike, strike)))])
        store.save([Played(second, outcome("EW")._replace(strikes=(strike,)))])
        one, two = store.matches()
        assert (one.faults, one.strikes, two.strikes) == ((), (strike, strike), (strike,))
        assert [(result.faults, result.faults_other) for result in store.results()] == [
            ((2,), (0,)),
            ((0,), (1,)),
        ]
        assert [blame.fault for blame in store.faults()] == [strike] * 3
        seen = store.root()
        for changed in ("deal", "trick", "type"):
            with store._database.begin() as connection:
                text = connection.execute(
                    sa.select(match.c.faults).where(match.c.id == first.id)
                ).scalar_one()
                other = (
                    text.replace('"late"', '"failed"')
                    if changed == "type"
                    else text.replace(f'"{changed}": ', f'"{changed}": 1')
                )
                assert other != text
                connection.execute(sa.update(match).where(match.c.id == first.id).values(faults=other))
            assert store.root() != seen
            seen = store.root()


# -- what hides cards ---------------------------------------------------------------------------------------


def test_records_and_evidence_wait_for_the_other_leg(place: str) -> None:
    with create_or_open(place, *club())[0] as store:
        first, second = store.missing()
        store.save([Played(first, forfeit(Seat.E, evidence="holding 1D"))])
        assert [blame.fault for blame in store.faults()] == [Fault(FaultType.FAILED, Seat.E, 0, 0)]
        assert list(store.matches()) == []
        with pytest.raises(Misuse, match=f"match {first.id} cannot be shown yet: the other leg"):
            store.match(first.id)
        store.save([Played(second, outcome("NS"))])
        (blame,) = store.faults()
        assert (blame.match, blame.player) == (first.id, first.seats[Seat.E])
        assert blame.fault == Fault(FaultType.FAILED, Seat.E, 0, 0, "holding 1D", limit=10.0)
        assert [match.fixture for match in store.matches()] == [first, second]


def test_the_root_is_over_complete_blocks_in_the_order_of_their_ids(place: str) -> None:
    with create_or_open(place, *club("ABC"))[0] as store:
        assert store.root() == hashlib.sha256().hexdigest()
        batch = played(store.missing())
        store.save(reversed(batch[1:]))
        lines = [f"{match.fixture.id} {match.digest}\n" for match in store.matches()]
        assert [line.split()[0] for line in lines] == ids(store)[2:]
        assert store.root() == hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
        store.save(batch[:1])
        assert [match.fixture.id for match in store.matches()] == ids(store)


def test_a_match_is_found_by_the_beginning_of_its_id(place: str) -> None:
    play(place, *club("ABC"))
    with open_existing(place) as archive:
        known = ids(archive)
        first = known[0]
        block = first.removesuffix("-1")
        assert archive.match(first).fixture.id == first
        assert archive.match(f" {first.upper()} ").fixture.id == first
        unique = next(
            first[:size] for size in range(1, 15) if sum(i.startswith(first[:size]) for i in known) == 2
        )
        with pytest.raises(Misuse, match=f"'{unique}' is the beginning of several ids: {block}-1, {block}-2"):
            archive.match(unique)
        with pytest.raises(Misuse, match=f"there is no match 'x{first[1:]}' in .*: did you mean '{first}'"):
            archive.match(f"x{first[1:]}")
        for nonsense in ("%", "_", "", "zzz"):
            with pytest.raises(Misuse, match="there is no match"):
                archive.match(nonsense)


# -- a larger one -------------------------------------------------------------------------------------------


def test_thousands_of_matches_in_order(place: str) -> None:
    contest, entrants = club([f"team {number}" for number in range(9)], blocks=70)
    with create_or_open(place, contest, entrants)[0] as store:
        fixtures = list(store.missing())
        order = ids(store)
        assert len(fixtures) == len(order) == 5040
        result = outcome("NS")
        backwards = [Played(fixture, result) for fixture in reversed(fixtures)]
        for start in range(0, len(backwards), 1260):
            store.save(backwards[start : start + 1260])
    with open_existing(place) as archive:
        assert [match.fixture for match in archive.matches()] == fixtures
        assert [result.block for result in archive.results()] == [
            name.removesuffix("-1").removesuffix("-2") for name in order
        ]
        end = f" {digest(result.record or {})}\n"
        assert (
            archive.root()
            == hashlib.sha256("".join(name + end for name in sorted(order)).encode()).hexdigest()
        )
