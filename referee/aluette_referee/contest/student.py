"""Quantiles of Student's t distribution, for intervals from few blocks.

The distribution function is Abramowitz & Stegun, "Handbook of Mathematical Functions", 26.7.3-26.7.4: a
finite sum of powers of cosines for whole degrees of freedom. The quantile is found by bisection; from a
thousand degrees on, where that sum is long, by the expansion about the normal quantile, 26.7.5.
"""

import functools
import math
from statistics import NormalDist
from typing import Final

__all__ = ["half_width", "t_probability", "t_quantile"]

LEVEL: Final = 0.95
FEWEST_FREEDOM: Final = 6
"""Degrees of freedom below which an interval is not determined."""
MANY: Final = 1000
_NOTHING: Final = 1e-9
"""A variance below this is none: all blocks came out alike, which measures nothing."""


def half_width(variance: float, freedom: int) -> float | None:
    """Half the width of the 95 % interval about a figure of this variance; None when it is not determined."""
    if freedom < FEWEST_FREEDOM or variance < _NOTHING:
        return None
    return t_quantile(LEVEL, freedom) * math.sqrt(variance)


@functools.lru_cache(maxsize=256)  # a table asks for the same one again and again
def t_quantile(level: float, freedom: int) -> float:
    """The t with P(|T| <= t) = `level`, 0 < level < 1, for `freedom` >= 1 degrees of freedom."""
    if not 0 < level < 1 or freedom < 1:
        raise ValueError(f"a level is between 0 and 1 and freedom at least 1, not {level} and {freedom}")
    if freedom >= MANY:
        return _expanded(-NormalDist().inv_cdf((1 - level) / 2), freedom)
    low, high = 0.0, 1.0
    while _within(high, freedom) < level:
        low, high = high, 2 * high
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, freedom) < level else (low, middle)
    return (low + high) / 2


def t_probability(t: float, freedom: int) -> float:
    """P(T <= t), for `freedom` >= 1 degrees of freedom."""
    within = (
        _within(abs(t), freedom) if freedom < MANY else 2 * NormalDist().cdf(_normal(abs(t), freedom)) - 1
    )
    return (1 + math.copysign(within, t)) / 2


def _within(t: float, freedom: int) -> float:
    """P(|T| <= t)."""
    angle = math.atan2(t, math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for power in range(1 + odd, freedom, 2):
        total += term
        term *= cosine * cosine * power / (power + 1)
    share: float = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return share


def _normal(t: float, freedom: int) -> float:
    """The normal deviate with the probability of `t`, Abramowitz & Stegun 26.7.8: within 1e-7 from MANY on."""
    return t * (1 - 1 / (4 * freedom)) / math.sqrt(1 + t * t / (2 * freedom))


def _expanded(x: float, freedom: int) -> float:
    """The quantile of t from the quantile `x` of the normal distribution, to terms of freedom^-4."""
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return x + sum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))
