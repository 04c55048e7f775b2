"""What people change, each change with its line in the audit log, both or neither."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime

import sqlalchemy as sa

from aluette_referee.league.schema import audit
from aluette_referee.store.database import Database

__all__ = ["Acts", "note", "now_text"]


def now_text() -> str:
    """The time, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def note(connection: sa.Connection, at: str, who: str, *, act: str, subject: str, reason: str = "") -> None:
    """Write a line into the audit log, in the transaction of what it tells of."""
    line = {"at": at, "who": who, "act": act, "subject": subject, "reason": reason}
    connection.execute(sa.insert(audit), line)


class Acts:
    """Those of `who`."""

    def __init__(self, database: Database, who: str, now: Callable[[], str] = now_text) -> None:
        """Take the time, too."""
        self._database = database
        self._who = who
        self._now = now

    @contextmanager
    def _act(self, act: str, subject: str, reason: str = "") -> Generator[sa.Connection]:
        with self._database.begin() as connection:
            yield connection
            note(connection, self._now(), self._who, act=act, subject=subject, reason=reason)
