"""Who may play in a league: all versions that are neither retired nor benched nor banned, and whose token is whose."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from aluette_referee.contest.contest import BotSpec
from aluette_referee.league.schema import audit, bot, league, owner, request, season, token, version
from aluette_referee.league.tokens import Rights, digest

__all__ = [
    "Entrant",
    "Flags",
    "Holder",
    "Wish",
    "change_number",
    "read_bearer",
    "read_flags",
    "read_holder",
    "read_revoked",
    "read_roster",
    "read_wishes",
]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A version of a bot, as the service needs it. `barred` says why it may not play, "" when it may."""

    id: int
    name: str
    """`bot/3`."""
    owner: int
    owner_name: str
    display: str
    hosted: BotSpec | None = None
    content: str | None = None
    barred: str = ""


class Holder(NamedTuple):
    """Who holds a token. `version` is the one that it lets play; `banned` says why it does not, "" when it does."""

    token: int
    owner: int
    owner_name: str
    rights: Rights
    version: int | None
    banned: str


class Flags(NamedTuple):
    """What an operator has set. `successor` is the name of the season that is to follow, if one was asked for."""

    paused: bool
    draining: bool
    successor: str | None


@dataclass(slots=True)
class Wish:
    """Unrated matches that an owner asked for, between two versions; so many are left."""

    id: int
    one: int
    other: int
    left: int


def read_flags(connection: sa.Connection) -> Flags:
    """As they are now."""
    successor = sa.select(season.c.successor).where(season.c.ended.is_(None)).scalar_subquery()
    return Flags(*connection.execute(sa.select(league.c.paused, league.c.draining, successor)).one())


def read_wishes(connection: sa.Connection) -> list[Wish]:
    """Those that are not fulfilled, oldest first."""
    columns = (request.c.id, request.c.one, request.c.other, request.c.left)
    chosen = sa.select(*columns).where(request.c.left > 0).order_by(request.c.id)
    return [Wish(*row) for row in connection.execute(chosen)]


def read_revoked(connection: sa.Connection, tokens: Collection[int]) -> set[int]:
    """Which of these tokens are good for nothing any more."""
    chosen = sa.select(token.c.id).where(token.c.id.in_(tokens), token.c.revoked.is_not(None))
    return set(connection.scalars(chosen))


def change_number(connection: sa.Connection) -> int:
    """Grows with everything that people change: each change has its line in the audit log."""
    return connection.scalar(sa.select(sa.func.max(audit.c.id))) or 0


def read_roster(connection: sa.Connection, only: int | None = None) -> dict[int, Entrant]:
    """All versions, or only one, by their numbers."""
    chosen = (
        sa.select(
            version, bot.c.name, bot.c.display, bot.c.owner, owner.c.name.label("owner_name"), owner.c.banned
        )
        .join(bot, bot.c.id == version.c.bot)
        .join(owner, owner.c.id == bot.c.owner)
        .order_by(version.c.id)
    )
    if only is not None:
        chosen = chosen.where(version.c.id == only)
    return {row["id"]: _entrant(row) for row in connection.execute(chosen).mappings()}


def _entrant(row: sa.RowMapping) -> Entrant:
    name = f"{row['name']}/{row['number']}"
    barred = ""
    if row["banned"] is not None:
        barred = f"{row['owner_name']} is banned: {row['banned']}"
    elif row["benched"] is not None:
        barred = f"{name} is benched: {row['benched']}"
    elif row["retired"]:
        barred = f"{name} is retired"
    return Entrant(
        row["id"],
        name,
        row["owner"],
        row["owner_name"],
        row["display"],
        None if row["hosted"] is None else _spec(json.loads(row["hosted"])),
        row["content"],
        barred,
    )


def _spec(value: Mapping[str, object]) -> BotSpec:
    files = value["files"]
    assert isinstance(files, list)
    return BotSpec(**{**value, "files": tuple(files)})  # type: ignore[arg-type]


def read_holder(connection: sa.Connection, text: str) -> Holder | None:
    """Who holds a token; None of one that nobody gave, or that was revoked."""
    return _holder(connection, token.c.digest == digest(text))


def read_bearer(connection: sa.Connection, number: int) -> Holder | None:
    """Who holds the token of this number, which was shown before; None when it was revoked since."""
    return _holder(connection, token.c.id == number)


def _holder(connection: sa.Connection, which: sa.ColumnElement[bool]) -> Holder | None:
    chosen = (
        sa.select(token.c.id, token.c.owner, owner.c.name, token.c.rights, token.c.version, owner.c.banned)
        .join(owner, owner.c.id == token.c.owner)
        .where(which, token.c.revoked.is_(None))
    )
    row = connection.execute(chosen).one_or_none()
    return None if row is None else Holder(*row[:5], row.banned or "")
