"""What a command sees to around the playing: a person has a terminal, and bots do not print into results."""

import contextlib
import sys
from collections.abc import Iterable

from aluette.errors import Misuse
from aluette_referee.play.launch import Launch
from aluette_referee.play.live import Settings

__all__ = ["need_terminal", "prints_apart"]


def need_terminal(launches: Iterable[Launch], settings: Settings) -> None:
    """Raise `Misuse` when a person is to play and there is no terminal to play at."""
    people = [launch.label for launch in launches if launch.untimed]
    # In one process no person can play at all; that is said where the bots are loaded.
    if people and not settings.in_process and not _has_terminal():
        raise Misuse(
            f"{people[0]} is played by a person, but the standard input is not a terminal: "
            "run this in a terminal, or take another bot"
        )


def prints_apart(settings: Settings) -> contextlib.AbstractContextManager[object]:
    """While bots are loaded and play in this process, what they print goes to stderr."""
    return contextlib.redirect_stdout(sys.stderr) if settings.in_process else contextlib.nullcontext()


def _has_terminal() -> bool:
    try:
        return sys.stdin.isatty()
    except (AttributeError, ValueError):  # there is none, or it was closed
        return False
