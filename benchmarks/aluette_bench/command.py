"""`aluette bench`: everything in one run, on the same cores, so that only ratios need be believed."""

import asyncio
import json
from typing import Any, Final

import click

from aluette_bench.game import measure_games
from aluette_bench.raw import measure_raw

__all__ = ["command"]

TABLES: Final = [1, 8, 64, 256]
ECHO_TABLES: Final = 64


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
    pingpong = asyncio.run(measure_raw(4, 1, seconds))
    single = asyncio.run(measure_raw(1, 1, seconds))
    games = measure_games(TABLES, seconds)
    batch = max(1, round(games[ECHO_TABLES].mean_batch))
    echo = asyncio.run(measure_raw(4, batch, seconds))
    again = asyncio.run(measure_raw(4, 1, seconds))
    return {
        "decisions_per_s": {str(count): round(game.decisions_per_s) for count, game in games.items()},
        "matches_per_s": {str(count): round(game.matches_per_s, 1) for count, game in games.items()},
        "mean_batch": {str(count): round(game.mean_batch, 1) for count, game in games.items()},
        # Before and after the games: what else the machine did meanwhile weighs on both.
        "pingpong_per_s": round((pingpong.turns_per_s + again.turns_per_s) / 2),
        "echo_decisions_per_s": round(echo.turns_per_s),
        "echo_batch": batch,
        "median_decision_us": round(games[1].median_decision_us),
        "pingpong_median_us": round(single.median_us),
    }


def lines(figures: dict[str, Any]) -> list[str]:
    """The figures for a person."""
    raw = figures["pingpong_per_s"]
    text = [f"{'tables':>8} {'decisions/s':>12} {'matches/s':>10} {'batch':>6} {'times ping-pong':>16}"]
    for count, rate in figures["decisions_per_s"].items():
        matches, batch = figures["matches_per_s"][count], figures["mean_batch"][count]
        text.append(f"{count:>8} {rate:>12,} {matches:>10} {batch:>6} {rate / raw:>16.1f}")
    return [
        *text,
        f"ping-pong, one decision a message, four streams: {raw:,}/s",
        f"echo, {figures['echo_batch']} decisions a message, no game: {figures['echo_decisions_per_s']:,}/s",
        f"one table: {figures['median_decision_us']} us a decision; one raw stream: {figures['pingpong_median_us']} us",
    ]
