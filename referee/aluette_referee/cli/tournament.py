"""`aluette tournament`: its verbs are in files of their own."""

from typing import Final

import click

from aluette_referee.cli.verbs import Verbs

__all__ = ["command"]

VERBS: Final = {
    "plan": ("aluette_referee.cli.plan", "Print who meets whom in the tournament in FILE."),
    "run": (
        "aluette_referee.cli.run",
        "Play what is missing of the tournament in FILE, and print its table.",
    ),
    "show": ("aluette_referee.cli.show", "Print the tables of a tournament."),
}


@click.group("tournament", cls=Verbs, verbs=VERBS)
def command() -> None:
    """Plan a tournament, run it, or show its table."""
