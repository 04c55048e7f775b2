"""The front door of live play: bots are seen to get ready, and play; then everybody is sent home.

Each function blocks until it is done; the command line calls them, and `play.tournament` does.
"""

import contextlib
import signal
import tempfile
import threading
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
from aluette_referee.faults import Policy
from aluette_referee.play import bridge
from aluette_referee.play.check import check_bots
from aluette_referee.play.conformance import Failure, try_bot
from aluette_referee.play.endpoint import LOOPBACK, Endpoint
from aluette_referee.play.inprocess import factory_of, play_in_process
from aluette_referee.play.launch import Launch
from aluette_referee.play.pool import Pool, open_pool
from aluette_referee.play.runner import Gate, MatchPlan, MatchPlayed, Runner
from aluette_referee.play.sandbox import require_sandbox

__all__ = [
    "Interrupted", "Settings", "check_launches", "play_plans", "try_out", "with_pool",
]  # fmt: skip

T = TypeVar("T")
GRACE_SECONDS: Final = 1.0
"""How long matches that are being played may go on after Ctrl-C."""
SAVE_SECONDS: Final = 120.0
"""How long results may take to be saved."""
_LAST_SAVE_SECONDS: Final = 3.0
"""How long they may take after Ctrl-C; a database that answers is seen through."""
_SHUT_OFF: Final = (
    "in a sandbox a bot sees its own files alone: what else it needs is listed in its files = [...]"
)


@dataclass(frozen=True, slots=True)
class Settings:
    """How matches are played. `tables` None: as many at once as suits the bots."""

    limits: Limits
    policy: Policy
    cores: int
    tables: int | None = None
    in_process: bool = False
    bounds: Bounds = UNBOUNDED
    endpoint: Endpoint = LOOPBACK
    announce: Callable[[str], None] = print


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, or SIGTERM: everything was brought to an end in order."""


def check_launches(launches: Sequence[Launch], rules: RuleSet, settings: Settings) -> None:
    """See every distinct bot get ready; raises `Misuse` naming all that do not, with their own output."""
    if settings.bounds.sandbox != "none":
        require_sandbox()
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
    if settings.in_process:
        with _heard() as was_interrupted:
            for plan in plans:
                save([play_in_process(plan, settings.policy)])
                if was_interrupted():
                    raise Interrupted
        return

    async def play(gate: Gate, deliver: trio.MemorySendChannel[MatchPlayed]) -> None:
        async with deliver, _pool(settings) as pool:
            await Runner(pool, settings.limits, settings.policy).play_all(plans, deliver.send, gate)

    async def main() -> None:
        gate = Gate(settings.cores, settings.tables)
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

    bridge.run(main)


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
    with trio.CancelScope(shield=True):
        async for played in delivered:
            batch = [played]
            with contextlib.suppress(trio.WouldBlock, trio.EndOfChannel):
                while True:
                    batch.append(delivered.receive_nowait())
            with patience.begin() as waiting:
                await trio.to_thread.run_sync(save, batch, limiter=one_at_a_time, abandon_on_cancel=True)
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
