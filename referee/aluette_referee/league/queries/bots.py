"""Bots, their versions, and what owners have: tokens, bots, wishes."""

from typing import NamedTuple

import sqlalchemy as sa

from aluette_referee.league import names
from aluette_referee.league.queries.naming import NAME, STATE, with_names
from aluette_referee.league.schema import bot, lost, owner, request, token, version

__all__ = [
    "BotShown",
    "TokenShown",
    "VersionShown",
    "read_bot",
    "read_bots_of",
    "read_tokens",
    "read_wished",
]


class VersionShown(NamedTuple):
    """A version of a bot; `reason` says why it is benched, and how often it was lost is for its owner."""

    name: str
    created: str
    hosted: bool
    state: str
    reason: str
    losses: int


class BotShown(NamedTuple):
    """A bot with its versions, newest first."""

    name: str
    display: str
    owner: str
    created: str
    versions: tuple[VersionShown, ...]


class TokenShown(NamedTuple):
    """A token, without its secret; for its owner."""

    id: int
    rights: str
    version: str
    label: str
    created: str
    revoked: str | None


def read_bot(connection: sa.Connection, name: str) -> BotShown:
    """A bot by its name; raises `Misuse`."""
    row = names.bot_called(connection, name)
    whose = connection.execute(sa.select(owner).where(owner.c.id == row.owner)).one()
    losses = (
        sa.select(sa.func.count())
        .where(lost.c.version == version.c.id, lost.c.at >= version.c.pardoned)
        .scalar_subquery()
    )
    chosen = (
        with_names(
            sa.select(
                NAME, version.c.created, version.c.hosted.is_not(None), STATE,
                sa.func.coalesce(version.c.benched, ""), losses,
            ).select_from(version)
        )
        .where(version.c.bot == row.id)
        .order_by(version.c.number.desc())
    )  # fmt: skip
    versions = tuple(VersionShown(*each) for each in connection.execute(chosen))
    return BotShown(row.name, row.display, whose.name, row.created, versions)


def read_tokens(connection: sa.Connection, of_owner: str) -> list[TokenShown]:
    """An owner's tokens, oldest first; raises `Misuse`."""
    row = names.owner_called(connection, of_owner)
    chosen = (
        sa.select(
            token.c.id,
            token.c.rights,
            sa.func.coalesce(NAME, ""),
            token.c.label,
            token.c.created,
            token.c.revoked,
        )
        .outerjoin(version, version.c.id == token.c.version)
        .outerjoin(bot, bot.c.id == version.c.bot)
        .where(token.c.owner == row.id)
        .order_by(token.c.id)
    )
    return [TokenShown(*each) for each in connection.execute(chosen)]


def read_bots_of(connection: sa.Connection, of_owner: str) -> list[BotShown]:
    """An owner's bots, by their names; raises `Misuse`."""
    row = names.owner_called(connection, of_owner)
    chosen = sa.select(bot.c.name).where(bot.c.owner == row.id).order_by(bot.c.name)
    return [read_bot(connection, name) for name in connection.scalars(chosen).all()]


def read_wished(connection: sa.Connection, of_owner: str) -> int:
    """How many of the unrated matches that an owner has asked for have not begun; raises `Misuse`."""
    row = names.owner_called(connection, of_owner)
    chosen = sa.select(sa.func.coalesce(sa.func.sum(request.c.left), 0)).where(request.c.owner == row.id)
    return int(connection.execute(chosen).scalar_one())
