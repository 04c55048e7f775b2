"""The table and what belongs to it, as wide as the terminal."""

from rich.console import Console
from rich.text import Text

from aluette_referee.contest.ranking import Ranking
from aluette_referee.report import tables

__all__ = ["print_line", "print_table"]


def print_table(ranked: Ranking) -> None:
    """Print the table, and a line that says how to read it."""
    console = Console()
    console.print(tables.as_table(ranked, console.width))
    # Programs get one line; a person's terminal would break it within a word.
    console.print(Text(tables.legend(ranked), style="dim"), soft_wrap=not console.is_terminal)


def print_line(line: str) -> None:
    """Print one line, cut where a terminal ends; whoever reads it otherwise gets all of it."""
    console = Console()
    text = Text(line)
    if console.is_terminal:
        text.truncate(console.width, overflow="ellipsis")
    console.print(text, soft_wrap=True)
