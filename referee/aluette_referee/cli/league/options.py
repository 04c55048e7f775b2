"""Which league a command is about, and how its database is opened beside its service."""

import functools
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import click

from aluette_referee.league.folder import Folder, open_folder
from aluette_referee.league.office import Office
from aluette_referee.league.registry import Registry
from aluette_referee.league.schema import LEAGUE
from aluette_referee.store.database import Database, open_for_reading, open_for_writing

__all__ = ["OPERATOR", "office_of", "reading", "registry_of", "with_folder"]

OPERATOR: Final = "operator"
"""Who uses the command line: whoever may read the league's file."""


def with_folder(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--league DIR`, and pass it the league as `folder`."""

    @click.option(
        "--league",
        "path",
        type=click.Path(path_type=Path),
        envvar="ALUETTE_LEAGUE",
        default=".",
        metavar="DIR",
        help="The league's folder. [$ALUETTE_LEAGUE, or the current one]",
    )
    @functools.wraps(command)
    def with_league(*, path: Path, **given: Any) -> Any:
        return command(folder=open_folder(path), **given)

    return with_league


def reading(folder: Folder) -> "closing[Database]":
    """The database, for looking at it."""
    return closing(open_for_reading(folder.database, LEAGUE))


def _writing(folder: Folder) -> "closing[Database]":
    return closing(open_for_writing(folder.database, LEAGUE))


@contextmanager
def registry_of(folder: Folder) -> Generator[Registry]:
    """Changes of owners and bots."""
    with _writing(folder) as database:
        yield Registry(database, OPERATOR)


@contextmanager
def office_of(folder: Folder) -> Generator[Office]:
    """Decisions about the league."""
    with _writing(folder) as database:
        yield Office(database, OPERATOR)
