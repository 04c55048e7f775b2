"""Faults in matches that are over: what anybody may know of them, and the evidence, which is for who made them."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from aluette.seats import SEATS
from aluette_referee.faults import Fault
from aluette_referee.league import names
from aluette_referee.league.queries.naming import NAME, packs_in_play, with_names
from aluette_referee.league.schema import SEATS as SEAT_COLUMNS
from aluette_referee.league.schema import match, owner, result, version
from aluette_referee.store.matches import faults_of
from aluette_referee.store.schema import FAULTS

__all__ = ["FaultShown", "read_faults", "read_match_faults"]

PAGE: Final = 25


class FaultShown(NamedTuple):
    """A fault, and whose. The evidence is for its owner alone, and left out while the packs are still to be played with."""

    match: str
    ended: str
    version: str
    owner: str
    mended: bool
    fault: Fault


def read_faults(connection: sa.Connection, of: str, most: int = PAGE) -> list[FaultShown]:
    """The last faults of a bot `fox` or a version `fox/3`, the newest first; raises `Misuse`."""
    ids = {row.id for row in names.versions_called(connection, of)}
    sat = (
        sa.and_(match.c[seat].in_(ids), result.c[faults] > 0)
        for seat, faults in zip(SEAT_COLUMNS, FAULTS, strict=True)
    )
    chosen = _matches().where(sa.or_(*sat)).order_by(result.c.ended.desc(), match.c.id).limit(most)
    found = _shown(connection, connection.execute(chosen).all())
    return [shown for number, shown in found if number in ids][:most]


def read_match_faults(connection: sa.Connection, name: str) -> list[FaultShown]:
    """The faults of a match, given by the beginning of its id, in their order; raises `Misuse`."""
    found = names.match_called(connection, name)
    rows = connection.execute(_matches().where(match.c.id == found.id)).all()
    return sorted((shown for _, shown in _shown(connection, rows)), key=lambda each: each.fault.place)


def _matches() -> sa.Select[*tuple[Any, ...]]:
    columns = (match.c.id, result.c.ended, result.c.faults, *(match.c[seat] for seat in SEAT_COLUMNS))
    closed = packs_in_play(match.c.pack).label("closed")
    return (
        sa.select(*columns, closed)
        .join(result, result.c.match == match.c.id)
        .where(result.c.faults.is_not(None))
    )


def _shown(connection: sa.Connection, rows: Sequence[Any]) -> Iterator[tuple[int, FaultShown]]:
    """Each with the number of the version that made it; of a match, the newest first."""
    seated = {getattr(row, seat) for row in rows for seat in SEAT_COLUMNS}
    chosen = with_names(sa.select(version.c.id, NAME, owner.c.name).select_from(version))
    named: Sequence[Any] = connection.execute(chosen.where(version.c.id.in_(seated))).all()
    whose: dict[int, tuple[str, str]] = {row[0]: (row[1], row[2]) for row in named}
    for row in rows:
        deciding, mended = faults_of(row.faults)
        made = [*((fault, False) for fault in deciding), *((fault, True) for fault in reversed(mended))]
        for fault, was_mended in made:
            number = getattr(row, SEAT_COLUMNS[SEATS.index(fault.seat)])
            told = fault.public if row.closed else fault
            yield number, FaultShown(row.id, row.ended, *whose[number], was_mended, told)
