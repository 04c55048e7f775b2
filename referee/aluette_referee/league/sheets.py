"""A league's tables as sheets: what is in them, for every form that a sheet has."""

from collections.abc import Sequence

from aluette_referee.league.queries import LadderRow, MatchShown, SeasonShown
from aluette_referee.report.sheet import Cell, Column, Sheet

__all__ = ["ladder_remark", "ladder_sheet", "match_remark", "matches_sheet", "seasons_sheet"]


def ladder_sheet(season: SeasonShown, rows: Sequence[LadderRow]) -> Sheet:
    """The ladder of a season."""
    columns = [
        Column(""),
        Column("Bot"),
        Column("Rating"),
        Column("95 %"),
        Column("Day", room=90),
        Column("Matches"),
        Column("Won", room=70),
        Column("Drawn", room=80),
        Column("Lost", room=70),
        Column("Owner", left=True, room=100),
        Column("", left=True),
    ]
    cells = [
        [
            Cell(str(row.rank or "")),
            Cell(row.name),
            Cell(f"{row.rating:.0f}"),
            Cell("" if row.margin is None else f"± {row.margin:.0f}"),
            Cell("" if row.movement is None else f"{row.movement:+.0f}"),
            Cell(str(row.matches)),
            Cell(str(row.won)),
            Cell(str(row.drawn)),
            Cell(str(row.lost)),
            Cell(row.owner),
            Cell(ladder_remark(row)),
        ]
        for row in rows
    ]
    notes = [
        "Elo's scale, the mean of the field is 1500; rated matches of the season, fitted all at once.",
        "Provisional: the interval is not small enough yet.",
    ]
    records = [row._asdict() for row in rows]
    return Sheet(
        "ladder",
        f"{season.name}, {season.mode}",
        columns,
        cells,
        records,
        notes if rows else ["Nobody has a rating yet."],
    )


def ladder_remark(row: LadderRow) -> str:
    """What else there is to say of a rung, in a few words."""
    words = [row.state] if row.state != "active" else []
    if row.provisional:
        words.append("provisional")
    elif row.rank is None and row.state == "active":
        words.append("inactive")
    return ", ".join(words)


def matches_sheet(rows: Sequence[MatchShown]) -> Sheet:
    """Matches, the newest first."""
    columns = [
        Column("Match"),
        Column("NS"),
        Column("EW", left=True),
        Column("Points"),
        Column("Begun", left=True, room=80),
        Column("", left=True),
    ]
    cells = [
        [
            Cell(row.id),
            *map(Cell, row.sides),
            Cell("" if row.points_ns is None else f"{row.points_ns}-{row.points_ew}"),
            Cell(row.begun[:19].replace("T", " ")),
            Cell(match_remark(row)),
        ]
        for row in rows
    ]
    records = [
        {**row._asdict(), "seats": {seat.name: name for seat, name in row.seats.items()}, "state": row.state}
        for row in rows
    ]
    return Sheet("matches", "Matches", columns, cells, records, [] if rows else ["No match has begun."])


def match_remark(row: MatchShown) -> str:
    """What else there is to say of a match, in a few words."""
    if row.void is not None:
        return f"void: {row.void}"
    words = ["being played"] if row.ended is None else []
    words += ["forfeit"] if row.forfeit else []
    words += [] if row.rated else ["unrated"]
    return ", ".join(words)


def seasons_sheet(rows: Sequence[SeasonShown]) -> Sheet:
    """The seasons, the newest first."""
    columns = [
        Column(""),
        Column("Season"),
        Column("Matches"),
        Column("Mode", left=True),
        Column("Began", left=True),
        Column("Ended", left=True),
    ]
    cells = [
        [
            Cell(str(row.id)),
            Cell(row.name),
            Cell(str(row.matches)),
            Cell(row.mode),
            Cell(row.began[:10]),
            Cell((row.ended or "")[:10]),
        ]
        for row in rows
    ]
    return Sheet("seasons", "Seasons", columns, cells, [row._asdict() for row in rows])
