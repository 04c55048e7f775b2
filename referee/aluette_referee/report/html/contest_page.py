"""The report of a contest: one page that needs nothing else, made from what was found out about it elsewhere."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from aluette.version import __version__
from aluette_referee.contest.contest import Contest, Entrant
from aluette_referee.contest.ranking import Figure, Ranking
from aluette_referee.contest.written import as_file
from aluette_referee.report.html.environment import render
from aluette_referee.report.html.pages import Shown, viewer, viewer_script
from aluette_referee.report.settings import extent, settings
from aluette_referee.report.sheet import Sheet
from aluette_referee.report.tables import margin, signed
from aluette_referee.report.visible import visible

__all__ = ["FaultLine", "Report", "contest_page"]


class FaultLine(NamedTuple):
    """A fault on one line of the page."""

    match: str
    who: str
    type: str
    when: str
    why: str


class Report(NamedTuple):
    """All that the page says. `sheets` are by name, the standings among them."""

    contest: Contest
    entrants: Sequence[Entrant]
    ranked: Ranking
    sheets: Mapping[str, Sheet]
    charts: Sequence[str]
    """SVG of ours."""
    played: int
    void: int
    missing: int
    faults: Sequence[FaultLine]
    faults_in_all: int
    matches: Sequence[Shown]
    root: str
    created: str
    created_by: str


def contest_page(report: Report) -> str:
    """The page; the same report gives the same bytes."""
    standings = report.sheets["standings"]
    return render(
        "report.html.j2",
        script=viewer_script() if report.matches else "",
        report=report,
        title=visible(report.contest.name),
        standings=standings,
        bars=bars([report.ranked.elo(row) for row in report.ranked.rows]),
        others=[
            sheet
            for name, sheet in report.sheets.items()
            if name not in {"standings", "crosstable", "faults"}
        ],
        charts=[Markup(chart) for chart in report.charts],  # noqa: S704 - drawn by us
        viewer=viewer(report.matches),
        keys="focus",
        shown={shown.id for shown in report.matches},
        blocks=_blocks(report.matches),
        file=visible(as_file(report.contest)),
        extent=extent(report.contest),
        settings=list(settings(report.contest, report.entrants)),
        version=__version__,
        visible=visible,
    )


class Bar(NamedTuple):
    """Where a figure and its interval lie on a line from 0 to 100; None where it is not determined."""

    value: float
    low: float | None
    high: float | None
    zero: float
    label: str


def bars(figures: Sequence[Figure]) -> list[Bar]:
    """A bar for each figure, all on one scale."""
    ends = [0.0, *(figure.value + sign * (figure.margin or 0.0) for figure in figures for sign in (-1, 1))]
    low, high = min(ends), max(ends)

    def place(value: float) -> float:
        return round(3 + 94 * (value - low) / (high - low or 1.0), 2)

    return [
        Bar(
            place(each.value),
            None if each.margin is None else place(each.value - each.margin),
            None if each.margin is None else place(each.value + each.margin),
            place(0.0),
            signed(each) + margin(each),
        )
        for each in figures
    ]


def _blocks(matches: Iterable[Shown]) -> list[tuple[str, str, str]]:
    """The blocks of these matches: id, commitment, key."""
    found = {shown.id.rpartition("-")[0]: shown.key for shown in matches}
    return [(block, key.commitment, key.secret.hex()) for block, key in found.items() if key is not None]
