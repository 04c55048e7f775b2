"""What operators decide: pause, drain, seasons, and who and what does not count. The service follows within a second."""

import json

import click

from aluette_referee.cli.league.options import office_of, reading, registry_of, with_folder
from aluette_referee.league.folder import Folder
from aluette_referee.league.queries import read_audit
from aluette_referee.report.visible import visible

__all__ = ["audit", "ban", "bench", "drain", "pause", "resume", "season", "unban", "void"]


@click.command("pause")
@click.option("--reason", default="", help="For the audit log.")
@with_folder
def pause(*, folder: Folder, reason: str) -> None:
    """Have no match begin until resume.

    Those that are played go on.
    """
    with office_of(folder) as office:
        office.pause(reason)
    click.echo("Paused: no match begins until aluette league resume.")


@click.command("resume")
@with_folder
def resume(*, folder: Folder) -> None:
    """Have matches begin again."""
    with office_of(folder) as office:
        office.resume()
    click.echo("Matches begin again.")


@click.command("drain")
@click.option("--reason", default="", help="For the audit log.")
@with_folder
def drain(*, folder: Folder, reason: str) -> None:
    """End the service when the last match is over.

    Bots come again when it is started anew.
    """
    with office_of(folder) as office:
        office.drain(reason)
    click.echo("Draining: the service ends when the matches that are played are over.")


@click.command("season")
@click.argument("name")
@with_folder
def season(*, folder: Folder, name: str) -> None:
    """End the season and begin another.

    That happens when its last match is over; its ladder is kept. The new one is called NAME.
    """
    with office_of(folder) as office:
        office.ask_for_season(name)
    click.echo(
        f"{name} begins when the matches that are played are over, or when the league is served again."
    )


@click.command("bench")
@click.argument("bot")
@click.argument("reason")
@with_folder
def bench(*, folder: Folder, bot: str, reason: str) -> None:
    """Have a bot or a version pause, and say why.

    BOT, or a version as in fox/3, until `reactivate`; its owner is told the REASON.
    """
    with registry_of(folder) as registry:
        registry.bench(bot, reason)
    click.echo(f"{bot} is benched.")


@click.command("ban")
@click.argument("owner")
@click.argument("reason")
@with_folder
def ban(*, folder: Folder, owner: str, reason: str) -> None:
    """Shut an owner out, and say why.

    With all bots; the REASON is told.
    """
    with office_of(folder) as office:
        office.ban(owner, reason)
    click.echo(f"{owner} is banned.")


@click.command("unban")
@click.argument("owner")
@with_folder
def unban(*, folder: Folder, owner: str) -> None:
    """Let an owner in again."""
    with office_of(folder) as office:
        office.unban(owner)
    click.echo(f"{owner} may play again.")


@click.command("void")
@click.argument("match")
@click.argument("reason")
@with_folder
def void(*, folder: Folder, match: str, reason: str) -> None:
    """Have a match count for nobody, and say why.

    MATCH is given by the beginning of its id; the REASON is shown with it.
    """
    with office_of(folder) as office:
        found = office.void(match, reason)
    click.echo(f"Match {found} counts for nobody.")


@click.command("audit")
@click.option("--before", type=int, help="Lines before this number.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@with_folder
def audit(*, folder: Folder, before: int | None, as_json: bool) -> None:
    """List who decided what.

    The newest first.
    """
    with reading(folder) as database, database.begin() as connection:
        lines = read_audit(connection, before=before)
    if as_json:
        click.echo(json.dumps([line._asdict() for line in lines], ensure_ascii=False))
        return
    for line in lines:
        told = ": ".join(filter(None, (f"{line.who} {line.act} {line.subject}", line.reason)))
        click.echo(f"{line.id:>5}  {line.at[:19]}  {visible(told)}")
