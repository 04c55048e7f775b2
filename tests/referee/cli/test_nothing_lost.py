"""A database that fails in the middle of a tournament: a sentence, nobody left, and the next run goes on."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
import trio
from referee.cli.club import Club, write_club
from referee.cli.shell import SECONDS, aluette, invoke, processes_in, started, until
from referee.store.postgres import Postgres

from aluette_referee.play import live


def goes_on(folder: Path, place: object, played: Club) -> None:
    """What is stored holds; the next run plays what is missing, and nothing is lost or twice."""
    assert invoke("verify", place, cwd=folder).exit_code == 0
    result = aluette("tournament", "run", "club.toml", "--db", place, cwd=folder)
    assert result.returncode == 0, result.stderr
    assert result.stdout.replace(str(place), "club.db") == played.printed
    assert invoke("export", place, cwd=folder).stdout_bytes == played.exported


# -- a full disk --------------------------------------------------------------------------------------------


@contextmanager
def room_for(pages: int) -> Iterator[None]:
    """Every SQLite file that this process opens is on a disk with so much room."""

    def limit(connection, _record) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    sa.event.listen(sa.Engine, "connect", limit)
    try:
        yield
    finally:
        sa.event.remove(sa.Engine, "connect", limit)


@pytest.mark.parametrize("how", ["--in-process", "--tables=2"])
def test_a_full_disk_ends_a_run_and_the_next_one_goes_on(how, played, tmp_path):
    write_club(tmp_path)
    pages = played.database.stat().st_size // 4096
    with room_for(pages * 3 // 4):
        result = invoke("tournament", "run", "club.toml", how, cwd=tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == (
        "aluette: club.db: database or disk is full: make room, then run this again to go on"
    )
    assert not processes_in(tmp_path)
    goes_on(tmp_path, "club.db", played)


# -- a database that goes away ------------------------------------------------------------------------------


class Backend:
    """The process of the server that serves a run, which has stored a few matches by then."""

    def __init__(self, postgres: Postgres, url: str) -> None:
        self._postgres, self.url = postgres, url
        self.schema = url.rpartition("%3D")[2]
        self.pid = 0

    def is_at_work(self) -> bool:
        who = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted"
        with self._postgres.connect() as connection:
            try:
                ((stored,),) = connection.execute(f"SELECT count(*) FROM {self.schema}.match".encode())
                ((self.pid,),) = connection.execute(who.encode())
            except (psycopg.errors.UndefinedTable, ValueError):
                return False
        return stored >= 2

    def is_kept_waiting(self) -> bool:
        """A save is under way, and another connection has locked what it needs."""
        with self._postgres.connect() as connection:
            waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = %s"
            ((locks,),) = connection.execute(waits, (self.pid,))
        return locks > 0


@contextmanager
def at_work(
    postgres: Postgres, played: Club, folder: Path
) -> Iterator[tuple["subprocess.Popen[str]", Backend]]:
    """A run that has stored a few matches; after the block it has ended, and the next one goes on."""
    write_club(folder)
    url = postgres.new_schema()
    backend = Backend(postgres, url)
    with started("tournament", "run", "club.toml", "--db", url, cwd=folder) as run:
        until(backend.is_at_work, run)
        yield run, backend
    assert not processes_in(folder)
    goes_on(folder, url, played)


def test_a_database_that_goes_away_ends_a_run_and_the_next_one_goes_on(postgres, played, tmp_path):
    with at_work(postgres, played, tmp_path) as (run, backend):
        os.kill(backend.pid, signal.SIGTERM)
        out, err = run.communicate(timeout=SECONDS)
        assert (run.returncode, out) == (2, "")
        # The server says why, unless its last words are lost with the connection.
        why = (
            "terminating connection due to administrator command",
            "server closed the connection unexpectedly",
        )
        assert err.splitlines()[-1].startswith(f"aluette: {backend.url}: ")
        assert err.splitlines()[-1].endswith(why)


def test_a_database_that_does_not_answer_does_not_keep_who_wants_to_stop(postgres, played, tmp_path):
    with at_work(postgres, played, tmp_path) as (run, backend):
        with postgres.connect() as other, other.transaction():
            other.execute(f"LOCK TABLE {backend.schema}.match".encode())
            until(backend.is_kept_waiting, run)
            os.killpg(run.pid, signal.SIGINT)
            os.killpg(run.pid, signal.SIGINT)
            out, err = run.communicate(timeout=SECONDS)
        assert (run.returncode, out) == (130, "")
        assert "the database does not answer: what it has not stored is played again. Go on with: " in err


@pytest.mark.trio
async def test_after_ctrl_c_each_save_has_its_time_again(autojump_clock):
    patience = live._Patience()
    long = patience.begin()
    assert long.deadline == trio.current_time() + live.SAVE_SECONDS
    patience.end()
    soon = trio.current_time() + live._LAST_SAVE_SECONDS
    assert long.deadline == soon
    await trio.sleep_until(soon - 0.1)
    assert patience.begin().deadline == soon - 0.1 + live._LAST_SAVE_SECONDS


def test_a_database_that_does_not_answer_is_waited_for_so_long(monkeypatch, played, tmp_path):
    write_club(tmp_path)
    monkeypatch.setattr(live, "SAVE_SECONDS", 0.5)
    over = threading.Event()

    def hang(_connection, _cursor, statement, *_) -> None:
        if statement.startswith("INSERT INTO record"):
            over.wait(SECONDS)

    sa.event.listen(sa.Engine, "before_cursor_execute", hang)
    try:
        result = invoke("tournament", "run", "club.toml", cwd=tmp_path)
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", hang)
        over.set()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == (
        "aluette: the database has not answered for 0.5 s: run this again to play what it has not stored"
    )
    assert not processes_in(tmp_path)
