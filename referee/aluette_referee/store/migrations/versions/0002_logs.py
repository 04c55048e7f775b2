"""What bots' processes printed."""

import sqlalchemy as sa
from alembic import op

__all__ = ["down_revision", "revision", "upgrade"]

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add a table for it."""
    op.create_table(
        "log",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("of_match", sa.Text, nullable=False),
        sa.Column("of_process", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "seat", name=op.f("pk_log")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_log_match")),
    )
