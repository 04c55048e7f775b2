"""Formats whose rounds are not all known, bots that are entered alone, and counts for statistics."""

import json
from typing import Any, Literal

import sqlalchemy as sa
from alembic import op

from aluette_referee.contest.summary import Summary, summary_of

__all__ = ["down_revision", "revision", "upgrade"]

revision = "0003"
down_revision = "0002"

FAULTS = ("faults_n", "faults_e", "faults_s", "faults_w")
COUNTS = (*FAULTS, *Summary._fields)
CHUNK = 500


def upgrade() -> None:
    """Add columns, and fill them from what is stored."""
    # In SQLite a table that is made anew has the same text as one that is new.
    with op.batch_alter_table("record", recreate=_anew()) as batch:
        batch.add_column(sa.Column("timing", sa.Text))
    with op.batch_alter_table("block") as batch:
        batch.add_column(sa.Column("one_partner", sa.Text))
        batch.add_column(sa.Column("other_partner", sa.Text))
        batch.add_column(sa.Column("scheduled", sa.Boolean))
        batch.create_foreign_key(op.f("fk_block_one_partner"), "team", ["one_partner"], ["id"])
        batch.create_foreign_key(op.f("fk_block_other_partner"), "team", ["other_partner"], ["id"])
    with op.batch_alter_table("match") as batch:
        batch.add_column(sa.Column("forfeit", sa.Boolean))
        for name in COUNTS:
            batch.add_column(sa.Column(name, sa.Integer))
    _fill(op.get_bind())
    with op.batch_alter_table("block", recreate=_anew()) as batch:
        batch.alter_column("scheduled", existing_type=sa.Boolean, nullable=False)
    with op.batch_alter_table("match") as batch:
        batch.drop_column("timing")
        batch.alter_column("forfeit", existing_type=sa.Boolean, nullable=False)
        for name in COUNTS:
            batch.alter_column(name, existing_type=sa.Integer, nullable=False)
    op.create_index(
        "ix_match_result",
        "match",
        ["block", "leg", "winner", "points_ns", "points_ew", "forfeit", *FAULTS],
    )


def _anew() -> Literal["always", "auto"]:
    return "always" if op.get_bind().dialect.name == "sqlite" else "auto"


def _fill(connection: sa.Connection) -> None:
    # The next run says which blocks are scheduled; until then nobody can read this database.
    connection.execute(sa.text("UPDATE block SET scheduled = :no"), {"no": False})
    connection.execute(
        sa.text("UPDATE record SET timing = (SELECT timing FROM match WHERE match.id = record.match)")
    )
    settings = connection.execute(sa.text("SELECT settings FROM contest")).scalar_one_or_none()
    if settings is not None:
        read = json.loads(settings)
        connection.execute(
            sa.text("UPDATE contest SET settings = :settings"),
            {"settings": json.dumps({**read, "format": {"kind": read["format"]}})},
        )
    stored = sa.text(
        "SELECT match.id, match.faults, record.text FROM match JOIN record ON record.match = match.id"
        " WHERE match.id > :last ORDER BY match.id LIMIT :chunk"
    )
    columns = ", ".join(f"{name} = :{name}" for name in ("forfeit", *COUNTS))
    last = ""
    while rows := connection.execute(stored, {"last": last, "chunk": CHUNK}).all():
        connection.execute(
            sa.text(f"UPDATE match SET {columns} WHERE id = :id"),  # noqa: S608 - our own names
            [{"id": name, **_counts(faults, json.loads(text))} for name, faults, text in rows],
        )
        last = rows[-1][0]


def _counts(faults: str | None, record: dict[str, Any]) -> dict[str, Any]:
    seats = [fault["seat"] for fault in json.loads(faults or "[]")]
    return {
        "forfeit": record["result"]["fault"] is not None,
        **{f"faults_{seat.lower()}": seats.count(seat) for seat in "NESW"},
        **summary_of(record)._asdict(),
    }
