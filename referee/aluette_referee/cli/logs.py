"""`aluette logs DATABASE MATCH SEAT`: what a bot printed."""

import click

from aluette.notation import read_seat
from aluette_referee.report.visible import visible
from aluette_referee.store import open_existing

__all__ = ["command"]


@click.command("logs")
@click.argument("database")
@click.argument("match")
@click.argument("seat")
def command(*, database: str, match: str, seat: str) -> None:
    """Print what a bot printed in a match.

    For that match first, then the rest that its process said meanwhile.

    MATCH is an id, or the beginning of it; SEAT is N, E, S or W. Each line begins with the seconds since the
    process was started; then ! marks what went to stderr, and * what the referee noticed: answers that nobody
    had asked for, which it dropped.
    """
    chair = read_seat(seat)
    with open_existing(database) as archive:
        stored = archive.match(match)
        of_match, of_process = archive.log(stored, chair)
    player = stored.fixture.seats[chair]
    who = f"{player.entrant.name}, bot {player.slot}"
    if not (of_match or of_process):
        click.echo(f"{chair} ({who}) printed nothing in match {stored.fixture.id}.")
    if of_match:
        click.echo(f"For match {stored.fixture.id}, {chair} ({who}):\n{visible(of_match)}", nl=False)
    if of_process:
        click.echo(f"By the process, for no match or no one match:\n{visible(of_process)}", nl=False)
