"""What anybody may see of a league: ladder, seasons, bots, matches."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from aluette.errors import Misuse
from aluette.notation import read_seat
from aluette.seats import Seat
from aluette_referee.cli.league.options import reading, with_folder
from aluette_referee.cli.table import print_sheet
from aluette_referee.league.folder import Folder
from aluette_referee.league.queries import (
    SeasonShown,
    read_bot,
    read_ladder,
    read_match,
    read_matches,
    read_record,
    read_seasons,
)
from aluette_referee.league.sheets import ladder_sheet, matches_sheet, seasons_sheet
from aluette_referee.report.sheet import Sheet, as_csv, as_markdown
from aluette_referee.report.transcript import transcript
from aluette_referee.report.visible import visible

__all__ = ["ladder", "matches", "replay", "seasons", "show"]


def _with_form(command: Callable[..., Any]) -> Callable[..., Any]:
    forms = {"json": "As JSON.", "csv": "As CSV.", "markdown": "As a table in Markdown."}
    for form, words in reversed(forms.items()):
        command = click.option(f"--{form}", "form", flag_value=form, help=words)(command)
    return command


def _print(sheet: Sheet, form: str | None) -> None:
    match form:
        case "json":
            click.echo(json.dumps(sheet.records, ensure_ascii=False))
        case "csv":
            click.echo(as_csv(sheet), nl=False)
        case "markdown":
            click.echo(as_markdown(sheet), nl=False)
        case _:
            print_sheet(sheet, titled=True)


@click.command("ladder")
@click.option("--season", "number", type=int, help="Of which season. [the newest]")
@_with_form
@with_folder
def ladder(*, folder: Folder, number: int | None, form: str | None) -> None:
    """Print the ladder."""
    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="milliseconds")
    with reading(folder) as database, database.begin() as connection:
        season = _season(read_seasons(connection), number)
        rows = read_ladder(connection, season.id, since=yesterday)
    _print(ladder_sheet(season, rows), form)


def _season(seasons: list[SeasonShown], number: int | None) -> SeasonShown:
    found = [season for season in seasons if number in (None, season.id)]
    if not found:
        raise Misuse(f"there is no season {number}: the newest is {seasons[0].id}")
    return found[0]


@click.command("seasons")
@_with_form
@with_folder
def seasons(*, folder: Folder, form: str | None) -> None:
    """List the seasons.

    The newest first.
    """
    with reading(folder) as database, database.begin() as connection:
        _print(seasons_sheet(read_seasons(connection)), form)


@click.command("show")
@click.argument("bot")
@with_folder
def show(*, folder: Folder, bot: str) -> None:
    """Print a bot and its versions."""
    with reading(folder) as database, database.begin() as connection:
        found = read_bot(connection, bot)
    click.echo(visible(f"{found.display} ({found.name}), of {found.owner}, since {found.created[:10]}"))
    for version in found.versions:
        words = [
            version.state,
            "hosted" if version.hosted else "",
            f"lost {version.losses} times" if version.losses else "",
        ]
        told = ", ".join(filter(None, words))
        click.echo(visible(f"  {version.name}  {told}" + (f": {version.reason}" if version.reason else "")))


@click.command("matches")
@click.argument("bot", default="")
@click.option("--before", default="", help="That began before a time, as JSON has it.")
@click.option("--most", type=click.IntRange(1, 1000), default=20, help="So many at most. [20]")
@_with_form
@with_folder
def matches(*, folder: Folder, bot: str, before: str, most: int, form: str | None) -> None:
    """List matches, the newest first.

    All, or those of BOT, or of a version as in fox/3.
    """
    with reading(folder) as database, database.begin() as connection:
        found = read_matches(connection, of=bot, before=before, most=most)
    _print(matches_sheet(found), form)


@click.command("replay")
@click.argument("match")
@click.option("--seat", help="Only what the seat N, E, S or W saw.")
@with_folder
def replay(*, folder: Folder, match: str, seat: str | None) -> None:
    """Print a match trick by trick.

    MATCH is given by the beginning of its id.
    """
    only: Seat | None = None if seat is None else read_seat(seat)
    with reading(folder) as database, database.begin() as connection:
        shown, stored = read_match(connection, match), read_record(connection, match)
    click.echo(f"Match {shown.id}" + (f", void: {visible(shown.void)}" if shown.void else ""))
    for line in transcript(json.loads(stored.text), shown.seats, only):
        click.echo(line)
