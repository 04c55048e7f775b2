"""One tournament, played by real processes over gRPC once for all tests that only look at the result."""

from pathlib import Path

import pytest
from referee.cli.club import Club, write_club
from referee.cli.shell import aluette, invoke


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The tournament after its run. Not to be changed: for that there is `club`."""
    folder = tmp_path_factory.mktemp("played")
    write_club(folder)
    run = aluette("tournament", "run", "club.toml", cwd=folder)
    assert run.returncode == 0, run.stderr
    exported = invoke("export", "club.db", cwd=folder)
    return Club(folder, run.stdout, run.stderr, exported.stdout_bytes)


@pytest.fixture
def club(played: Club, tmp_path: Path) -> Club:
    """The tournament after its run, in a folder of its own."""
    return played.copy(tmp_path)
