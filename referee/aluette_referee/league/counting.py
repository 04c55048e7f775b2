"""What counts in a season: its rated matches that have a result and were not made void, added up by the database."""

from typing import Any, Final

import sqlalchemy as sa

from aluette_referee.contest.tally import Tally
from aluette_referee.league.schema import SEATS, match, result, void
from aluette_referee.store.tallies import added_up, legs_side_by_side, tally_of

__all__ = ["read_last_matches", "read_tallies", "that_count"]


def that_count(chosen: Any) -> Any:
    """Of a selection of matches, with their results: the rated ones that have one and were not made void."""
    return (
        chosen.join(result, result.c.match == match.c.id)
        .outerjoin(void, void.c.match == match.c.id)
        .where(match.c.rated, void.c.match.is_(None))
    )


def read_tallies(connection: sa.Connection, season: int) -> list[Tally]:
    """All rated matches of a season that count, by the numbers of versions as text."""
    found: list[Tally] = []
    for row in connection.execute(_ADDED_UP, {"of_season": season}):
        one, other = (tuple(map(str, dict.fromkeys(side))) for side in (row[:2], row[2:4]))
        found.append(tally_of(one, other, row[4:]))
    return found


def read_last_matches(connection: sa.Connection, season: int) -> dict[int, str]:
    """When each version had its last rated match of a season."""
    found: dict[int, str] = {}
    for seat in SEATS:
        who = match.c[seat]
        chosen = (
            sa.select(who, sa.func.max(match.c.begun))
            .where(match.c.season == season, match.c.rated)
            .group_by(who)
        )
        for version, begun in connection.execute(chosen):
            found[version] = max(begun, found.get(version, ""))
    return found


def _query() -> sa.Select[*tuple[Any, ...]]:
    first = match.c.leg == 1
    counting = (
        that_count(
            sa.select(
                match.c.pack,
                match.c.leg,
                *(getattr(result.c, name) for name in ("winner", "forfeit", "points_ns", "points_ew")),
                sa.case((first, match.c.n), else_=match.c.e).label("one"),
                sa.case((first, match.c.s), else_=match.c.w).label("one_partner"),
                sa.case((first, match.c.e), else_=match.c.n).label("other"),
                sa.case((first, match.c.w), else_=match.c.s).label("other_partner"),
            )
        )
        .where(match.c.season == sa.bindparam("of_season"))
        .subquery()
    )
    names = ("one", "one_partner", "other", "other_partner")
    legs = legs_side_by_side(counting.c, counting.c.pack, *(counting.c[name] for name in names))
    return added_up(legs, *(legs.c[name] for name in names))


_ADDED_UP: Final = _query()
