"""The tallies of a stored contest: added up by the database, from one index, without a look at any match."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from aluette_referee.contest.contest import Entrant
from aluette_referee.contest.tally import Tally
from aluette_referee.store.schema import block, match

__all__ = ["added_up", "legs_side_by_side", "names_of", "read_tallies", "tally_of"]

_WON, _DRAWN, _LOST, _BOTH_LOST = 4, 3, 2, 1
_SCORES: Final = {_WON: (1.0, 0.0), _DRAWN: (0.5, 0.5), _LOST: (0.0, 1.0), _BOTH_LOST: (0.0, 0.0)}
"""How a leg ended for the block's first side: what it won, and what the other did."""
_SECOND: Final = 8
_ENDS: Final = {
    sum(ends): tuple(
        zip(
            *(_SCORES[end // weight] for end, weight in zip(ends, (1, _SECOND), strict=True) if end),
            strict=True,
        )
    )
    for ends in itertools.product((0, *_SCORES), (0, *(_SECOND * end for end in _SCORES)))
    if any(ends)
}
"""The scores of both sides by how a block's legs ended, as one number: that of leg 1, and eight times that of leg 2."""


def read_tallies(connection: sa.Connection, entrants: Mapping[str, Entrant]) -> Iterator[Tally]:
    """All that was played of the schedule."""
    sides: dict[tuple[str | None, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {}
    # There may be ten rows of each meeting, and a hundred thousand in all.
    for row in connection.execute(_ADDED_UP):
        meeting, sums = tuple(row[:4]), row[4:]
        yield tally_of(*(sides.get(meeting) or sides.setdefault(meeting, names_of(row, entrants))), sums)


def names_of(
    row: sa.Row[*tuple[Any, ...]], entrants: Mapping[str, Entrant]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of both sides of a block's row, in the order in which they sit."""
    one, other = (
        tuple(entrants[name].name for name in side if name is not None)
        for side in ((row.one, row.one_partner), (row.other, row.other_partner))
    )
    return one, other


def legs_side_by_side(played: Any, *by: sa.ColumnElement[Any]) -> sa.Subquery:
    """The legs of each block as one row: `played` are columns of matches, `by` what tells blocks apart.

    In leg 1 the first side sits NS, in leg 2 EW.
    """

    def sum_up(ns: Any, ew: Any) -> sa.ColumnElement[Any]:
        return sa.func.sum(sa.case((played.leg == 1, ns), else_=ew))

    won = sa.case((played.leg == 1, "NS"), else_="EW")
    end = sa.case(
        (played.winner == won, _WON),
        (played.winner.is_not(None), _LOST),
        (played.forfeit, _BOTH_LOST),
        else_=_DRAWN,
    )
    apart = played.points_ns - played.points_ew
    return (
        sa.select(
            *by,
            sum_up(end, _SECOND * end).label("ends"),
            sum_up(played.points_ns, played.points_ew).label("points"),
            sum_up(played.points_ew, played.points_ns).label("points_other"),
            sa.func.sum(apart * apart).label("apart"),
        )
        .group_by(*by)
        .subquery()
    )


def added_up(legs: sa.Subquery, *meeting: sa.ColumnElement[Any]) -> sa.Select[*tuple[Any, ...]]:
    """Blocks of one meeting that ended alike, added up: the columns of the meeting, then those that `tally_of` takes."""
    by = (*meeting, legs.c.ends)
    difference = legs.c.points - legs.c.points_other
    return sa.select(
        *by,
        sa.func.count().label("blocks"),
        sa.func.sum(difference * difference).label("squares"),
        *(sa.func.sum(legs.c[name]).label(name) for name in ("points", "points_other", "apart")),
    ).group_by(*by)


def tally_of(one: tuple[str, ...], other: tuple[str, ...], sums: Sequence[Any]) -> Tally:
    """The tally of two sides, from what `added_up` gives behind them."""
    ends, blocks, squares, points, points_other, apart = sums
    scores, scores_other = _ENDS[ends]
    return Tally(one, other, scores, scores_other, blocks, points, points_other, squares, apart)


def _query() -> sa.Select[*tuple[Any, ...]]:
    legs = legs_side_by_side(match.c, match.c.block)
    meeting = (block.c.one, block.c.one_partner, block.c.other, block.c.other_partner)
    joined = legs.join(block, block.c.id == legs.c.block)
    return added_up(legs, *meeting).select_from(joined).where(block.c.scheduled)


_ADDED_UP: Final = _query()
