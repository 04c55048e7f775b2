"""`aluette sprt A B`: which of two bots is the stronger, played until that is known."""

import json
import math
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import click
from rich.console import Console

from aluette.errors import Misuse
from aluette.packs import open_contest_key
from aluette_referee.cli.options import PlayOptions, read_rules, with_play_options
from aluette_referee.cli.playing import need_terminal, prints_apart
from aluette_referee.contest.contest import PROFILES
from aluette_referee.contest.sprt import Hypotheses, Sprt, Value, block_score_of_elo
from aluette_referee.contest.student import t_quantile
from aluette_referee.play.live import check_launches
from aluette_referee.play.runner import MatchPlayed
from aluette_referee.play.seating import prepare_two
from aluette_referee.play.trial import play_trial

__all__ = ["command"]

_DEFAULTS: Final = {"points": (0.0, 0.2), "results": (0.0, 20.0)}
_LINE_SECONDS: Final = 10.0


@click.command("sprt")
@click.argument("bots", nargs=2, metavar="A B")
@click.option(
    "--on", type=click.Choice(["points", "results"]), default="points", help="What is tested. [points]"
)
@click.option("--h0", type=float, help="A's strength by H0: deal points a block (0), or Elo (0).")
@click.option("--h1", type=float, help="A's strength by H1: deal points a block (0.2), or Elo (20).")
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Chance to accept H1 though H0 is true."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="Chance to accept H0 though H1 is true."
)
@click.option(
    "--max-blocks", type=click.IntRange(1), default=100_000, show_default=True, help="Give up then."
)
@click.option("--seed", help="Says all the luck. [another one each time, and printed]")
@click.option(
    "--set", "options", multiple=True, metavar="NAME=VALUE", help="A rule option, such as chant=off."
)
@click.option("--json", "as_json", is_flag=True, help="The outcome as JSON.")
@with_play_options
def command(
    *,
    bots: tuple[str, str],
    on: Value,
    h0: float | None,
    h1: float | None,
    alpha: float,
    beta: float,
    max_blocks: int,
    seed: str | None,
    options: tuple[str, ...],
    as_json: bool,
    play: PlayOptions,
) -> None:
    """Test which of two bots is stronger, until that is known.

    Mirrored blocks are played until one of two hypotheses about A is accepted. Each bot plays both partners of its team. On points, a block's value is A's deal points less B's, both matches
    together; on results, A's match points. Blocks with a fault are left out, and counted.
    """
    given = _DEFAULTS[on]
    means = (given[0] if h0 is None else h0, given[1] if h1 is None else h1)
    try:
        values = means if on == "points" else (block_score_of_elo(means[0]), block_score_of_elo(means[1]))
        test = Sprt(Hypotheses(*values, alpha, beta), on)
    except ValueError as error:
        raise Misuse(str(error)) from None
    rules = read_rules(options)
    if rules.cut == "player" or rules.seating == "draw":
        raise Misuse(
            "a block plays the same packs twice: cut=player and seating=draw are for one match of four bots"
        )
    settings = play.settings(*PROFILES["strict"])
    seed = secrets.token_hex(4) if seed is None else seed
    prepared = prepare_two(bots, Path.cwd())
    names = [entrant.name for entrant in prepared.entrants]
    need_terminal(prepared.launches, settings)
    with prints_apart(settings):
        check_launches(prepared.launches, rules, settings)
        with _Told(test) as told:
            key = open_contest_key(seed)
            play_trial(test, prepared, settings, most=max_blocks, rules=rules, key=key, told=told)
    if as_json:
        click.echo(json.dumps(_as_json(test, seed)))
        return
    unit = "deal points a block" if on == "points" else "Elo"
    click.echo(f"{names[0]} against {names[1]}. H0: {means[0]:g} {unit} more. H1: {means[1]:g}. Seed {seed}.")
    click.echo(_summary(test))
    if test.decision is not None:
        bound = f"{means[1]:g} {unit} or more" if test.decision == "H1" else f"{means[0]:g} {unit} or less"
        click.echo(f"{test.decision} is accepted: {names[0]} is better than {names[1]} by {bound}.")
    else:
        click.echo("Not decided.")


class _Told:
    """How the test stands, on stderr: a line that is kept up on a terminal, else one now and then."""

    def __init__(self, test: Sprt) -> None:
        self._test = test
        self._console = Console(stderr=True)
        self._status = self._console.status("no block yet") if self._console.is_terminal else None
        self._last = time.monotonic()

    def __enter__(self) -> Self:
        if self._status is not None:
            self._status.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def __call__(self, _ended: Sequence[MatchPlayed]) -> None:
        if self._status is not None:
            self._status.update(_standing(self._test))
        elif time.monotonic() - self._last >= _LINE_SECONDS:
            self._last = time.monotonic()
            click.echo(_standing(self._test), err=True)


def _standing(test: Sprt) -> str:
    low, high = test.hypotheses.bounds
    blocks = f"{test.blocks} block{'' if test.blocks == 1 else 's'}"
    out = f", {test.left_out} left out for faults" if test.left_out else ""
    return f"{blocks}{out}, LLR {test.llr:+.2f} between {low:.2f} and {high:.2f}"


def _summary(test: Sprt) -> str:
    mean, margin = _mean(test)
    what = "deal points" if test.on == "points" else "match points"
    told = "" if mean is None else f"; a block brought {mean:+.3f} {what}" if test.on == "points" else (
        f"; a block brought {mean:.3f} of 2 {what}"
    )  # fmt: skip
    return f"{_standing(test)}{told}{'' if margin is None else f' ± {margin:.3f}'}."


def _mean(test: Sprt) -> tuple[float | None, float | None]:
    """Of a block's value, and half its 95 % interval as if so many blocks had been fixed before."""
    count = test.blocks
    if not count:
        return None, None
    mean = sum(value * often for value, often in test.seen.items()) / count
    spread = sum((value - mean) ** 2 * often for value, often in test.seen.items())
    if count < 2 or not spread:
        return mean, None
    return mean, t_quantile(0.95, count - 1) * math.sqrt(spread / (count - 1) / count)


def _as_json(test: Sprt, seed: str) -> dict[str, object]:
    mean, margin = _mean(test)
    return {
        "decision": test.decision,
        "llr": round(test.llr, 6),
        "bounds": [round(bound, 6) for bound in test.hypotheses.bounds],
        "blocks": test.blocks,
        "left_out": test.left_out,
        "mean": mean,
        "margin": margin,
        "values": {f"{value:g}": test.seen[value] for value in sorted(test.seen)},
        "seed": seed,
    }
