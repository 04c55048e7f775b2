"""How a version is called in an answer, in which state it is, and whose packs are still to be played with."""

from typing import Any, Final

import sqlalchemy as sa

from aluette_referee.league.schema import bot, match, owner, result, version, void

__all__ = ["NAME", "STATE", "packs_in_play", "with_names"]

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


def packs_in_play(pack: Any) -> sa.Exists:
    """Whether a match with these packs, a column or a number, is not over: then nothing of them may be shown."""
    of_pack = match.alias()
    ended = sa.union_all(
        sa.select(result.c.match).where(result.c.match == of_pack.c.id),
        sa.select(void.c.match).where(void.c.match == of_pack.c.id),
    )
    return sa.exists().where(of_pack.c.pack == pack, ~ended.exists())
