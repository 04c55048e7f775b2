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
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aluette_referee.contest.student import half_width, t_probability
from aluette_referee.contest.tally import Tally

__all__ = ["ELO", "Fit", "bradley_terry", "point_difference"]

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
_Key = tuple[tuple[int, ...], tuple[int, ...], int]
"""Of a row: the places of the players of both sides, and how many legs its blocks have."""

ELO: Final = 400 / math.log(10)
"""Elo's points in one unit of the logistic scale: 400 are odds of ten to one."""
PRIOR: Final = 1.0
"""Matches drawn with an average player, which those are given whose results alone bound nothing."""
_STEPS: Final = 200
_ENDLESS: Final = 7000.0
"""So many points of Elo over the mean are no measurement, and no match has so many deal points."""
_SETTLED: Final = 1e-11


class Fit(NamedTuple):
    """Strengths with mean 0 and their covariance, in the order of `players`.

    `unbound` are those whose results bound their strength on one side only, or not at all: who won everything, lost
    everything, or never met the others. Theirs is a finite guess, drawn to the mean of the others, which is 0, and has no
    interval.
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


class _Model(NamedTuple):
    """What a difference of strengths leads one to expect of a match, how fast that grows, and the unit of strengths."""

    expected: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]
    unit: float = 1.0
    stride: float = math.inf
    """How far a strength may be moved at a time: where the slope is nearly 0, Newton's step would go beyond all bounds."""


def bradley_terry(players: Sequence[str], played: Iterable[Tally]) -> Fit:
    """Fit strengths on Elo's scale to scores; players are the rows, whether they played or not.

    A match that both sides lost by a fault says nothing of who is stronger, and counts as drawn.
    """

    def total(tally: Tally) -> tuple[float, float]:
        points = sum(
            (1 + score - other) / 2 for score, other in zip(tally.scores, tally.scores_other, strict=True)
        )
        return tally.blocks * points, tally.blocks * points * points

    def slope(difference: Floats) -> Floats:
        expected = _logistic(difference)
        return expected * (1 - expected)

    rows = _Rows.of(players, played, total)
    return _fit(rows, _Model(_logistic, slope, ELO, 1.0), rows.totals > 0, rows.totals < rows.matches)


def point_difference(players: Sequence[str], played: Iterable[Tally]) -> Fit:
    """Fit strengths in deal points a match to differences of deal points."""
    rows = _Rows.of(players, played, lambda tally: (float(tally.difference), float(tally.squares)))
    everywhere = np.ones(len(rows.totals), dtype=bool)
    return _fit(rows, _Model(np.positive, np.ones_like), everywhere, everywhere)


def _fit(rows: "_Rows", model: _Model, forth: NDArray[np.bool_], back: NDArray[np.bool_]) -> Fit:
    """`forth` says in which rows the first side scored against the other, `back` the reverse.

    Strengths are measured within the largest group whose members have all scored against each other, by others perhaps. Who
    won or lost all against it says nothing about them; all others are guessed with them held fast, each given a drawn
    match with their average.
    """
    size = len(rows.players)
    bound = _bound(rows, forth, back)
    inner = rows if bound.all() else rows.within(bound)
    found = _most_likely(inner, model, np.zeros(len(inner.players))) if bound.any() else None
    if found is None:
        # Of drawn partners, too, some combination may have won everything, though everybody has lost.
        bound = np.zeros(size, dtype=bool)
    strengths, covariance, freedom = np.zeros(size), np.zeros((size, size)), 0
    if found is not None:
        strengths[bound] = found.strengths - found.strengths.mean()
        freedom = inner.blocks - (len(inner.players) - 1)
        covariance[np.ix_(bound, bound)] = _sandwich(inner, found, freedom)
    if not bound.all():
        guessed = _most_likely(rows, model, strengths, ~bound)
        assert guessed is not None, "a guess can always be made"
        strengths = guessed.strengths if found is not None else guessed.strengths - guessed.strengths.mean()
    unbound = frozenset(player for player, fast in zip(rows.players, bound, strict=True) if not fast)
    return Fit(rows.players, strengths * model.unit, covariance * model.unit**2, freedom, unbound)


def _sandwich(rows: "_Rows", found: "_Estimate", freedom: int) -> Floats:
    """The clustered covariance of strengths with mean 0."""
    size = len(rows.players)
    centred = np.eye(size) - 1 / size
    inverse = centred @ np.linalg.inv(found.bread)
    covariance: Floats = inverse @ rows.scatter_of_blocks(found.expected) @ inverse.T
    return covariance * (rows.blocks / freedom if freedom > 0 else 0.0)


def _most_likely(
    rows: "_Rows", model: _Model, strengths: Floats, guessed: NDArray[np.bool_] | None = None
) -> "_Estimate | None":
    """By Newton's method from here; None when strengths grow without end, or are not told apart.

    With `guessed` only these are found, each with a prior, as well as that can be.
    """
    free = np.ones(len(rows.players), dtype=bool) if guessed is None else guessed
    prior = np.where(free, 0.0 if guessed is None else PRIOR, 0.0)
    drawn = model.expected(np.zeros(1))
    expected, bread = np.zeros(0), np.zeros((0, 0))
    for number in range(_STEPS):
        difference = rows.differences(strengths)
        expected = model.expected(difference)
        bread = rows.information(model.slope(difference), prior * model.slope(strengths))
        gradient = rows.scatter(rows.totals - rows.matches * expected)
        gradient += prior * (drawn - model.expected(strengths))
        inner = bread[np.ix_(free, free)]
        if number == 0 and np.linalg.matrix_rank(inner) < len(inner):
            return None
        try:
            step = np.linalg.solve(inner, gradient[free])
        except np.linalg.LinAlgError:
            break
        if np.abs(step).max(initial=0.0) < _SETTLED:
            return _Estimate(strengths, expected, bread)
        strengths = strengths.copy()
        strengths[free] += step * min(1.0, model.stride / np.abs(step).max())
        if guessed is None and np.abs(strengths).max() * model.unit > _ENDLESS:
            break
    # Of drawn partners some combinations may be so far apart that nothing is left to steer by: a guess remains one.
    return None if guessed is None else _Estimate(strengths, expected, bread)


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

    def __init__(self, players: Sequence[str], sums: Mapping[_Key, Sequence[float]]) -> None:
        """`sums` has for each row the number of blocks, and the sums of their totals and of the squares of these."""
        self.players = tuple(players)
        self._sums = dict(sorted(sums.items()))
        self.sides = [(side, other) for side, other, _ in self._sums]
        width = max((len(side) + len(other) for side, other in self.sides), default=2)
        self.places: Places = np.zeros((len(sums), width), dtype=np.intp)
        self.shares: Floats = np.zeros((len(sums), width))
        for row, (side, other) in enumerate(self.sides):
            seated = side + other
            self.places[row, : len(seated)] = seated
            self.shares[row, : len(seated)] = [1 / len(side)] * len(side) + [-1 / len(other)] * len(other)
        self._legs: Floats = np.array([legs for *_, legs in self._sums], dtype=float)
        table = np.array(list(self._sums.values()), dtype=float).reshape(-1, 3)
        self._blocks, self.totals, self._squares = table.T
        self.matches: Floats = self._blocks * self._legs

    @classmethod
    def of(
        cls,
        players: Sequence[str],
        played: Iterable[Tally],
        total: Callable[[Tally], tuple[float, float]],
    ) -> "_Rows":
        """`total` gives the sum, and the sum of the squares, of what the blocks of a tally came to in all."""
        place = {player: index for index, player in enumerate(players)}
        sums: dict[_Key, list[float]] = {}
        for tally in played:
            side, other = (tuple(sorted(place[name] for name in names)) for names in (tally.one, tally.other))
            of_row = sums.setdefault((side, other, tally.legs), [0.0, 0.0, 0.0])
            for number, more in enumerate((float(tally.blocks), *total(tally))):
                of_row[number] += more
        return cls(players, sums)

    def within(self, some: NDArray[np.bool_]) -> "_Rows":
        """The rows in which nobody but some of the players sat."""
        numbers = {int(place): number for number, place in enumerate(np.flatnonzero(some))}
        sums = {
            (tuple(numbers[place] for place in side), tuple(numbers[place] for place in other), legs): of_row
            for (side, other, legs), of_row in self._sums.items()
            if numbers.keys() >= {*side, *other}
        }
        return _Rows([self.players[place] for place in numbers], sums)

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


def _bound(rows: _Rows, forth: NDArray[np.bool_], back: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Who is in the largest group of players each of which has scored, by others perhaps, against each other.

    Within such a group the strengths that fit best are finite and unique (Ford 1957). Of groups of one size that one
    which has scored against more; nobody, where there is no group of two.
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
        return np.zeros(size, dtype=bool)
    bound: NDArray[np.bool_] = together[int((sizes * (size + 1) + reach.sum(axis=1)).argmax())]
    return bound
