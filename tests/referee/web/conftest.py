"""A league that tests look at, and must not change."""

from collections.abc import Iterator

import pytest
from referee.web.site import League, club


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    with club(tmp_path_factory.mktemp("house")) as made:
        yield made
