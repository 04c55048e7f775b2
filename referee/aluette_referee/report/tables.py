"""The table that a contest is about, as a sheet; and how its figures are written."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from aluette_referee.contest.ranking import Figure, Ranking
from aluette_referee.contest.standings import Row
from aluette_referee.report.sheet import Cell, Column, Sheet

__all__ = ["half_points", "margin", "rounded", "signed", "standings", "with_undetermined"]

_FIELDS = (
    "rank", "name", "played", "won", "drawn", "lost", "match_points", "byes", "points_for", "points_against", "faults",
)  # fmt: skip
# Where there is little room, columns are left out, the widest terminals' first; rank, name and points never are.
_COLUMNS: Final = (
    Column("Played", room=60), Column("Won", room=80), Column("Drawn", room=80),
    Column("Lost", room=80), Column("Points", left=True), Column("Elo", left=True, room=45), Column("Deals", room=55),
    Column("Faults", room=50),
)  # fmt: skip
LEGEND: Final = (
    "Points: 1 a win, ½ a draw. Elo: strength over the mean (+100 scores 64 %), ± half its 95 % interval over blocks. "
    "Deals: deal points for-against."
)
SHRUNK: Final = "≈: all won, all lost, or never met, as somebody or as a group against the others: a guess."
UNDETERMINED: Final = "Without ±: not determined, from too few blocks, or all ended alike."
BYES: Final = "Points are with those of byes."


def standings(ranked: Ranking, who: str = "Team") -> Sheet:
    """The ranked table; `who` heads the column of the names."""
    figures = [ranked.elo(row) for row in ranked.rows]
    width = max((len(signed(figure)) for figure in figures), default=0)
    rows = [
        _cells(row, f"{signed(figure):>{width}}{margin(figure)}" if row.played else "")
        for row, figure in zip(ranked.rows, figures, strict=True)
    ]
    notes = [LEGEND]
    if any(figure.shrunk and row.played for row, figure in zip(ranked.rows, figures, strict=True)):
        notes.append(SHRUNK)
    played = [
        figure for row, figure in zip(ranked.rows, figures, strict=True) if row.played and not figure.shrunk
    ]
    notes = with_undetermined(notes, (figure.margin for figure in played))
    if any(row.byes for row in ranked.rows):
        notes.append(BYES)
    columns = (Column("#"), Column(who, left=True), *_COLUMNS)
    records = [_record(ranked, row) for row in ranked.rows]
    return Sheet("standings", "Standings", columns, rows, records, notes)


def with_undetermined(notes: Sequence[str], margins: Iterable[float | None]) -> list[str]:
    """The notes, and what it means that a figure has no interval, where one has none."""
    return [*notes, *([UNDETERMINED] if None in margins else [])]


def _cells(row: Row, elo: str) -> list[Cell]:
    texts = (
        row.rank, row.name, row.played, row.won, row.drawn, row.lost, half_points(row.match_points), elo,
        f"{row.points_for}-{row.points_against}", row.faults or "",
    )  # fmt: skip
    return [Cell(str(text)) for text in texts]


def _record(ranked: Ranking, row: Row) -> dict[str, Any]:
    """A row's fields and figures, rounded to what a person may care for; None where not determined."""
    elo, points = ranked.elo(row), ranked.deal_points(row)
    return {name: getattr(row, name) for name in _FIELDS} | {
        "elo": rounded(elo.value, 2),
        "elo_margin": rounded(elo.margin, 2),
        "elo_shrunk": elo.shrunk,
        "deal_points": rounded(points.value, 4),
        "deal_points_margin": rounded(points.margin, 4),
    }


def signed(figure: Figure, digits: int = 0) -> str:
    """`+123`, with a mark where it is a guess."""
    return f"{'≈' if figure.shrunk else ''}{round(figure.value, digits) + 0.0:+.{digits}f}"


def margin(figure: Figure, digits: int = 0) -> str:
    """` ± 45`; a blank one where it is not determined."""
    return "" if figure.margin is None else f" ± {figure.margin:.{digits}f}"


def half_points(points: float) -> str:
    """`7` or `7½`."""
    whole = int(points)
    half = "½" if points != whole else ""
    return f"{whole or ''}{half}" or "0"


def rounded(value: float | None, digits: int) -> float | None:
    """Never -0.0."""
    return None if value is None else round(value, digits) + 0.0
