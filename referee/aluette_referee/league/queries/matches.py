"""Matches, and the records of those that are over."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from aluette.errors import Misuse
from aluette.seats import SEATS, Seat
from aluette_referee.faults import Fault
from aluette_referee.league import names
from aluette_referee.league.fixture import key_of
from aluette_referee.league.queries.naming import NAME, packs_in_play
from aluette_referee.league.schema import SEATS as SEAT_COLUMNS
from aluette_referee.league.schema import (
    bot,
    league,
    match,
    record,
    result,
    version,
    void,
)
from aluette_referee.store.matches import faults_of

__all__ = ["MatchShown", "RecordShown", "read_match", "read_matches", "read_record"]

PAGE: Final = 50


class MatchShown(NamedTuple):
    """A match: what anybody may see. Without a result it is void, or being played."""

    id: str
    season: int
    rated: bool
    begun: str
    ended: str | None
    seats: dict[Seat, str]
    """Names of versions."""
    winner: str | None
    points_ns: int | None
    points_ew: int | None
    forfeit: bool
    void: str | None
    """Why it counts for nobody."""
    commitment: str

    @property
    def state(self) -> str:
        """One of "void", "played" and "playing"."""
        return "void" if self.void is not None else "playing" if self.ended is None else "played"

    @property
    def sides(self) -> tuple[str, str]:
        """Who play NS and EW: a bot that is its own partner once."""
        north, east, south, west = (self.seats[seat] for seat in SEATS)
        return " + ".join(dict.fromkeys((north, south))), " + ".join(dict.fromkeys((east, west)))


class RecordShown(NamedTuple):
    """The record of a match that is over: all cards are in it. Evidence of faults is for the owner of who made them."""

    text: str
    key: bytes
    faults: tuple[Fault, ...]
    strikes: tuple[Fault, ...]


def read_matches(
    connection: sa.Connection,
    *,
    of: str = "",
    of_season: int | None = None,
    before: str = "",
    then: str = "",
    most: int = PAGE,
) -> list[MatchShown]:
    """Matches, the newest first: of a bot `fox` or a version `fox/3`, of a season, that began before a time. Raises `Misuse`.

    `then`, the last match that was seen, tells those that began at that very time apart.
    """
    chosen = _matches()
    if of:
        ids = [row.id for row in names.versions_called(connection, of)]
        chosen = chosen.where(sa.or_(*(match.c[seat].in_(ids) for seat in SEAT_COLUMNS)))
    if of_season is not None:
        chosen = chosen.where(match.c.season == of_season)
    if before:
        earlier = match.c.begun < before
        same = sa.and_(match.c.begun == before, match.c.id > then)
        chosen = chosen.where(sa.or_(earlier, same) if then else earlier)
    chosen = chosen.order_by(match.c.begun.desc(), match.c.id).limit(most)
    return _shown(connection, connection.execute(chosen).all())


def read_match(connection: sa.Connection, name: str) -> MatchShown:
    """A match by the beginning of its id; raises `Misuse`."""
    found = names.match_called(connection, name)
    return _shown(connection, connection.execute(_matches().where(match.c.id == found.id)).all())[0]


def read_record(connection: sa.Connection, name: str) -> RecordShown:
    """The record of a match by the beginning of its id; raises `Misuse` while its packs are still to be played with."""
    found = names.match_called(connection, name)
    if connection.scalar(sa.select(packs_in_play(found.pack))):
        what = "match" if found.legs == 1 else "match, or the other one with the same packs,"
        raise Misuse(
            f"{found.id}: the {what} is being played, and nobody is shown its cards before it is over"
        )
    chosen = (
        sa.select(record.c.text, result.c.faults)
        .join(result, result.c.match == record.c.match)
        .where(record.c.match == found.id)
    )
    row = connection.execute(chosen).one_or_none()
    if row is None:
        raise Misuse(f"match {found.id} is void, and has no record")
    key = connection.execute(sa.select(league.c.key)).scalar_one()
    return RecordShown(row.text, key_of(key, found.pack).secret, *faults_of(row.faults))


def _matches() -> sa.Select[*tuple[Any, ...]]:
    columns = (match.c[name] for name in ("id", "season", "rated", "begun", "commitment", *SEAT_COLUMNS))
    ends = (result.c[name] for name in ("ended", "winner", "points_ns", "points_ew", "forfeit"))
    return (
        sa.select(*columns, *ends, void.c.why)
        .outerjoin(result, result.c.match == match.c.id)
        .outerjoin(void, void.c.match == match.c.id)
    )


def _shown(connection: sa.Connection, rows: Sequence[Any]) -> list[MatchShown]:
    seated = {getattr(row, seat) for row in rows for seat in SEAT_COLUMNS}
    named = sa.select(version.c.id, NAME).join(bot, bot.c.id == version.c.bot).where(version.c.id.in_(seated))
    called = {number: name for number, name in connection.execute(named)}  # noqa: C416 - rows are no pairs to mypy
    return [
        MatchShown(
            row.id,
            row.season,
            row.rated,
            row.begun,
            row.ended,
            {seat: called[getattr(row, column)] for seat, column in zip(SEATS, SEAT_COLUMNS, strict=True)},
            row.winner,
            row.points_ns,
            row.points_ew,
            bool(row.forfeit),
            row.why,
            row.commitment,
        )
        for row in rows
    ]
