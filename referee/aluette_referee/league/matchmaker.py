"""Fills tables with whoever is here: asks the pairing whenever somebody has room, and has the matches begun.

What it draws is committed to in the database before the first card.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Final

import trio

from aluette.seats import Seat
from aluette_referee.league.fixture import LeagueFixture, fixtures_of
from aluette_referee.league.hall import Hall
from aluette_referee.league.ladder import MEAN, Rating
from aluette_referee.league.pairing import Candidate, Drawn, Pairing
from aluette_referee.league.roster import Entrant, Wish
from aluette_referee.league.settings import Settings
from aluette_referee.league.tables import Tables
from aluette_referee.league.writer import Writer
from aluette_referee.play.runner import Chair

__all__ = ["Matchmaker"]

_SETTLE: Final = 0.02
"""Seconds in which several come or go before the next draw."""
_UNRATED: Final = Rating(MEAN, None)
_MOST_BEHIND: Final = 500
"""Results that wait for the database; then nothing begins."""


class Matchmaker:
    """Draws matches and begins them, until it is stopped."""

    def __init__(
        self,
        settings: Settings,
        hall: Hall,
        tables: Tables,
        writer: Writer,
        *,
        key: bytes,
        next_pack: int,
        season: int,
        rng: random.Random,
    ) -> None:
        """`next_pack` is the number of packs that were never dealt, and all after it."""
        self._settings = settings
        self._hall = hall
        self._tables = tables
        self._writer = writer
        self._key = key
        self._next_pack = next_pack
        self.season = season
        self._rng = rng
        self._pairing = Pairing(settings.mode, settings.spacing)
        self._changed = trio.Event()
        self.roster: Mapping[int, Entrant] = {}
        self.ratings: Mapping[str, Rating] = {}
        self.wishes: list[Wish] = []
        """Matches that owners asked for, which are not rated."""
        self.paused = False
        """While it is set, nothing begins."""

    def wake(self) -> None:
        """Something has changed."""
        self._changed.set()

    async def run(self, nursery: trio.Nursery) -> None:
        """Begin matches in the nursery, for ever."""
        while True:
            await trio.sleep(_SETTLE)
            self._changed = trio.Event()
            seated: list[tuple[LeagueFixture, Mapping[Seat, Chair]]] = []
            if not self.paused and self._writer.behind < _MOST_BEHIND:
                for fixture in self._due():
                    seated.append((fixture, self._tables.take(fixture)))
                    await trio.lowlevel.checkpoint()  # play goes on between
            if seated:
                try:
                    await self._writer.begin(fixture for fixture, _ in seated)
                except trio.Cancelled:
                    for fixture, chairs in seated:
                        self._tables.give_up(fixture, chairs)
                    raise
                for fixture, chairs in seated:
                    nursery.start_soon(self._tables.play, fixture, chairs)
            with trio.move_on_at(self._pairing.wakes_at(trio.current_time())):
                await self._changed.wait()

    def _due(self) -> Iterator[LeagueFixture]:
        """All matches that can begin now, each asked for when the chairs of those before it were taken."""
        self._pairing.present(self._hall.here)
        for wish in self.wishes:
            sides = Drawn((wish.one,), (wish.other,))
            if (
                self._room
                and wish.left
                and all(self._hall.has_room(version, 2) for version in sides.entrants)
            ):
                wish.left -= 1
                self._writer.granting({wish.id: wish.left})
                yield from self._fixtures(sides, rated=False)
        seats = 2 if self._settings.mode == "teams" else 1
        able = {
            version: self._candidate(version)
            for version in self._hall.here
            if self._hall.has_room(version, seats)
        }
        while self._room:
            drawn = self._pairing.draw(list(able.values()), trio.current_time(), self._rng)
            if drawn is None:
                return
            if all(self._hall.has_room(version, seats) for version in drawn.entrants):
                yield from self._fixtures(drawn, rated=True)
            for version in drawn.entrants:  # of all others nothing has changed, or they have gone
                if not self._hall.has_room(version, seats):
                    del able[version]

    @property
    def _room(self) -> bool:
        return len(self._tables.playing) < self._settings.tables

    def _candidate(self, version: int) -> Candidate:
        rating = self.ratings.get(str(version), _UNRATED)
        return Candidate(version, self.roster[version].owner, rating.value - MEAN, rating.margin)

    def _fixtures(self, sides: Drawn, *, rated: bool) -> Iterator[LeagueFixture]:
        teams = len(sides.one) == 1
        mirrored = teams and rated and all(map(self._hall.is_hosted, sides.entrants))
        pack, self._next_pack = self._next_pack, self._next_pack + 1
        return fixtures_of(sides, self._key, self.season, pack, rated=rated, mirrored=mirrored)
