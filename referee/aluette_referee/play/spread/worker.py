"""What a worker does with a unit: it plays it, with a referee and bots of its own.

A process has one referee, in a thread of its own that begins with the first unit and ends with the process. Bots live on
from unit to unit, and go home when none has come for a while. `play_unit` may be called from many threads at once.
"""

import atexit
import contextlib
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Final

import trio

from aluette.errors import Misuse
from aluette_referee.play import bridge
from aluette_referee.play.endpoint import LOOPBACK
from aluette_referee.play.gate import Gate
from aluette_referee.play.groups import leaves
from aluette_referee.play.inprocess import play_in_process
from aluette_referee.play.launch import Launch, resolve
from aluette_referee.play.pool import Pool, open_pool
from aluette_referee.play.runner import MatchPlan, MatchPlayed, Runner
from aluette_referee.play.sandbox import require_sandbox
from aluette_referee.play.spread.bundle import unpack
from aluette_referee.play.spread.unit import Answer, How, SentBot, read_unit, write_answer

__all__ = ["play_unit"]

IDLE_SECONDS: Final = 30.0
"""So long bots wait for another unit."""
_BEGIN_SECONDS: Final = 60.0
_FAREWELL_SECONDS: Final = 5.0


def play_unit(data: bytes) -> bytes:
    """Play a unit (`unit.read_unit`) and return the answer (`unit.read_answer`); a person's mistake is an answer, too.

    Ends in time because every answer of a bot has a limit, and a bot that is played in this process is trusted to.
    """
    answer = Answer()
    try:
        answer = _answer(data)
    except* Misuse as mistakes:
        told = "; ".join(dict.fromkeys(map(str, leaves(mistakes))))
        answer = Answer(refused=f"the worker {os.getpid()} on {socket.gethostname()} refuses: {told}")
    return write_answer(answer)


def _answer(data: bytes) -> Answer:
    unit = read_unit(data)
    lacks = tuple(bot.content for bot in unit.bots if not _bots.has(bot))
    if lacks:
        return Answer(lacks=lacks)
    plans = unit.plans([_bots.find(bot) for bot in unit.bots])
    if unit.how.in_process:
        with _alone:
            return Answer(tuple(play_in_process(plan, unit.how.policy) for plan in plans))
    return Answer(tuple(_referee.play(unit.how, plans)))


# -- bots -----------------------------------------------------------------------------------------------

_alone = threading.Lock()
"""Bots that play in this process do so one match at a time."""


class _Bots:
    """The bots that have come here, each in a folder of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[tuple[str, str | None], Launch] = {}

    def has(self, bot: SentBot) -> bool:
        """Whether its files are here, or came with it."""
        return bot.folder is not None or bot.bundle is not None or (bot.content, None) in self._found

    def find(self, bot: SentBot) -> Launch:
        """How it is started here; raises `Misuse` when it is not the bot that was sent."""
        with self._lock:
            name = (bot.content, bot.folder)
            if name not in self._found:
                launch = resolve(bot.spec, self._lay_down(bot) if bot.folder is None else Path(bot.folder))
                if launch.content != bot.content:
                    raise Misuse(
                        f"the bot {bot.label} is another here (SHA-256 {launch.content[:16]}…, sent was {bot.content[:16]}…): "
                        "its files have changed since the run began, or it needs some that are not in its folder"
                    )
                self._found[name] = launch
            return self._found[name]

    def _lay_down(self, bot: SentBot) -> Path:
        assert bot.bundle is not None
        place = Path(tempfile.mkdtemp(prefix="aluette-"))
        atexit.register(shutil.rmtree, place, ignore_errors=True)
        unpack(bot.bundle, place)
        return place


_bots = _Bots()


# -- the referee ----------------------------------------------------------------------------------------


class _House:
    """A pool for units that are played alike, from the first until none has come for a while."""

    def __init__(self) -> None:
        self.pool: Pool | None = None
        self.problem: BaseException | None = None
        self.opened = trio.Event()
        self.guests = 0
        self.visited = trio.Event()


class _Referee:
    """Begins with the first unit, in a thread of its own."""

    def __init__(self) -> None:
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._began = threading.Event()
        self._token: trio.lowlevel.TrioToken | None = None
        self._life = trio.CancelScope()
        self._houses: dict[How, _House] = {}
        self._nursery: trio.Nursery | None = None

    def play(self, how: How, plans: Sequence[MatchPlan]) -> list[MatchPlayed]:
        """Play matches, for another thread, which waits meanwhile."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=bridge.run, args=(self._live,), name="referee", daemon=True
                )
                self._thread.start()
                atexit.register(self._stop)
            if not self._began.wait(_BEGIN_SECONDS):
                raise RuntimeError("the worker's referee does not begin")
        try:
            return trio.from_thread.run(self._play, how, plans, trio_token=self._token)
        except* (trio.Cancelled, trio.RunFinishedError):
            pass
        raise RuntimeError("the worker's referee has ended")

    def _stop(self) -> None:
        """The process ends, and so does what is played, and every bot."""
        assert self._token is not None
        assert self._thread is not None
        with contextlib.suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._life.cancel)
        self._thread.join(_FAREWELL_SECONDS)

    async def _live(self) -> None:
        with self._life:
            async with trio.open_nursery() as self._nursery:
                self._token = trio.lowlevel.current_trio_token()
                self._began.set()
                await trio.sleep_forever()

    async def _play(self, how: How, plans: Sequence[MatchPlan]) -> list[MatchPlayed]:
        played: dict[str, MatchPlayed] = {}

        async def keep(match: MatchPlayed) -> None:
            played[match.plan.id] = match

        async with self._visit(how) as pool:
            runner = Runner(pool, how.limits, how.policy)
            await runner.play_all(plans, keep, Gate(len(plans), len(plans)))
        return [played[plan.id] for plan in plans]

    @contextlib.asynccontextmanager
    async def _visit(self, how: How) -> AsyncGenerator[Pool]:
        assert self._nursery is not None
        house = self._houses.get(how)
        if house is None:
            house = self._houses[how] = _House()
            self._nursery.start_soon(self._keep_house, how, house)
        house.guests += 1
        house.visited.set()
        try:
            await house.opened.wait()
            if house.problem is not None:
                raise house.problem
            assert house.pool is not None
            yield house.pool
        finally:
            house.guests -= 1

    async def _keep_house(self, how: How, house: _House) -> None:
        try:
            if how.bounds.sandbox != "none":
                require_sandbox()
            with tempfile.TemporaryDirectory(prefix="aluette-") as folder:
                place = f"{folder}/referee"
                async with open_pool(place, how.limits, _nobody, how.bounds, LOOPBACK) as house.pool:
                    house.opened.set()
                    await self._until_idle(house)
                    del self._houses[how]  # who comes from now on has another
        except Exception as error:
            if house.opened.is_set():
                raise
            # It could not be opened: whoever has come is told why.
            house.problem = error
            del self._houses[how]
            house.opened.set()

    async def _until_idle(self, house: _House) -> None:
        while True:
            house.visited = trio.Event()
            with trio.move_on_after(IDLE_SECONDS) as waiting:
                await house.visited.wait()
            if waiting.cancelled_caught and not house.guests:
                return


def _nobody(_text: str) -> None:
    """No bot that a person starts comes here, so there is nothing to tell."""


_referee = _Referee()
