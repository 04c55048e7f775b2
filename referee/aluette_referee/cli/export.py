"""`aluette export DATABASE`: every match of a contest as JSON Lines."""

import os
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from aluette.errors import Misuse
from aluette_referee.report.export import export_line
from aluette_referee.store import open_existing

__all__ = ["command"]


@click.command("export")
@click.argument("database")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="A file to write, as a whole or not at all."
)
@click.option("--timing", is_flag=True, help="Add what the clocks said: then no two runs are alike.")
def command(*, database: str, output: Path | None, timing: bool) -> None:
    """Write a contest's matches as JSON Lines.

    One match a line, in the order of the schedule. A block is left out until both its matches are played.
    """
    with open_existing(database) as archive, _open(output, database) as out:
        written = 0
        for stored in archive.matches():
            key = stored.fixture.block.key(archive.key)
            line = export_line(stored.fixture, stored.record, key, stored.timing or {} if timing else None)
            out.write(f"{line}\n")
            written += 1
        left = archive.matches_played() - written
    if left > 0:
        whose = (
            "1 match is left out: the other match of its"
            if left == 1
            else (f"{left} matches are left out: the other match of their")
        )
        click.echo(f"{whose} block is still to be played.", err=True)


@contextmanager
def _open(output: Path | None, database: str) -> Generator[TextIO]:
    if output is None:
        yield sys.stdout
        return
    if output.is_dir():
        raise Misuse(f"{output} is a folder; give the name of a file")
    if output.exists() and Path(database).exists() and output.samefile(database):
        raise Misuse(f"{output} is the database itself; export into another file")
    try:
        handle, name = tempfile.mkstemp(dir=output.parent, prefix=f".{output.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                yield out
            Path(name).replace(output)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise Misuse(f"{output} cannot be written: {error.strerror}") from None
