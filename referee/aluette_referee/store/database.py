"""Open a database: the right one, in the right state, and with nobody else running the contest.

`open_for_run` makes what is missing - file, tables, newer tables - and fills it, in one transaction with
what its caller writes first. `open_for_reading` makes nothing, nor does `open_for_writing`, which writes beside a
run. What is at a place and is not a database of the shape that is asked for is left as it is.
"""

import contextlib
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Final, TypeVar

import sqlalchemy as sa

from aluette.errors import Misuse
from aluette_referee.store import postgresql, sqlite
from aluette_referee.store.errors import plainly
from aluette_referee.store.shape import Shape

__all__ = ["Database", "open_for_reading", "open_for_run", "open_for_writing"]

_MIGRATIONS: Final = Path(__file__).with_name("migrations")
_CLOSE_SECONDS: Final = 1.0

T = TypeVar("T")
Fill = Callable[[sa.Connection, str], T]
"""What the caller writes first; it gets the place's name, too, as it may be printed."""


class Database:
    """An open database: one connection, used by any thread but by one at a time."""

    def __init__(self, shown: str, connection: sa.Connection, lock: sqlite.FileLock | None = None) -> None:
        """Own the connection, and a lock to be released after it."""
        self.shown = shown
        """The place, as it may be printed."""
        self._connection = connection
        self._lock = lock
        self._busy = threading.RLock()
        self._held = False

    @property
    def dialect(self) -> str:
        """One of "sqlite" and "postgresql"."""
        return self._connection.dialect.name

    @contextlib.contextmanager
    def begin(self) -> Generator[sa.Connection]:
        """A transaction: all of the block or nothing. Raises `Misuse` when the database is beyond reach."""
        with self._busy, plainly(self.shown):
            if self._held:
                yield self._connection
                return
            if self._connection.invalidated:
                # Connecting again would be without the lock.
                raise Misuse(f"{self.shown}: the connection was lost; run the contest again to go on")
            with self._connection.begin():
                yield self._connection

    @contextlib.contextmanager
    def hold(self) -> Generator[sa.Connection]:
        """One transaction for all that is asked within: of one moment. Not for long: a run may wait for it to end."""
        with self.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            self._held = True
            try:
                yield connection
            finally:
                self._held = False

    def enforce_references(self) -> None:
        """Refuse rows that refer to none, as PostgreSQL always does."""
        if self._connection.dialect.name == "sqlite":
            sqlite.enforce_references(self._connection)

    def close(self) -> None:
        """Close the connection, then let the next run in; twice is once.

        Who waits for an answer that does not come is left waiting: it ends with this process.
        """
        if not self._busy.acquire(timeout=_CLOSE_SECONDS):
            return
        try:
            self._connection.close()
            self._connection.engine.dispose()
            if self._lock is not None:
                self._lock.release()
                self._lock = None
        finally:
            self._busy.release()


def open_for_run(place: str | Path, fill: Fill[T], shape: Shape) -> tuple[Database, T]:
    """Open or make a database, locked; `fill` writes into it, in the same transaction. Raises `Misuse`."""
    database, result = _filled(place, fill, shape)
    database.enforce_references()
    return database, result


def _filled(place: str | Path, fill: Fill[T], shape: Shape) -> tuple[Database, T]:
    url = postgresql.url_of(str(place))
    if url is not None:
        shown = postgresql.shown(url)
        return _fill(Database(shown, postgresql.connect(url, write=True)), fill, shape)
    shown = str(place)
    path = sqlite.path_of(place, shown)
    if path is None:
        return _made(place, fill, shape)
    return _fill(_locked(path, shown, sqlite.FileLock.take(path, shown)), fill, shape)


def open_for_reading(place: str | Path, shape: Shape) -> Database:
    """Open a database that is there, also while it is run. Raises `Misuse`."""
    return _existing(place, shape, write=False)


def open_for_writing(place: str | Path, shape: Shape) -> Database:
    """The same, for short transactions beside whoever runs it."""
    database = _existing(place, shape, write=True)
    database.enforce_references()
    return database


def _existing(place: str | Path, shape: Shape, *, write: bool) -> Database:
    url = postgresql.url_of(str(place))
    if url is not None:
        database = Database(postgresql.shown(url), postgresql.connect(url, write=write))
    else:
        path = sqlite.path_of(place, str(place))
        if path is None:
            raise Misuse(f"there is no database {place}")
        database = Database(str(place), sqlite.connect(path, str(place), write=write))
    try:
        with database.begin() as connection:
            found = _revision(connection, database.shown, shape)
            if found is None:
                raise Misuse(f"there is no {shape.what} in {database.shown}")
            if found != shape.revision:
                raise Misuse(
                    f"{database.shown} was written by an older version of this program: "
                    f"{shape.upgraded_by}, which brings it up to date"
                )
    except BaseException:
        database.close()
        raise
    return database


def _made(place: str | Path, fill: Fill[T], shape: Shape) -> tuple[Database, T]:
    """A new file, or the one that somebody else made in this instant."""
    shown = str(place)
    path = Path(place).resolve()
    results: list[T] = []

    def make(connection: sa.Connection) -> None:
        set_up(connection, shape)
        results.append(fill(connection, shown))

    lock = sqlite.create(path, shown, make, shape)
    if lock is None:
        return _filled(place, fill, shape)
    return _locked(path, shown, lock), results[0]


def _locked(path: Path, shown: str, lock: sqlite.FileLock) -> Database:
    try:
        return Database(shown, sqlite.connect(path, shown, write=True), lock)
    except BaseException:
        lock.release()
        raise


def _fill(database: Database, fill: Fill[T], shape: Shape) -> tuple[Database, T]:
    try:
        with database.begin() as connection:
            if connection.dialect.name == "postgresql":
                postgresql.lock(connection, database.shown)
            found = _revision(connection, database.shown, shape)
            if found is None:
                set_up(connection, shape)
            elif found != shape.revision:
                upgrade(connection, shape)
            return database, fill(connection, database.shown)
    except BaseException:
        database.close()
        raise


def _revision(connection: sa.Connection, shown: str, shape: Shape) -> str | None:
    """The revision of the tables, at most ours, or None in an empty PostgreSQL schema; else `Misuse`."""
    if connection.dialect.name == "sqlite":
        sqlite.identify(connection, shown, shape)
    inspector = sa.inspect(connection)
    if not inspector.has_table(shape.revised.name):
        if inspector.get_table_names():
            raise Misuse(
                f"{shown} holds the tables of another program, not those of a {shape.what}: give an empty database or schema"
            )
        return None
    found = connection.scalar(sa.select(shape.revised.c.version_num))
    if found is None or found > shape.revision:
        raise Misuse(
            f"{shown} was written by a newer version of this program (its tables are of revision {found},"
            f" those known here of {shape.revision}): use that version"
        )
    return str(found)


def set_up(connection: sa.Connection, shape: Shape) -> None:
    """Make the tables, in the transaction under way."""
    shape.tables.create_all(connection)
    shape.revised.create(connection)
    connection.execute(sa.insert(shape.revised), {"version_num": shape.revision})


def upgrade(connection: sa.Connection, shape: Shape) -> None:
    """Bring the tables from whatever revision they have to ours, in the transaction under way."""
    # It takes a quarter of a second to import, and is seldom needed.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection, "shape": shape})
    for option, path in (("script_location", _MIGRATIONS), ("version_locations", shape.versions)):
        config.set_main_option(option, str(path).replace("%", "%%"))
    config.set_main_option("path_separator", "os")  # a folder's name may have a blank
    command.upgrade(config, shape.revision)
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        assert not broken, f"the migration has broken references: {broken}"
