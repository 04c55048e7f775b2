"""The referee itself: four `lowest` bots in four processes, so many matches at once."""

import itertools
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from aluette.packs import block_key, open_contest_key, pairing_id
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.play import bridge
from aluette_referee.play.game import LiveGame
from aluette_referee.play.launch import resolve
from aluette_referee.play.player import Player
from aluette_referee.play.pool import Post, open_pool
from aluette_referee.play.runner import Chair, Gate, MatchPlan, MatchPlayed, Runner

__all__ = ["GameFigures", "measure_games"]


class GameFigures(NamedTuple):
    """What was measured at one number of tables."""

    decisions_per_s: float
    matches_per_s: float
    mean_batch: float
    median_decision_us: float
    """Median time from one answer to the next; of use at one table."""


def measure_games(tables: list[int], seconds: float) -> dict[int, GameFigures]:
    """Play for so many seconds at each number of tables, with the same four processes."""
    figures: dict[int, GameFigures] = {}

    async def main() -> None:
        limits = Limits()
        launch = resolve(BotSpec("lowest"), Path.cwd())
        chairs = {seat: Chair(Post("bench", int(seat), 1), launch, "bench") for seat in SEATS}
        with tempfile.TemporaryDirectory(prefix="aluette-bench-") as folder:
            async with open_pool(f"{folder}/referee", limits, print) as pool:
                runner = _TimedRunner(pool, limits)
                await _play(runner, chairs, 4, 0.5)
                players = [await pool.player(chair.post, launch) for chair in chairs.values()]
                for count in tables:
                    figures[count] = await _measure(runner, chairs, players, count, seconds)

    bridge.run(main)
    return figures


async def _measure(
    runner: "_TimedRunner", chairs: Mapping[Seat, Chair], players: list[Player], tables: int, seconds: float
) -> GameFigures:
    runner.answered.clear()
    sent = [(player.stream.turns, player.stream.batches) for player in players]
    began = time.perf_counter()
    matches = await _play(runner, chairs, tables, seconds)
    took = runner.answered[-1] - began  # not to the last words of the last match
    turns = sum(player.stream.turns - before for player, (before, _) in zip(players, sent, strict=True))
    batches = sum(player.stream.batches - before for player, (_, before) in zip(players, sent, strict=True))
    gaps = [later - earlier for earlier, later in itertools.pairwise(runner.answered)]
    return GameFigures(len(runner.answered) / took, matches / took, turns / batches, median(gaps) * 1e6)


async def _play(runner: "_TimedRunner", chairs: Mapping[Seat, Chair], tables: int, seconds: float) -> int:
    ended = 0

    async def deliver(played: MatchPlayed) -> None:
        nonlocal ended
        assert not played.outcome.faults, played.outcome.faults
        ended += 1

    await runner.play_all(_plans(chairs, seconds), deliver, Gate(tables, tables))
    return ended


def _plans(chairs: Mapping[Seat, Chair], seconds: float) -> Iterator[MatchPlan]:
    end = time.perf_counter() + seconds
    for number in itertools.count():
        if time.perf_counter() > end:
            return
        key = block_key(open_contest_key("bench"), pairing_id("one", "other"), number)
        yield MatchPlan(str(number), RuleSet(), key, SEATS[number % 4], chairs)


class _TimedGame(LiveGame):
    """Notes when each answer comes."""

    answered: list[float]

    def answer(self, seat: Seat, move: wire.Move, charged: float | None) -> set[Player]:
        self.answered.append(time.perf_counter())
        return super().answer(seat, move, charged)


class _TimedRunner(Runner):
    """Notes when each answer comes, at any table."""

    answered: list[float]

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.answered = []

    def _game(
        self, plan: MatchPlan, match: Match, chairs: Mapping[Seat, Chair], players: Mapping[Seat, Player]
    ) -> LiveGame:
        game = super()._game(plan, match, chairs, players)
        game.__class__ = _TimedGame
        game.answered = self.answered  # type: ignore[attr-defined]
        return game
