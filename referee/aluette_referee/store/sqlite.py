"""A contest or a league in a file.

The journal of a contest is SQLite's ordinary one (a rollback journal), not a write-ahead log: the contest is one file
that may be copied, put on a read-only disk and read there, and whose folder readers need not write to.
Its price, that a reader and a commit wait for each other, is small, since both take milliseconds: nothing
reads for longer than a page. A league is read all the time, and has a write-ahead log. `synchronous` is full: after a
kill or a power cut, what was stored is there.

Closing *any* descriptor of a file drops the locks of SQLite in the same process (POSIX says so, and
sqlite.org/howtocorrupt.html tells the story). So nothing here opens the file but SQLite, and `FileLock`,
whose descriptor is opened before SQLite's and closed after it.
"""

import fcntl
import os
import sqlite3
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.pool import NullPool

from aluette.errors import Misuse
from aluette_referee.store.errors import plainly
from aluette_referee.store.shape import Shape

__all__ = ["FileLock", "connect", "create", "enforce_references", "identify", "path_of"]

BUSY_SECONDS: Final = 30.0
MAPPED: Final = 1 << 28


class FileLock:
    """The right to run a contest or a league: an flock on the database file itself.

    Not on a file beside it: a database may have several names (links), a file beside it may be deleted
    while the run goes on, and it would stay behind. The kernel drops the lock when the process ends,
    however it ends. SQLite's own locks are of another kind (byte ranges) and do not see this one.
    """

    _held: Final[set[tuple[int, int]]] = set()
    """The files that this process has locked: opening one again would have to close it again."""

    def __init__(self, descriptor: int, shown: str) -> None:
        """Lock an open file and own its descriptor; raises `Misuse` when another run has the lock."""
        status = os.fstat(descriptor)
        self._descriptor, self._file = descriptor, (status.st_dev, status.st_ino)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                raise _in_use(shown) from None
            raise Misuse(f"{shown} cannot be locked: {error.strerror}") from error
        self._held.add(self._file)

    @classmethod
    def take(cls, path: Path, shown: str) -> "FileLock":
        """Lock a file that is there."""
        status = path.stat()
        if (status.st_dev, status.st_ino) in cls._held:
            raise _in_use(shown)
        try:
            return cls(os.open(path, os.O_RDWR), shown)
        except OSError as error:
            raise Misuse(f"{shown} cannot be opened for writing: {error.strerror}") from error

    def release(self) -> None:
        """Let the next run in."""
        self._held.discard(self._file)
        os.close(self._descriptor)


def path_of(place: str | Path, shown: str) -> Path | None:
    """Where the file is, links followed, or None when there is none; `Misuse` if it cannot be a database."""
    path = Path(os.path.realpath(place))
    try:
        status = path.stat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise Misuse(f"{shown} cannot be opened: there is no folder {path.parent}") from None
        return None
    except OSError as error:
        raise Misuse(f"{shown} cannot be opened: {error.strerror}") from error
    if stat.S_ISDIR(status.st_mode):
        raise Misuse(f"{shown} is a folder, not a database file")
    if not stat.S_ISREG(status.st_mode):
        raise Misuse(f"{shown} is not an ordinary file")
    if status.st_size == 0:
        raise Misuse(f"{shown} is an empty file, not a database: remove it, or give another name")
    return path


def connect(path: Path, shown: str, *, write: bool) -> sa.Connection:
    """The one connection to an existing file, for any thread; a reader's changes nothing.

    Raises `Misuse` when the file cannot be opened, or is no database.
    """

    def open_file() -> sqlite3.Connection:
        # A reader opens for writing where it may: SQLite undoes what a killed run left half done.
        mode = "rw" if write or os.access(path, os.W_OK) else "ro"
        address = f"file:{quote(str(path))}?mode={mode}"
        opened = sqlite3.connect(
            address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            opened.execute("PRAGMA synchronous = FULL")
            opened.execute(f"PRAGMA query_only = {'OFF' if write else 'ON'}")
            if not write:
                # A large contest is read much quicker: the system's copies of its pages are looked at in their place.
                opened.execute(f"PRAGMA mmap_size = {MAPPED}")
        except BaseException:
            opened.close()
            raise
        return opened

    # Parameters are hands, and the key: they are not for tracebacks.
    engine = sa.create_engine("sqlite://", creator=open_file, poolclass=NullPool, hide_parameters=True)
    begin = "BEGIN IMMEDIATE" if write else "BEGIN"

    # The driver's own BEGIN comes late and leaves the making of tables outside.
    def begin_transaction(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "begin", begin_transaction)
    with plainly(f"{shown} cannot be opened"):
        return engine.connect()


def identify(connection: sa.Connection, shown: str, shape: Shape) -> None:
    """Raise `Misuse` unless the file is one that `create` made in this shape."""
    application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
    if application != shape.mark:
        raise Misuse(
            f"{shown} is not a {shape.what}'s database: it is an SQLite file of another program or kind"
        )


def enforce_references(connection: sa.Connection) -> None:
    """Refuse broken references from now on; not before a migration, which may make a table anew."""
    # Within a transaction it would do nothing, so not through `connection`, which begins one.
    cursor = connection.connection.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _keep_journal(connection: sa.Connection, shape: Shape) -> None:
    """Which journal a file has is kept in it; within a transaction it could not be changed."""
    cursor = connection.connection.cursor()
    cursor.execute(f"PRAGMA journal_mode = {shape.journal}")
    cursor.close()


def create(path: Path, shown: str, fill: Callable[[sa.Connection], None], shape: Shape) -> FileLock | None:
    """Make a database and lock it; None, and nothing done, when by now there is a file of that name.

    It is filled under a temporary name beside its place and appears there complete and locked, or not at
    all. Only its owner may read it, since a key is in it.
    """
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    except OSError as error:
        raise Misuse(f"{shown} cannot be made: {error.strerror}") from error
    lock: FileLock | None = None
    try:
        lock = FileLock(descriptor, shown)
        connection = connect(Path(name), shown, write=True)
        try:
            with plainly(f"{shown} cannot be made"):
                _keep_journal(connection, shape)
                with connection.begin():
                    connection.exec_driver_sql(f"PRAGMA application_id = {shape.mark}")
                    fill(connection)
        finally:
            connection.close()
        _put_in_place(name, path)
    except BaseException as error:
        if lock is not None:
            lock.release()
        if isinstance(error, FileExistsError):
            return None
        raise
    finally:
        Path(name).unlink(missing_ok=True)
    return lock


def _put_in_place(name: str, path: Path) -> None:
    """Rename, but never onto a file: raises `FileExistsError`."""
    try:
        os.link(name, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links: the next best, with an instant between look and rename.
        if path.exists():
            raise FileExistsError(path) from None
        Path(name).rename(path)


def _in_use(shown: str) -> Misuse:
    return Misuse(f"{shown} is in use by another run")
