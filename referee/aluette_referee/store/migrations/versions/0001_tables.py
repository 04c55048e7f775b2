"""The first tables."""

import sqlalchemy as sa
from alembic import op

__all__ = ["down_revision", "revision", "upgrade"]

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "contest",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("blocks", sa.Integer, nullable=False),
        sa.Column("seed", sa.Text),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_contest_single")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contest")),
    )
    op.create_table(
        "team",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("contents", sa.Text, nullable=False),
        sa.Column("bots", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team")),
    )
    op.create_table(
        "block",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("one", sa.Text, nullable=False),
        sa.Column("other", sa.Text, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_block")),
        sa.ForeignKeyConstraint(["one"], ["team.id"], name=op.f("fk_block_one")),
        sa.ForeignKeyConstraint(["other"], ["team.id"], name=op.f("fk_block_other")),
    )
    op.create_table(
        "match",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("block", sa.Text, nullable=False),
        sa.Column("leg", sa.Integer, nullable=False),
        sa.Column("winner", sa.Text),
        sa.Column("points_ns", sa.Integer, nullable=False),
        sa.Column("points_ew", sa.Integer, nullable=False),
        sa.Column("faults", sa.Text),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("timing", sa.Text),
        sa.CheckConstraint("leg IN (1, 2)", name=op.f("ck_match_leg")),
        sa.CheckConstraint("winner IN ('NS', 'EW')", name=op.f("ck_match_winner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
        sa.ForeignKeyConstraint(["block"], ["block.id"], name=op.f("fk_match_block")),
    )
    op.create_index(op.f("ix_match_block_leg"), "match", ["block", "leg"], unique=True)
    op.create_table(
        "record",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_record")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_record_match")),
    )
    op.create_table(
        "void",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("block", sa.Text, nullable=False),
        sa.Column("leg", sa.Integer, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_void")),
        sa.ForeignKeyConstraint(["block"], ["block.id"], name=op.f("fk_void_block")),
    )
