"""Seasons and their ladders."""

from typing import Any, NamedTuple

import sqlalchemy as sa

from aluette.errors import Misuse
from aluette_referee.league.counting import that_count
from aluette_referee.league.queries.naming import NAME, STATE, with_names
from aluette_referee.league.schema import bot, match, owner, rating, season, standing, version

__all__ = [
    "LadderRow",
    "SeasonNamed",
    "SeasonShown",
    "count_ladder",
    "read_ladder",
    "read_season",
    "read_seasons",
]


class SeasonShown(NamedTuple):
    """A season; the one that is played has no end."""

    id: int
    name: str
    mode: str
    rules: str
    began: str
    ended: str | None
    matches: int
    """Rated ones that count."""


class SeasonNamed(NamedTuple):
    """The same, without counting."""

    id: int
    name: str
    mode: str
    rules: str
    began: str
    ended: str | None


class LadderRow(NamedTuple):
    """One rung, as it was last computed. `movement` is how much the rating has changed within a day."""

    place: int
    rank: int | None
    name: str
    display: str
    owner: str
    rating: float
    margin: float | None
    provisional: bool
    matches: int
    won: int
    drawn: int
    lost: int
    points: int
    points_against: int
    state: str
    """One of "active", "retired", "benched" and "banned"."""
    hosted: bool
    movement: float | None


def read_seasons(connection: sa.Connection) -> list[SeasonShown]:
    """All seasons, the newest first."""
    counted = (
        that_count(sa.select(match.c.season, sa.func.count().label("matches")))
        .group_by(match.c.season)
        .subquery()
    )
    columns = [season.c[name] for name in SeasonShown._fields[:-1]]
    chosen: sa.Select[*tuple[Any, ...]] = (
        sa.select(*columns, sa.func.coalesce(counted.c.matches, 0))
        .outerjoin(counted, counted.c.season == season.c.id)
        .order_by(season.c.id.desc())
    )
    return [SeasonShown(*row) for row in connection.execute(chosen)]


def read_season(connection: sa.Connection, number: int | None = None) -> SeasonNamed:
    """A season by its number, or the newest; raises `Misuse`."""
    chosen = (
        sa.select(*(season.c[name] for name in SeasonNamed._fields)).order_by(season.c.id.desc()).limit(1)
    )
    if number is not None:
        chosen = chosen.where(season.c.id == number)
    row = connection.execute(chosen).one_or_none()
    if row is None:
        raise Misuse(f"there is no season {number}")
    return SeasonNamed(*row)


def count_ladder(connection: sa.Connection, of_season: int, find: str = "") -> int:
    """How many rungs a season's ladder has, or how many of them `find` finds."""
    chosen = with_names(
        sa.select(sa.func.count()).select_from(standing).join(version, version.c.id == standing.c.version)
    ).where(standing.c.season == of_season, *_found(find))
    return int(connection.execute(chosen).scalar_one())


def _found(find: str) -> list[sa.ColumnElement[bool]]:
    columns = (bot.c.name, bot.c.display, owner.c.name)
    return [sa.or_(*(column.icontains(find, autoescape=True) for column in columns))] if find else []


def read_ladder(
    connection: sa.Connection,
    of_season: int,
    *,
    since: str = "",
    find: str = "",
    skip: int = 0,
    most: int = 1000,
) -> list[LadderRow]:
    """So many rungs of a season's ladder, but for the first; movement is since that time.

    `find` leaves those whose bot or owner has it in the name, or the bot is displayed so.
    """
    page = (
        with_names(sa.select(standing.c.version).join(version, version.c.id == standing.c.version))
        .where(standing.c.season == of_season, *_found(find))
        .order_by(standing.c.place)
        .offset(skip)
        .limit(most)
    )
    ids = list(connection.scalars(page))
    older = (
        sa.select(rating.c.version, sa.func.max(rating.c.at).label("at"))
        .where(rating.c.season == of_season, rating.c.version.in_(ids), rating.c.at <= since)
        .group_by(rating.c.version)
        .subquery()
    )
    once = (
        sa.select(rating.c.version, sa.func.max(rating.c.value).label("value"))
        .join(older, sa.and_(older.c.version == rating.c.version, older.c.at == rating.c.at))
        .where(rating.c.season == of_season, rating.c.version.in_(ids))
        .group_by(rating.c.version)
        .subquery()
    )
    columns = (
        "value",
        "margin",
        "provisional",
        "matches",
        "won",
        "drawn",
        "lost",
        "points",
        "points_against",
    )
    chosen = (
        with_names(
            sa.select(
                standing.c.place,
                standing.c.rank,
                NAME,
                bot.c.display,
                owner.c.name,
                *(standing.c[name] for name in columns),
                STATE,
                version.c.hosted.is_not(None),
                standing.c.value - once.c.value,
            ).join(version, version.c.id == standing.c.version)
        )
        .outerjoin(once, once.c.version == standing.c.version)
        .where(standing.c.season == of_season, standing.c.version.in_(ids))
        .order_by(standing.c.place)
    )
    return [LadderRow(*row) for row in connection.execute(chosen)]
