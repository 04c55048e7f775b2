"""`aluette check BOT`: whether a bot does all that the protocol asks of it."""

import sys
from pathlib import Path

import click

from aluette.errors import Misuse
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.play.conformance import Failure
from aluette_referee.play.launch import resolve
from aluette_referee.play.live import try_out
from aluette_referee.report.blame import last_lines
from aluette_referee.report.visible import visible

__all__ = ["command"]


@click.command("check")
@click.argument("bot")
def command(*, bot: str) -> None:
    """Try whether a bot does all that is asked of it, step by step.

    BOT is a built-in name, file.py:Class, package.module:Class, or a command line in quotes, also of a bot in
    another language. Exit code 0 if it passes all steps; else 1, with what it printed and what to do.
    """
    launch = resolve(BotSpec(bot), Path.cwd())
    if launch.command is None or launch.untimed:
        raise Misuse(f"{bot} cannot be tried: that needs a bot that the referee can start, and no person")

    def told(name: str, remark: str, failure: Failure | None) -> None:
        click.echo(f"{'ok  ' if failure is None else 'FAIL'}  {name}{f' ({remark})' if remark else ''}")
        if failure is not None:
            click.echo(f"\n  {visible(failure.what)}\n  What to do: {failure.todo}.")
            if printed := last_lines(failure.output, failure.what):
                click.echo("  It printed:\n" + "\n".join(f"    {line}" for line in map(visible, printed)))

    if not try_out(launch, Limits(), Bounds(), told):
        sys.exit(1)
