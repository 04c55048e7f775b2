"""The tables that the migrations make are those of `schema`, and an older database is brought up to date."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from referee.store.club import club, count, forfeit, outcome, play, process, raw

from aluette import Misuse
from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.store import Played, create_or_open, database, open_existing, schema, sqlite


def test_the_migrations_give_the_tables_of_the_schema(place: str, monkeypatch) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    monkeypatch.setattr(database, "set_up", database.upgrade)
    play(place, *club())
    options = {"version_table": schema.CONTEST.revised.name, "compare_server_default": True}
    with raw(place) as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts=options), schema.METADATA) == []


def test_they_give_the_same_text_of_tables(file: str, tmp_path: Path, monkeypatch) -> None:
    """Constraints too, which alembic does not compare, and alembic's own table."""

    def texts(place: str) -> dict[str, list[str]]:
        select = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        with raw(place) as connection:
            return {
                name: sorted(
                    line.strip(" \t,").replace('"', "") for line in sql.splitlines()
                )  # a renamed table's name has quotes
                for name, sql in connection.exec_driver_sql(select).all()
            }

    play(file, *club())
    migrated = str(tmp_path / "migrated.db")
    monkeypatch.setattr(database, "set_up", database.upgrade)
    play(migrated, *club())
    assert texts(migrated) == texts(file)


def test_a_new_database_and_one_brought_up_to_date_have_the_same_revision(place: str) -> None:
    play(place, *club())
    with raw(place) as connection:
        assert connection.scalars(sa.select(schema.CONTEST.revised)).all() == [schema.CONTEST.revision]
        database.upgrade(connection, schema.CONTEST)  # nothing is left to do
        assert connection.scalars(sa.select(schema.CONTEST.revised)).all() == [schema.CONTEST.revision]


def test_the_revision_is_the_last_migration() -> None:
    from alembic.script import ScriptDirectory

    assert ScriptDirectory(str(schema.CONTEST.versions.parent)).get_heads() == [schema.CONTEST.revision]


NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    with op.batch_alter_table("match") as batch:
        batch.add_column(sa.Column("more", sa.Text, nullable=False, server_default="new"))
        batch.alter_column("faults", new_column_name="guilt")
"""


def test_an_older_database_is_upgraded_by_a_run(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(place, *club("ABC"))
    later = tmp_path / "migrations"
    shutil.copytree(schema.CONTEST.versions, later)
    (later / "0004_more.py").write_text(NEXT)
    monkeypatch.setattr(schema, "CONTEST", replace(schema.CONTEST, versions=later, revision="0004"))
    with pytest.raises(Misuse, match="was written by an older version of this program: run the contest once"):
        open_existing(place)
    # What is refused is not upgraded either.
    with pytest.raises(Misuse, match="played otherwise"):
        create_or_open(place, *club("ABC", seed=1))
    with pytest.raises(Misuse, match="older version"):
        open_existing(place)
    create_or_open(place, *club("ABC"))[0].close()
    with raw(place) as connection:
        rows = connection.exec_driver_sql("SELECT DISTINCT more, guilt FROM match").all()
    assert [tuple(row) for row in rows] == [("new", None)]
    assert count(place, "record") == 6


def test_alembic_is_imported_only_to_upgrade(file: str) -> None:
    code = """
create_or_open(sys.argv[1], *club())[0].close()
open_existing(sys.argv[1]).close()
sys.exit("alembic" in sys.modules)
"""
    with process(code, file) as run:
        pass
    assert run.returncode == 0


OLD = {
    "contest": ("id", "name", "settings", "blocks", "seed", "key", "created", "created_by"),
    "team": ("id", "name", "contents", "bots", "position", "active"),
    "block": ("id", "number", "one", "other", "commitment"),
    "match": ("id", "block", "leg", "winner", "points_ns", "points_ew", "faults", "digest", "timing"),
    "record": ("match", "text"),
}
"""The columns of revision 0002."""


def test_what_was_stored_before_statistics_is_counted_as_what_is_stored_now(tmp_path: Path) -> None:
    new, old = str(tmp_path / "new.db"), tmp_path / "old.db"
    contest, entrants = club("ABC")
    strike = Fault(FaultType.LATE, Seat.N, 2, 3)
    endings = [
        outcome("NS")._replace(strikes=(strike,)),
        outcome(None),
        forfeit(Seat.E),
        forfeit(Seat.N, Seat.E),
    ]
    with create_or_open(new, contest, entrants)[0] as store:
        fixtures = list(store.missing())
        store.save(
            Played(fixture, ending, {"N": {"seconds": 1.5}})
            for fixture, ending in zip(fixtures, [*endings, outcome("EW"), outcome("NS")], strict=True)
        )
        expected = (
            list(store.results()),
            sorted(store.tallies(), key=repr),
            store.root(),
            list(store.matches()),
        )
    with raw(new) as connection:
        stored = {
            table: [dict(row) for row in connection.exec_driver_sql(f'SELECT * FROM "{table}"').mappings()]
            for table in OLD
        }
    timing = {row["match"]: row["timing"] for row in stored["record"]}
    for row in stored["match"]:
        row["timing"] = timing[row["id"]]
    settings = json.loads(stored["contest"][0]["settings"])
    stored["contest"][0]["settings"] = json.dumps({**settings, "format": "round-robin"})

    def make(connection: sa.Connection) -> None:
        database.upgrade(connection, replace(schema.CONTEST, revision="0002"))
        for table, columns in OLD.items():
            told = sa.table(table, *map(sa.column, columns))
            connection.execute(
                sa.insert(told), [{name: row[name] for name in columns} for row in stored[table]]
            )

    lock = sqlite.create(old, "old.db", make, schema.CONTEST)
    assert lock is not None
    lock.release()
    with create_or_open(str(old), contest, entrants)[0] as store:
        found = (
            list(store.results()),
            sorted(store.tallies(), key=repr),
            store.root(),
            list(store.matches()),
        )
        assert found == expected
        assert next(store.missing(), None) is None
    with raw(str(old)) as one, raw(new) as other:
        for table in ("match", "record", "block"):
            rows = [
                connection.exec_driver_sql(f'SELECT * FROM "{table}" ORDER BY 1').mappings().all()
                for connection in (one, other)
            ]
            assert [dict(row) for row in rows[0]] == [dict(row) for row in rows[1]]
