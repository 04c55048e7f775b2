"""The tables of a stored contest by name, and how they come onto a terminal."""

import functools
import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from rich.console import Console
from rich.text import Text

from aluette_referee.contest.counts import Counts, PerDeal, Play, play_of, total_of
from aluette_referee.contest.encounters import block_scores, encounters, mirroring, with_strangers
from aluette_referee.contest.ranking import Ranking
from aluette_referee.contest.tally import Tally
from aluette_referee.report import statistics, tables
from aluette_referee.report.sheet import Sheet, as_tables, left_out
from aluette_referee.store import Archive

__all__ = ["ALONE", "SHEETS", "Findings", "print_line", "print_sheet", "shown_width"]

UNBOUNDED: Final = 1000
ALONE: Final = "strangers"
"""The table that is of bots that were entered alone."""


class Findings:
    """What is known of a stored contest, each part asked for once and when it is needed."""

    def __init__(self, archive: Archive) -> None:
        """Of a contest that stays open."""
        self.archive = archive
        self.alone = archive.contest.format.kind == "individual"
        self.who = "Bot" if self.alone else "Team"

    @functools.cached_property
    def tallies(self) -> list[Tally]:
        """What was played, added up."""
        return self.archive.tallies()

    @functools.cached_property
    def ranked(self) -> Ranking:
        """The table with strengths."""
        return self.archive.ranking(self.tallies)

    @property
    def played(self) -> int:
        """How many matches of the schedule are stored."""
        return sum(tally.blocks * tally.legs for tally in self.tallies)

    @functools.cached_property
    def scores(self) -> dict[str, Counter[float]]:
        """How many blocks each had of each score."""
        return block_scores(self.tallies)

    @functools.cached_property
    def play(self) -> dict[str, Play]:
        """What was counted of each."""
        return play_of((row.name for row in self.ranked.rows), *self._counted)

    @functools.cached_property
    def total(self) -> Play:
        """What was counted of everybody."""
        return total_of(*self._counted)

    @functools.cached_property
    def _counted(self) -> tuple[list[Counts], list[PerDeal]]:
        return self.archive.counts(), self.archive.per_deal()

    @property
    def programs(self) -> dict[str, str]:
        """A digest of what was entered under each name, where bots were entered alone."""
        return {entrant.name: entrant.contents[0] for entrant in self.archive.entrants}

    @property
    def faults(self) -> dict[tuple[str, str, bool], int]:
        """How often each did wrong, by name, type, and whether it was mended."""
        made = self.archive.fault_kinds()
        return {(name, str(kind), mended): count for (name, kind, mended), count in made.items()}

    def sheets(self) -> list[Sheet]:
        """All tables that there are of this contest."""
        return [sheet(self) for name, sheet in SHEETS.items() if name != ALONE or self.alone]


SHEETS: Final[Mapping[str, Callable[[Findings], Sheet]]] = {
    "standings": lambda f: tables.standings(f.ranked, f.who),
    "crosstable": lambda f: statistics.crosstable(f.ranked, encounters(f.tallies), f.who),
    "superiority": lambda f: statistics.superiority(f.ranked, f.who),
    "blocks": lambda f: statistics.blocks(f.ranked, f.scores, f.who),
    "deals": lambda f: statistics.deals(f.ranked, f.play, f.total, f.who),
    "seats": lambda f: statistics.seats(f.ranked, f.play, f.total, f.who),
    "faults": lambda f: statistics.faults(f.ranked, f.faults, f.who),
    ALONE: lambda f: statistics.strangers(f.ranked, with_strangers(f.programs, f.tallies)),
    "field": lambda f: statistics.field(f.total),
    "mirroring": lambda f: statistics.mirroring(mirroring(f.tallies)),
}
"""All tables, in the order in which they are told."""


def print_sheet(sheet: Sheet, *, titled: bool = False) -> None:
    """Print a table as wide as the terminal, and how to read it."""
    width = shown_width()
    console = Console(width=width)
    if titled:
        console.print(Text(sheet.title, style="bold"))
    for table in as_tables(sheet, width):
        console.print(table)
    hidden = left_out(sheet, width)
    notes = [*sheet.notes, *([f"Left out for want of room: {', '.join(hidden)}."] if hidden else [])]
    # Programs get one line; a person's terminal would break it within a word.
    console.print(Text(" ".join(notes), style="dim"), soft_wrap=not console.is_terminal)


def shown_width() -> int:
    """Of the terminal; nothing is left out of a file or a pipe, unless somebody says how wide it is."""
    console = Console()
    return console.width if console.is_terminal or "COLUMNS" in os.environ else UNBOUNDED


def print_line(line: str) -> None:
    """Print one line, cut where a terminal ends; whoever reads it otherwise gets all of it."""
    console = Console()
    text = Text(line)
    if console.is_terminal:
        text.truncate(console.width, overflow="ellipsis")
    console.print(text, soft_wrap=True)
