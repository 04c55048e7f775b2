"""How ratings went, and who met whom how often: what a bot's page tells of its past."""

from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from aluette_referee.league import names
from aluette_referee.league.counting import that_count
from aluette_referee.league.queries.naming import NAME
from aluette_referee.league.schema import SEATS, bot, match, rating, result, version

__all__ = ["Opponent", "RatingPoint", "read_head_to_head", "read_history"]

_SIDES: Final = {"NS": SEATS[0::2], "EW": SEATS[1::2]}


class RatingPoint(NamedTuple):
    """What a rating once was, and on how many matches it rested."""

    version: str
    at: str
    matches: int
    value: float
    margin: float | None


class Opponent(NamedTuple):
    """A bot on the other side, and how rated matches against it ended for the one that was asked about."""

    name: str
    display: str
    matches: int
    won: int
    drawn: int
    lost: int


def read_history(connection: sa.Connection, of_bot: str, of_season: int) -> list[RatingPoint]:
    """The ratings of a bot's versions in a season, each version's in the order of time; raises `Misuse`."""
    row = names.bot_called(connection, of_bot)
    chosen = (
        sa.select(NAME, rating.c.at, rating.c.matches, rating.c.value, rating.c.margin)
        .select_from(rating)
        .join(version, version.c.id == rating.c.version)
        .join(bot, bot.c.id == version.c.bot)
        .where(version.c.bot == row.id, rating.c.season == of_season)
        .order_by(version.c.number, rating.c.at, rating.c.matches)
    )
    return [RatingPoint(*each) for each in connection.execute(chosen)]


def read_head_to_head(connection: sa.Connection, of_bot: str, of_season: int) -> list[Opponent]:
    """Whom a bot has met in a season, most often first, in rated matches that count; raises `Misuse`.

    A match against two bots counts for both; those of two versions of one bot are left out.
    """
    row = names.bot_called(connection, of_bot)
    own = sa.select(version.c.id).where(version.c.bot == row.id).scalar_subquery()
    met: list[sa.Select[*tuple[Any, ...]]] = []
    for side, seats in _SIDES.items():
        columns: tuple[Any, ...] = (
            match.c.id,
            sa.literal(side).label("side"),
            result.c.winner,
            result.c.forfeit,
        )
        for column in sorted({*SEATS} - {*seats}):
            opponent = version.alias()
            met.append(
                that_count(sa.select(opponent.c.bot.label("bot"), *columns).select_from(match))
                .join(opponent, opponent.c.id == match.c[column])
                .where(
                    match.c.season + 0 == of_season,  # not by this index: a bot's matches are far fewer
                    opponent.c.bot != row.id,
                )
                .where(sa.or_(*(match.c[seat].in_(own) for seat in seats)))
            )
    each = sa.union(*met).subquery()  # a union leaves out what is the same: an opponent on both chairs
    won = each.c.winner == each.c.side
    drawn = sa.and_(each.c.winner.is_(None), ~each.c.forfeit)
    count = sa.func.count()
    chosen: sa.Select[*tuple[Any, ...]] = (
        sa.select(
            bot.c.name,
            bot.c.display,
            count,
            *(sa.func.sum(sa.case((how, 1), else_=0)) for how in (won, drawn)),
        )
        .join(each, each.c.bot == bot.c.id)
        .group_by(bot.c.name, bot.c.display)
        .order_by(count.desc(), bot.c.name)
    )
    return [
        Opponent(name, display, matches, int(wins), int(draws), matches - int(wins) - int(draws))
        for name, display, matches, wins, draws in connection.execute(chosen)
    ]
