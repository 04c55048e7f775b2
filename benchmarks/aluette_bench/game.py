"""The referee itself: four `lowest` bots in four processes, so many matches at once, in a steady state.

Each figure is measured in a process of its own, so that its memory is what that many tables take. What is counted
are answers in a span of time in which every table is taken: neither the beginning nor the last matches weigh on it.
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import trio

from aluette.packs import block_key, open_contest_key, pairing_id
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette.v1 import referee_pb2 as wire
from aluette_bench.disconnects import memory_of
from aluette_bench.noting import NotingRunner
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.play import bridge
from aluette_referee.play.gate import Gate
from aluette_referee.play.launch import resolve
from aluette_referee.play.player import Player
from aluette_referee.play.pool import Post, open_pool
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed, Runner

__all__ = ["GameFigures", "measure_game"]

WARM_UP: Final = 1.0
"""Seconds of play before anything is counted."""


class GameFigures(NamedTuple):
    """What was measured at one number of tables."""

    decisions_per_s: float
    mean_batch: float
    referee_cpu_us: float
    """Processor time of the referee for a decision."""
    referee_mb: float
    """Memory of the referee, resident, at the end."""
    median_decision_us: float | None = None
    """Median time from one answer to the next, at one table."""


def measure_game(tables: int, seconds: float) -> GameFigures:
    """Play so many matches at once, and count for so many seconds."""
    call = [sys.executable, "-m", "aluette_bench.game", str(tables), str(seconds)]
    said = subprocess.run(call, check=True, capture_output=True, text=True, timeout=120 + 10 * seconds)
    return GameFigures(**json.loads(said.stdout.splitlines()[-1]))


def main(arguments: Sequence[str]) -> None:
    """Measure in this process, and print the figures as JSON: tables, seconds."""
    tables, seconds = int(arguments[0]), float(arguments[1])
    figures: list[GameFigures] = []
    answered: list[float] = []

    def note(_move: wire.Move, _charged: float | None) -> None:
        answered.append(time.perf_counter())

    async def play() -> None:
        limits = Limits()
        launch = resolve(BotSpec("lowest"), Path.cwd())
        chairs = {seat: Chair(Post("bench", int(seat), 1), launch, "bench") for seat in SEATS}
        with tempfile.TemporaryDirectory(prefix="aluette-bench-") as folder:
            async with open_pool(f"{folder}/referee", limits, print) as pool:
                runner = NotingRunner(pool, limits, note) if tables == 1 else Runner(pool, limits)
                players = [await pool.player(chair.post, launch) for chair in chairs.values()]
                figures.append(await _measure(runner, chairs, players, tables, seconds, answered=answered))

    bridge.run(play)
    sys.stdout.write(json.dumps(figures[0]._asdict()) + "\n")


async def _measure(
    runner: Runner,
    chairs: Mapping[Seat, Chair],
    players: list[Player],
    tables: int,
    seconds: float,
    *,
    answered: list[float],
) -> GameFigures:
    """`answered` is when answers come, where that is noted."""

    async def deliver(played: MatchPlayed) -> None:
        assert not played.outcome.faults, played.outcome.faults

    def counts() -> tuple[float, float, int, int]:
        turns = sum(player.stream.turns - player.stream.under_way for player in players)
        batches = sum(player.stream.batches for player in players)
        return time.perf_counter(), time.process_time(), turns, batches

    async with trio.open_nursery() as nursery:
        nursery.start_soon(runner.play_all, _plans(chairs), deliver, Gate(tables, tables))
        while min(player.tables for player in players) < tables:  # noqa: ASYNC110 - nobody tells a benchmark
            await trio.sleep(0.01)
        await trio.sleep(WARM_UP)
        answered.clear()
        before = counts()
        await trio.sleep(seconds)
        after = counts()
        memory = memory_of(os.getpid()) / 1e6
        nursery.cancel_scope.cancel()
    took, cpu, turns, batches = (end - begin for begin, end in zip(before, after, strict=True))
    gaps = [1e6 * (later - earlier) for earlier, later in itertools.pairwise(answered)]
    return GameFigures(
        turns / took,
        turns / max(batches, 1),
        cpu / turns * 1e6,
        memory,
        median(gaps) if gaps else None,
    )


def _plans(chairs: Mapping[Seat, Chair]) -> Iterator[MatchPlan]:
    for number in itertools.count():
        key = block_key(open_contest_key("bench"), pairing_id("one", "other"), number)
        yield MatchPlan(str(number), RuleSet(), key, SEATS[number % 4], chairs)


if __name__ == "__main__":
    main(sys.argv[1:])
