"""`aluette replay DATABASE MATCH`: a stored match, trick by trick, or a bot put back into it."""

import re
import shlex
import sys

import click

from aluette.errors import Misuse
from aluette.loading import load_bot
from aluette.notation import read_seat
from aluette.packs import BlockKey
from aluette.rehearsal import rehearse
from aluette.seats import SEATS, Seat
from aluette.session import Failed
from aluette.tracebacks import own_traceback
from aluette.view import View
from aluette_referee.report.blame import blame
from aluette_referee.report.position import answer, position
from aluette_referee.report.transcript import transcript, when
from aluette_referee.store import StoredMatch, open_existing

__all__ = ["command"]


@click.command("replay")
@click.argument("database")
@click.argument("match", required=False)
@click.option("--seat", help="Only what the seat N, E, S or W saw; with --bot, where it sits.")
@click.option("--until", help="With --bot: the deal and trick, such as 2.4, or 2.0 before its first trick.")
@click.option("--bot", help="Ask this bot (file.py:Class) again, all its earlier turns first.")
def command(
    *, database: str, match: str | None, seat: str | None, until: str | None, bot: str | None
) -> None:
    """Print a stored match trick by trick.

    MATCH is its id, or the beginning of it; without it, the ids of all matches are listed.

    With --until and --bot, put a bot back into a position of the match, in this process: it is asked all its
    earlier turns again, and then what it does there is shown. Ends with 1 when that is a fault.
    """
    only = None if seat is None else read_seat(seat)
    if (until is None) != (bot is None):
        raise Misuse("--until and --bot go together: which position, and which bot is put back into it")
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
        key = stored.fixture.block.key(archive.key)
    fixture = stored.fixture
    if until is not None and bot is not None:
        _rehearse(stored, key, only, until, bot)
        return
    click.echo(f"Match {fixture.id}: {' - '.join(fixture.teams)} (NS - EW)")
    seated = {
        chair: f"{player.entrant.name} {player.slot} ({player.bot.run})"
        for chair, player in fixture.seats.items()
    }
    for line in transcript(stored.record, seated, only):
        click.echo(line)
    for fault in sorted((*stored.strikes, *stored.faults), key=lambda fault: (fault.deal, fault.trick)):
        if only in (None, fault.seat):
            run = fixture.seats[fault.seat].bot.run
            place = f"{fault.deal}.{fault.trick}"
            where = ["--until", place, "--seat", fault.seat.name, "--bot", run]
            again = shlex.join(["aluette", "replay", database, fixture.id, *where])
            click.echo(f"\n{blame(fault, seated[fault.seat], again=again if fault.deal else '')}")
    for chair in SEATS:
        dropped = (stored.timing or {}).get(chair.name, {}).get("dropped", 0)
        if dropped and only in (None, chair):
            see = shlex.join(["aluette", "logs", database, fixture.id, chair.name])
            click.echo(
                f"\nWarning: {chair} ({seated[chair]}) gave {dropped} answers that nobody had asked for: {see}"
            )


def _rehearse(stored: StoredMatch, key: BlockKey, seat: Seat | None, until: str, bot: str) -> None:
    chair = seat or next((fault.seat for fault in (*stored.faults, *stored.strikes)), None)
    if chair is None:
        raise Misuse("nobody was at fault in this match: say with --seat where the bot is to sit")
    if (place := re.fullmatch(r"(\d{1,3})\.(\d)", until)) is None:
        raise Misuse(
            f"--until {until} is no position: write deal and trick, such as 2.4, or 2.0 before its first trick"
        )
    there = int(place[1]), int(place[2])
    mended = {(strike.deal, strike.trick) for strike in stored.strikes if strike.seat is chair}

    def show(view: View) -> None:
        click.echo(f"Match {stored.fixture.id}, {chair}, {when(*there)}: {bot}\n")
        for line in position(view):
            click.echo(line)
        click.echo("It is asked again from the beginning, without a clock; Ctrl-C shows where it is.")

    try:
        found = rehearse(
            stored.record,
            chair,
            there,
            load_bot(bot),
            seed=key.bot_seed(chair),
            options=stored.fixture.seats[chair].bot.options,
            show=show,
        )
    except KeyboardInterrupt as error:
        # The first frame is this one.
        below = error.__traceback__.tb_next if error.__traceback__ else None
        click.echo(own_traceback(error.with_traceback(below)))
        raise
    if others := [
        f"{deal}.{trick}" for deal, trick in dict.fromkeys(found.others) if (deal, trick) not in mended
    ]:
        click.echo(f"On the way it answered otherwise than was recorded at {', '.join(others)}.")
    if found.recorded is None:
        click.echo("The record ends here.")
    elif there in mended:
        click.echo(f"Here it was at fault, and what was done for it was {answer(found.recorded)}.")
    else:
        click.echo(f"Recorded is {answer(found.recorded)}.")
    if isinstance(found.reply, Failed):
        click.echo(f"It answers {answer(found.reply)}")
    else:
        click.echo(
            f"It answers {answer(found.reply)}{f', which is illegal: {found.illegal}' * bool(found.illegal)}."
        )
    if found.illegal or isinstance(found.reply, Failed):
        sys.exit(1)
