"""How a version is called in an answer, and in which state it is."""

from typing import Any, Final

import sqlalchemy as sa

from aluette_referee.league.schema import bot, owner, version

__all__ = ["NAME", "STATE", "with_names"]

NAME: Final = bot.c.name + "/" + sa.cast(version.c.number, sa.Text)
"""`bot/3`."""
STATE: Final = sa.case(
    (owner.c.banned.is_not(None), "banned"),
    (version.c.benched.is_not(None), "benched"),
    (version.c.retired, "retired"),
    else_="active",
)
"""One of "active", "retired", "benched" and "banned"."""


def with_names(chosen: Any) -> Any:
    """Of a selection of versions, with whose they are."""
    return chosen.join(bot, bot.c.id == version.c.bot).join(owner, owner.c.id == bot.c.owner)
