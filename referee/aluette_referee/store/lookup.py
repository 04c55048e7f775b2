"""From what a person types to one match: an id, or enough of its beginning."""

from difflib import get_close_matches
from typing import Final

import sqlalchemy as sa

from aluette.errors import Misuse
from aluette_referee.store.schema import match

__all__ = ["find"]

NAMED: Final = 5
LOOKED_AT: Final = 1000


def find(connection: sa.Connection, text: str, shown: str) -> str:
    """The one id that begins so; raises `Misuse` that names those that fit, or what may be meant."""
    begun = text.strip().lower()
    ids = _ids(connection, match.c.id.startswith(begun, autoescape=True))
    if len(ids) == 1:
        return ids[0]
    if ids and begun:
        named = ", ".join(ids[:NAMED]) + (", ..." if len(ids) > NAMED else "")
        raise Misuse(f"{text!r} is the beginning of several ids: {named}")
    # Somebody who mistypes an id has most of it right, at one end at least.
    start, end = (
        match.c.id.startswith(begun[:3], autoescape=True),
        match.c.id.endswith(begun[-4:], autoescape=True),
    )
    near = get_close_matches(begun, _ids(connection, start | end), n=1)
    hint = f": did you mean {near[0]!r}?" if near else ""
    raise Misuse(f"there is no match {text!r} in {shown}{hint}")


def _ids(connection: sa.Connection, fits: sa.ColumnElement[bool]) -> list[str]:
    return sorted(connection.scalars(sa.select(match.c.id).where(fits).limit(LOOKED_AT)))
