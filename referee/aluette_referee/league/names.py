"""What things in a league may be called, and how they are found by what somebody wrote.

A bot's *name* is for addresses and commands, and never changes; what it is *displayed* as is text for people. A version is
`bot/3`; the bot's name alone is its newest.
"""

import re
import unicodedata
from difflib import get_close_matches
from typing import Any, Final

import sqlalchemy as sa

from aluette.errors import Misuse
from aluette_referee.league.schema import bot, match, owner, version

__all__ = [
    "LONGEST_NAME",
    "alike",
    "bot_called",
    "check_bot_name",
    "check_reason",
    "check_text",
    "match_called",
    "owner_called",
    "version_called",
    "versions_called",
]

Row = sa.Row[*tuple[Any, ...]]
_BOT: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")
LONGEST_NAME: Final = 64
_LONGEST_REASON: Final = 500


def check_text(what: str, text: str, most: int = LONGEST_NAME) -> str:
    """A name for people; raises `Misuse`."""
    text = text.strip()
    if not text or len(text) > most or not text.isprintable():
        raise Misuse(f"{what} must be 1 to {most} printable characters")
    return text


def check_reason(reason: str) -> str:
    """Why somebody did something; raises `Misuse`."""
    return check_text("the reason", reason, _LONGEST_REASON)


def check_bot_name(name: str) -> str:
    """The name of a bot, which stands in addresses; raises `Misuse`."""
    if not _BOT.fullmatch(name):
        raise Misuse(
            f"a bot cannot be called {name!r}: use 1 to 32 small letters, digits, dots, dashes and underscores, "
            "a letter or digit first (what it is displayed as may be any text)"
        )
    return name


def alike(name: str) -> str:
    """What two names have in common that people would take for one."""
    return unicodedata.normalize("NFKC", name).casefold()


def owner_called(connection: sa.Connection, name: str) -> Row:
    """The row of an owner; raises `Misuse`."""
    row = connection.execute(sa.select(owner).where(owner.c.alike == alike(name.strip()))).one_or_none()
    if row is None:
        known = connection.scalars(sa.select(owner.c.name))
        raise Misuse(f"there is no owner called {name!r}{_near(name, known)}")
    return row


def bot_called(connection: sa.Connection, name: str) -> Row:
    """The row of a bot; raises `Misuse`."""
    row = connection.execute(sa.select(bot).where(bot.c.name == name)).one_or_none()
    if row is None:
        known = connection.scalars(sa.select(bot.c.name))
        raise Misuse(f"there is no bot called {name!r}{_near(name, known)}")
    return row


def version_called(connection: sa.Connection, name: str) -> Row:
    """The row of a version, `bot/3`, or of the newest of `bot`; raises `Misuse`."""
    of_bot, _, number = name.partition("/")
    return _numbered(connection, bot_called(connection, of_bot), number)[-1]


def versions_called(connection: sa.Connection, name: str) -> list[Row]:
    """The row of `bot/3`, or those of all versions of `bot`, oldest first; raises `Misuse`."""
    of_bot, _, number = name.partition("/")
    return _numbered(connection, bot_called(connection, of_bot), number)


def _numbered(connection: sa.Connection, of_bot: Row, number: str) -> list[Row]:
    chosen = sa.select(version).where(version.c.bot == of_bot.id).order_by(version.c.number)
    if number:
        if not number.isdecimal() or len(number) > 9:
            raise Misuse(
                f"{of_bot.name}/{number} is no version: write {of_bot.name}/1, or {of_bot.name} alone"
            )
        chosen = chosen.where(version.c.number == int(number))
    found = list(connection.execute(chosen))
    if not found:
        newest = connection.scalar(sa.select(sa.func.max(version.c.number)).where(version.c.bot == of_bot.id))
        raise Misuse(f"{of_bot.name} has no version {number}: the newest is {newest}")
    return found


def match_called(connection: sa.Connection, name: str) -> Row:
    """The row of a match, by the beginning of its id; raises `Misuse`."""
    name = name.strip().lower()
    if not re.fullmatch(r"[0-9a-z]{4,12}(-[12]?)?", name):
        raise Misuse(f"{name!r} is no match: give the first four letters of its id, or more")
    chosen = sa.select(match).where(match.c.id.startswith(name, autoescape=True)).limit(2)
    found = list(connection.execute(chosen))
    if len(found) != 1:
        raise Misuse(
            f"there are several matches {name}...: give more of the id"
            if found
            else f"there is no match {name}"
        )
    return found[0]


def _near(name: str, known: Any) -> str:
    near = get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
