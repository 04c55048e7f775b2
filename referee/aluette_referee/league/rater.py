"""Computes the ladder again and again: all rated matches of the season, fitted at once, out of the way of play.

A small league is fitted in a thread; a large one takes seconds of all cores, and is fitted by a process of its own that gives way to
others. How often depends on how long it takes, so that a league is not always computing.
"""

import functools
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

import anyio.to_process
import sqlalchemy as sa
import trio

from aluette.errors import Misuse
from aluette_referee.league.counting import read_last_matches, read_tallies
from aluette_referee.league.ladder import Rating, Rung, climb, rate
from aluette_referee.league.reader import Reader
from aluette_referee.league.roster import Entrant
from aluette_referee.league.schema import LEAGUE
from aluette_referee.league.settings import Settings
from aluette_referee.league.writer import Writer
from aluette_referee.store.database import open_for_reading

__all__ = ["Climbed", "Rater", "compute", "compute_apart"]

_LEAST: Final = 5.0
"""Seconds between two fits, at least."""
_SECONDS: Final = 600.0
"""For one, at most."""
_PATIENCE: Final = 20
"""So many times as long as a fit takes."""
_REMEMBER: Final = 600.0
"""Seconds between two points of a rating's plot, once an entrant is known."""
_LARGE: Final = 200
"""Versions from which on a process is worth its start."""
_NICE: Final = 10
_EARLY: Final = 20
"""Matches for which each is a point."""


class Climbed(NamedTuple):
    """A ladder, and the ratings in it."""

    ratings: dict[str, Rating]
    rungs: list[Rung]


def compute(
    connection: sa.Connection, season: int, settings: Settings, barred: Collection[int], now: datetime
) -> Climbed:
    """The ladder of a season as the database has it. `barred` and who has not played for long have no rank."""
    played = read_tallies(connection, season)
    entrants = sorted({name for tally in played for name in (*tally.one, *tally.other)}, key=int)
    ratings = rate(entrants, played)
    since = (now - timedelta(days=settings.inactive_days)).isoformat(timespec="milliseconds")
    last = read_last_matches(connection, season)
    away = {name for name in entrants if int(name) in barred or last.get(int(name), "") < since}
    return Climbed(ratings, climb(ratings, played, settings.settled, frozenset(away)))


def compute_apart(
    place: str, season: int, settings: Settings, barred: Collection[int], now: datetime
) -> Climbed:
    """The same in another process, which is nicer than the one that plays."""
    os.nice(max(0, _NICE - os.nice(0)))
    with closing(open_for_reading(place, LEAGUE)) as database, database.begin() as connection:
        return compute(connection, season, settings, barred, now)


class Rater:
    """Keeps the ladder up to date; `ratings` are those of the last fit."""

    def __init__(
        self, settings: Settings, reader: Reader, writer: Writer, season: int, learned: Callable[[], None]
    ) -> None:
        """`learned` is called when there are new ratings."""
        self._settings = settings
        self._reader = reader
        self._writer = writer
        self._season = season
        self._learned = learned
        self.roster: Mapping[int, Entrant] = {}
        self.ratings: Mapping[str, Rating] = {}
        self._remembered: dict[str, tuple[int, float]] = {}
        self._due = trio.Event()
        self.seconds = 0.0
        """How long the last fit took."""

    def begin(self, season: int) -> None:
        """A season begins: nobody has a rating."""
        self._season = season
        self.ratings = {}
        self._remembered.clear()
        self._learned()

    def wake(self) -> None:
        """Results have come, or were made void."""
        self._due.set()

    async def run(self) -> None:
        """Fit when something has come, for ever."""
        while True:
            await self._due.wait()
            self._due = trio.Event()
            try:
                await self.fit()
            except (Misuse, trio.TooSlowError):
                self._due.set()  # the database is away; the writer says so
            await trio.sleep(max(_LEAST, _PATIENCE * self.seconds))

    async def fit(self) -> None:
        """Once, now; returns when it is stored."""
        began = trio.current_time()
        season = self._season
        barred = {number for number, entrant in self.roster.items() if entrant.barred}
        climbed = await self._compute(season, barred, datetime.now(UTC))
        remembered = [rung for rung in climbed.rungs if self._is_worth_a_point(rung)]
        await self._writer.do(lambda ledger: ledger.keep_ladder(season, climbed.rungs, remembered))
        self.ratings = climbed.ratings
        self.seconds = trio.current_time() - began
        self._learned()

    async def _compute(self, season: int, barred: Collection[int], now: datetime) -> Climbed:
        if len(self.roster) < _LARGE:
            ask = functools.partial(compute, season=season, settings=self._settings, barred=barred, now=now)
            return await self._reader.ask(ask)
        with trio.fail_after(_SECONDS):
            return await anyio.to_process.run_sync(
                compute_apart, self._reader.place, season, self._settings, barred, now, cancellable=True
            )

    def _is_worth_a_point(self, rung: Rung) -> bool:
        now = trio.current_time()
        matches, at = self._remembered.get(rung.entrant, (0, -_REMEMBER))
        if rung.matches == matches or (rung.matches > _EARLY and now - at < _REMEMBER):
            return False
        self._remembered[rung.entrant] = (rung.matches, now)
        return True
