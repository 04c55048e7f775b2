"""What statistics need of a stored contest beside its tallies: counts of play, and faults; added up by the database."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from aluette.seats import SEATS, Seat
from aluette_referee.contest.contest import Entrant
from aluette_referee.contest.counts import Counts, PerDeal
from aluette_referee.contest.ratio import Ratio
from aluette_referee.contest.summary import Summary
from aluette_referee.faults import FaultType
from aluette_referee.store.matches import faults_of
from aluette_referee.store.schema import FAULTS, block, match
from aluette_referee.store.tallies import names_of

__all__ = ["FaultKind", "read_counts", "read_fault_kinds", "read_faults", "read_per_deal"]

_SIDES: Final = (block.c.one, block.c.one_partner, block.c.other, block.c.other_partner)
_OF_SCHEDULE: Final = match.join(block)


class FaultKind(NamedTuple):
    """Faults of one type by one player that decided a match, or were mended."""

    name: str
    type: FaultType
    mended: bool


def read_faults(connection: sa.Connection, entrants: Mapping[str, Entrant]) -> Counter[str]:
    """How many faults each made in matches of the schedule, by names."""
    n, e, s, w = (match.c[name] for name in FAULTS)
    sums = (sa.func.sum(match.c[name]).label(name) for name in FAULTS)
    asked = (
        sa.select(*_SIDES, match.c.leg, *sums)
        .select_from(_OF_SCHEDULE)
        .where(block.c.scheduled, n + e + s + w > 0)
        .group_by(*_SIDES, match.c.leg)
    )
    found: Counter[str] = Counter()
    for row in connection.execute(asked):
        for name, column in zip(_by_seat(row, entrants).values(), FAULTS, strict=True):
            found[name] += getattr(row, column)
    return found


def read_fault_kinds(connection: sa.Connection, entrants: Mapping[str, Entrant]) -> Counter[FaultKind]:
    """How many faults of each type each made."""
    asked = (
        sa.select(*_SIDES, match.c.leg, match.c.faults)
        .select_from(_OF_SCHEDULE)
        .where(block.c.scheduled, match.c.faults.is_not(None))
    )
    found: Counter[FaultKind] = Counter()
    for row in connection.execute(asked):
        names = _by_seat(row, entrants)
        for mended, faults in enumerate(faults_of(row.faults)):
            found.update(FaultKind(names[fault.seat], fault.type, bool(mended)) for fault in faults)
    return found


def _by_seat(row: sa.Row[*tuple[Any, ...]], entrants: Mapping[str, Entrant]) -> dict[Seat, str]:
    """Who sat where: in leg 1 the block's first side sits NS, in leg 2 EW."""
    one, other = names_of(row, entrants)
    ns, ew = (one, other) if row.leg == 1 else (other, one)
    return dict(zip(SEATS, (ns[0], ew[0], ns[-1], ew[-1]), strict=True))


def read_counts(connection: sa.Connection, entrants: Mapping[str, Entrant]) -> Iterator[Counts]:
    """The summaries of all matches of the schedule, added up for each meeting and leg."""
    sums = (sa.func.sum(match.c[name]).label(name) for name in Summary._fields)
    asked = (
        sa.select(*_SIDES, match.c.leg, sa.func.count().label("matches"), *sums)
        .select_from(_OF_SCHEDULE)
        .where(block.c.scheduled)
        .group_by(*_SIDES, match.c.leg)
    )
    for row in connection.execute(asked):
        counted = Summary(*(int(getattr(row, name)) for name in Summary._fields))
        yield Counts(*names_of(row, entrants), row.leg, row.matches, counted)


def read_per_deal(connection: sa.Connection, entrants: Mapping[str, Entrant]) -> Iterator[PerDeal]:
    """Deal points and the dealers' wins over deals, with what an interval over blocks needs, for each meeting.

    Matches that a fault decided are left out: their points are no longer of so many deals.
    """
    for row in connection.execute(_PER_DEAL):
        ratios = (
            Ratio(row.blocks, *(int(getattr(row, f"{y}_{of}")) for of in ("y", "x", "yy", "xx", "xy")))
            for y in _OVER_DEALS
        )
        yield PerDeal(*names_of(row, entrants), *ratios)


_OVER_DEALS: Final = ("difference", "dealers")


def _per_deal() -> sa.Select[*tuple[Any, ...]]:
    apart = match.c.points_ns - match.c.points_ew
    legs = (
        sa.select(
            match.c.block,
            sa.func.sum(sa.case((match.c.leg == 1, apart), else_=-apart)).label("difference"),
            sa.func.sum(match.c.deals).label("deals"),
            sa.func.sum(match.c.dealers).label("dealers"),
        )
        .where(~match.c.forfeit)
        .group_by(match.c.block)
        .subquery()
    )
    x = legs.c.deals
    sums = {
        f"{name}_{of}": sa.func.sum(value)
        for name in _OVER_DEALS
        for y in (legs.c[name],)
        for of, value in (("y", y), ("x", x), ("yy", y * y), ("xx", x * x), ("xy", x * y))
    }
    return (
        sa.select(
            *_SIDES,
            sa.func.count().label("blocks"),
            *(value.label(name) for name, value in sums.items()),
        )
        .select_from(legs.join(block, block.c.id == legs.c.block))
        .where(block.c.scheduled)
        .group_by(*_SIDES)
    )


_PER_DEAL: Final = _per_deal()
