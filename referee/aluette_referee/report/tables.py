"""The standings as text, JSON and CSV."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich import box
from rich.table import Table
from rich.text import Text

from aluette_referee.contest.standings import Row

__all__ = ["LEGEND", "as_csv", "as_json", "as_table", "half_points"]

_FIELDS = (
    "rank", "name", "played", "won", "drawn", "lost", "match_points", "points_for", "points_against", "faults",
    "margin",
)  # fmt: skip
_LEFT_OUT: Final = [({"Won", "Drawn", "Lost"}, 80), ({"Played"}, 60), ({"Deals", "Faults"}, 45)]
"""Which columns go first, and below which width: names want room too."""
_TEAM_ROOM: Final = 12
"""The columns that a name has at least; a longer one is folded."""
LEGEND: Final = (
    "Points: 1 a win, ½ a draw, ± half the 95 % interval over blocks. Deals: deal points for-against."
)
"""What the table's columns mean."""


def as_table(rows: Sequence[Row], width: int) -> Table:
    """The ranked table for a terminal of so many columns.

    Points are match points with half the width of their 95 % interval; Deals are deal points for and against.
    Where there is little room, columns are left out; rank, team and points are always there, in full.
    """
    columns = _columns(rows)
    for hidden, below in _LEFT_OUT:
        if width < below or _width(columns) + _TEAM_ROOM > width:
            columns = {heading: cells for heading, cells in columns.items() if heading not in hidden}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("Team", overflow="fold", min_width=max(4, min(_TEAM_ROOM, width - _width(columns))))
    for heading in columns:
        table.add_column(heading, justify="left" if heading == "Points" else "right", no_wrap=True)
    for row, *cells in zip(rows, *columns.values(), strict=True):
        table.add_row(str(row.rank), Text(row.name), *cells)
    return table


def _columns(rows: Sequence[Row]) -> dict[str, list[str]]:
    """What may stand to the right of a team's name: the cells by heading."""
    points = [half_points(row.match_points) for row in rows]
    width = max(map(len, points), default=0)
    margins = ["" if row.margin is None else f" ± {row.margin:.1f}" for row in rows]
    return {
        "Played": [str(row.played) for row in rows],
        "Won": [str(row.won) for row in rows],
        "Drawn": [str(row.drawn) for row in rows],
        "Lost": [str(row.lost) for row in rows],
        "Points": [f"{won:{width}}{margin}" for won, margin in zip(points, margins, strict=True)],
        "Deals": [f"{row.points_for}-{row.points_against}" for row in rows],
        "Faults": [str(row.faults or "") for row in rows],
    }


def _width(columns: Mapping[str, Sequence[str]]) -> int:
    """How many columns of the terminal all but the names take, with the blanks between and at the edges."""
    rank = max(2, len(str(len(next(iter(columns.values()))))))
    return rank + 4 + sum(max(map(len, (heading, *cells))) + 2 for heading, cells in columns.items())


def half_points(points: float) -> str:
    """`7` or `7½`."""
    whole = int(points)
    half = "½" if points != whole else ""
    return f"{whole or ''}{half}" or "0"


def as_json(rows: Sequence[Row], matches_played: int, matches_void: int) -> dict[str, Any]:
    """The table as an object for `json.dumps`."""
    teams = [{name: getattr(row, name) for name in _FIELDS} for row in rows]
    return {"teams": teams, "matches_played": matches_played, "matches_void": matches_void}


def as_csv(rows: Sequence[Row]) -> str:
    """The table as CSV with a heading; a name that a spreadsheet would compute gets an apostrophe."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_FIELDS)
    for row in rows:
        writer.writerow([_harmless(getattr(row, name)) for name in _FIELDS])
    return text.getvalue()


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value
