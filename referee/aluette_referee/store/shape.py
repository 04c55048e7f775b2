"""What a database holds, as far as opening it must know: a contest, or a league."""

from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

__all__ = ["Shape", "revision_table"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of database, which no other is taken for. A change of its tables is a new file in `versions` and a new `revision`."""

    what: str
    """For people: "contest" or "league"."""
    tables: sa.MetaData
    revision: str
    """The migration that gives the tables; the numbers sort as text, so a greater one is a newer one."""
    revised: sa.Table
    """Where alembic notes a database's revision; a PostgreSQL schema that has it is one of these."""
    versions: Path
    """The folder of its migrations."""
    mark: int
    """SQLite's application id of its files."""
    journal: str
    """SQLite's: "DELETE" keeps all in one file, with "WAL" readers and the writer do not wait for each other."""
    upgraded_by: str
    """What a person is to do to have an older one brought up to date."""


def revision_table(name: str) -> sa.Table:
    """Alembic's own table, as it makes it; outside the metadata, which is what it compares."""
    return sa.Table(
        name,
        sa.MetaData(),
        sa.Column("version_num", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("version_num", name=f"{name}_pkc"),
    )
