"""`aluette tournament run FILE`: what is missing of a tournament is played, and its table printed."""

import shlex
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from aluette_referee.cli.options import PlayOptions, with_play_options
from aluette_referee.cli.playing import need_terminal, prints_apart
from aluette_referee.play.live import Interrupted
from aluette_referee.play.runner import MatchPlayed
from aluette_referee.play.seating import prepare
from aluette_referee.play.tournament import read_file, run_tournament

if TYPE_CHECKING:
    from aluette_referee.cli.progress import PlayProgress
    from aluette_referee.store import Changes

__all__ = ["command"]


@click.command("run")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--db", "database", help="Where the results go: a file or a postgresql:// URL. [FILE with .db]")
@with_play_options
def command(*, file: Path, database: str | None, play: PlayOptions) -> None:
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
            where = ["--db", database] if database else []
            again = ["aluette", "tournament", "run", str(file), *where, *play.words]
            told = (
                f"interrupted; {str(error) or 'what was played is stored'}. Go on with: {shlex.join(again)}"
            )
            raise Interrupted(told) from None
    from aluette_referee.cli.show import print_contest  # noqa: PLC0415 - the first card does not wait for it
    from aluette_referee.store import open_existing  # noqa: PLC0415

    with open_existing(place) as archive:
        print_contest(archive, place)


class _Told:
    """Tells a person how a run comes along."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._progress: PlayProgress | None = None

    def opened(self, changes: "Changes") -> None:
        for name in changes.changed:
            click.echo(
                f"The bots of {name} have changed: it plays anew, its old matches leave the table.", err=True
            )
        for name in changes.added:
            click.echo(f"{name} is new.", err=True)
        for name in changes.removed:
            click.echo(f"{name} is not in the file any more: its matches leave the table.", err=True)

    def begins(self, total: int, played: int) -> None:
        from aluette_referee.cli.progress import PlayProgress  # noqa: PLC0415 - nor for this

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
