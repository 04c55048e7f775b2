"""Strengths of all players at once, with intervals that mirrored blocks make honest.

Two models, each fitted to everything that was played. A side's strength is the mean of its players': a team is one
player, two partners drawn together count half each.

- `bradley_terry`: the first side's score (1, 1/2, 0) is the logistic function of the difference of strengths
  (Bradley & Terry 1952, draws as half a win each), on Elo's scale.
- `point_difference`: its deal points less the other's are the difference of strengths.

The matches of a block are played with the same cards and are no independent measurements. The covariance is the
cluster-robust one of Liang & Zeger (1986), "Longitudinal data analysis using generalized linear models", with the
block as cluster: H^-1 (sum over blocks of u u') H^-1, where u is a block's score vector and H the information, times
G / (G - k) for G blocks and k free strengths, and is read with Student's t of G - k degrees of freedom.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aluette_referee.contest.student import half_width, t_probability
from aluette_referee.contest.tally import Tally

__all__ = ["ELO", "Fit", "bradley_terry", "point_difference"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

ELO: Final = 400 / math.log(10)
"""Elo's points in one unit of the logistic scale: 400 are odds of ten to one."""
PRIOR: Final = 1.0
"""Matches drawn with an average player, which everybody is given where results alone bound nothing."""
_STEPS: Final = 100
_ENDLESS: Final = 40.0
"""Ten thousand points of Elo over somebody, and more, is no measurement."""
_SETTLED: Final = 1e-11


class Fit(NamedTuple):
    """Strengths with mean 0 and their covariance, in the order of `players`.

    `unbound` are those whose results bound their strength on one side only, or not at all: who won everything, lost
    everything, or never met the others. Theirs is a finite guess, drawn to the mean, without an interval.
    """

    players: Sequence[str]
    strengths: Floats
    covariance: Floats
    freedom: int
    unbound: frozenset[str]

    def strength(self, player: str) -> float:
        """How much stronger than the mean."""
        return float(self.strengths[self.players.index(player)])

    def margin(self, player: str) -> float | None:
        """Half the width of the interval of a strength; None when it is not determined."""
        if player in self.unbound:
            return None
        place = self.players.index(player)
        return half_width(float(self.covariance[place, place]), self.freedom)

    def difference(self, one: str, other: str) -> tuple[float, float | None]:
        """How much stronger `one` is than `other`, and half the width of that interval."""
        width = half_width(self._variance(one, other), self.freedom)
        return self.strength(one) - self.strength(other), width

    def superiority(self, one: str, other: str) -> float | None:
        """The likelihood that `one` is the stronger of two; None when it is not determined."""
        variance = self._variance(one, other)
        if half_width(variance, self.freedom) is None:
            return None
        return t_probability((self.strength(one) - self.strength(other)) / math.sqrt(variance), self.freedom)

    def _variance(self, one: str, other: str) -> float:
        """Of the difference of two strengths; 0 when it is not determined."""
        if one in self.unbound or other in self.unbound:
            return 0.0
        a, b = self.players.index(one), self.players.index(other)
        cov = self.covariance
        return float(cov[a, a] + cov[b, b] - 2 * cov[a, b])


def bradley_terry(players: Sequence[str], played: Iterable[Tally]) -> Fit:
    """Fit strengths on Elo's scale to scores; players are the rows, whether they played or not.

    A match that both sides lost by a fault says nothing of who is stronger, and counts as drawn.
    """

    def total(tally: Tally) -> tuple[float, float]:
        points = sum(
            (1 + score - other) / 2 for score, other in zip(tally.scores, tally.scores_other, strict=True)
        )
        return tally.blocks * points, tally.blocks * points * points

    rows = _Rows(players, played, total)
    unbound = _unbound(rows, rows.totals > 0, rows.totals < rows.matches)
    found = None if unbound.any() else _most_likely(rows, 0.0)
    if found is None:
        # Of drawn partners, too, some combination may have won everything, though everybody has lost.
        unbound = unbound if unbound.any() else ~unbound
        found = _most_likely(rows, PRIOR)
    assert found is not None, "with a prior there is always a most likely value"
    return _fit(rows, found, unbound, ELO)


def point_difference(players: Sequence[str], played: Iterable[Tally]) -> Fit:
    """Fit strengths in deal points a match to differences of deal points."""
    rows = _Rows(players, played, lambda tally: (float(tally.difference), float(tally.squares)))
    everywhere = np.ones(len(rows.totals), dtype=bool)
    unbound = _unbound(rows, everywhere, everywhere)
    none = np.zeros(len(players))
    if not unbound.any() and np.linalg.matrix_rank(rows.information(everywhere, none)) < len(players):
        unbound = ~unbound
    prior = np.full(len(players), PRIOR) if unbound.any() else none
    bread = rows.information(np.ones(len(rows.totals)), prior)
    strengths = np.linalg.solve(bread, rows.scatter(rows.totals)).astype(np.float64)
    return _fit(rows, _Estimate(strengths, rows.differences(strengths), bread), unbound, 1.0)


def _most_likely(rows: "_Rows", prior: float) -> "_Estimate | None":
    """By Newton's method; None when strengths grow without end, or are not told apart."""
    strengths: Floats = np.zeros(len(rows.players))
    for _ in range(_STEPS):
        expected, middle = _logistic(rows.differences(strengths)), _logistic(strengths)
        bread = rows.information(expected * (1 - expected), prior * middle * (1 - middle))
        gradient = rows.scatter(rows.totals - rows.matches * expected) + prior * (0.5 - middle)
        try:
            step = np.linalg.solve(bread, gradient)
        except np.linalg.LinAlgError:
            return None
        if np.abs(step).max(initial=0.0) < _SETTLED:
            return _Estimate(strengths, expected, bread)
        strengths = strengths + step
        if np.abs(strengths).max() > _ENDLESS:
            return None
    return None


class _Estimate(NamedTuple):
    """Strengths, what they lead one to expect of a match of each row, and their information."""

    strengths: Floats
    expected: Floats
    bread: Floats


class _Rows:
    """The different meetings, each a row: who sat on both sides, the share of each in the difference of strengths, sums.

    All matches of a block are of one meeting, so a block's score vector is the row's shares times the block's total less
    what was expected of it. Rows are in an order that depends on nothing but who met.
    """

    def __init__(
        self,
        players: Sequence[str],
        played: Iterable[Tally],
        total: Callable[[Tally], tuple[float, float]],
    ) -> None:
        """`total` gives the sum, and the sum of the squares, of what the blocks of a tally came to in all."""
        self.players = tuple(players)
        place = {player: index for index, player in enumerate(players)}
        sums: dict[tuple[tuple[int, ...], tuple[int, ...], int], list[float]] = {}
        for tally in played:
            sides = tuple(sorted(place[name] for name in side) for side in (tally.one, tally.other))
            of_row = sums.setdefault((tuple(sides[0]), tuple(sides[1]), tally.legs), [0.0, 0.0, 0.0])
            for number, more in enumerate((float(tally.blocks), *total(tally))):
                of_row[number] += more
        self.sides = [(side, other) for side, other, _ in sorted(sums)]
        width = max((len(side) + len(other) for side, other in self.sides), default=2)
        self.places: Places = np.zeros((len(sums), width), dtype=np.intp)
        self.shares: Floats = np.zeros((len(sums), width))
        for row, (side, other) in enumerate(self.sides):
            seated = side + other
            self.places[row, : len(seated)] = seated
            self.shares[row, : len(seated)] = [1 / len(side)] * len(side) + [-1 / len(other)] * len(other)
        self._legs: Floats = np.array([legs for *_, legs in sorted(sums)], dtype=float)
        table = np.array([sums[key] for key in sorted(sums)], dtype=float).reshape(-1, 3)
        self._blocks, self.totals, self._squares = table.T
        self.matches: Floats = self._blocks * self._legs

    @property
    def blocks(self) -> int:
        """How many there are in all."""
        return int(self._blocks.sum())

    def differences(self, strengths: Floats) -> Floats:
        """Of the two sides of each row."""
        found: Floats = (self.shares * strengths[self.places]).sum(axis=1)
        return found

    def scatter(self, values: Floats) -> Floats:
        """A value for each row, given to its players by their shares."""
        weights = (self.shares * values[:, None]).ravel()
        return np.bincount(self.places.ravel(), weights, len(self.players)).astype(float)

    def information(self, weights: Floats, prior: Floats) -> Floats:
        """Of matches with so much weight each; made regular in the direction that differences do not see."""
        found = self._outer(self.matches * weights) + np.diag(prior)
        return found if prior.any() else found + max(float(np.trace(found)), 1.0) / len(self.players) ** 2

    def scatter_of_blocks(self, expected: Floats) -> Floats:
        """The sum over blocks of u u', where u is the block's score vector."""
        of_block = self._legs * expected
        return self._outer(self._squares - 2 * of_block * self.totals + self._blocks * of_block**2)

    def _outer(self, weights: Floats) -> Floats:
        size = len(self.players)
        cells = self.places[:, :, None] * size + self.places[:, None, :]
        values = weights[:, None, None] * self.shares[:, :, None] * self.shares[:, None, :]
        found: Floats = np.bincount(cells.ravel(), values.ravel(), size**2).astype(float)
        return found.reshape(size, size)


def _logistic(difference: Floats) -> Floats:
    found: Floats = (1 + np.tanh(difference / 2)) / 2
    return found


def _unbound(rows: _Rows, forth: NDArray[np.bool_], back: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who is not in the largest group of players each of which has scored, by others perhaps, against each other.

    Within such a group the strengths that fit best are finite and unique (Ford 1957).
    """
    size = len(rows.players)
    reach = np.eye(size, dtype=bool)
    for row, (side, other) in enumerate(rows.sides):
        for one in side:
            for another in other:
                reach[one, another] |= forth[row]
                reach[another, one] |= back[row]
    for _ in range(max(1, size).bit_length()):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    together = reach & reach.T
    sizes = together.sum(axis=1)
    if sizes.max() == 1:
        return np.ones(size, dtype=bool)
    unbound: NDArray[np.bool_] = ~together[int(sizes.argmax())]
    return unbound


def _fit(rows: _Rows, found: _Estimate, unbound: NDArray[np.bool_], unit: float) -> Fit:
    size = len(rows.players)
    freedom = rows.blocks - (size - 1)
    inverse = np.linalg.inv(found.bread)
    centred = np.eye(size) - 1 / size
    covariance = centred @ inverse @ rows.scatter_of_blocks(found.expected) @ inverse @ centred
    covariance = covariance * (rows.blocks / freedom if freedom > 0 else 0.0)
    return Fit(
        rows.players,
        (found.strengths - found.strengths.mean()) * unit,
        covariance * unit**2,
        freedom,
        frozenset(player for player, out in zip(rows.players, unbound, strict=True) if out),
    )
