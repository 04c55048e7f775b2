"""`keep = "faults"`: records of matches without a fault are not stored, and nothing else is missing."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from referee.store.club import club, count, forfeit, outcome, play, raw

from aluette import Misuse, RecordError
from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.store import Archive, Played, create_or_open, open_existing
from aluette_referee.store.schema import log, match, record
from aluette_referee.table import Outcome

STRIKE = Fault(FaultType.LATE, Seat.N, 2, 3)
ENDINGS = (
    outcome("NS"),
    forfeit(Seat.E),
    outcome("EW")._replace(strikes=(STRIKE,)),
    outcome(None),
    forfeit(Seat.N, Seat.E),
    outcome("EW"),
)
AT_FAULT = [1, 2, 4]


def run(place: str, endings: tuple[Outcome, ...] = ENDINGS, **settings: Any) -> list[str]:
    """A run whose matches end so; their ids."""
    with create_or_open(place, *club(blocks=3, seed=7, **settings))[0] as store:
        fixtures = list(store.missing())[: len(endings)]
        logs = {Seat.N: ("said\n", "")}
        store.save(
            Played(fixture, ending, {"x": 1}, logs) for fixture, ending in zip(fixtures, endings, strict=True)
        )
        return [fixture.id for fixture in fixtures]


def stored(place: str, column: "sa.Column[Any]") -> set[str]:
    with raw(place) as connection:
        return set(connection.scalars(sa.select(column)))


def kept(archive: Archive) -> list[bool]:
    return [each.text is not None for each in archive.matches()]


def remove_record(place: str, name: str) -> None:
    with raw(place) as connection:
        assert connection.execute(sa.delete(record).where(record.c.match == name)).rowcount == 1
        connection.commit()


def test_records_and_logs_are_of_the_matches_with_a_fault(place: str) -> None:
    names = run(place, keep="faults")
    at_fault = {names[number] for number in AT_FAULT}
    assert stored(place, record.c.match) == stored(place, log.c.match) == at_fault
    with open_existing(place) as archive:
        assert [each.fixture.id for each in archive.matches()] == names
        assert kept(archive) == [number in AT_FAULT for number in range(6)]
        assert [each.timing is None for each in archive.matches()] == [not there for there in kept(archive)]
        for name in at_fault:
            assert archive.log(archive.match(name), Seat.N) == ("said\n", "")


def test_all_else_is_as_if_all_were_kept(place: str, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    run(place, keep="faults")
    run(other, keep="all")

    def seen(archive: Archive) -> tuple[object, ...]:
        tallies = sorted(archive.tallies(), key=repr)
        return archive.root(), list(archive.results()), tallies, list(archive.faults())

    with open_existing(place) as one, open_existing(other) as two:
        assert seen(one) == seen(two)
    every = sa.select(match).order_by(match.c.id)
    with raw(place) as here, raw(other) as there:
        rows = [[dict(row) for row in each.execute(every).mappings()] for each in (here, there)]
    assert rows[0] == rows[1]


def test_it_may_change_from_run_to_run(place: str) -> None:
    for keep, endings in (("all", ENDINGS[:2]), ("faults", ENDINGS[2:4]), ("all", ENDINGS[4:])):
        run(place, endings, keep=keep)
    with open_existing(place) as archive:
        assert kept(archive) == [True, True, True, False, True, True]
    with create_or_open(place, *club(blocks=3, seed=7))[0] as store:
        assert list(store.missing()) == []


def test_a_match_whose_record_was_not_kept_cannot_be_shown(place: str) -> None:
    name = run(place, keep="faults")[0]
    sentence = (
        f'the record and the logs of match {name} were not kept: it was played with keep = "faults", and no bot'
        ' made a fault in it (to see such matches, set keep = "all" in [store] and play into another database)'
    )
    with open_existing(place) as archive:
        with pytest.raises(Misuse) as caught:
            archive.match(name)
        assert str(caught.value) == sentence
        with pytest.raises(Misuse) as caught:
            _ = next(archive.matches()).record
        assert str(caught.value) == sentence


# -- what was removed -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("keep", "number"), [("all", 0), ("all", 1), ("faults", 1), ("faults", 2)])
def test_a_record_that_must_be_there_and_is_not(place: str, keep: str, number: int) -> None:
    name = run(place, keep=keep)[number]
    remove_record(place, name)
    with open_existing(place) as archive:
        for read in (lambda: list(archive.matches()), lambda: archive.match(name)):
            with pytest.raises(
                RecordError, match=f"^match {name} does not hold: it counts, but has no record$"
            ):
                read()


def test_that_records_were_left_out_is_never_forgotten(place: str) -> None:
    names = run(place, ENDINGS[:4], keep="faults")
    run(place, ENDINGS[4:], keep="all")
    with open_existing(place) as archive:
        assert kept(archive).count(False) == 2
    with pytest.raises(Misuse, match="played otherwise"):
        run(place, (), keep="faults", names=True)
    assert names[0] not in stored(place, record.c.match)


def test_a_contest_of_before_kept_all(file: str) -> None:
    names = run(file)
    with raw(file) as connection:
        connection.exec_driver_sql(
            "UPDATE contest SET settings = replace(settings, ', \"keep\": \"all\"', '')"
        )
        connection.commit()
        assert "keep" not in connection.exec_driver_sql("SELECT settings FROM contest").scalar_one()
    remove_record(file, names[0])
    with open_existing(file) as archive, pytest.raises(RecordError, match="it counts, but has no record"):
        list(archive.matches())


def test_a_reader_that_was_there_before_takes_nothing_for_removed(place: str) -> None:
    run(place, ENDINGS[:2])
    with open_existing(place) as archive:
        run(place, ENDINGS[2:], keep="faults")
        assert kept(archive) == [True, True, True, False, True, False]


# -- what it is for -------------------------------------------------------------------------------------------


def test_the_database_is_a_small_part_of_one_with_all_records(tmp_path: Path) -> None:
    sizes = {}
    for keep in ("all", "faults"):
        place = tmp_path / f"{keep}.db"
        play(str(place), *club(blocks=200, seed=7, keep=keep))
        assert count(str(place), "match") == 400
        sizes[keep] = place.stat().st_size
    assert sizes["faults"] < sizes["all"] / 5
