"""`aluette tournament run FILE` and `aluette tournament show DATABASE`; `plan` is in `cli.plan`."""

import json
import shlex
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import click

from aluette.errors import Misuse
from aluette_referee.cli import plan
from aluette_referee.cli.options import PlayOptions, with_play_options
from aluette_referee.cli.playing import need_terminal, prints_apart
from aluette_referee.cli.progress import PlayProgress
from aluette_referee.cli.table import print_line, print_table
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import Contest
from aluette_referee.play.live import Interrupted
from aluette_referee.play.runner import MatchPlayed
from aluette_referee.play.seating import prepare
from aluette_referee.play.tournament import read_file, run_tournament
from aluette_referee.report import tables
from aluette_referee.report.blame import why
from aluette_referee.report.transcript import when
from aluette_referee.store import Archive, Changes, open_existing

__all__ = ["command"]

FAULTS_SHOWN: Final = 5


@click.group("tournament")
def command() -> None:
    """Plan a tournament, run it, or show its table."""


@command.command("run")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", "database", help="Where the results go: a file or a postgresql:// URL. [FILE with .db]")
@with_play_options
def run(*, file: Path, database: str | None, play: PlayOptions) -> None:
    """Play what is missing of the tournament in FILE, and print its table."""
    contest = read_file(file)
    place = database or str(file.with_suffix(".db"))
    settings = play.settings(contest.limits, contest.policy, contest.bounds)
    prepared = prepare(contest.teams, file.parent, contest.bounds)
    need_terminal(prepared.launches, settings)
    # The bar, which puts stdout back too, ends within.
    with prints_apart(settings), ExitStack() as stack:
        try:
            run_tournament(contest, prepared, place, settings, _Told(stack))
        except KeyboardInterrupt as error:
            stack.close()
            again = ["aluette", "tournament", "run", str(file), *(["--db", database] if database else [])]
            told = (
                f"interrupted; {str(error) or 'what was played is stored'}. Go on with: {shlex.join(again)}"
            )
            raise Interrupted(told) from None
    with open_existing(place) as archive:
        _print(archive, place)


@command.command("show")
@click.argument("database")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="As CSV.")
@click.option("--markdown", "as_markdown", is_flag=True, help="As a table in Markdown.")
def show(*, database: str, as_json: bool, as_csv: bool, as_markdown: bool) -> None:
    """Print the table of a tournament.

    DATABASE is a file or a postgresql:// URL, also of a tournament that is being played.
    """
    if as_json + as_csv + as_markdown > 1:
        raise Misuse("--json, --csv and --markdown are forms of the table: ask for one of them")
    with open_existing(database) as archive:
        if as_csv:
            click.echo(tables.as_csv(archive.ranking()), nl=False)
        elif as_markdown:
            click.echo(tables.as_markdown(archive.ranking()), nl=False)
        elif as_json:
            played, void = archive.matches_played(), archive.matches_void()
            click.echo(json.dumps(tables.as_json(archive.ranking(), played, void), ensure_ascii=False))
        else:
            _print(archive, database)


command.add_command(plan.command)


class _Told:
    """Tells a person how a run comes along."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._progress: PlayProgress | None = None

    def opened(self, changes: Changes) -> None:
        for name in changes.changed:
            click.echo(
                f"The bots of {name} have changed: it plays anew, its old matches leave the table.", err=True
            )
        for name in changes.added:
            click.echo(f"{name} is new.", err=True)
        for name in changes.removed:
            click.echo(f"{name} is not in the file any more: its matches leave the table.", err=True)

    def begins(self, total: int, played: int) -> None:
        if self._progress is None:
            self._progress = self._stack.enter_context(PlayProgress(total, played))
        self._progress.expect(total)

    def saved(self, ended: Sequence[MatchPlayed]) -> None:
        assert self._progress is not None
        for played in ended:
            if played.outcome.record is not None:
                self._progress.advance()
            else:
                self._progress.say(f"match {played.plan.id} could not be played: {'; '.join(played.voids)}")


def _clock(limits: Limits) -> str:
    move = "no clock for moves" if limits.move is None else f"{limits.move:g} s a move"
    bank = f" and a bank of {limits.bank:g} s a match" if limits.move is not None and limits.bank else ""
    pace = f", turns every {limits.pace * 1000:g} ms" if limits.pace else ""
    return f"Clock: {move}{bank}{pace}."


def _extent(contest: Contest) -> str:
    what = "cycle" if contest.format.kind == "individual" else "block"
    each = "" if contest.format.kind == "individual" else " a pairing"
    return f"{contest.blocks} {what}{'' if contest.blocks == 1 else 's'}{each}"


def _print(archive: Archive, place: str) -> None:
    contest = archive.contest
    click.echo(f"\n{contest.name}: {contest.format}, {_extent(contest)}, {contest.rules}\n")
    print_table(archive.ranking())
    played, void, missing = (
        archive.matches_played(),
        archive.matches_void(),
        sum(1 for _ in archive.missing()),
    )
    rest = f", {missing} still to be played" if missing else ""
    apart = f"{void} void, which do not count" if void else "0 void"
    click.echo(f"{played} matches played, {apart}{rest}.")
    key = "secret and committed" if contest.seed is None else f"open (seed {contest.seed})"
    click.echo(f"Faults: {contest.policy}. {_clock(contest.limits)}")
    click.echo(f"Packs: {key}. Root of the records: {archive.root()}")
    faults = list(archive.faults())
    for blame in faults[:FAULTS_SHOWN]:
        fault, player = blame.fault, blame.player
        moment = when(fault.deal, fault.trick)
        alone = len(player.entrant.team.bots) == 1
        who = player.entrant.name if alone else f"{player.entrant.name}, bot {player.slot}"
        line = f"Fault: {who}, {fault.type} {moment}, match {blame.match}"
        reason = why(fault)
        print_line(f"{line}: {reason}" if reason else line)
    if faults:
        more = f"{len(faults) - FAULTS_SHOWN} more; " if len(faults) > FAULTS_SHOWN else ""
        click.echo(f"({more}see one with: aluette replay {place} MATCH)")
