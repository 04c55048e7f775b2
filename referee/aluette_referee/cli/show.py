"""`aluette tournament show DATABASE`: its tables, for people, programs, spreadsheets and pages."""

import json
from typing import Final

import click

from aluette.errors import Misuse
from aluette_referee.cli.table import ALONE, SHEETS, Findings, print_line, print_sheet, shown_width
from aluette_referee.report.blame import why
from aluette_referee.report.settings import clock, extent, luck
from aluette_referee.report.sheet import Sheet, as_csv, as_markdown, as_tables
from aluette_referee.report.transcript import when
from aluette_referee.report.visible import visible
from aluette_referee.store import Archive, open_existing

__all__ = ["command", "print_contest"]

ALL: Final = "all"
FAULTS_SHOWN: Final = 5


@click.command("show")
@click.argument("database")
@click.option(
    "--table", "name", type=click.Choice([*SHEETS, ALL]), metavar="TABLE", help=f"{', '.join(SHEETS)} or all."
)
@click.option("--json", "forms", flag_value="json", multiple=True, help="As JSON.")
@click.option("--csv", "forms", flag_value="csv", multiple=True, help="As CSV, one table.")
@click.option("--markdown", "forms", flag_value="markdown", multiple=True, help="As a table in Markdown.")
def command(*, database: str, name: str | None, forms: tuple[str, ...]) -> None:
    """Print the tables of a tournament.

    DATABASE is a file or a postgresql:// URL, also of a tournament that is being played.
    """
    if len(set(forms)) > 1:
        raise Misuse("--json, --csv and --markdown are forms of the table: ask for one of them")
    form = forms[0] if forms else None
    if form == "csv" and name == ALL:
        raise Misuse("CSV is of one table: name it with --table")
    with open_existing(database) as archive:
        if form is None and name is None:
            print_contest(archive, database)
            return
        findings = Findings(archive)
        if name == ALONE and not findings.alone:
            raise Misuse(f"--table {ALONE} is for contests in which bots are entered alone")
        with archive.at_once():
            sheets = findings.sheets() if name == ALL else [SHEETS[name or "standings"](findings)]
            counts = {"matches_played": findings.played, "matches_void": archive.matches_void()}
    _print_as(form, sheets, counts)


def _print_as(form: str | None, sheets: list[Sheet], counts: dict[str, int]) -> None:
    match form:
        case "json":
            told = {sheet.name: sheet.records for sheet in sheets} | counts
            click.echo(json.dumps(told, ensure_ascii=False))
        case "csv":
            click.echo(as_csv(sheets[0]), nl=False)
        case "markdown":
            headed = [f"## {sheet.title}\n\n" if len(sheets) > 1 else "" for sheet in sheets]
            texts = [f"{head}{as_markdown(sheet)}" for head, sheet in zip(headed, sheets, strict=True)]
            click.echo("\n".join(texts), nl=False)
        case _:
            for sheet in sheets:
                print_sheet(sheet, titled=len(sheets) > 1)


def print_contest(archive: Archive, place: str) -> None:
    """Print the table of a contest, who did how well against whom where there is room, and what it was played by."""
    findings = Findings(archive)
    # Whoever reads slowly is not to keep a run waiting: all is known before anything is printed.
    with archive.at_once():
        contest = archive.contest
        standings, crosstable = SHEETS["standings"](findings), SHEETS["crosstable"](findings)
        played, void = findings.played, archive.matches_void()
        missing = archive.matches_missing(played)
        root = archive.root()
        faults = list(archive.faults())
    click.echo(f"\n{visible(contest.name)}: {contest.format}, {extent(contest)}, {contest.rules}\n")
    print_sheet(standings)
    if len(standings.rows) > 2 and len(list(as_tables(crosstable, shown_width()))) == 1:
        print_sheet(crosstable)
    rest = f", {missing} still to be played" if missing else ""
    apart = f"{void} void, which do not count" if void else "0 void"
    click.echo(f"{played} matches played, {apart}{rest}.")
    click.echo(f"Faults: {contest.policy}. Clock: {clock(contest.limits)}.")
    click.echo(f"Packs: {visible(luck(contest))}. Root of the records: {root}")
    for blame in faults[:FAULTS_SHOWN]:
        fault, moment = blame.fault, when(blame.fault.deal, blame.fault.trick)
        line = f"Fault: {visible(blame.player.name)}, {fault.type} {moment}, match {blame.match}"
        reason = why(fault)
        print_line(f"{line}: {reason}" if reason else line)
    if faults:
        more = f"{len(faults) - FAULTS_SHOWN} more; " if len(faults) > FAULTS_SHOWN else ""
        click.echo(f"({more}see one with: aluette replay {place} MATCH)")
