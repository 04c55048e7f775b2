"""The front door of live play: bots are seen to get ready, and play; then everybody is sent home.

Each function blocks until it is done; the command line calls them, and `play.tournament` does.
"""

import contextlib
import math
import signal
import tempfile
import threading
import time
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Sequence,
)
from dataclasses import dataclass
from types import FrameType
from typing import Final, TypeVar

import trio

from aluette.errors import Misuse
from aluette.rules import RuleSet
from aluette_referee.bounds import UNBOUNDED, Bounds
from aluette_referee.clock import Limits
from aluette_referee.contest.schedule import LEGS
from aluette_referee.faults import Policy
from aluette_referee.play import bridge
from aluette_referee.play.check import check_bots
from aluette_referee.play.conformance import Failure, try_bot
from aluette_referee.play.endpoint import LOOPBACK, Endpoint
from aluette_referee.play.gate import Gate
from aluette_referee.play.inprocess import factory_of, play_in_process
from aluette_referee.play.launch import Launch
from aluette_referee.play.pool import Pool, open_pool
from aluette_referee.play.runner import MatchPlan, MatchPlayed, Runner
from aluette_referee.play.sandbox import require_sandbox
from aluette_referee.play.spread.coordinator import play_spread
from aluette_referee.play.spread.engine import Engine
from aluette_referee.play.spread.unit import How

__all__ = [
    "Interrupted", "Settings", "Spread", "check_launches", "play_plans", "try_out", "with_pool",
]  # fmt: skip

T = TypeVar("T")
GRACE_SECONDS: Final = 1.0
"""How long matches that are being played may go on after Ctrl-C."""
SAVE_SECONDS: Final = 120.0
"""How long results may take to be saved."""
_COLLECT_SECONDS: Final = 0.25
"""Results are saved together when they come quicker one after the other."""
_LAST_SAVE_SECONDS: Final = 3.0
"""How long they may take after Ctrl-C; a database that answers is seen through."""
_SHUT_OFF: Final = (
    "in a sandbox a bot sees its own files alone: what else it needs is listed in its files = [...]"
)


@dataclass(frozen=True, slots=True)
class Spread:
    """Where else matches are played: how its engine is found and opened, and how many blocks at once that gets."""

    find: Callable[[], None]
    open: Callable[[], Engine]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Settings:
    """How matches are played. `tables` None: as many at once as suits the bots. `spread` None: in this process."""

    limits: Limits
    policy: Policy
    cores: int
    tables: int | None = None
    in_process: bool = False
    bounds: Bounds = UNBOUNDED
    endpoint: Endpoint = LOOPBACK
    announce: Callable[[str], None] = print
    spread: Spread | None = None

    def gate(self) -> Gate:
        """How many matches at once; where they are spread, how many blocks."""
        if self.spread is None:
            return Gate(self.cores, self.tables)
        fixed = self.tables and max(1, self.tables // LEGS)
        return Gate(self.spread.least, fixed, most=self.spread.most)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or SIGTERM: everything was brought to an end in order."""


def check_launches(launches: Sequence[Launch], rules: RuleSet, settings: Settings) -> None:
    """See every distinct bot get ready; raises `Misuse` naming all that do not, with their own output."""
    if settings.bounds.sandbox != "none":
        require_sandbox()
    if settings.spread is not None:
        _require_all_started_by_us(launches)
        settings.spread.find()
    if not settings.in_process:
        hint = "" if settings.bounds.sandbox == "none" else _SHUT_OFF
        with_pool(settings, lambda pool: check_bots(pool, launches, rules, settings.limits, hint))
        return
    problems: list[str] = []
    for launch in {launch.content: launch for launch in launches}.values():
        try:
            factory_of(launch)
        except Misuse as error:
            problems.append(str(error))
    if problems:
        raise Misuse("\n".join(problems))


def _require_all_started_by_us(launches: Sequence[Launch]) -> None:
    for launch in launches:
        if launch.command is None or launch.untimed:
            raise Misuse(
                f"{launch.label}: a person, or a bot that a person starts, plays where the run was begun: "
                "leave out --workers and --engine"
            )


def try_out(
    launch: Launch, limits: Limits, bounds: Bounds, told: Callable[[str, str, Failure | None], None]
) -> bool:
    """Try a bot step by step; `told` hears of each. Returns whether it passed them all."""
    settings = Settings(limits, Policy(), 1, bounds=bounds)
    return with_pool(settings, lambda pool: try_bot(pool, launch, limits, told))


def play_plans(
    plans: Iterable[MatchPlan], settings: Settings, save: Callable[[Sequence[MatchPlayed]], None]
) -> None:
    """Play everything, in this thread; no process is left behind.

    `save` gets the matches that have ended since it was last called; it may block, and is called from one
    thread at a time. When it does not return in `SAVE_SECONDS` it is left to itself. Raises `Misuse` then, and
    `Interrupted` after Ctrl-C.
    """
    if settings.in_process and settings.spread is None:
        _play_here(plans, settings.policy, save)
        return

    async def play(gate: Gate, deliver: trio.MemorySendChannel[MatchPlayed]) -> None:
        if settings.spread is not None:
            how = How(settings.limits, settings.policy, settings.bounds, settings.in_process)
            async with deliver, _engine(settings.spread) as engine:
                await play_spread(plans, how, engine, deliver.send, gate, announce=settings.announce)
            return
        async with deliver, _pool(settings) as pool:
            await Runner(pool, settings.limits, settings.policy).play_all(plans, deliver.send, gate)

    async def main() -> None:
        gate = settings.gate()
        deliver, delivered = trio.open_memory_channel[MatchPlayed](0)
        playing, patience = trio.CancelScope(), _Patience()
        with trio.open_signal_receiver(*_signals()) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_wind_up, signals, gate, playing, patience, settings.announce)
                async with trio.open_nursery() as writers:
                    writers.start_soon(_write, delivered, save, patience, playing)
                    with playing:
                        await play(gate, deliver)
                    # The writer sees through what has been delivered.
                    deliver.close()
                nursery.cancel_scope.cancel()
        if patience.is_over:
            raise patience.error
        if gate.turned_away or playing.cancelled_caught:
            raise Interrupted

    if settings.spread is not None:
        trio.run(main, restrict_keyboard_interrupt_to_checkpoints=True)  # gRPC is where the matches are
    else:
        bridge.run(main)


def _play_here(
    plans: Iterable[MatchPlan], policy: Policy, save: Callable[[Sequence[MatchPlayed]], None]
) -> None:
    ended: list[MatchPlayed] = []
    saved = time.monotonic()
    with _heard() as was_interrupted:
        try:
            for plan in plans:
                ended.append(play_in_process(plan, policy))
                if time.monotonic() - saved >= _COLLECT_SECONDS:
                    batch, ended = ended, []  # a save that is broken off is not tried again
                    save(batch)
                    saved = time.monotonic()
                if was_interrupted():
                    raise Interrupted
        finally:
            if ended:
                save(ended)


def with_pool(settings: Settings, use: Callable[[Pool], Awaitable[T]]) -> T:
    """Run something with a pool; a signal cancels it, and then ends all bots, with `Interrupted`."""

    async def main() -> T:
        using = trio.CancelScope()
        with trio.open_signal_receiver(*_signals()) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_at_signal, signals, using, nursery.cancel_scope)
                try:
                    async with _pool(settings) as pool:
                        with using:
                            return await use(pool)
                        raise Interrupted
                finally:
                    nursery.cancel_scope.cancel()

    return bridge.run(main)


def _signals() -> list[signal.Signals]:
    """Those that end a run in order; a terminal that closes, too, but not after `nohup`."""
    hang_up = [signal.SIGHUP] if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL else []
    return [signal.SIGINT, signal.SIGTERM, *hang_up]


@contextlib.contextmanager
def _heard() -> Generator[Callable[[], bool]]:
    """Ctrl-C breaks off what this thread does, and is remembered: who catches everything, or a destructor, loses it."""
    heard = False

    def hear(_signal: int, _frame: FrameType | None) -> None:
        nonlocal heard
        heard = True
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, hear)
    try:
        yield lambda: heard
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.asynccontextmanager
async def _pool(settings: Settings) -> AsyncGenerator[Pool]:
    with tempfile.TemporaryDirectory(prefix="aluette-") as folder:
        async with open_pool(
            f"{folder}/referee", settings.limits, settings.announce, settings.bounds, settings.endpoint
        ) as pool:
            yield pool


@contextlib.asynccontextmanager
async def _engine(spread: Spread) -> AsyncGenerator[Engine]:
    engine = await trio.to_thread.run_sync(spread.open)
    try:
        yield engine
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(engine.close)


class _Patience:
    """How long one save may take: long, and no longer when somebody wants to stop."""

    def __init__(self) -> None:
        self._seconds = SAVE_SECONDS
        self._waiting = trio.CancelScope()
        self.is_over = False
        self.error: Misuse | Interrupted = Misuse(
            f"the database has not answered for {SAVE_SECONDS:g} s: run this again to play what it has not stored"
        )

    def begin(self) -> trio.CancelScope:
        """Another save begins."""
        self._waiting = trio.CancelScope(deadline=trio.current_time() + self._seconds)
        return self._waiting

    def end(self) -> None:
        """Somebody wants to stop."""
        self._seconds = _LAST_SAVE_SECONDS
        self._waiting.deadline = min(self._waiting.deadline, trio.current_time() + self._seconds)
        self.error = Interrupted("the database does not answer: what it has not stored is played again")


async def _write(
    delivered: trio.MemoryReceiveChannel[MatchPlayed],
    save: Callable[[Sequence[MatchPlayed]], None],
    patience: _Patience,
    playing: trio.CancelScope,
) -> None:
    """Save what has been delivered, all that waits at once; ends `playing` when the database does not answer."""
    one_at_a_time = trio.CapacityLimiter(1)
    saved = -math.inf
    with trio.CancelScope(shield=True):
        async for played in delivered:
            batch = [played]
            with trio.move_on_at(saved + _COLLECT_SECONDS):
                async for another in delivered:
                    batch.append(another)  # noqa: PERF401 - what has come is kept when time is up
            with contextlib.suppress(trio.WouldBlock, trio.EndOfChannel):
                while True:
                    batch.append(delivered.receive_nowait())
            with patience.begin() as waiting:
                await trio.to_thread.run_sync(save, batch, limiter=one_at_a_time, abandon_on_cancel=True)
            saved = trio.current_time()
            if waiting.cancelled_caught:
                patience.is_over = True
                playing.cancel()
                return


async def _at_signal(
    signals: AsyncIterator[int], using: trio.CancelScope, all_of_it: trio.CancelScope
) -> None:
    async for _ in signals:
        if using.cancel_called:
            all_of_it.cancel()
            raise Interrupted
        using.cancel()


async def _wind_up(
    signals: AsyncIterator[int],
    gate: Gate,
    playing: trio.CancelScope,
    patience: _Patience,
    announce: Callable[[str], None],
) -> None:
    """At the first Ctrl-C no new match begins and the running ones may end; then, or at the second, stop."""
    async for _ in signals:
        patience.end()
        if gate.closed:
            playing.cancel()
            continue
        gate.close()
        playing.deadline = trio.current_time() + GRACE_SECONDS
        announce(f"stopping: running matches have {GRACE_SECONDS:g} s to end; Ctrl-C again stops at once")
