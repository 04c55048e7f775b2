"""What the service writes: matches before their first card and after their last, who was lost, and the ladder.

One process has the right to write here, and everything is written as a whole or not at all. What is stored already is left as
it is, so whatever was under way when a connection broke may be written again.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from aluette.errors import Misuse
from aluette.packs import KEY_SIZE
from aluette.record import to_bytes
from aluette.seats import SEATS, Seat
from aluette.version import __version__
from aluette_referee.faults import FaultType
from aluette_referee.league import schema
from aluette_referee.league.acts import note, now_text
from aluette_referee.league.fixture import LeagueFixture
from aluette_referee.league.ladder import Rung
from aluette_referee.league.schema import (
    bot,
    league,
    log,
    lost,
    match,
    rating,
    record,
    request,
    result,
    season,
    standing,
    version,
    void,
)
from aluette_referee.league.settings import Settings
from aluette_referee.store.database import Database, open_for_run
from aluette_referee.store.matches import ending_columns, log_rows, record_row, storable
from aluette_referee.table import Outcome

__all__ = ["BROKEN_OFF", "Ended", "Ledger", "Lost", "Season", "create_or_open"]


BROKEN_OFF: Final = "the service was ended before it was over"
"""Why a match is void that nobody could see through."""
_DAY: Final = timedelta(days=1)
_LONGEST_WHY: Final = 500


class Season(NamedTuple):
    """The season that is being played. `successor` is the name of the next, once that was asked for."""

    id: int
    name: str
    mode: str
    rules: str
    successor: str | None


class Ended(NamedTuple):
    """A match that is over. `outcome.record` is None when it counts for nobody, which `why` says in a sentence."""

    match: str
    outcome: Outcome
    why: str = ""
    timing: Mapping[str, Any] | None = None
    logs: Mapping[Seat, tuple[str, str]] = MappingProxyType({})
    written: str = ""
    """The record in its canonical form, if that is at hand."""

    @property
    def counts(self) -> bool:
        """Whether it has a result."""
        return self.outcome.record is not None

    @property
    def text(self) -> str:
        """The record in its canonical form."""
        assert self.outcome.record is not None
        return self.written or to_bytes(self.outcome.record).decode()

    def columns(self) -> dict[str, Any]:
        """What its row says of it."""
        assert self.outcome.record is not None
        return ending_columns(self.outcome.record, self.text, self.outcome.faults, self.outcome.strikes)


class Lost(NamedTuple):
    """A stream or a process of a version that was lost, and by what fault."""

    version: int
    type: FaultType
    evidence: str


class _Opened(NamedTuple):
    """What is read once: the league's key, and the number of packs that were never dealt, with all after it."""

    key: bytes
    next_pack: int


def create_or_open(
    place: str | Path,
    settings: Settings,
    now: Callable[[], str] = now_text,
    key_source: Callable[[int], bytes] = os.urandom,
) -> "Ledger":
    """Open a league for its service, making it when there is none. Raises `Misuse`, and has changed nothing then.

    What an earlier run was playing when it was ended counts for nobody.
    """

    def fill(connection: sa.Connection, shown: str) -> _Opened:
        del shown
        row = connection.execute(sa.select(league)).one_or_none()
        if row is None:
            key = key_source(KEY_SIZE)
            made = {"id": 1, "key": key, "created": now(), "created_by": __version__}
            connection.execute(sa.insert(league), {**made, "paused": False, "draining": False})
            _begin_season(connection, "Season 1", settings, now())
            note(connection, now(), "operator", act="init", subject="league")
        else:
            key = row.key
            connection.execute(sa.update(league).values(draining=False))
        _break_off(connection, now())
        _match_season(connection, settings, now())
        last = connection.scalar(sa.select(sa.func.max(match.c.pack))) or 0
        # By the clock: also where the database is an old copy, whose packs after it were dealt already.
        return _Opened(key, max(1 + last, round(1000 * datetime.fromisoformat(now()).timestamp())))

    def reopen() -> Database:
        return open_for_run(place, _nothing, schema.LEAGUE)[0]

    database, opened = open_for_run(place, fill, schema.LEAGUE)
    return Ledger(database, reopen, opened, settings.crash_limit, now)


def _nothing(connection: sa.Connection, shown: str) -> None:
    del connection, shown


def _begin_season(connection: sa.Connection, name: str, settings: Settings, at: str) -> None:
    row = {"name": name, "mode": settings.mode, "rules": settings.rules.identity, "began": at}
    connection.execute(sa.insert(season), row)


def _match_season(connection: sa.Connection, settings: Settings, at: str) -> None:
    """The season goes by the file, or is followed by one that does."""
    row = connection.execute(sa.select(season).where(season.c.ended.is_(None))).one()
    if row.successor is not None:
        connection.execute(sa.update(season).where(season.c.id == row.id).values(ended=at))
        _begin_season(connection, row.successor, settings, at)
        return
    now = {"mode": settings.mode, "rules": settings.rules.identity}
    if changed := [
        f"{name} was {getattr(row, name)} and is now {new}"
        for name, new in now.items()
        if getattr(row, name) != new
    ]:
        played = connection.scalar(sa.select(match.c.id).where(match.c.season == row.id).limit(1))
        if played is None:
            connection.execute(sa.update(season).where(season.c.id == row.id).values(now))
            return
        raise Misuse(
            f"{row.name} is played otherwise than league.toml says: {'; '.join(changed)} "
            "(change that back, or begin a new season: aluette league season NAME)"
        )


def _break_off(connection: sa.Connection, at: str) -> None:
    """What has neither result nor void was being played when the service was ended."""
    ended = sa.union_all(sa.select(result.c.match), sa.select(void.c.match))
    left = sa.select(match.c.id).where(match.c.id.not_in(ended))
    rows = [{"match": name, "why": BROKEN_OFF, "at": at} for name in connection.scalars(left)]
    if rows:
        connection.execute(sa.insert(void), rows)


class Ledger:
    """A league's database, open for its service. Used by one thread at a time."""

    def __init__(
        self,
        database: Database,
        reopen: Callable[[], Database],
        opened: _Opened,
        crash_limit: int,
        now: Callable[[], str],
    ) -> None:
        """Own an open database, and know how to open it again."""
        self.database = database
        self._reopen = reopen
        self.key = opened.key
        """Who knows it knows every card."""
        self.next_pack = opened.next_pack
        self._crash_limit = crash_limit
        self._now = now

    def close(self) -> None:
        """Close the database and let the next service in."""
        self.database.close()

    def reconnect(self) -> None:
        """Open the database again, with the right to write; raises `Misuse` when it cannot be reached, or another has that."""
        self.database.close()
        self.database = self._reopen()

    @property
    def season(self) -> Season:
        """The one that is being played."""
        columns = [season.c[name] for name in Season._fields]
        with self.database.begin() as connection:
            return Season(*connection.execute(sa.select(*columns).where(season.c.ended.is_(None))).one())

    def begin(self, fixtures: Iterable[LeagueFixture]) -> None:
        """Commit to matches, before their first card."""
        rows = [
            {
                "id": fixture.id,
                "season": fixture.season,
                "rated": fixture.rated,
                "pack": fixture.pack,
                "leg": fixture.leg,
                "legs": fixture.legs,
                "first_dealer": fixture.first_dealer.name,
                **{seat.name.lower(): fixture.seats[seat] for seat in SEATS},
                "commitment": fixture.key.commitment,
                "begun": self._now(),
            }
            for fixture in fixtures
        ]
        with self.database.begin() as connection:
            stored = sa.select(match.c.id).where(match.c.id.in_([row["id"] for row in rows]))
            known = set(connection.scalars(stored))
            if new := [row for row in rows if row["id"] not in known]:
                connection.execute(sa.insert(match), new)

    def save(self, ended: Sequence[Ended], losses: Sequence[Lost] = ()) -> None:
        """Store how matches ended, and who was lost."""
        at = self._now()
        names = [each.match for each in ended]
        with self.database.begin() as connection:
            known = set(connection.scalars(sa.select(result.c.match).where(result.c.match.in_(names))))
            known |= set(connection.scalars(sa.select(void.c.match).where(void.c.match.in_(names))))
            new = [each for each in ended if each.match not in known]
            rows: list[tuple[sa.Table, list[dict[str, Any]]]] = [
                (
                    result,
                    [{"match": each.match, "ended": at, **each.columns()} for each in new if each.counts],
                ),
                (record, [record_row(each.match, each.text, each.timing) for each in new if each.counts]),
                (log, [row for each in new if each.counts for row in log_rows(each.match, each.logs)]),
                (
                    void,
                    [
                        {"match": each.match, "why": storable(each.why), "at": at}
                        for each in new
                        if not each.counts
                    ],
                ),
                (
                    lost,
                    [
                        {"version": who, "at": at, "type": kind.value, "evidence": storable(why)}
                        for who, kind, why in losses
                    ],
                ),
            ]
            for table, lines in rows:
                if lines:
                    connection.execute(sa.insert(table), lines)
            for who in {loss.version for loss in losses}:
                self._bench(connection, who, at)

    def _bench(self, connection: sa.Connection, who: int, at: str) -> None:
        """A version that was lost too often within a day is out, and its owner is told why."""
        row = connection.execute(sa.select(version, bot.c.name).join(bot).where(version.c.id == who)).one()
        since = max((datetime.fromisoformat(at) - _DAY).isoformat(timespec="milliseconds"), row.pardoned)
        chosen = sa.select(lost).where(lost.c.version == who, lost.c.at >= since).order_by(lost.c.id.desc())
        losses = connection.execute(chosen).all()
        if len(losses) < self._crash_limit or row.benched is not None:
            return
        last = f"{losses[0].type}: {losses[0].evidence}".strip(": ").splitlines()[-1]
        why = f"it was lost {len(losses)} times within a day, the last time: {last}"[:_LONGEST_WHY]
        connection.execute(sa.update(version).where(version.c.id == who).values(benched=why))
        note(connection, at, "referee", act="bench", subject=f"{row.name}/{row.number}", reason=why)

    def keep_ladder(self, of_season: int, rungs: Sequence[Rung], remembered: Iterable[Rung]) -> None:
        """Replace the ladder of a season, and remember some ratings as they are now."""
        at = self._now()
        rows = [
            {
                "season": of_season,
                "version": int(rung.entrant),
                "place": place,
                "rank": rung.rank,
                "value": rung.rating.value,
                "margin": rung.rating.margin,
                "provisional": rung.provisional,
                **{
                    name: getattr(rung, name)
                    for name in ("matches", "won", "drawn", "lost", "points", "points_against")
                },
            }
            for place, rung in enumerate(rungs, start=1)
        ]
        with self.database.begin() as connection:
            connection.execute(sa.delete(standing).where(standing.c.season == of_season))
            if rows:
                connection.execute(sa.insert(standing), rows)
            for rung in remembered:
                key = {"season": of_season, "version": int(rung.entrant), "matches": rung.matches}
                where = [rating.c[name] == value for name, value in key.items()]
                connection.execute(sa.delete(rating).where(*where))
                values = {"at": at, "value": rung.rating.value, "margin": rung.rating.margin}
                connection.execute(sa.insert(rating), {**key, **values})

    def grant(self, wishes: Mapping[int, int]) -> None:
        """Of the unrated matches that were asked for, so many are left."""
        with self.database.begin() as connection:
            for number, left in wishes.items():
                connection.execute(sa.update(request).where(request.c.id == number).values(left=left))

    def follow(self, settings: Settings) -> None:
        """End the season, whose last match is over, and begin the one that was asked for."""
        with self.database.begin() as connection:
            _match_season(connection, settings, self._now())
