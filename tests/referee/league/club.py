"""A small league for tests: its database, owners with bots, and matches that ended as one likes."""

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager

from referee.store.club import outcome

from aluette_referee.league.fixture import LeagueFixture, fixtures_of
from aluette_referee.league.ledger import Ended, Ledger, create_or_open
from aluette_referee.league.pairing import Drawn
from aluette_referee.league.registry import Registry
from aluette_referee.league.settings import Settings

__all__ = ["Clock", "enter", "fixture", "opened", "play"]

SETTINGS = Settings("test league")


class Clock:
    """A second passes whenever somebody looks."""

    def __init__(self) -> None:
        self._seconds = itertools.count()

    def __call__(self) -> str:
        hours, seconds = divmod(next(self._seconds), 3600)
        return f"2026-01-01T{hours:02}:{seconds // 60:02}:{seconds % 60:02}.000+00:00"


@contextmanager
def opened(place: str, settings: Settings = SETTINGS) -> Iterator[Ledger]:
    """The league, open for its service."""
    ledger = create_or_open(place, settings, Clock(), bytes)
    try:
        yield ledger
    finally:
        ledger.close()


def registry(ledger: Ledger, who: str = "operator") -> Registry:
    """Changes people make, with tokens that are the same each time."""
    return Registry(ledger.database, who, Clock(), random.Random(1).randbytes)


def enter(ledger: Ledger, *names: str) -> list[str]:
    """A bot for each name, of an owner of the same name; returns the tokens to play with."""
    desk = Registry(ledger.database, "operator", Clock())
    tokens: list[str] = []
    for name in names:
        desk.register(name)
        entered = desk.add_bot(name, name.lower())
        assert entered.token is not None
        tokens.append(entered.token)
    return tokens


def fixture(
    ledger: Ledger, one: tuple[int, ...], other: tuple[int, ...], *, rated: bool = True
) -> LeagueFixture:
    """The next match, of packs of its own."""
    ledger.next_pack += 1
    (made,) = fixtures_of(
        Drawn(one, other), ledger.key, ledger.season.id, ledger.next_pack - 1, rated=rated, mirrored=False
    )
    return made


def play(ledger: Ledger, made: LeagueFixture, winner: str | None) -> None:
    """A match is begun and ends so: "NS", "EW", or None for a draw."""
    ledger.begin([made])
    ledger.save([Ended(made.id, outcome(winner))])
