"""Opening, locking, and being killed: SQLite and PostgreSQL alike."""

import itertools
import signal
from pathlib import Path

import pytest
from referee.store.club import club, count, ids, play, played, process, raw
from referee.store.postgres import Postgres

from aluette import Misuse
from aluette_referee.store import create_or_open, open_existing

RUN = "store, _ = create_or_open(sys.argv[1], *club('ABC', blocks=2))\n"

SAVE_WHEN_TOLD = """
fixtures = store.missing()
for line in sys.stdin:
    store.save(played(itertools.islice(fixtures, int(line))))
    print("saved", flush=True)
"""

DIE = """
def die(connection, cursor, statement, *rest):
    if statement.startswith(sys.argv[2]):
        os.kill(os.getpid(), 9)

sa.event.listen(sa.Engine, "after_cursor_execute", die)
"""


def test_a_second_run_is_refused_and_reading_is_not(place: str) -> None:
    with process(RUN + 'print("open", flush=True)\n' + SAVE_WHEN_TOLD, place) as run:
        assert run.stdin
        assert run.stdout
        assert run.stdout.readline() == "open\n"
        with pytest.raises(Misuse, match=r" is in use by another run$"):
            create_or_open(place, *club())
        with open_existing(place) as archive:
            assert archive.matches_played() == 0
            for stored in (4, 8, 12):
                matches = archive.matches()
                seen = list(itertools.islice(matches, 1))
                # The reader is in the middle, and holds nobody up.
                print(4, file=run.stdin, flush=True)
                assert run.stdout.readline() == "saved\n"
                seen.extend(matches)
                assert archive.matches_played() == stored
                assert [match.fixture.id for match in archive.matches()] == ids(archive)[:stored]
        run.send_signal(signal.SIGKILL)
    play(place, *club("ABC", blocks=2))


def test_a_second_run_in_one_process_is_refused_too(place: str) -> None:
    with create_or_open(place, *club())[0] as store:
        with pytest.raises(Misuse, match=r" is in use by another run$"):
            create_or_open(place, *club())
        store.save(played(store.missing()))
    assert count(place, "match") == 2


def test_a_run_killed_while_it_stores_has_stored_all_or_nothing(place: str) -> None:
    play(place, *club("ABC", blocks=2), matches=3)
    code = RUN + DIE + "store.save(played(store.missing()))"
    with process(code, place, "INSERT INTO record") as run:
        pass
    assert run.returncode == -signal.SIGKILL
    with open_existing(place) as archive:
        assert archive.matches_played() == 3
    assert count(place, "record") == 3
    play(place, *club("ABC", blocks=2))
    assert count(place, "record") == 12


def test_a_run_killed_while_it_extends_has_changed_nothing(place: str) -> None:
    play(place, *club())
    with process(DIE + RUN, place, "INSERT INTO block") as run:
        pass
    assert run.returncode == -signal.SIGKILL
    with open_existing(place) as archive:
        assert archive.contest == club()[0]
        assert archive.matches_played() == 2


def test_a_run_killed_while_it_makes_the_database_leaves_none(place: str) -> None:
    with process(DIE + RUN, place, "INSERT INTO block") as run:
        pass
    assert run.returncode == -signal.SIGKILL
    with pytest.raises(Misuse, match="there is no "):
        open_existing(place)
    play(place, *club())


def test_reading_makes_nothing(place: str) -> None:
    with pytest.raises(Misuse, match=r"there is no (database|contest in) "):
        open_existing(place)
    if place.endswith(".db"):
        assert list(Path(place).parent.iterdir()) == []


def test_a_newer_database_is_refused(place: str) -> None:
    play(place, *club())
    with raw(place) as connection:
        connection.exec_driver_sql("UPDATE aluette_schema SET version_num = '0999'")
        connection.commit()
    sentence = r"newer version of this program \(its tables are of revision 0999, those known here of"
    with pytest.raises(Misuse, match=sentence):
        open_existing(place)
    with pytest.raises(Misuse, match=sentence):
        create_or_open(place, *club())
    assert count(place, "match") == 2


def test_tables_of_another_program_are_left_alone(place: str) -> None:
    if place.endswith(".db"):
        Path(place).touch()
    with raw(place) as connection:
        connection.exec_driver_sql("CREATE TABLE contest (id INTEGER)")
        connection.commit()
    for open_it in (lambda: create_or_open(place, *club()), lambda: open_existing(place)):
        with pytest.raises(Misuse, match="another program"):
            open_it()
    assert count(place, "contest") == 0


def test_a_lost_connection_is_a_sentence_and_lets_the_next_run_in(postgres: Postgres) -> None:
    place = postgres.new_schema()
    with create_or_open(place, *club())[0] as store:
        with postgres.connect() as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            )
        for sentence in ("postgresql://.*: ", "the connection was lost; run the contest again"):
            with pytest.raises(Misuse, match=sentence):
                store.save(played(store.missing()))
        play(place, *club())
    assert count(place, "match") == 2
