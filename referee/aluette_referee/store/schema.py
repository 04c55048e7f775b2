"""The tables, and the number of their shape.

Facts that follow from others are not stored: who sat where follows from a block's teams and the leg, a
block's packs from the key; but for the counts of a match that statistics add up. Rows are added and never changed, but
for which teams and blocks are played at present and whether all is kept; so a reader may take page after page without holding a lock. Structures are JSON as text, and
escaped to ASCII, since PostgreSQL's text has no NUL and a bot's evidence may.

A change of the tables is a new file in `migrations/versions` and a new revision here; a test compares both.
"""

from pathlib import Path
from typing import Final

import sqlalchemy as sa

from aluette_referee.contest.summary import Summary
from aluette_referee.store.shape import Shape, revision_table

__all__ = [
    "CONTEST",
    "FAULTS",
    "METADATA",
    "NAMES",
    "block",
    "contest",
    "log",
    "match",
    "record",
    "team",
    "void",
]

FAULTS: Final = ("faults_n", "faults_e", "faults_s", "faults_w")
"""Columns: how many faults each seat made, mended ones, too."""

NAMES: Final = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
}
"""Of keys, indexes and constraints, the same in both databases."""

METADATA: Final = sa.MetaData(naming_convention=NAMES)

contest: Final = sa.Table(
    "contest",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    # {"format" {...}, "rules" (identity), "clock" {...}, "names", "isolation", "strikes"}: what may never change;
    # and "keep": "faults" once a run has left records out.
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("blocks", sa.Integer, nullable=False),
    sa.Column("seed", sa.Text),  # NULL: the key is a secret of this database
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Text, nullable=False),  # UTC, ISO 8601
    sa.Column("created_by", sa.Text, nullable=False),  # the version of this software
    sa.CheckConstraint("id = 1", name="single"),
)

team: Final = sa.Table(
    "team",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),  # of the entrant: the team with this content
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("contents", sa.Text, nullable=False),  # [digest of bot 1, of bot 2], or of the only one
    sa.Column("bots", sa.Text, nullable=False),  # [{"run", "options", "env", "files"}, {...}]
    sa.Column("position", sa.Integer, nullable=False),  # in the contest's file, from 0
    sa.Column("active", sa.Boolean, nullable=False),
)

block: Final = sa.Table(
    "block",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),  # from 0
    sa.Column("one", sa.Text, sa.ForeignKey(team.c.id), nullable=False),
    sa.Column("other", sa.Text, sa.ForeignKey(team.c.id), nullable=False),
    # Of bots that were entered alone: who sits opposite.
    sa.Column("one_partner", sa.Text, sa.ForeignKey(team.c.id)),
    sa.Column("other_partner", sa.Text, sa.ForeignKey(team.c.id)),
    sa.Column("commitment", sa.Text, nullable=False),
    sa.Column("scheduled", sa.Boolean, nullable=False),  # at present
)

match: Final = sa.Table(
    "match",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("block", sa.Text, sa.ForeignKey(block.c.id), nullable=False),
    sa.Column("leg", sa.Integer, nullable=False),
    sa.Column("winner", sa.Text),  # "NS", "EW", or NULL
    sa.Column("points_ns", sa.Integer, nullable=False),
    sa.Column("points_ew", sa.Integer, nullable=False),
    sa.Column("forfeit", sa.Boolean, nullable=False),  # a fault decided it
    *(sa.Column(name, sa.Integer, nullable=False) for name in FAULTS),
    sa.Column("faults", sa.Text),  # NULL, or [{"type", "seat", "deal", ..., "mended"}, ...]
    sa.Column("digest", sa.Text, nullable=False),
    *(sa.Column(name, sa.Integer, nullable=False) for name in Summary._fields),
    sa.CheckConstraint("leg IN (1, 2)", name="leg"),
    sa.CheckConstraint("winner IN ('NS', 'EW')", name="winner"),
    sa.Index(None, "block", "leg", unique=True),
    # All that the table and the ratings need, so that they read nothing else.
    sa.Index("ix_match_result", "block", "leg", "winner", "points_ns", "points_ew", "forfeit", *FAULTS),
)

record: Final = sa.Table(
    "record",
    METADATA,
    sa.Column("match", sa.Text, sa.ForeignKey(match.c.id), primary_key=True),
    # The canonical text; of a match without a fault it may not have been kept. In a table of its own, since a table of results need not read past it.
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("timing", sa.Text),  # NULL, or any object
)

log: Final = sa.Table(
    "log",
    METADATA,
    sa.Column("match", sa.Text, sa.ForeignKey(match.c.id), primary_key=True),
    sa.Column("seat", sa.Text, primary_key=True),
    # What the process at that seat printed for the match, and of its own meanwhile.
    sa.Column("of_match", sa.Text, nullable=False),
    sa.Column("of_process", sa.Text, nullable=False),
)

void: Final = sa.Table(
    "void",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("block", sa.Text, sa.ForeignKey(block.c.id), nullable=False),
    sa.Column("leg", sa.Integer, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
)

CONTEST: Final = Shape(
    what="contest",
    tables=METADATA,
    revision="0003",
    revised=revision_table("aluette_schema"),
    versions=Path(__file__).parent / "migrations" / "versions",
    mark=int.from_bytes(b"Alue"),
    journal="DELETE",
    upgraded_by="run the contest once with this one",
)
