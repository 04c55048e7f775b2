"""A league's tables, and the number of their shape.

What happened is added and never changed: a match is begun (`match`), and then it has a result (`result`), or counts for
nobody (`void`), or both, when somebody with the right to it took the result back. What people decide - who is retired, benched or
banned - is changed in place, and each change is a line of `audit`. Ratings follow from results: `standing` is the ladder of each season as it
was last computed, and `rating` what was once thought, for the plot. Times are UTC, ISO 8601, so that they sort as text.

A change of the tables is a new file in `migrations/versions` and a new revision here; a test compares both.
"""

from pathlib import Path
from typing import Final

import sqlalchemy as sa

from aluette_referee.contest.summary import Summary
from aluette_referee.store.schema import FAULTS, NAMES
from aluette_referee.store.shape import Shape, revision_table

__all__ = [
    "LEAGUE",
    "METADATA",
    "SEATS",
    "audit",
    "bot",
    "league",
    "log",
    "lost",
    "match",
    "owner",
    "rating",
    "record",
    "request",
    "result",
    "season",
    "standing",
    "token",
    "version",
    "void",
]

METADATA: Final = sa.MetaData(naming_convention=NAMES)

SEATS: Final = ("n", "e", "s", "w")
"""Columns: which version sat where."""

league: Final = sa.Table(
    "league",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("key", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("created_by", sa.Text, nullable=False),  # the version of this software
    sa.Column("paused", sa.Boolean, nullable=False),  # no match begins
    sa.Column(
        "draining", sa.Boolean, nullable=False
    ),  # nor ever again in this run, which ends when the last is over
    sa.CheckConstraint("id = 1", name="single"),
)

owner: Final = sa.Table(
    "owner",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("alike", sa.Text, nullable=False, unique=True),  # the name as it must not be taken again
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("banned", sa.Text),  # NULL, or why
)

bot: Final = sa.Table(
    "bot",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("owner", sa.Integer, sa.ForeignKey(owner.c.id), nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),  # never changes; in addresses of pages
    sa.Column("display", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
)

version: Final = sa.Table(
    "version",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("bot", sa.Integer, sa.ForeignKey(bot.c.id), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),  # of the bot, from 1
    # NULL: it runs at its owner's. Else how it is started here: {"run", "options", "env", "files"}.
    sa.Column("hosted", sa.Text),
    sa.Column("content", sa.Text),  # of a hosted one: the digest that its files must have
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("retired", sa.Boolean, nullable=False),
    sa.Column("benched", sa.Text),  # NULL, or why
    sa.Column("pardoned", sa.Text, nullable=False),  # losses before this do not count
    sa.Index(None, "bot", "number", unique=True),
)

token: Final = sa.Table(
    "token",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("owner", sa.Integer, sa.ForeignKey(owner.c.id), nullable=False, index=True),
    sa.Column("digest", sa.Text, nullable=False, unique=True),
    sa.Column("rights", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, sa.ForeignKey(version.c.id)),  # of the right to play
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("created", sa.Text, nullable=False),
    sa.Column("revoked", sa.Text),  # NULL, or when
    sa.CheckConstraint("rights IN ('play', 'own', 'admin')", name="rights"),
    sa.CheckConstraint("(version IS NOT NULL) = (rights = 'play')", name="version"),
)

season: Final = sa.Table(
    "season",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),  # its number, from 1
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("mode", sa.Text, nullable=False),
    sa.Column("rules", sa.Text, nullable=False),  # identity
    sa.Column("began", sa.Text, nullable=False),
    sa.Column("successor", sa.Text),  # NULL, or the name of the season that is to follow as soon as may be
    sa.Column("ended", sa.Text),
)

match: Final = sa.Table(
    "match",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("season", sa.Integer, sa.ForeignKey(season.c.id), nullable=False),
    sa.Column("rated", sa.Boolean, nullable=False),
    # Which packs of the league's key: the two legs of a mirrored pair have the same, of hosted bots alone.
    sa.Column("pack", sa.BigInteger, nullable=False),
    sa.Column("leg", sa.Integer, nullable=False),
    sa.Column("legs", sa.Integer, nullable=False),
    sa.Column("first_dealer", sa.Text, nullable=False),
    *(sa.Column(name, sa.Integer, sa.ForeignKey(version.c.id), nullable=False, index=True) for name in SEATS),
    sa.Column("commitment", sa.Text, nullable=False),
    sa.Column("begun", sa.Text, nullable=False),
    sa.CheckConstraint("leg IN (1, 2)", name="leg"),
    sa.CheckConstraint("legs IN (1, 2)", name="legs"),
    sa.Index(None, "pack", "leg", unique=True),
    sa.Index(None, "season", "rated"),
    sa.Index(None, "begun"),
)

result: Final = sa.Table(
    "result",
    METADATA,
    sa.Column("match", sa.Text, sa.ForeignKey(match.c.id), primary_key=True),
    sa.Column("ended", sa.Text, nullable=False),
    sa.Column("winner", sa.Text),  # "NS", "EW", or NULL
    sa.Column("points_ns", sa.Integer, nullable=False),
    sa.Column("points_ew", sa.Integer, nullable=False),
    sa.Column("forfeit", sa.Boolean, nullable=False),  # a fault decided it
    *(sa.Column(name, sa.Integer, nullable=False) for name in FAULTS),
    sa.Column("faults", sa.Text),  # NULL, or [{"type", "seat", "deal", ..., "mended"}, ...]
    sa.Column("digest", sa.Text, nullable=False),
    *(sa.Column(name, sa.Integer, nullable=False) for name in Summary._fields),
    sa.CheckConstraint("winner IN ('NS', 'EW')", name="winner"),
    sa.Index(None, "ended"),
)

record: Final = sa.Table(
    "record",
    METADATA,
    sa.Column("match", sa.Text, sa.ForeignKey(match.c.id), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("timing", sa.Text),
)

log: Final = sa.Table(
    "log",
    METADATA,
    sa.Column("match", sa.Text, sa.ForeignKey(match.c.id), primary_key=True),
    sa.Column("seat", sa.Text, primary_key=True),
    # What a hosted bot's process printed for the match, and of its own meanwhile.
    sa.Column("of_match", sa.Text, nullable=False),
    sa.Column("of_process", sa.Text, nullable=False),
)

void: Final = sa.Table(
    "void",
    METADATA,
    sa.Column("match", sa.Text, sa.ForeignKey(match.c.id), primary_key=True),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
)

lost: Final = sa.Table(
    "lost",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("version", sa.Integer, sa.ForeignKey(version.c.id), nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("type", sa.Text, nullable=False),  # of the fault
    sa.Column("evidence", sa.Text, nullable=False),
    sa.Index(None, "version", "at"),
)

request: Final = sa.Table(
    "request",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("owner", sa.Integer, sa.ForeignKey(owner.c.id), nullable=False),
    sa.Column("one", sa.Integer, sa.ForeignKey(version.c.id), nullable=False),
    sa.Column("other", sa.Integer, sa.ForeignKey(version.c.id), nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("left", sa.Integer, nullable=False),  # matches that are still to begin
)

standing: Final = sa.Table(
    "standing",
    METADATA,
    sa.Column("season", sa.Integer, sa.ForeignKey(season.c.id), primary_key=True),
    sa.Column("version", sa.Integer, sa.ForeignKey(version.c.id), primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),  # from 1, in the order of the ladder
    sa.Column("rank", sa.Integer),  # NULL: provisional or away
    sa.Column("value", sa.Float, nullable=False),
    sa.Column("margin", sa.Float),
    sa.Column("provisional", sa.Boolean, nullable=False),
    *(
        sa.Column(name, sa.Integer, nullable=False)
        for name in ("matches", "won", "drawn", "lost", "points", "points_against")
    ),
)

rating: Final = sa.Table(
    "rating",
    METADATA,
    sa.Column("season", sa.Integer, sa.ForeignKey(season.c.id), primary_key=True),
    sa.Column("version", sa.Integer, sa.ForeignKey(version.c.id), primary_key=True),
    sa.Column("matches", sa.Integer, primary_key=True),  # of its own that it rests on
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("value", sa.Float, nullable=False),
    sa.Column("margin", sa.Float),
)

audit: Final = sa.Table(
    "audit",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("who", sa.Text, nullable=False),
    sa.Column("act", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)

LEAGUE: Final = Shape(
    what="league",
    tables=METADATA,
    revision="0001",
    revised=revision_table("aluette_league_schema"),
    versions=Path(__file__).parent / "migrations" / "versions",
    mark=int.from_bytes(b"AluL"),
    journal="WAL",
    upgraded_by="start the league's service once with this one",
)
