"""`aluette replay DATABASE MATCH`: a stored match, trick by trick, or a bot put back into it."""

import re
import shlex
import sys
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path

import click

from aluette.errors import Misuse
from aluette.loading import load_bot
from aluette.notation import read_seat
from aluette.packs import BlockKey
from aluette.rehearsal import Rehearsed, rehearse, story_until
from aluette.seats import SEATS, Seat
from aluette.session import Failed
from aluette.tracebacks import own_traceback
from aluette.view import View
from aluette_referee.cli.whole import written_whole
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import MENDABLE
from aluette_referee.play.launch import Launch, resolve
from aluette_referee.play.put_back import NoAnswer, put_back
from aluette_referee.report.blame import blame, last_lines
from aluette_referee.report.html.pages import match_page, shown_match
from aluette_referee.report.position import answer, position
from aluette_referee.report.transcript import transcript, when
from aluette_referee.report.visible import visible
from aluette_referee.store import StoredMatch, open_existing

__all__ = ["command"]


@click.command("replay")
@click.argument("database")
@click.argument("match", required=False)
@click.option("--seat", help="Only what the seat N, E, S or W saw; with --bot, where it sits.")
@click.option("--until", help="With --bot: the deal and trick, such as 2.4, or 2.0 before its first trick.")
@click.option("--bot", help="Ask this bot (as in a tournament's file) again, all its earlier turns first.")
@click.option("--sandbox", is_flag=True, help="With --bot: start it shut off by bubblewrap.")
@click.option("--html", type=click.Path(path_type=Path), help="Write a page that shows it card by card.")
def command(
    *,
    database: str,
    match: str | None,
    seat: str | None,
    until: str | None,
    bot: str | None,
    sandbox: bool,
    html: Path | None,
) -> None:
    """Print a stored match trick by trick.

    MATCH is its id, or the beginning of it; without it, the ids of all matches are listed.

    With --html, write a page instead, to be opened in a browser: it needs nothing else and no network.

    With --until and --bot, put a bot back into a position of the match: it is asked all its earlier turns again,
    and then what it does there is shown. A class or function is asked in this process, where a debugger reaches it,
    unless its process was lost there; a command line is started, and with --sandbox every bot.
    Ends with 1 when what it does is a fault.
    """
    only = None if seat is None else read_seat(seat)
    if (until is None) != (bot is None):
        raise Misuse("--until and --bot go together: which position, and which bot is put back into it")
    if sandbox and bot is None:
        raise Misuse("--sandbox is for a bot that is put back: give it with --until and --bot")
    if html is not None and (only is not None or bot is not None):
        raise Misuse("--html goes without --seat and --bot: the page has all views of the whole match")
    if match is None and (only is not None or bot is not None or html is not None):
        what = f"--{'seat' if html is None else 'html'} shows" if bot is None else "--bot is put back into"
        raise Misuse(f"{what} one match: say which, by its id; with the database alone the ids are listed")
    with open_existing(database) as archive:
        if match is None:
            for stored in archive.matches():
                ns, ew = stored.fixture.teams
                points_ns, points_ew, _ = stored.result
                how = "   no record" if stored.text is None else ""
                how = f"   {stored.faults[0].type}" if stored.faults else how
                click.echo(f"{stored.fixture.id}   {ns} - {ew}   {points_ns}-{points_ew}{how}")
            return
        stored = archive.match(match)
        key = stored.fixture.block.key(archive.key)
    fixture = stored.fixture
    if until is not None and bot is not None:
        _put_back(stored, key, only, until, bot, sandbox=sandbox)
        return
    faults = sorted((*stored.strikes, *stored.faults), key=attrgetter("place"))
    if html is not None:
        page = match_page(shown_match(fixture, stored.record, key, stored.faults, stored.strikes))
        with written_whole(html, database) as out:
            out.write(page)
        return
    click.echo(f"Match {fixture.id}: {' - '.join(fixture.teams)} (NS - EW)")
    seated = {
        chair: f"{player.entrant.name} {player.slot} ({player.bot.run})"
        for chair, player in fixture.seats.items()
    }
    for line in transcript(stored.record, seated, only):
        click.echo(line)
    shut_off = ["--sandbox"] if (stored.timing or {}).get("sandbox") else []
    for fault in faults:
        if only in (None, fault.seat):
            run = fixture.seats[fault.seat].bot.run
            place = f"{fault.deal}.{fault.trick}"
            where = ["--until", place, "--seat", fault.seat.name, "--bot", run, *shut_off]
            again = shlex.join(["aluette", "replay", database, fixture.id, *where])
            click.echo(f"\n{blame(fault, seated[fault.seat], again=again if fault.deal else '')}")
    for chair in SEATS:
        dropped = (stored.timing or {}).get(chair.name, {}).get("dropped", 0)
        if dropped and only in (None, chair):
            see = shlex.join(["aluette", "logs", database, fixture.id, chair.name])
            click.echo(
                f"\nWarning: {chair} ({seated[chair]}) gave {dropped} answers that nobody had asked for: {see}"
            )


def _put_back(
    stored: StoredMatch, key: BlockKey, seat: Seat | None, until: str, bot: str, *, sandbox: bool
) -> None:
    chair = seat or next((fault.seat for fault in (*stored.faults, *stored.strikes)), None)
    if chair is None:
        raise Misuse("nobody was at fault in this match: say with --seat where the bot is to sit")
    if (place := re.fullmatch(r"([0-9]{1,3})\.([0-9])", until)) is None:
        raise Misuse(
            f"--until {until} is no position: write deal and trick, such as 2.4, or 2.0 before its first trick"
        )
    there = int(place[1]), int(place[2])
    recorded = stored.fixture.seats[chair].bot
    files = recorded.files if bot == recorded.run else ()
    launch = resolve(BotSpec(bot, recorded.options, recorded.env, files), Path.cwd())
    if launch.command is None or launch.untimed:
        raise Misuse(f"{bot} cannot be put back: that needs a bot that the referee can start, and no person")

    def show(view: View) -> None:
        click.echo(f"Match {stored.fixture.id}, {chair}, {when(*there)}: {bot}\n")
        for line in position(view):
            click.echo(line)
        click.echo("It is asked again from the beginning, without a clock; Ctrl-C shows where it is.")

    lost = any(
        fault.seat is chair and fault.place == there and fault.type not in MENDABLE for fault in stored.faults
    )
    if launch.loadable is None or sandbox or lost:
        found = _put_process_back(
            stored, chair, there, launch, seed=key.bot_seed(chair), sandbox=sandbox, show=show
        )
    else:
        found = _put_class_back(stored, chair, there, bot, seed=key.bot_seed(chair), show=show)
    if isinstance(found, NoAnswer) or found.illegal or isinstance(found.reply, Failed):
        sys.exit(1)
    if any(fault.seat is chair and fault.place == there for fault in (*stored.faults, *stored.strikes)):
        click.echo("That is no fault: here it was at fault when the match was played.")


def _put_class_back(
    stored: StoredMatch,
    chair: Seat,
    there: tuple[int, int],
    bot: str,
    *,
    seed: int,
    show: Callable[[View], object],
) -> Rehearsed:
    try:
        found = rehearse(
            stored.record,
            chair,
            there,
            load_bot(bot),
            seed=seed,
            options=stored.fixture.seats[chair].bot.options,
            show=show,
        )
    except KeyboardInterrupt as error:
        # The first frame is this one.
        below = error.__traceback__.tb_next if error.__traceback__ else None
        click.echo(own_traceback(error.with_traceback(below)))
        raise
    _tell(stored, chair, there, found)
    return found


def _put_process_back(
    stored: StoredMatch,
    chair: Seat,
    there: tuple[int, int],
    launch: Launch,
    *,
    seed: int,
    sandbox: bool,
    show: Callable[[View], object],
) -> Rehearsed | NoAnswer:
    story = story_until(stored.record, chair, there)
    show(story.position.view)
    output: list[str] = []
    said = ""
    try:
        found = put_back(
            launch,
            story,
            seed=seed,
            sandbox="bubblewrap" if sandbox else "none",
            printed=output.extend,
        )
        if isinstance(found, Rehearsed):
            _tell(stored, chair, there, found)
            said = found.reply.message if isinstance(found.reply, Failed) else ""
        else:
            click.echo(visible(f"{found}."))
    finally:  # also after Ctrl-C: of a bot that hangs nothing else is known
        if lines := last_lines("\n".join(output), said):
            click.echo(visible("\n".join(("It printed:", *(f"  {line}" for line in lines)))))
    return found


def _tell(stored: StoredMatch, chair: Seat, there: tuple[int, int], found: Rehearsed) -> None:
    mended = {strike.place for strike in stored.strikes if strike.seat is chair}
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
        click.echo(visible(f"It answers {answer(found.reply)}"))
    else:
        click.echo(
            f"It answers {answer(found.reply)}{f', which is illegal: {found.illegal}' * bool(found.illegal)}."
        )
