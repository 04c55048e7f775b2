"""`aluette bench`: everything in one run, on the same cores, so that only ratios need be believed."""

import asyncio
import json
from typing import Any, Final, NamedTuple

import click

from aluette_bench.crowd import measure_idle, measure_thinkers
from aluette_bench.game import GameFigures, measure_game
from aluette_bench.raw import RawFigures, measure_raw
from aluette_bench.rulebook import measure_rulebook
from aluette_bench.simulator import measure_simulator
from aluette_bench.start import measure_first_card, measure_help
from aluette_bench.workers import measure_workers

__all__ = ["command"]

_BATCHES: Final = {64: 3.0, 256: 5.0, 1000: 8.0}
"""At so many tables the decisions a second are to be so many times those of the ping-pong, at least."""
_MOST: Final = max(_BATCHES)
_IDLE_TIMES: Final = 10
"""Idle bots are looked at for so many times longer: they are asked for a sign of life every twenty seconds."""
_WORKERS: Final = (1, 2)
_BASE_MB, _TABLE_MB = 110.0, 0.03


class Goal(NamedTuple):
    """A figure, and what it is to be: at least so much, or at most."""

    what: str
    figure: float
    bound: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        """Whether the figure is what it is to be."""
        return self.figure >= self.bound if self.at_least else self.figure <= self.bound


@click.command("bench")
@click.option("--json", "as_json", is_flag=True, help="The figures as one JSON object.")
@click.option("--seconds", default=3.0, show_default=True, help="How long each figure is measured.")
def command(*, as_json: bool, seconds: float) -> None:
    """Measure how fast the referee is here.

    Four trivial bots in four processes, against a plain gRPC ping-pong with messages of the same size.
    """
    figures = measure(seconds)
    click.echo(json.dumps(figures) if as_json else "\n".join(lines(figures)))


def measure(seconds: float) -> dict[str, Any]:
    """All figures, by the names that the JSON has."""
    pingpong = [_raw(4, 1, seconds)]
    single = _raw(1, 1, seconds)
    games: dict[int, GameFigures] = {}
    for tables in (1, *_BATCHES):
        games[tables] = measure_game(tables, seconds)
        # Again and again: what else the machine did meanwhile weighs on both.
        pingpong.append(_raw(4, 1, seconds))
    batch = max(1, round(games[_MOST].mean_batch))
    echo = _raw(4, batch, seconds)
    simulator = measure_simulator(seconds)
    figures: dict[str, Any] = {
        "pingpong_per_s": sum(each.turns_per_s for each in pingpong) / len(pingpong),
        "pingpong_median_us": single.median_us,
        "games": {str(tables): game._asdict() for tables, game in games.items()},
        "echo": {"batch": batch, "decisions_per_s": echo.turns_per_s},
        "thinkers": measure_thinkers(_MOST, 3 * seconds),
        "idle_share": measure_idle(_MOST, _IDLE_TIMES * seconds),
        "rulebook_matches_per_s": measure_rulebook(seconds),
        "simulator": simulator,
        "workers": [measure_workers(count, 2 * seconds)._asdict() for count in _WORKERS],
        "help_s": measure_help(),
        "first_card_s": measure_first_card(),
    }
    return {**figures, "goals": [{**goal._asdict(), "met": goal.met} for goal in goals(figures)]}


def _raw(streams: int, batch: int, seconds: float) -> RawFigures:
    return asyncio.run(measure_raw(streams, batch, seconds))


def goals(figures: dict[str, Any]) -> list[Goal]:
    """What the figures are to be."""
    games, raw = figures["games"], figures["pingpong_per_s"]
    most, simulator, thinkers = games[str(_MOST)], figures["simulator"], figures["thinkers"]
    one, two = figures["workers"]
    return [
        *(
            Goal(f"decisions/s at {tables} tables, in ping-pongs", games[str(tables)]["decisions_per_s"] / raw, times)
            for tables, times in _BATCHES.items()
        ),
        Goal(
            f"decisions/s at {_MOST} tables, in echoes of as large batches",
            most["decisions_per_s"] / figures["echo"]["decisions_per_s"], 0.4,
        ),
        Goal(
            "median time of a decision at one table, in round trips",
            games["1"]["median_decision_us"] / figures["pingpong_median_us"], 2.0, at_least=False,
        ),
        Goal(f"memory of the referee at {_MOST} tables, MB", most["referee_mb"], _BASE_MB + _MOST * _TABLE_MB, at_least=False),
        Goal(f"late at {_MOST} tables, bots thinking 50 ms at 16 tables each, limit 1 s", thinkers["late"], 0.0, at_least=False),
        Goal("the same: 99th percentile of the referee's share of an answer, ms", thinkers["own_ms"], 25.0, at_least=False),
        Goal(f"share of a core that {_MOST} idle bots take", figures["idle_share"], 0.03, at_least=False),
        Goal("matches/s of the rulebook alone, on one core", figures["rulebook_matches_per_s"], 1000.0),
        Goal("random playouts of the simulator, decisions/s on one core", simulator["decisions_per_s"], 1e7),
        Goal("the same, in decisions of the rulebook", simulator["times_rulebook"], 100.0),
        Goal("matches/s of two worker processes, in those of one", two["matches_per_s"] / one["matches_per_s"], 1.8),
        Goal("`aluette --help`, seconds", figures["help_s"], 0.2, at_least=False),
        Goal("from `aluette tournament run` to the first card, seconds", figures["first_card_s"], 1.0, at_least=False),
    ]  # fmt: skip


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures for a person."""
    text = [f"{'tables':>8} {'decisions/s':>12} {'batch':>6} {'referee, us':>12} {'MB':>5}"]
    for tables, game in figures["games"].items():
        text.append(
            f"{tables:>8} {game['decisions_per_s']:>12,.0f} {game['mean_batch']:>6.1f} "
            f"{game['referee_cpu_us']:>12.0f} {game['referee_mb']:>5.0f}"
        )
    echo = figures["echo"]
    text += [
        "",
        f"ping-pong, one decision a message, four streams: {figures['pingpong_per_s']:,.0f}/s",
        f"echo, {echo['batch']} decisions a message, no game: {echo['decisions_per_s']:,.0f}/s",
        *(
            f"{each['workers']} worker process{'es' if each['workers'] > 1 else ''}, bots within: "
            f"{each['matches_per_s']:,.1f} matches/s; feeding takes {each['feeding_ms']:.1f} ms a match"
            for each in figures["workers"]
        ),
        "",
    ]
    for goal in goals(figures):
        bound = f"{'at least' if goal.at_least else 'at most'} {goal.bound:,.10g}"
        text.append(f"{'' if goal.met else 'not ':>4}met {goal.figure:>14,.2f}  {bound:<20} {goal.what}")
    return text
