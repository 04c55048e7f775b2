"""The tallies of a stored contest: added up by the database, from one index, without a look at any match."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import sqlalchemy as sa

from aluette_referee.contest.contest import Entrant
from aluette_referee.contest.tally import Tally
from aluette_referee.store.schema import block, match

__all__ = ["read_tallies"]

_WON, _DRAWN, _LOST, _BOTH_LOST = 3, 2, 1, 0
_SCORES: Final = {_WON: (1.0, 0.0), _DRAWN: (0.5, 0.5), _LOST: (0.0, 1.0), _BOTH_LOST: (0.0, 0.0)}
"""How a leg ended for the block's first side: what it won, and what the other did."""


def read_tallies(connection: sa.Connection, entrants: Mapping[str, Entrant]) -> Iterator[Tally]:
    """All that was played of the schedule."""
    for row in connection.execute(_ADDED_UP):
        one = tuple(entrants[name].name for name in (row.one, row.one_partner) if name is not None)
        other = tuple(entrants[name].name for name in (row.other, row.other_partner) if name is not None)
        ends = [_SCORES[end] for end in (row.end_1, row.end_2) if end is not None]
        yield Tally(
            one,
            other,
            tuple(score for score, _ in ends),
            tuple(score for _, score in ends),
            row.blocks,
            row.points,
            row.points_other,
            row.squares,
            row.apart,
            _of_entrants(len(one), row.first_faults, row.second_faults),
            _of_entrants(len(other), row.first_faults_other, row.second_faults_other),
            row.forfeits,
        )


def _of_entrants(count: int, first: int, second: int) -> tuple[int, ...]:
    """Both bots of a team are one entrant."""
    return (first, second) if count > 1 else (first + second,)


def _query() -> sa.Select[*tuple[Any, ...]]:
    """In leg 1 the first side sits NS, in leg 2 EW; each leg is a row, and both are laid side by side first."""

    def sum_up(ns: Any, ew: Any) -> sa.ColumnElement[Any]:
        return sa.func.sum(sa.case((match.c.leg == 1, ns), else_=ew))

    def of_leg(number: int, value: Any) -> sa.ColumnElement[Any]:
        return sa.func.max(sa.case((match.c.leg == number, value)))

    won = sa.case((match.c.leg == 1, "NS"), else_="EW")
    end = sa.case(
        (match.c.winner == won, _WON),
        (match.c.winner.is_not(None), _LOST),
        (match.c.forfeit, _BOTH_LOST),
        else_=_DRAWN,
    )
    apart = match.c.points_ns - match.c.points_ew
    c = match.c
    legs = (
        sa.select(
            c.block,
            of_leg(1, end).label("end_1"),
            of_leg(2, end).label("end_2"),
            sum_up(c.points_ns, c.points_ew).label("points"),
            sum_up(c.points_ew, c.points_ns).label("points_other"),
            sa.func.sum(apart * apart).label("apart"),
            sum_up(c.faults_n, c.faults_e).label("first_faults"),
            sum_up(c.faults_s, c.faults_w).label("second_faults"),
            sum_up(c.faults_e, c.faults_n).label("first_faults_other"),
            sum_up(c.faults_w, c.faults_s).label("second_faults_other"),
            sa.func.max(sa.case((c.forfeit, 1), else_=0)).label("forfeits"),
        )
        .group_by(c.block)
        .subquery()
    )
    meeting = (
        block.c.one,
        block.c.one_partner,
        block.c.other,
        block.c.other_partner,
        legs.c.end_1,
        legs.c.end_2,
    )
    difference = legs.c.points - legs.c.points_other
    return (
        sa.select(
            *meeting,
            sa.func.count().label("blocks"),
            sa.func.sum(difference * difference).label("squares"),
            *(
                sa.func.sum(legs.c[name]).label(name)
                for name in (
                    "points", "points_other", "apart", "forfeits", "first_faults", "second_faults",
                    "first_faults_other", "second_faults_other",
                )
            ),
        )
        .select_from(legs.join(block, block.c.id == legs.c.block))
        .where(block.c.scheduled)
        .group_by(*meeting)
    )  # fmt: skip


_ADDED_UP: Final = _query()
