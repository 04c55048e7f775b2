"""Where tests put a league: `place` is an SQLite file, then a schema of a real PostgreSQL."""

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "league.db")
    return request.getfixturevalue("postgres").new_schema()
