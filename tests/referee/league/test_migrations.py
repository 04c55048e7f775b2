"""The tables that a league's migrations make are those of its schema."""

import sqlalchemy as sa
from referee.league.club import opened
from referee.store.club import raw

from aluette_referee.league.schema import LEAGUE
from aluette_referee.store import database


def test_the_migrations_give_the_tables_of_the_schema(place: str, monkeypatch) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    monkeypatch.setattr(database, "set_up", database.upgrade)
    with opened(place):
        pass
    options = {"version_table": LEAGUE.revised.name, "compare_server_default": True}
    with raw(place) as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts=options), LEAGUE.tables) == []


def test_they_give_the_same_text_of_tables(tmp_path, monkeypatch) -> None:
    """Constraints too, which alembic does not compare."""

    def texts(place: str) -> dict[str, list[str]]:
        with opened(place), raw(place) as connection:
            select = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
            rows = connection.exec_driver_sql(select).all()
        return {
            name: sorted(line.strip(" \t,").replace('"', "") for line in sql.splitlines())
            for name, sql in rows
        }

    made = texts(str(tmp_path / "made.db"))
    monkeypatch.setattr(database, "set_up", database.upgrade)
    assert texts(str(tmp_path / "migrated.db")) == made


def test_the_revision_is_the_last_migration() -> None:
    from alembic.script import ScriptDirectory

    folder = ScriptDirectory(str(LEAGUE.versions.parent), version_locations=[str(LEAGUE.versions)])
    assert folder.get_heads() == [LEAGUE.revision]


def test_a_contest_is_no_league(tmp_path) -> None:
    import pytest
    from referee.store.club import club, play

    from aluette.errors import Misuse

    place = str(tmp_path / "club.db")
    play(place, *club())
    with pytest.raises(Misuse, match="is not a league's database"):
        opened(place).__enter__()
    with opened(str(tmp_path / "league.db")), raw(str(tmp_path / "league.db")) as connection:
        assert connection.scalar(sa.text("PRAGMA journal_mode")) == "wal"
