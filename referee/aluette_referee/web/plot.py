"""The ratings of a bot's versions over time, as places on a drawing: lines, the bands of their intervals, and ticks. Pure.

A template makes the SVG of it; colours and dashes are the style's, by a version's number in the drawing.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Final, NamedTuple

from aluette_referee.league.queries import RatingPoint

__all__ = ["HEIGHT", "LEFT", "MOST", "RIGHT", "WIDTH", "Curve", "Plot", "Tick", "plot"]

WIDTH: Final = 720
HEIGHT: Final = 280
MOST: Final = 5
"""Versions in one drawing: the newest."""
LEFT, RIGHT, _TOP, _BOTTOM = 46.0, 620.0, 14.0, 244.0
"""Between these are the curves; ticks and names are beside."""
_POINTS: Final = 240
"""Of one curve: more cannot be told apart."""
_APART: Final = 15.0
"""Between the names of two curves."""
_DAY: Final = 86_400.0
_STEPS: Final = (1, 2, 5)


class Tick(NamedTuple):
    """A place on an axis, and what it stands for."""

    at: float
    text: str


class Curve(NamedTuple):
    """The ratings of one version: the paths of the line and of the band, its end, and where its name stands."""

    name: str
    line: str
    band: str
    x: float
    y: float
    label: float
    told: str


class Plot(NamedTuple):
    """All that is drawn."""

    curves: list[Curve]
    ratings: list[Tick]
    times: list[Tick]


class _Scale(NamedTuple):
    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(self.begin + share * (self.end - self.begin), 1)


def plot(points: Iterable[RatingPoint]) -> Plot | None:
    """The drawing of a bot's history; None while there is none."""
    versions = [
        (name, _thinned(list(each))) for name, each in groupby(points, key=lambda point: point.version)
    ]
    versions = versions[-MOST:]
    shown = [point for _, each in versions for point in each]
    if not shown:
        return None
    times = [_seconds(point) for point in shown]
    ends = [point.value + sign * (point.margin or 0.0) for point in shown for sign in (-1, 1)]
    across = _Scale(min(times), max(times), LEFT, RIGHT)
    low, high = min(ends), max(ends)
    if high - low < 20:
        low, high = low - 10, high + 10
    up = _Scale(low, high, _BOTTOM, _TOP)
    ratings = [Tick(up(value), f"{value:g}") for value in _round_values(low, high)]
    curves = _named(_curve(name, each, across, up) for name, each in versions)
    return Plot(curves, ratings, _times(across))


def _thinned(points: Sequence[RatingPoint]) -> list[RatingPoint]:
    step = math.ceil(len(points) / _POINTS)
    kept = list(points[::step])
    return kept if kept[-1] is points[-1] else [*kept, points[-1]]


def _seconds(point: RatingPoint) -> float:
    return datetime.fromisoformat(point.at).timestamp()


def _curve(name: str, points: Sequence[RatingPoint], across: _Scale, up: _Scale) -> Curve:
    places = [(across(_seconds(point)), point) for point in points]
    line = "M" + "L".join(f"{x:g} {up(point.value):g}" for x, point in places)
    sure = [(x, point.value, point.margin) for x, point in places if point.margin is not None]
    above = [f"{x:g} {up(value + margin):g}" for x, value, margin in sure]
    below = [f"{x:g} {up(value - margin):g}" for x, value, margin in reversed(sure)]
    band = f"M{'L'.join([*above, *below])}Z" if sure else ""
    x, last = places[-1]
    margin = "" if last.margin is None else f" ± {last.margin:.0f}"
    told = f"{name}: {last.value:.0f}{margin} after {last.matches} matches"
    return Curve(name, line, band, x, up(last.value), up(last.value), told)


def _named(curves: Iterable[Curve]) -> list[Curve]:
    """None of the names lies upon another; the order of the versions stays."""
    given = list(curves)
    places: dict[str, float] = {}
    lowest = _TOP
    for curve in sorted(given, key=lambda each: each.y):
        places[curve.name] = lowest = max(curve.y, lowest)
        lowest += _APART
    over = max(0.0, lowest - _APART - _BOTTOM)
    return [curve._replace(label=round(places[curve.name] - over, 1)) for curve in given]


def _round_values(low: float, high: float) -> Iterator[float]:
    """Four to eight round numbers between the two."""
    size = 10.0 ** math.floor(math.log10((high - low) / 4))
    step = next((size * step for step in (*_STEPS, 10) if (high - low) / (size * step) <= 7), size * 10)
    value = math.ceil(low / step) * step
    while value <= high:
        yield value
        value += step


def _times(across: _Scale) -> list[Tick]:
    form = "%Y-%m-%d" if across.high - across.low > 3 * _DAY else "%m-%d %H:%M"
    count = 4 if across.high > across.low else 0
    moments = [
        across.low + (across.high - across.low) * number / max(1, count) for number in range(count + 1)
    ]
    return [Tick(across(at), datetime.fromtimestamp(at, UTC).strftime(form)) for at in moments]
