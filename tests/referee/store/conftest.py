"""Where tests put a contest: `place` is an SQLite file, then a schema of a real PostgreSQL."""

from pathlib import Path

import pytest


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "club.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return str(request.getfixturevalue("file"))
    return request.getfixturevalue("postgres").new_schema()
