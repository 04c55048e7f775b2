"""All commands, and where errors become exit codes."""

import errno
import os
import sys
from typing import Any, Final, cast

import click

from aluette.errors import Misuse, RecordError
from aluette.version import __version__
from aluette_referee.cli.verbs import Verbs
from aluette_referee.play.groups import leaves
from aluette_referee.report.visible import visible

__all__ = ["COMMANDS", "cli"]

COMMANDS: Final = {
    "bench": ("aluette_bench.command", "Measure how fast the referee is here."),
    "bots": ("aluette_referee.cli.bots", "List the built-in bots."),
    "check": ("aluette_referee.cli.check", "Try whether a bot does all that is asked of it, step by step."),
    "export": ("aluette_referee.cli.export", "Write a contest's matches as JSON Lines."),
    "league": ("aluette_referee.cli.league.group", "Serve a league, where bots come and go."),
    "logs": ("aluette_referee.cli.logs", "Print what a bot printed in a match."),
    "match": ("aluette_referee.cli.match", "Play one match of four bots, or a contest of two."),
    "new": ("aluette_referee.cli.new", "Write a commented bot to start from."),
    "replay": ("aluette_referee.cli.replay", "Print a stored match trick by trick."),
    "report": ("aluette_referee.cli.report", "Write a contest as a page for any browser."),
    "sprt": ("aluette_referee.cli.sprt", "Test which of two bots is stronger, until that is known."),
    "tournament": ("aluette_referee.cli.tournament", "Plan a tournament, run it, or show its table."),
    "verify": ("aluette_referee.cli.verify", "Check every stored match against keys and rules."),
}

_FULL: Final = {errno.ENOSPC, errno.EDQUOT}
_EXIT_RECORD, _EXIT_MISUSE, _EXIT_INTERRUPTED = 1, 2, 130


class _Cli(Verbs):
    """Turns mistakes into a sentence each; anything else is our own bug and keeps its traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (Misuse, RecordError, KeyboardInterrupt, BaseExceptionGroup) as error:
            found = list(leaves(cast("BaseException", error)))
            sys.stdout.flush()
            if any(isinstance(leaf, KeyboardInterrupt) for leaf in found):
                for leaf in found:
                    click.echo(f"aluette: {str(leaf) or 'interrupted'}", err=True)
                ctx.exit(_EXIT_INTERRUPTED)
            if not all(isinstance(leaf, Misuse | RecordError) for leaf in found):
                raise
            for told in dict.fromkeys(visible(str(leaf)) for leaf in found):
                click.echo(f"aluette: {told}", err=True)
            ctx.exit(_EXIT_RECORD if isinstance(found[0], RecordError) else _EXIT_MISUSE)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except (OSError, BaseExceptionGroup) as error:
            for leaf in leaves(cast("BaseException", error)):
                if getattr(leaf, "errno", None) not in _FULL:
                    raise
            _give_up_stdout()
            click.echo(
                f"aluette: the disk is full ({os.strerror(errno.ENOSPC)}): make room, then go on", err=True
            )
            sys.exit(_EXIT_MISUSE)


def _give_up_stdout() -> None:
    """What could not be written is not to be tried again at the exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=_Cli, verbs=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="aluette")
def cli() -> None:
    """Competitions of programs that play Aluette."""
