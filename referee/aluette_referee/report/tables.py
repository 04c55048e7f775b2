"""The standings as text, JSON and CSV."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from aluette_referee.contest.standings import Row

__all__ = ["as_csv", "as_json", "as_table", "half_points"]

_FIELDS = (
    "rank", "name", "played", "won", "drawn", "lost", "match_points", "points_for", "points_against", "faults",
)  # fmt: skip


def as_table(rows: Sequence[Row]) -> Table:
    """The ranked table for a terminal.

    Points are match points with half the width of their 95 % interval; Deals are deal points for and against.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("Team", overflow="fold", min_width=12)
    for heading in ("Played", "Won", "Drawn", "Lost"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Points", no_wrap=True)
    table.add_column("Deals", justify="right", no_wrap=True)
    table.add_column("Faults", justify="right", no_wrap=True)
    width = max((len(half_points(row.match_points)) for row in rows), default=0)
    for row in rows:
        table.add_row(
            str(row.rank),
            Text(row.name),
            str(row.played),
            str(row.won),
            str(row.drawn),
            str(row.lost),
            half_points(row.match_points).ljust(width)
            + ("" if row.margin is None else f" ± {row.margin:.1f}"),
            f"{row.points_for}-{row.points_against}",
            str(row.faults) if row.faults else "",
        )
    return table


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
