"""The ladder is fitted in a thread or in another process, with the same result, and what it says is stored."""

import random
from datetime import UTC, datetime

import anyio.to_process
import pytest
import sqlalchemy as sa
import trio
from referee.league.club import SETTINGS, enter, fixture, opened, play

from aluette_referee.league import rater as module
from aluette_referee.league.journal import Journal
from aluette_referee.league.rater import Rater, compute, compute_apart
from aluette_referee.league.reader import Reader
from aluette_referee.league.roster import read_roster
from aluette_referee.league.schema import rating, standing
from aluette_referee.league.writer import Writer

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def some_matches(ledger, count: int = 40) -> None:
    enter(ledger, "Ana", "Bea", "Cleo")
    rng = random.Random(4)
    for _ in range(count):
        one, other = rng.sample([1, 2, 3], 2)
        play(ledger, fixture(ledger, (one,), (other,)), rng.choice(["NS", "EW", None]))


def test_another_process_computes_the_same(place):
    with opened(place) as ledger:
        some_matches(ledger)
        with ledger.database.begin() as connection:
            here = compute(connection, 1, SETTINGS, {3}, NOW)

        async def there():
            return await anyio.to_process.run_sync(compute_apart, place, 1, SETTINGS, frozenset({3}), NOW)

        assert trio.run(there) == here
        assert [rung.rank for rung in here.rungs if rung.entrant == "3"] == [None]


@pytest.mark.parametrize("large", [1, 1000])
def test_what_was_fitted_is_stored_and_known(place, large, monkeypatch):
    monkeypatch.setattr(module, "_LARGE", large)
    learned: list[int] = []

    async def main() -> None:
        with opened(place) as ledger:
            some_matches(ledger)
            reader = Reader(place, 1)
            async with trio.open_nursery() as nursery:
                writer = Writer(ledger, Journal("text", str), lambda: None)
                nursery.start_soon(writer.run)
                rater = Rater(SETTINGS, reader, writer, 1, lambda: learned.append(1))
                with ledger.database.begin() as connection:
                    rater.roster = read_roster(connection)
                await rater.fit()
                await rater.fit()
                nursery.cancel_scope.cancel()
            reader.close()
            with ledger.database.begin() as connection:
                rows = connection.execute(sa.select(standing.c.version, standing.c.value)).all()
                points = connection.scalar(sa.select(sa.func.count()).select_from(rating))
            assert {str(version): value for version, value in rows} == {
                name: each.value for name, each in rater.ratings.items()
            }
            assert points == 3  # nobody has played since the first fit

    trio.run(main)
    assert learned == [1, 1]
