"""The first tables."""

import sqlalchemy as sa
from alembic import op

__all__ = ["down_revision", "revision", "upgrade"]

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "league",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
        sa.Column("paused", sa.Boolean, nullable=False),
        sa.Column("draining", sa.Boolean, nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_league_single")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_league")),
    )
    op.create_table(
        "owner",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("alike", sa.Text, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("banned", sa.Text),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owner")),
        sa.UniqueConstraint("alike", name=op.f("uq_owner_alike")),
    )
    op.create_table(
        "season",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("began", sa.Text, nullable=False),
        sa.Column("successor", sa.Text),
        sa.Column("ended", sa.Text),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
    )
    op.create_table(
        "bot",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("owner", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("display", sa.Text, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"], name=op.f("fk_bot_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot")),
        sa.UniqueConstraint("name", name=op.f("uq_bot_name")),
    )
    op.create_index(op.f("ix_bot_owner"), "bot", ["owner"])
    op.create_table(
        "version",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("bot", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("hosted", sa.Text),
        sa.Column("content", sa.Text),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("retired", sa.Boolean, nullable=False),
        sa.Column("benched", sa.Text),
        sa.Column("pardoned", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["bot"], ["bot.id"], name=op.f("fk_version_bot")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_version")),
    )
    op.create_index(op.f("ix_version_bot_number"), "version", ["bot", "number"], unique=True)
    op.create_table(
        "lost",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_lost_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lost")),
    )
    op.create_index(op.f("ix_lost_version_at"), "lost", ["version", "at"])
    op.create_table(
        "match",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("pack", sa.BigInteger, nullable=False),
        sa.Column("leg", sa.Integer, nullable=False),
        sa.Column("legs", sa.Integer, nullable=False),
        sa.Column("first_dealer", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("e", sa.Integer, nullable=False),
        sa.Column("s", sa.Integer, nullable=False),
        sa.Column("w", sa.Integer, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("begun", sa.Text, nullable=False),
        sa.CheckConstraint("leg IN (1, 2)", name=op.f("ck_match_leg")),
        sa.CheckConstraint("legs IN (1, 2)", name=op.f("ck_match_legs")),
        sa.ForeignKeyConstraint(["e"], ["version.id"], name=op.f("fk_match_e")),
        sa.ForeignKeyConstraint(["n"], ["version.id"], name=op.f("fk_match_n")),
        sa.ForeignKeyConstraint(["s"], ["version.id"], name=op.f("fk_match_s")),
        sa.ForeignKeyConstraint(["season"], ["season.id"], name=op.f("fk_match_season")),
        sa.ForeignKeyConstraint(["w"], ["version.id"], name=op.f("fk_match_w")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_match")),
    )
    op.create_index(op.f("ix_match_begun"), "match", ["begun"])
    op.create_index(op.f("ix_match_e"), "match", ["e"])
    op.create_index(op.f("ix_match_n"), "match", ["n"])
    op.create_index(op.f("ix_match_pack_leg"), "match", ["pack", "leg"], unique=True)
    op.create_index(op.f("ix_match_s"), "match", ["s"])
    op.create_index(op.f("ix_match_season_rated"), "match", ["season", "rated"])
    op.create_index(op.f("ix_match_w"), "match", ["w"])
    op.create_table(
        "rating",
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("value", sa.Float, nullable=False),
        sa.Column("margin", sa.Float),
        sa.ForeignKeyConstraint(["season"], ["season.id"], name=op.f("fk_rating_season")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_rating_version")),
        sa.PrimaryKeyConstraint("season", "version", "matches", name=op.f("pk_rating")),
    )
    op.create_table(
        "request",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("owner", sa.Integer, nullable=False),
        sa.Column("one", sa.Integer, nullable=False),
        sa.Column("other", sa.Integer, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("left", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["one"], ["version.id"], name=op.f("fk_request_one")),
        sa.ForeignKeyConstraint(["other"], ["version.id"], name=op.f("fk_request_other")),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"], name=op.f("fk_request_owner")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_request")),
    )
    op.create_table(
        "standing",
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("rank", sa.Integer),
        sa.Column("value", sa.Float, nullable=False),
        sa.Column("margin", sa.Float),
        sa.Column("provisional", sa.Boolean, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer, nullable=False),
        sa.Column("points_against", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["season"], ["season.id"], name=op.f("fk_standing_season")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_standing_version")),
        sa.PrimaryKeyConstraint("season", "version", name=op.f("pk_standing")),
    )
    op.create_table(
        "token",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("owner", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("rights", sa.Text, nullable=False),
        sa.Column("version", sa.Integer),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created", sa.Text, nullable=False),
        sa.Column("revoked", sa.Text),
        sa.CheckConstraint("rights IN ('play', 'own', 'admin')", name=op.f("ck_token_rights")),
        sa.CheckConstraint("(version IS NOT NULL) = (rights = 'play')", name=op.f("ck_token_version")),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"], name=op.f("fk_token_owner")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_token_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token")),
        sa.UniqueConstraint("digest", name=op.f("uq_token_digest")),
    )
    op.create_index(op.f("ix_token_owner"), "token", ["owner"])
    op.create_table(
        "log",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("of_match", sa.Text, nullable=False),
        sa.Column("of_process", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_log_match")),
        sa.PrimaryKeyConstraint("match", "seat", name=op.f("pk_log")),
    )
    op.create_table(
        "record",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("timing", sa.Text),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_record_match")),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_record")),
    )
    op.create_table(
        "result",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("ended", sa.Text, nullable=False),
        sa.Column("winner", sa.Text),
        sa.Column("points_ns", sa.Integer, nullable=False),
        sa.Column("points_ew", sa.Integer, nullable=False),
        sa.Column("forfeit", sa.Boolean, nullable=False),
        sa.Column("faults_n", sa.Integer, nullable=False),
        sa.Column("faults_e", sa.Integer, nullable=False),
        sa.Column("faults_s", sa.Integer, nullable=False),
        sa.Column("faults_w", sa.Integer, nullable=False),
        sa.Column("faults", sa.Text),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.Column("tricks", sa.Integer, nullable=False),
        sa.Column("spoiled", sa.Integer, nullable=False),
        sa.Column("chants", sa.Integer, nullable=False),
        sa.Column("mordiennes_ns", sa.Integer, nullable=False),
        sa.Column("mordiennes_ew", sa.Integer, nullable=False),
        sa.Column("dealers", sa.Integer, nullable=False),
        sa.Column("won_n", sa.Integer, nullable=False),
        sa.Column("won_e", sa.Integer, nullable=False),
        sa.Column("won_s", sa.Integer, nullable=False),
        sa.Column("won_w", sa.Integer, nullable=False),
        sa.CheckConstraint("winner IN ('NS', 'EW')", name=op.f("ck_result_winner")),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_result_match")),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_result")),
    )
    op.create_index(op.f("ix_result_ended"), "result", ["ended"])
    op.create_table(
        "void",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"], name=op.f("fk_void_match")),
        sa.PrimaryKeyConstraint("match", name=op.f("pk_void")),
    )
