"""The audit log."""

from typing import Final, NamedTuple

import sqlalchemy as sa

from aluette_referee.league.schema import (
    audit,
)

__all__ = ["AuditLine", "read_audit"]

PAGE: Final = 50


class AuditLine(NamedTuple):
    """Who did what; for operators."""

    id: int
    at: str
    who: str
    act: str
    subject: str
    reason: str


def read_audit(connection: sa.Connection, *, before: int | None = None, most: int = PAGE) -> list[AuditLine]:
    """The audit log, the newest first, before a line's number."""
    chosen = sa.select(*(audit.c[name] for name in AuditLine._fields)).order_by(audit.c.id.desc()).limit(most)
    if before is not None:
        chosen = chosen.where(audit.c.id < before)
    return [AuditLine(*row) for row in connection.execute(chosen)]
