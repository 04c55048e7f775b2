"""The table and the strengths behind it: what is told of a contest first."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from aluette_referee.contest.ratings import Fit, bradley_terry, point_difference
from aluette_referee.contest.standings import Row, standings
from aluette_referee.contest.tally import Tally

__all__ = ["Figure", "Likelihood", "Ranking", "ranking"]


class Figure(NamedTuple):
    """A strength, and half the width of its 95 % interval; None when that is not determined.

    `shrunk`: results bound it on one side only, or not at all, and it is a guess drawn towards the mean.
    """

    value: float
    margin: float | None
    shrunk: bool

    @classmethod
    def of(cls, fit: Fit, name: str) -> "Figure":
        """The strength of a player of a fit."""
        return cls(fit.strength(name), fit.margin(name), name in fit.unbound)


class Likelihood(NamedTuple):
    """How likely one is the stronger of two, and by what that was told; None when it is not determined."""

    value: float | None
    by: Literal["results", "deal points"] | None


class Ranking(NamedTuple):
    """The rows of the table, best first, and the strengths by match results (Elo) and by deal points a match."""

    rows: list[Row]
    results: Fit
    points: Fit

    def elo(self, row: Row) -> Figure:
        """On Elo's scale, over the mean of the field."""
        return Figure.of(self.results, row.name)

    def superiority(self, one: str, other: str) -> Likelihood:
        """By match results; by deal points where these do not tell, as when one has won every match."""
        if (value := self.results.superiority(one, other)) is not None:
            return Likelihood(value, "results")
        value = self.points.superiority(one, other)
        return Likelihood(value, None if value is None else "deal points")

    def deal_points(self, row: Row) -> Figure:
        """Deal points a match more than an average opponent."""
        return Figure.of(self.points, row.name)


def ranking(
    names: Sequence[str],
    played: Iterable[Tally],
    *,
    faults: Mapping[str, int] | None = None,
    byes: Mapping[str, int] | None = None,
    reached: Mapping[str, int] | None = None,
) -> Ranking:
    """As `standings`, of at least one name, with strengths."""
    tallies = list(played)
    rows = standings(names, tallies, faults=faults, byes=byes, reached=reached)
    # In the order of the names: who ranks where is not to change the last bit of a strength.
    players = sorted(names)
    return Ranking(rows, bradley_terry(players, tallies), point_difference(players, tallies))
