"""Owners, their tokens and their bots, from the operator's machine."""

import json
from typing import Any, cast

import click

from aluette.errors import Misuse
from aluette_referee.cli.league.options import reading, registry_of, with_folder
from aluette_referee.contest.contest import BotSpec
from aluette_referee.league.folder import Folder
from aluette_referee.league.queries import read_tokens
from aluette_referee.league.registry import Entered
from aluette_referee.play.launch import resolve
from aluette_referee.report.visible import visible

__all__ = [
    "add",
    "reactivate",
    "register",
    "rename",
    "request",
    "retire",
    "revoke",
    "token",
    "tokens",
    "version",
]

_ONCE = "It is not shown again."


@click.command("register")
@click.argument("name")
@click.option("--admin", is_flag=True, help="The token may also do what operators do.")
@with_folder
def register(*, folder: Folder, name: str, admin: bool) -> None:
    """Register an owner, and print its token.

    The owner is called NAME, and signs in with the token.
    """
    with registry_of(folder) as registry:
        given = registry.register(name, "admin" if admin else "own")
    click.echo(f"{name} is registered. {_ONCE}", err=True)
    click.echo(given)


@click.command("add")
@click.argument("bot")
@click.option("--owner", required=True, help="Whose it is.")
@click.option("--display", default="", help="What it is displayed as. [its name]")
@click.option("--run", help="Host it here: a built-in bot, file.py:Name, module:Name or a command.")
@click.option("--options", default="{}", help="For a hosted bot, a JSON object.")
@with_folder
def add(*, folder: Folder, bot: str, owner: str, display: str, run: str | None, options: str) -> None:
    """Add a bot with its first version.

    Prints the token that it plays with; a hosted one needs none.
    """
    hosted = _hosted(folder, run, options)
    with registry_of(folder) as registry:
        _tell(folder, registry.add_bot(owner, bot, display, hosted))


@click.command("version")
@click.argument("bot")
@click.option("--run", help="Host it here: a built-in bot, file.py:Name, module:Name or a command.")
@click.option("--options", default="{}", help="For a hosted bot, a JSON object.")
@with_folder
def version(*, folder: Folder, bot: str, run: str | None, options: str) -> None:
    """Add the next version of a bot.

    It is an entrant of its own; older ones play on until they are retired.
    """
    hosted = _hosted(folder, run, options)
    with registry_of(folder) as registry:
        _tell(folder, registry.add_version(bot, hosted))


def _hosted(folder: Folder, run: str | None, options: str) -> tuple[BotSpec, str] | None:
    if run is None:
        return None
    try:
        given = json.loads(options)
    except json.JSONDecodeError as error:
        raise Misuse(f"--options: this is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise Misuse('--options must be a JSON object, such as {"depth": 3}')
    spec = BotSpec(run, cast("dict[str, Any]", given))
    launch = resolve(spec, folder.path)
    if launch.command is None or launch.untimed:
        raise Misuse(f"{run} cannot be hosted: a hosted bot is a program that starts by itself")
    return spec, launch.content


def _tell(folder: Folder, entered: Entered) -> None:
    if entered.token is None:
        click.echo(f"{entered.name} is entered, and hosted here.")
        return
    told = " ".join(f"{name}={value}" for name, value in folder.way_here().items())
    click.echo(
        f"{entered.name} is entered. Start it with the token below, which is not shown again:", err=True
    )
    click.echo(f"  {told} ALUETTE_TOKEN={entered.token} python mybot.py", err=True)
    click.echo(entered.token)


@click.command("retire")
@click.argument("bot")
@with_folder
def retire(*, folder: Folder, bot: str) -> None:
    """Have a bot or a version play no more.

    BOT, or a version as in fox/3; its place in old ladders stays.
    """
    with registry_of(folder) as registry:
        registry.retire(bot)
    click.echo(f"{bot} is retired.")


@click.command("reactivate")
@click.argument("bot")
@with_folder
def reactivate(*, folder: Folder, bot: str) -> None:
    """Have a version play again.

    As in fox/3, or the newest of BOT.
    """
    with registry_of(folder) as registry:
        registry.reactivate(bot)
    click.echo(f"{bot} may play again.")


@click.command("rename")
@click.argument("bot")
@click.argument("display")
@with_folder
def rename(*, folder: Folder, bot: str, display: str) -> None:
    """Change what a bot is displayed as.

    Its name stays.
    """
    with registry_of(folder) as registry:
        registry.rename(bot, display)
    click.echo(f"{bot} is displayed as {display}.")


@click.command("token")
@click.argument("whose")
@click.option("--admin", is_flag=True, help="An owner's, that may also do what operators do.")
@click.option("--play", is_flag=True, help="Of a version, as in fox/3, to play with.")
@click.option("--label", default="", help="To know it by.")
@with_folder
def token(*, folder: Folder, whose: str, admin: bool, play: bool, label: str) -> None:
    """Print one more token of an owner or a version.

    WHOSE is an owner, or with --play a version as in fox/3.
    """
    if admin and play:
        raise Misuse("--admin and --play exclude each other: a bot needs no rights but to play")
    with registry_of(folder) as registry:
        given = (
            registry.add_play_token(whose, label)
            if play
            else registry.add_token(whose, "admin" if admin else "own", label)
        )
    click.echo(_ONCE, err=True)
    click.echo(given)


@click.command("tokens")
@click.argument("owner")
@with_folder
def tokens(*, folder: Folder, owner: str) -> None:
    """List an owner's tokens.

    Of OWNER: number, rights, version, since when, label.
    """
    with reading(folder) as database, database.begin() as connection:
        for each in read_tokens(connection, owner):
            state = f"revoked {each.revoked[:10]}" if each.revoked else ""
            words = (each.rights, each.version, each.created[:10], each.label, state)
            click.echo(f"{each.id:>5}  {'  '.join(visible(word) for word in words if word)}")


@click.command("revoke")
@click.argument("number", type=int)
@with_folder
def revoke(*, folder: Folder, number: int) -> None:
    """Make a token good for nothing.

    NUMBER is as `tokens` lists it.
    """
    with registry_of(folder) as registry:
        registry.revoke(number)
    click.echo(f"Token {number} is revoked.")


@click.command("request")
@click.argument("one")
@click.argument("other")
@click.option("--matches", type=click.IntRange(1, 100), default=1, help="How many. [1]")
@with_folder
def request(*, folder: Folder, one: str, other: str, matches: int) -> None:
    """Ask for unrated matches of two bots.

    ONE against OTHER, as soon as both are there; they are not rated.
    """
    with registry_of(folder) as registry:
        registry.request(one, other, matches)
    click.echo(f"Asked for: {one} against {other}, {matches} of them, unrated.")
