"""Keeps an engine fed with blocks, and hands over what was played, in the order in which blocks end.

A unit whose worker was lost is played again elsewhere; nothing of it was handed over before, so nothing is twice.
"""

import contextlib
import itertools
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Final

import trio

from aluette.errors import Misuse
from aluette_referee.play.gate import Gate
from aluette_referee.play.runner import MatchPlan, MatchPlayed
from aluette_referee.play.spread.bundle import pack
from aluette_referee.play.spread.engine import Engine, WorkerLost
from aluette_referee.play.spread.unit import How, read_answer, write_unit
from aluette_referee.play.spread.worker import play_unit

__all__ = ["play_spread"]

LOSSES: Final = 3
"""Whoever has lost so many workers is not given another."""
_LARGE: Final = 1_000_000
"""Bytes of bots' files that need not wait for each other."""
_LOOK_SECONDS: Final = 0.5
"""How often an engine is asked for its slots, when none are free."""
_NO_WORKER_SECONDS: Final = 600.0
"""So long a worker is waited for when there is none."""


async def play_spread(
    plans: Iterable[MatchPlan],
    how: How,
    engine: Engine,
    deliver: Callable[[MatchPlayed], Awaitable[object]],
    gate: Gate,
    *,
    announce: Callable[[str], None],
) -> None:
    """Play all plans in order, as many blocks at once as the gate lets in and the engine has slots for.

    The gate counts blocks. Raises `Misuse` when a worker refuses, when a block has ended too many workers, and when no
    worker has come for a long time.
    """
    desk = _Desk(how, engine, announce)

    async def play(unit: list[MatchPlan]) -> None:
        try:
            ended = await desk.play(unit)
        finally:
            gate.leave()
        for played in ended:
            gate.learn(played.timing)
            await deliver(played)
        gate.taken()

    async with trio.open_nursery() as watching:
        watching.start_soon(desk.watch)
        async with trio.open_nursery() as nursery:
            for unit in _blocks(plans):
                await desk.wait_for_slot()
                if not await gate.enter():
                    break
                desk.under_way += 1
                nursery.start_soon(play, unit)
        watching.cancel_scope.cancel()


def _blocks(plans: Iterable[MatchPlan]) -> Iterator[list[MatchPlan]]:
    """The matches of a block stand together."""
    for _, block in itertools.groupby(plans, key=lambda plan: plan.key.secret):
        yield list(block)


class _Desk:
    """Where units go out and answers come in."""

    def __init__(self, how: How, engine: Engine, announce: Callable[[str], None]) -> None:
        self._how = how
        self._engine = engine
        self._announce = announce
        self._bundles: dict[str, bytes] = {}
        self._large = trio.Lock()
        self._answered = trio.Event()
        self.under_way = 0

    async def wait_for_slot(self) -> None:
        """Return when a unit can go out."""
        while self.under_way >= self._engine.slots:
            self._answered = trio.Event()
            with trio.move_on_after(_LOOK_SECONDS):
                await self._answered.wait()

    async def watch(self) -> None:
        """Say when there is no worker; raises `Misuse` when none has come for long."""
        missed = math.inf
        while True:
            await trio.sleep(_LOOK_SECONDS)
            now = trio.current_time()
            if self._engine.slots:
                missed = math.inf
            elif missed == math.inf:
                missed = now
                self._announce("no worker is there: waiting for one")
            elif now - missed > _NO_WORKER_SECONDS:
                raise Misuse(
                    f"no worker has come within {_NO_WORKER_SECONDS:g} s: start some, and run this again"
                )

    async def play(self, plans: list[MatchPlan]) -> tuple[MatchPlayed, ...]:
        """Have a unit played, again if need be."""
        lost: list[str] = []
        attempts = itertools.count()
        try:
            while True:
                try:
                    return await self._played(plans, attempts)
                except WorkerLost as error:
                    lost.append(str(error))
                    if len(lost) == LOSSES:
                        raise Misuse(
                            f"the block of match {plans[0].id} was given up, since {LOSSES} workers were lost with it: {lost[-1]}"
                        ) from None
                    self._announce(f"{error}: what it was playing is played again")
        finally:
            self.under_way -= 1
            self._answered.set()

    async def _played(self, plans: list[MatchPlan], attempts: Iterator[int]) -> tuple[MatchPlayed, ...]:
        """What a worker answers that has all files. Large ones travel with one unit at a time."""
        waited = False
        bundles: dict[str, bytes] | None = None if self._engine.sees_files else {}
        async with contextlib.AsyncExitStack() as alone:
            while True:
                data = write_unit(plans, self._how, bundles, next(attempts))
                answer = read_answer(await _outcome(self._engine.submit(play_unit, data)), plans)
                if answer.refused:
                    raise Misuse(answer.refused)
                if not answer.lacks:
                    return answer.matches
                assert bundles is not None
                bundles |= {content: self._bundle(plans, content) for content in answer.lacks}
                if sum(map(len, bundles.values())) > _LARGE and not waited:
                    await alone.enter_async_context(self._large)
                    waited, bundles = True, {}  # another unit may have brought them meanwhile

    def _bundle(self, plans: list[MatchPlan], content: str) -> bytes:
        """The files of a bot, packed once."""
        if content not in self._bundles:
            launches = (chair.launch for plan in plans for chair in plan.chairs.values())
            self._bundles[content] = pack(next(launch for launch in launches if launch.content == content))
        return self._bundles[content]


async def _outcome(future: "Future[bytes]") -> bytes:
    """What becomes of a future; it is given up when this is cancelled."""
    done, token = trio.Event(), trio.lowlevel.current_trio_token()

    def tell(_: "Future[bytes]") -> None:
        with contextlib.suppress(trio.RunFinishedError):  # nobody waits any more
            token.run_sync_soon(done.set)

    future.add_done_callback(tell)
    try:
        await done.wait()
    finally:
        future.cancel()
    return future.result()
