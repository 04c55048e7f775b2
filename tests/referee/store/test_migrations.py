"""The tables that the migrations make are those of `schema`, and an older database is brought up to date."""

import shutil
from pathlib import Path

import pytest
import sqlalchemy as sa
from referee.store.club import club, count, play, process, raw

from aluette import Misuse
from aluette_referee.store import create_or_open, database, open_existing, schema


def test_the_migrations_give_the_tables_of_the_schema(place: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    play(place, *club())
    options = {"version_table": schema.REVISION_TABLE, "compare_server_default": True}
    with raw(place) as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts=options), schema.METADATA) == []


def test_they_give_the_same_text_of_tables(file: str) -> None:
    """Constraints too, which alembic does not compare."""
    play(file, *club())

    def texts(connection: sa.Connection) -> dict[str, list[str]]:
        found = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").all()
        return {name: sorted(line.strip(" \t,") for line in sql.splitlines()) for name, sql in found}

    with raw(file) as connection:
        migrated = texts(connection)
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        schema.METADATA.create_all(connection)
        expected = texts(connection)
    engine.dispose()
    del migrated[schema.REVISION_TABLE]
    assert migrated == expected


def test_the_revision_is_the_last_migration() -> None:
    from alembic.script import ScriptDirectory

    assert ScriptDirectory(str(database.MIGRATIONS)).get_heads() == [schema.REVISION]


NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with op.batch_alter_table("match") as batch:
        batch.add_column(sa.Column("more", sa.Text, nullable=False, server_default="new"))
        batch.alter_column("timing", new_column_name="clock")
"""


def test_an_older_database_is_upgraded_by_a_run(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(place, *club("ABC"))
    later = tmp_path / "migrations"
    shutil.copytree(database.MIGRATIONS, later)
    (later / "versions" / "0003_more.py").write_text(NEXT)
    monkeypatch.setattr(database, "MIGRATIONS", later)
    monkeypatch.setattr(schema, "REVISION", "0003")
    with pytest.raises(Misuse, match="was written by an older version of this program: run the contest once"):
        open_existing(place)
    # What is refused is not upgraded either.
    with pytest.raises(Misuse, match="played otherwise"):
        create_or_open(place, *club("ABC", seed=1))
    with pytest.raises(Misuse, match="older version"):
        open_existing(place)
    create_or_open(place, *club("ABC"))[0].close()
    with raw(place) as connection:
        rows = connection.exec_driver_sql("SELECT DISTINCT more, clock FROM match").all()
    assert [tuple(row) for row in rows] == [("new", None)]
    assert count(place, "record") == 6


def test_alembic_is_imported_only_to_make_or_upgrade(file: str) -> None:
    play(file, *club())
    code = """
create_or_open(sys.argv[1], *club())[0].close()
open_existing(sys.argv[1]).close()
sys.exit("alembic" in sys.modules)
"""
    with process(code, file) as run:
        pass
    assert run.returncode == 0
