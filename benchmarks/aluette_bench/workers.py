"""Worker processes: what a second one adds, and what the process that feeds them takes for a match."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import trio

from aluette.packs import open_contest_key
from aluette.rules import STANDARD
from aluette_referee.bounds import UNBOUNDED
from aluette_referee.clock import Limits
from aluette_referee.contest.formats.round_robin import round_robin
from aluette_referee.contest.schedule import fixtures_of
from aluette_referee.faults import FORFEIT
from aluette_referee.play.gate import Gate
from aluette_referee.play.runner import MatchPlan, MatchPlayed
from aluette_referee.play.seating import plans_of, prepare_two
from aluette_referee.play.spread.coordinator import play_spread
from aluette_referee.play.spread.processes import Processes
from aluette_referee.play.spread.unit import How

__all__ = ["WorkerFigures", "measure_workers"]

_BOTS: Final = ("careful", "random")
_MANY: Final = 100_000
_WARM: Final = 4
"""Matches of each worker that are not counted."""


class WorkerFigures(NamedTuple):
    """Of so many worker processes, each with its bots in it; `feeding_ms` is of the process that feeds them, for a match."""

    workers: int
    matches_per_s: float
    feeding_ms: float


def measure_workers(count: int, seconds: float) -> WorkerFigures:
    """Play matches in so many processes for so long."""
    engine = Processes(count)
    try:
        return trio.run(_measure, engine, count, seconds)
    finally:
        engine.close()


async def _measure(engine: Processes, count: int, seconds: float) -> WorkerFigures:
    warm, ended = trio.Event(), 0

    async def take(_played: MatchPlayed) -> None:
        nonlocal ended
        ended += 1
        if ended == _WARM * count:
            warm.set()

    async with trio.open_nursery() as nursery:
        how = How(Limits(), FORFEIT, UNBOUNDED, in_process=True)
        nursery.start_soon(
            partial(play_spread, announce=print), _plans(), how, engine, take, Gate(2 * count, 2 * count)
        )
        await warm.wait()
        before, began, computed = ended, time.perf_counter(), time.process_time()
        await trio.sleep(seconds)
        played, took, computed = ended - before, time.perf_counter() - began, time.process_time() - computed
        nursery.cancel_scope.cancel()
    return WorkerFigures(count, played / took, computed / max(1, played) * 1000)


def _plans() -> Iterator[MatchPlan]:
    prepared = prepare_two(_BOTS, Path.cwd())
    fixtures = fixtures_of(round_robin(prepared.entrants, _MANY))
    return plans_of(fixtures, prepared, STANDARD, open_contest_key("bench"))
