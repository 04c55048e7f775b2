"""A league on this machine: made, served, copied, counted again."""

from contextlib import closing
from pathlib import Path
from typing import get_args

import click

from aluette_referee.cli.league.options import reading, with_folder
from aluette_referee.league.acts import now_text
from aluette_referee.league.folder import Folder, init_folder, open_folder
from aluette_referee.league.journal import FORMS, Form, Journal
from aluette_referee.league.ledger import create_or_open
from aluette_referee.league.pairing import Mode
from aluette_referee.league.recount import recompute_ladders, recount
from aluette_referee.store.copying import copy_database

__all__ = ["backup", "init", "recompute", "serve"]


@click.command("init")
@click.argument("path", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--name", help="What the league is called. [that of the folder]")
@click.option(
    "--mode", type=click.Choice(get_args(Mode)), default="teams", help="Own pairs, or drawn partners. [teams]"
)
@click.option("--db", "database", help="A postgresql:// URL. [a file in the folder]")
def init(*, path: Path, name: str | None, mode: Mode, database: str | None) -> None:
    """Make a league in the folder DIR.

    Its file is to be looked through; its database is made beside it, or where --db says.
    """
    init_folder(path, name or path.resolve().name, mode, database)
    folder = open_folder(path)
    create_or_open(folder.database, folder.settings).close()
    click.echo(
        f"Made a league in {path}. Look through {path / 'league.toml'}, then: aluette league serve {path}"
    )


@click.command("serve")
@click.argument("path", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--db", "database", help="A postgresql:// URL, in the place of what league.toml says.")
@click.option(
    "--log",
    type=click.Choice(FORMS),
    default="text",
    help="Sentences, or each event as a line of JSON. [text]",
)
def serve(*, path: Path, database: str | None, log: Form) -> None:
    """Serve the league in the folder DIR.

    Until Ctrl-C, or until it is drained.
    """
    # gRPC and the web, for no other verb.
    from aluette_referee.league.service import serve as serve_league  # noqa: PLC0415
    from aluette_referee.web.serving import open_web  # noqa: PLC0415

    folder = open_folder(path, database)
    endpoint = folder.endpoint("bots")
    journal = Journal(log, now_text)

    with open_web(folder) as web:

        def opened(way_here: str) -> None:
            told = f"{folder.settings.name} is open. Bots come with: {way_here} ALUETTE_TOKEN=... People go to {web.address}"
            journal.tell(told, "open")

        serve_league(folder, endpoint, journal, opened, web.beside)
    journal.tell("The league is closed.", "closed")


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@with_folder
def backup(*, folder: Folder, file: Path) -> None:
    """Copy the database, also while it is served.

    FILE is new, and has all of one moment. A PostgreSQL database is copied by its own pg_dump.
    """
    with reading(folder) as database:
        copy_database(database, file)
    click.echo(f"{file} is the league as it was at one moment. In it is the key of all packs: keep it safe.")


@click.command("recompute")
@with_folder
def recompute(*, folder: Folder) -> None:
    """Count all matches again, by their records.

    Every record is replayed by the rules, results are set right by them, and all ladders fitted again. The league is not
    served meanwhile. Ends with 1 where a record does not hold.
    """
    with closing(create_or_open(folder.database, folder.settings)) as ledger:
        wrong = list(recount(ledger))
        for match in wrong:
            click.echo(f"The result of match {match} was not what its record says, and was set right.")
        count = recompute_ladders(ledger, folder.settings)
    click.echo(
        f"All results are as their records say; {count} ladder{'s were' if count > 1 else ' was'} fitted again."
    )
