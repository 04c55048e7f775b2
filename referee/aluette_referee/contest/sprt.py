"""A sequential test of two teams over mirrored blocks: play until one of two hypotheses is believed.

The generalized sequential probability ratio test. A block's value has some unknown distribution; H0 says that its mean
is `h0`, H1 that it is `h1`. Each hypothesis is represented by the distribution with that mean which fits best what was
seen, and the logarithm of their likelihood ratio (LLR) is compared with the bounds of Wald (1945), "Sequential tests of
statistical hypotheses". That this is sound for families of distributions is shown by Li, Liu & Ying (2014),
"Generalized sequential probability ratio test for separate families of hypotheses".

- `on points`: the value is the difference of deal points. The LLR is that of normal distributions of the variance that
  was seen, to which the exact one comes down (Van den Bergh 2020, "The generalized maximum likelihood ratio for the
  expectation value of a distribution", proposition 1.3).
- `on results`: the value is one of five scores, and the LLR is exact (the same, proposition 1.1).

Values are taken in the order of the schedule, whatever the order in which they come: a test that stopped at what is
ready would see the quick blocks first. Blocks with a fault tell nothing about play: they are left out, and counted.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from aluette_referee.contest.tally import Result, tallies

__all__ = [
    "BLOCK_SCORES",
    "FEWEST_BLOCKS",
    "Decision",
    "Hypotheses",
    "Sprt",
    "Value",
    "block_score_of_elo",
    "llr_of_points",
    "llr_of_scores",
    "value_of",
]

Decision = Literal["H0", "H1"]
Value = Literal["points", "results"]

BLOCK_SCORES: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
FARTHEST: Final = 1000
"""Deal points a block, or points of Elo: beyond that no hypothesis is of use."""
FEWEST_BLOCKS: Final = 16
"""Blocks before which nothing is decided: the spread of the values is not known before."""
PRIOR: Final = 1e-3
"""Blocks that each of the five scores is given from the beginning: none is impossible because it was not seen."""
PRIOR_SQUARE: Final = 1.0
"""What the squares of all deviations sum up to from the beginning: no spread at all was not measured, either."""
_HALVINGS: Final = 60


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """Two means of a block's value, `h0 < h1`, and the chances of believing H1 when H0 is true, and the reverse."""

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Raise `ValueError` for hypotheses that cannot be told apart, or chances that are none."""
        for mean in (self.h0, self.h1):
            _check(mean)
        if not self.h0 < self.h1:
            raise ValueError(f"H0 must be below H1, not {self.h0:g} and {self.h1:g}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise ValueError(f"{name} is between 0 and 0.5, not {chance:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's: H0 is believed at or below the first, H1 at or above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


class Sprt:
    """A test under way."""

    def __init__(self, hypotheses: Hypotheses, on: Value = "points") -> None:
        """Nothing is known; raises `ValueError` for hypotheses on results that no block's score can have."""
        if on == "results" and not BLOCK_SCORES[0] < hypotheses.h0 < hypotheses.h1 < BLOCK_SCORES[-1]:
            raise ValueError("the mean score of a block is between 0 and 2, and so are H0 and H1")
        self.hypotheses = hypotheses
        self.on: Value = on
        self.seen: Counter[float] = Counter()
        """How often each value was taken."""
        self.left_out = 0
        """Blocks with a fault."""
        self.llr = 0.0
        self.decision: Decision | None = None
        self._llr = llr_of_points if on == "points" else llr_of_scores
        self._waiting: dict[int, float | None] = {}
        self._next = 0

    @property
    def blocks(self) -> int:
        """How many blocks were taken."""
        return self.seen.total()

    def add(self, index: int, value: float | None) -> None:
        """Block `index` of the schedule was played; None when it had a fault. After a decision nothing is taken."""
        self._waiting[index] = value
        while self.decision is None and self._next in self._waiting:
            self._take(self._waiting.pop(self._next))
            self._next += 1

    def _take(self, value: float | None) -> None:
        if value is None:
            self.left_out += 1
            return
        self.seen[value] += 1
        self.llr = self._llr(self.seen, self.hypotheses.h0, self.hypotheses.h1)
        low, high = self.hypotheses.bounds
        if self.blocks >= FEWEST_BLOCKS:
            self.decision = "H0" if self.llr <= low else "H1" if self.llr >= high else None


def llr_of_points(seen: Mapping[float, float], h0: float, h1: float) -> float:
    """The LLR of two normal distributions with the variance of what was seen: how often each value."""
    count = sum(seen.values())
    total = sum(value * often for value, often in seen.items())
    square = sum(value * value * often for value, often in seen.items()) - total * total / count
    return count * (h1 - h0) * (2 * total - count * (h0 + h1)) / (2 * (square + PRIOR_SQUARE))


def llr_of_scores(seen: Mapping[float, float], h0: float, h1: float) -> float:
    """The LLR of the two distributions over the five scores that fit best, of means `h0` and `h1`.

    That of mean m gives the score a the probability p(a) / (1 + x (a - m)), where p is its share in what was seen and x
    makes the mean m: so the logarithms of these divisors are what is left of the ratio.
    """
    often = [seen.get(score, 0.0) + PRIOR for score in BLOCK_SCORES]

    def divisors(mean: float) -> float:
        away = [score - mean for score in BLOCK_SCORES]
        low, high = -1 / away[-1], -1 / away[0]
        for _ in range(_HALVINGS):
            x = (low + high) / 2
            # This falls from infinity to minus infinity; the mean is m where it is 0.
            if sum(n * a / (1 + x * a) for n, a in zip(often, away, strict=True)) > 0:
                low = x
            else:
                high = x
        return sum(n * math.log1p(low * a) for n, a in zip(often, away, strict=True))

    return divisors(h0) - divisors(h1)


def value_of(legs: Sequence[Result | None], name: str, on: Value) -> float | None:
    """What a block was worth to one of its teams; None when a match of it was not played, or a fault decided one."""
    played = [leg for leg in legs if leg is not None and not leg.forfeit]
    if len(played) < len(legs):
        return None
    (tally,) = tallies(played)
    seen = tally if tally.one == (name,) else tally.from_the_other_side()
    return float(seen.difference) if on == "points" else sum(seen.scores)


def block_score_of_elo(elo: float) -> float:
    """The mean score of a block, 0 to 2, for a side that is so many points of Elo stronger."""
    _check(elo)
    return 2 / (1 + 10 ** (-elo / 400))


def _check(mean: float) -> None:
    if not abs(mean) <= FARTHEST:  # nor a number that is none
        raise ValueError(f"a hypothesis is a number from {-FARTHEST} to {FARTHEST}, not {mean:g}")
