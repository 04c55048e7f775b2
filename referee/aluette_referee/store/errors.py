"""What a database says when the trouble is a person's, in one sentence.

A place that cannot be reached, a full disk, a file that is no database: `Misuse`. Everything else that a
database may raise - a statement that makes no sense, a broken reference - is our own bug and left alone.
"""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import exc

from aluette.errors import AluetteError, Misuse, RecordError

__all__ = ["damaged", "plainly"]

_PERSONS_STATES: Final = {"42501", "25006"}
"""PostgreSQL: no privilege, and a transaction that may only read (a standby server)."""


@contextmanager
def plainly(trouble: str) -> Generator[None]:
    """Raise `Misuse` "<trouble>: <what the database said>" for the troubles of a person."""
    try:
        yield
    except exc.DBAPIError as error:
        # SQLite has no class of its own for a file that is not a database, or is damaged.
        persons = isinstance(error, exc.OperationalError) or type(error) is exc.DatabaseError
        if persons or getattr(error.orig, "sqlstate", None) in _PERSONS_STATES:
            said = str(error.orig).strip().splitlines() or [type(error.orig).__name__]
            full = getattr(error.orig, "sqlite_errorname", "") == "SQLITE_FULL"
            advice = ": make room, then run this again to go on" if full else ""
            raise Misuse(f"{trouble}: {said[0]}{advice}") from error
        raise


@contextmanager
def damaged(what: str) -> Generator[None]:
    """Raise `RecordError` when a stored value is not in the form in which it was written."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, AluetteError) as error:
        raise RecordError(f"{what} was altered: it is not in the form in which it is stored") from error
