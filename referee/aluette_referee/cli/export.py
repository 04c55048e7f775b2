"""`aluette export DATABASE`: every match of a contest as JSON Lines."""

import sys
from contextlib import nullcontext
from pathlib import Path

import click

from aluette_referee.cli.whole import written_whole
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

    One match a line, in the order of the schedule. A block is left out until both its matches are played,
    and a match whose record was not kept always.
    """
    whole = nullcontext(sys.stdout) if output is None else written_whole(output, database)
    with open_existing(database) as archive, whole as out:
        written = not_kept = 0
        for stored in archive.matches():
            if stored.text is None:
                not_kept += 1
                continue
            key = stored.fixture.block.key(archive.key)
            line = export_line(stored.fixture, stored.record, key, stored.timing or {} if timing else None)
            out.write(f"{line}\n")
            written += 1
        left = archive.matches_played() - written - not_kept
    if left > 0:
        whose = (
            "1 match is left out: the other match of its"
            if left == 1
            else (f"{left} matches are left out: the other match of their")
        )
        click.echo(f"{whose} block is still to be played.", err=True)
    if not_kept:
        whose = (
            "1 match is left out: its record was"
            if not_kept == 1
            else f"{not_kept} matches are left out: their records were"
        )
        click.echo(f'{whose} not kept (keep = "faults").', err=True)
