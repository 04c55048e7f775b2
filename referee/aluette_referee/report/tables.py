"""The standings as text, JSON and CSV."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from aluette_referee.contest.ranking import Figure, Ranking

__all__ = ["as_csv", "as_json", "as_markdown", "as_table", "half_points", "legend", "margin", "signed"]

_FIELDS = (
    "rank", "name", "played", "won", "drawn", "lost", "match_points", "byes", "points_for", "points_against", "faults",
)  # fmt: skip
_FIGURES = ("elo", "elo_margin", "elo_shrunk", "deal_points", "deal_points_margin")
_LEFT_OUT: Final = [
    ({"Won", "Drawn", "Lost"}, 80), ({"Played"}, 60), ({"Deals"}, 55), ({"Faults"}, 50), ({"Elo"}, 45),
]  # fmt: skip
"""Which columns go first, and below which width: names want room too."""
_TEAM_ROOM: Final = 12
"""The columns that a name has at least; a longer one is folded."""
LEGEND: Final = (
    "Points: 1 a win, ½ a draw. Elo: strength over the mean, ± half its 95 % interval over blocks. "
    "Deals: deal points for-against."
)
SHRUNK: Final = "≈: won or lost everything, or never met the others: a guess, drawn to the mean."
BYES: Final = "Points are with those of byes."
"""What the table's columns mean."""


def legend(ranked: Ranking) -> str:
    """What is to be said of these columns."""
    shrunk = any(ranked.elo(row).shrunk and row.played for row in ranked.rows)
    byes = any(row.byes for row in ranked.rows)
    return " ".join([LEGEND, *([SHRUNK] if shrunk else []), *([BYES] if byes else [])])


def as_table(ranked: Ranking, width: int) -> Table:
    """The ranked table for a terminal of so many columns.

    Where there is little room, columns are left out; rank, team and points are always there, in full.
    """
    rows = ranked.rows
    columns = _columns(ranked)
    for hidden, below in _LEFT_OUT:
        if width < below or _width(columns) + _TEAM_ROOM > width:
            columns = {heading: cells for heading, cells in columns.items() if heading not in hidden}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("Team", overflow="fold", min_width=max(4, min(_TEAM_ROOM, width - _width(columns))))
    for heading in columns:
        table.add_column(heading, justify="left" if heading in {"Points", "Elo"} else "right", no_wrap=True)
    for row, *cells in zip(rows, *columns.values(), strict=True):
        table.add_row(str(row.rank), Text(row.name), *cells)
    return table


def _columns(ranked: Ranking) -> dict[str, list[str]]:
    """What may stand to the right of a team's name: the cells by heading."""
    rows = ranked.rows
    figures = [ranked.elo(row) for row in rows]
    width = max((len(signed(figure)) for figure in figures), default=0)
    return {
        "Played": [str(row.played) for row in rows],
        "Won": [str(row.won) for row in rows],
        "Drawn": [str(row.drawn) for row in rows],
        "Lost": [str(row.lost) for row in rows],
        "Points": [half_points(row.match_points) for row in rows],
        "Elo": [
            f"{signed(figure):>{width}}{margin(figure)}" if row.played else ""
            for row, figure in zip(rows, figures, strict=True)
        ],
        "Deals": [f"{row.points_for}-{row.points_against}" for row in rows],
        "Faults": [str(row.faults or "") for row in rows],
    }


def _width(columns: Mapping[str, Sequence[str]]) -> int:
    """How many columns of the terminal all but the names take, with the blanks between and at the edges."""
    rank = max(2, len(str(len(next(iter(columns.values()))))))
    return rank + 4 + sum(max(map(len, (heading, *cells))) + 2 for heading, cells in columns.items())


def signed(figure: Figure, digits: int = 0) -> str:
    """`+123`, with a mark where it is a guess."""
    value = round(figure.value, digits) + 0.0  # never -0
    return f"{'≈' if figure.shrunk else ''}{value:+.{digits}f}"


def margin(figure: Figure, digits: int = 0) -> str:
    """` ± 45`; a blank one where it is not determined."""
    return "" if figure.margin is None else f" ± {figure.margin:.{digits}f}"


def half_points(points: float) -> str:
    """`7` or `7½`."""
    whole = int(points)
    half = "½" if points != whole else ""
    return f"{whole or ''}{half}" or "0"


def _values(ranked: Ranking) -> list[dict[str, Any]]:
    """Each row's fields and figures, rounded to what a person may care for; None where not determined."""
    found: list[dict[str, Any]] = []
    for row in ranked.rows:
        elo, points = ranked.elo(row), ranked.deal_points(row)
        figures = (
            _rounded(elo.value, 2), _rounded(elo.margin, 2), elo.shrunk, _rounded(points.value, 4), _rounded(points.margin, 4),
        )  # fmt: skip
        found.append(
            {name: getattr(row, name) for name in _FIELDS} | dict(zip(_FIGURES, figures, strict=True))
        )
    return found


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits) + 0.0  # never -0.0


def as_json(ranked: Ranking, matches_played: int, matches_void: int) -> dict[str, Any]:
    """The table as an object for `json.dumps`."""
    return {"teams": _values(ranked), "matches_played": matches_played, "matches_void": matches_void}


def as_csv(ranked: Ranking) -> str:
    """The table as CSV with a heading; a name that a spreadsheet would compute gets an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*_FIELDS, *_FIGURES))
    for values in _values(ranked):
        writer.writerow([_harmless(value) for value in values.values()])
    return text.getvalue()


def as_markdown(ranked: Ranking) -> str:
    """The table for a page in Markdown."""
    columns = {"Team": [_escaped(row.name) for row in ranked.rows], **_columns(ranked)}
    heads = ["#", *columns]
    lines = [heads, ["--:", ":--", *["--:"] * (len(heads) - 2)]]
    lines += [[str(row.rank), *cells] for row, *cells in zip(ranked.rows, *columns.values(), strict=True)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _escaped(text: str) -> str:
    """Neither a cell's end nor anything else that Markdown, or HTML within it, would obey."""
    return "".join(f"\\{char}" if char in "\\`*_[]()<>#|!~&" else char for char in text)


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value
