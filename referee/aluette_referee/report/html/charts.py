"""Charts of a contest as SVG: strengths with their intervals, blocks by score. The same figures, the same bytes.

Text stays text, and what should have the page's colours names them, so a chart fits a dark page, too.
Needs matplotlib, the extra `plots`; nothing else does.
"""

# matplotlib leaves the types of further keywords open:
# pyright: reportUnknownMemberType=false

import io
import re
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure as Drawing
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from aluette_referee.contest.ranking import Figure, Ranking
from aluette_referee.contest.sprt import BLOCK_SCORES
from aluette_referee.report.tables import half_points
from aluette_referee.report.visible import visible

__all__ = ["block_chart", "rating_chart"]

_INK: Final = "#0a0b0c"
_POINT: Final = "#0a0b0d"
_OF_THE_PAGE: Final = {_INK: "currentColor", _POINT: "var(--accent)"}
"""What stands for the page's own colours until the SVG is written."""
_SCORES: Final = ("#b35806", "#f1a340", "#b8b8b8", "#7fb2dc", "#0b5f96")
"""From orange, nothing won, over grey to blue: told apart by lightness, and by the colour-blind."""
_LONGEST: Final = 28
_SETTINGS: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.parse_math": False,  # a name may have dollars
    "text.color": _INK,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
}


class _Scale(NamedTuple):
    heading: str
    figures: Sequence[Figure]


def rating_chart(ranked: Ranking) -> str:
    """Who is how strong, by match results and by deal points, each with its 95 % interval."""
    names = [_short(row.name) for row in ranked.rows]
    scales = (
        _Scale("Elo over the mean", [ranked.elo(row) for row in ranked.rows]),
        _Scale("Deal points a match", [ranked.deal_points(row) for row in ranked.rows]),
    )
    with mpl.rc_context({**_SETTINGS, "svg.hashsalt": "ratings"}):
        drawing = Drawing(figsize=(8, _height(names)), layout=ConstrainedLayoutEngine(wspace=0.06))
        left, right = drawing.subplots(1, 2, sharey=True)
        for axes, scale in zip((left, right), scales, strict=True):
            _draw_scale(axes, scale)
            _name_rows(axes, names)
        return _svg(drawing, "Strengths with their 95 % intervals")


def _draw_scale(axes: Axes, scale: _Scale) -> None:
    axes.axvline(0, color=_INK, linewidth=0.8, alpha=0.5)
    for place, figure in enumerate(scale.figures):
        if figure.margin is not None:
            axes.errorbar(figure.value, place, xerr=figure.margin, color=_POINT, capsize=3, linewidth=2)
        # Hollow is a guess, or has no interval.
        face = "none" if figure.shrunk or figure.margin is None else _POINT
        axes.plot(figure.value, place, "o", markersize=6, markeredgecolor=_POINT, markerfacecolor=face)
    axes.set_xlabel(scale.heading)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.grid(axis="x", color=_INK, alpha=0.15)


def block_chart(ranked: Ranking, scores: Mapping[str, Counter[float]]) -> str:
    """How often each had each score of a block, as shares of its blocks."""
    names = [_short(row.name) for row in ranked.rows]
    counts = [scores.get(row.name, Counter[float]()) for row in ranked.rows]
    with mpl.rc_context({**_SETTINGS, "svg.hashsalt": "blocks"}):
        drawing = Drawing(figsize=(8, _height(names) + 0.4), layout="constrained")
        axes = drawing.subplots()
        begun = [0.0] * len(names)
        for score, colour in zip(BLOCK_SCORES, _SCORES, strict=True):
            shares = [100 * each[score] / max(1, each.total()) for each in counts]
            axes.barh(
                range(len(names)), shares, left=begun, color=colour, height=0.7, label=half_points(score)
            )
            begun = [sum(pair) for pair in zip(begun, shares, strict=True)]
        _name_rows(axes, names)
        axes.set_xlim(0, 100)
        axes.set_xlabel("per cent of blocks, by match points")
        drawing.legend(loc="outside upper center", ncols=len(BLOCK_SCORES), frameon=False)
        return _svg(drawing, "Blocks by score")


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _height(names: Sequence[str]) -> float:
    return 0.9 + 0.28 * max(2, len(names))


def _short(name: str) -> str:
    shown = visible(name)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def _svg(drawing: Drawing, title: str) -> str:
    """The element alone, as wide as there is room; for whoever does not see it, its title."""
    out = io.StringIO()
    FigureCanvasSVG(drawing)
    nothing: dict[str, Any] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with warnings.catch_warnings():
        # A letter that our font lacks is drawn by the browser, with one of its own.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        drawing.savefig(out, format="svg", transparent=True, metadata=nothing)
    text = out.getvalue()
    _, _, rest = text[text.index("<svg") :].partition(">")
    width, height = (72 * inches for inches in drawing.get_size_inches())
    head = f'<svg class="chart" role="img" aria-label="{title}" viewBox="0 0 {width:g} {height:g}" xmlns:xlink="http://www.w3.org/1999/xlink">'
    svg = head + rest
    # Within an attribute: a name may be a colour's, too.
    return re.sub(r"(?<=[\": ])(#0a0b0[cd])(?=[;\"])", lambda found: _OF_THE_PAGE[found[1]], svg)
