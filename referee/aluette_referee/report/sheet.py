"""A table, whatever is in it: cells for people, flat records for programs; as text, JSON, CSV or Markdown.

What a sheet says is made elsewhere (`report.tables`, `report.statistics`); this file decides what a form of it looks like.
Colours only repeat what the marks in the cells say, and are told apart by everybody who sees any.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rich import box
from rich.cells import cell_len
from rich.style import Style
from rich.table import Table
from rich.text import Text

from aluette_referee.report.visible import visible

__all__ = ["Cell", "Column", "Sheet", "as_csv", "as_markdown", "as_tables", "left_out"]

_NAME_ROOM: Final = 12
"""The columns that a name has at least; a longer one is folded."""
_NARROWEST: Final = 20
_STYLES: Final = {
    2: Style(color="cyan", bold=True),
    1: Style(color="cyan"),
    -1: Style(color="yellow"),
    -2: Style(color="yellow", bold=True),
}


class Cell(NamedTuple):
    """Text, and how surely it is good (2, 1) or bad (-1, -2) for whom the row is about."""

    text: str
    tone: int = 0


class Column(NamedTuple):
    """A heading; on a terminal narrower than `room` the column is left out."""

    heading: str
    left: bool = False
    """Whether its cells begin on one line, rather than end."""
    room: int = 0


class Sheet(NamedTuple):
    """A table. The first two columns are a number and a name, and are always there."""

    name: str
    """For programs: a word."""
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    records: Sequence[Mapping[str, Any]]
    """What the table says, or the same in more detail, for `json.dumps`; all have the same keys."""
    notes: Sequence[str] = ()
    """What is to be said of it, a sentence each."""


def as_tables(sheet: Sheet, width: int) -> Iterator[Table]:
    """For a terminal of so many columns; what does not fit beside the names comes in further tables."""
    width = max(width, _NARROWEST)
    shown = _fitting(sheet, width)
    room, name = width - _edges(sheet), _name_room(sheet)
    while shown:
        used, taken = 0, list[int]()
        while shown and (not taken or used + _width(sheet, shown[0]) + name <= room):
            used += _width(sheet, shown[0])
            taken.append(shown.pop(0))
        yield _table(sheet, taken, max(4, min(name, room - used)))


def left_out(sheet: Sheet, width: int) -> list[str]:
    """The headings of the columns that are not shown for want of room."""
    shown = _fitting(sheet, width)
    return [column.heading for place, column in enumerate(sheet.columns) if place > 1 and place not in shown]


def _fitting(sheet: Sheet, width: int) -> list[int]:
    """The columns right of the names that are shown: of those that may be left out as many as there is room for."""
    shown = list(range(2, len(sheet.columns)))
    for room in sorted({sheet.columns[place].room for place in shown} - {0}, reverse=True):
        if (
            width < room
            or _edges(sheet) + sum(_width(sheet, place) for place in shown) + _name_room(sheet) > width
        ):
            shown = [place for place in shown if sheet.columns[place].room != room]
    return shown


def _edges(sheet: Sheet) -> int:
    """How many columns of the terminal the number takes, with the blanks after it and at the edges."""
    return max([2, *(cell_len(row[0].text) for row in sheet.rows)]) + 4


def _name_room(sheet: Sheet) -> int:
    return min(_NAME_ROOM, max([4, *(cell_len(row[1].text) for row in sheet.rows)]))


def _width(sheet: Sheet, place: int) -> int:
    """How many columns of the terminal one of the table takes, with the blanks after it."""
    cells = (sheet.columns[place].heading, *(row[place].text for row in sheet.rows))
    return max(map(cell_len, cells)) + 2


def _table(sheet: Sheet, places: Sequence[int], name_room: int) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(sheet.columns[0].heading, justify="right", no_wrap=True)
    table.add_column(sheet.columns[1].heading, overflow="fold", min_width=name_room)
    for place in places:
        column = sheet.columns[place]
        table.add_column(column.heading, justify="left" if column.left else "right", no_wrap=True)
    for row in sheet.rows:
        cells = [
            Text(visible(row[place].text), style=_STYLES.get(row[place].tone, ""))
            for place in (0, 1, *places)
        ]
        table.add_row(*cells)
    return table


def as_csv(sheet: Sheet) -> str:
    """The records with a heading; a text that a spreadsheet would compute gets an apostrophe."""
    if not sheet.records:
        return ""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(sheet.records[0])
    for record in sheet.records:
        writer.writerow([_harmless(value) for value in record.values()])
    return text.getvalue()


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value


def as_markdown(sheet: Sheet) -> str:
    """The table for a page in Markdown."""
    sides = [":--" if place == 1 or column.left else "--:" for place, column in enumerate(sheet.columns)]
    lines = [[_escaped(column.heading) for column in sheet.columns], sides]
    lines += [[_escaped(cell.text.strip()) for cell in row] for row in sheet.rows]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    return table + "".join(f"\n{_escaped(note)}\n" for note in sheet.notes)


def _escaped(text: str) -> str:
    """Neither a cell's end nor anything else that Markdown, or HTML within it, would obey."""
    return "".join(f"\\{char}" if char in "\\`*_[]()<>#|!~&" else char for char in text)
