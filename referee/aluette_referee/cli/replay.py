"""`aluette replay DATABASE MATCH`: a stored match, trick by trick."""

import click

from aluette.errors import Misuse
from aluette.notation import read_seat
from aluette_referee.report.blame import blame
from aluette_referee.report.transcript import transcript
from aluette_referee.store import open_existing

__all__ = ["command"]


@click.command("replay")
@click.argument("database")
@click.argument("match", required=False)
@click.option("--seat", help="Only what the seat N, E, S or W saw.")
def command(*, database: str, match: str | None, seat: str | None) -> None:
    """Print a stored match trick by trick.

    MATCH is its id, or the beginning of it; without it, the ids of all matches are listed.
    """
    only = None if seat is None else read_seat(seat)
    if match is None and only is not None:
        raise Misuse("--seat shows one match: say which, by its id; without --seat the ids are listed")
    with open_existing(database) as archive:
        if match is None:
            for stored in archive.matches():
                ns, ew = stored.fixture.teams
                points_ns, points_ew, _ = stored.result
                how = f"   {stored.faults[0].type}" if stored.faults else ""
                click.echo(f"{stored.fixture.id}   {ns} - {ew}   {points_ns}-{points_ew}{how}")
            return
        stored = archive.match(match)
    fixture = stored.fixture
    click.echo(f"Match {fixture.id}: {' - '.join(fixture.teams)} (NS - EW)")
    seated = {
        chair: f"{player.entrant.name} {player.slot} ({player.entrant.team.bots[player.slot - 1].run})"
        for chair, player in fixture.seats.items()
    }
    for line in transcript(stored.record, seated, only):
        click.echo(line)
    for fault in (*stored.strikes, *stored.faults):
        if only in (None, fault.seat):
            click.echo(f"\n{blame(fault, seated[fault.seat])}")
