"""What is asked at once is of one moment, whatever a run does meanwhile; and what was altered is told in a sentence."""

import pytest
from referee.store.club import club, play, played, raw

from aluette.errors import AluetteError, RecordError
from aluette_referee.contest.counts import total_of
from aluette_referee.store import create_or_open, open_existing


def told(archive) -> tuple[object, ...]:
    """All kinds of figures of a contest."""
    return (
        archive.entrants, archive.contest.blocks, archive.tallies(), total_of(archive.counts(), archive.per_deal()),
        archive.fault_kinds(), list(archive.faults()), archive.root(), archive.ranking().rows,
    )  # fmt: skip


def test_teams_and_blocks_that_came_since_the_opening_are_there(place):
    play(place, *club("ABC"))
    with open_existing(place) as archive:
        play(place, *club("ABCD", blocks=2))
        with archive.at_once():
            assert len(archive.entrants) == 4
            assert sum(tally.blocks for tally in archive.tallies()) == 12
            assert len(archive.ranking().rows) == 4


def test_figures_are_of_one_moment(postgres):
    """On SQLite the run waits; here it goes on, and is not seen."""
    place = postgres.new_schema()
    play(place, *club("ABC"), matches=4)
    with open_existing(place) as archive, archive.at_once():
        before = told(archive)
        with create_or_open(place, *club("ABC"))[0] as store:
            store.save(played(store.missing()))
        assert told(archive) == before
    with open_existing(place) as archive:
        assert told(archive) != before


ALTERED = [
    "UPDATE team SET name = 'another' WHERE position = 0",
    "UPDATE team SET active = FALSE WHERE position = 0",
    'UPDATE team SET bots = \'[{"run": 1, "options": {}, "env": {}, "files": []}, {"run": "x", "options": {}, "env": {}, "files": []}]\'',
    "UPDATE contest SET blocks = 1073741824",
    'UPDATE contest SET settings = replace(settings, \'"isolation": "full"\', \'"isolation": null\')',
    'UPDATE contest SET settings = replace(settings, \'"move": 2.0\', \'"move": "x"\')',
    'UPDATE contest SET settings = replace(settings, \'"strikes": 1\', \'"strikes": "x"\')',
    "UPDATE contest SET settings = replace(settings, 'round-robin', 'zz')",
    'UPDATE match SET faults = \'[{"type": "late", "seat": "N", "deal": 1, "trick": 0, "evidence": 5}]\'',
    'UPDATE match SET faults = \'[{"type": "late", "seat": "N", "deal": 1, "trick": 0, "elapsed": "abc"}]\'',
]


@pytest.mark.parametrize("statement", ALTERED)
def test_what_was_altered_is_a_sentence(place, statement):
    play(place, *club("ABC"))
    with raw(place) as connection, connection.begin():
        assert connection.exec_driver_sql(statement).rowcount
    with pytest.raises(RecordError) as error, open_existing(place) as archive, archive.at_once():
        told(archive)
    assert isinstance(error.value, AluetteError)
    assert "\n" not in str(error.value)
