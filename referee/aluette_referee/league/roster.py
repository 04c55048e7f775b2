"""Who may play in a league: all versions that are neither retired nor benched nor banned, and whose token is whose."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from aluette_referee.contest.contest import BotSpec
from aluette_referee.league.schema import audit, bot, league, owner, token, version
from aluette_referee.league.tokens import Rights, digest

__all__ = ["Entrant", "Flags", "Holder", "change_number", "read_flags", "read_holder", "read_roster"]


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
    """What an operator has set."""

    paused: bool
    draining: bool


def read_flags(connection: sa.Connection) -> Flags:
    """As they are now."""
    return Flags(*connection.execute(sa.select(league.c.paused, league.c.draining)).one())


def change_number(connection: sa.Connection) -> int:
    """Grows with everything that people change: each change has its line in the audit log."""
    return connection.scalar(sa.select(sa.func.max(audit.c.id))) or 0


def read_roster(connection: sa.Connection) -> dict[int, Entrant]:
    """All versions, by their numbers."""
    chosen = (
        sa.select(
            version, bot.c.name, bot.c.display, bot.c.owner, owner.c.name.label("owner_name"), owner.c.banned
        )
        .join(bot, bot.c.id == version.c.bot)
        .join(owner, owner.c.id == bot.c.owner)
        .order_by(version.c.id)
    )
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
    chosen = (
        sa.select(token.c.id, token.c.owner, owner.c.name, token.c.rights, token.c.version, owner.c.banned)
        .join(owner, owner.c.id == token.c.owner)
        .where(token.c.digest == digest(text), token.c.revoked.is_(None))
    )
    row = connection.execute(chosen).one_or_none()
    return None if row is None else Holder(*row[:5], row.banned or "")
