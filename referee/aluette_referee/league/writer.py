"""The one task of the service that writes. While the database is away play goes on, and what ended waits; nothing new begins.

What waits together is stored in one transaction. Whatever fails is tried again, over a new connection, until it is stored or
the service must end.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import trio

from aluette.errors import Misuse
from aluette_referee.league.fixture import LeagueFixture
from aluette_referee.league.journal import Journal
from aluette_referee.league.ledger import Ended, Ledger, Lost

__all__ = ["Writer"]

_TOGETHER: Final = 0.25
"""Seconds for which results wait for others."""
_SAVE_SECONDS: Final = 30.0
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 10.0


class Writer:
    """Writes into a ledger, in the order of asking, and tells when the database is away, and when it is back."""

    def __init__(self, ledger: Ledger, journal: Journal, stored: Callable[[], None]) -> None:
        """Nothing waits. `stored` is called when results were."""
        self._stored = stored
        self._ledger = ledger
        self._journal = journal
        self.is_away = False
        """Whether the database does not answer."""
        self._waits_since = 0.0
        self._jobs: list[tuple[Callable[[Ledger], object], trio.Event]] = []
        self._ended: list[Ended] = []
        self._lost: list[Lost] = []
        self._due = trio.Event()
        self._idle = trio.Event()
        self._idle.set()

    @property
    def behind(self) -> int:
        """How many matches have ended whose results are not stored."""
        return len(self._ended)

    @property
    def lag(self) -> float:
        """For how many seconds what waits longest has waited."""
        return 0.0 if self._idle.is_set() else trio.current_time() - self._waits_since

    async def begin(self, fixtures: Iterable[LeagueFixture]) -> None:
        """Commit to matches; returns when that is stored."""
        fixtures = list(fixtures)
        await self.do(lambda ledger: ledger.begin(fixtures))

    def ended(self, ended: Ended) -> None:
        """A match is over."""
        self._ended.append(ended)
        self._wake()

    def lost(self, losses: Sequence[Lost]) -> None:
        """Processes or streams were lost."""
        self._lost.extend(losses)
        self._wake()

    def granting(self, wishes: Mapping[int, int]) -> None:
        """Of unrated matches that were asked for, so many are left."""
        self._post(lambda ledger: ledger.grant(wishes))

    async def do(self, act: Callable[[Ledger], object]) -> None:
        """Have something done, that may be done twice; returns when it is stored."""
        await self._post(act).wait()

    def _post(self, act: Callable[[Ledger], object]) -> trio.Event:
        done = trio.Event()
        self._jobs.append((act, done))
        self._wake()
        return done

    async def drained(self) -> None:
        """Wait until nothing waits."""
        await self._idle.wait()

    async def run(self) -> None:
        """Write, for ever."""
        while True:
            await self._due.wait()
            if not self._jobs:
                await trio.sleep(_TOGETHER)
            self._due = trio.Event()
            jobs, ended, losses = list(self._jobs), list(self._ended), list(self._lost)

            def write(
                jobs: list[tuple[Callable[[Ledger], object], trio.Event]] = jobs,
                ended: list[Ended] = ended,
                losses: list[Lost] = losses,
            ) -> None:
                for act, _ in jobs:  # first: a match is begun before it ends
                    act(self._ledger)
                if ended or losses:
                    self._ledger.save(ended, losses)

            await self._see_through(write)
            # Only what is stored is not behind any more.
            del self._jobs[: len(jobs)], self._ended[: len(ended)], self._lost[: len(losses)]
            for _, done in jobs:
                done.set()
            if ended:
                self._stored()
            if not (self._jobs or self._ended or self._lost):
                self._idle.set()

    async def _see_through(self, write: Callable[[], None]) -> None:
        pause = _FIRST_PAUSE
        while True:
            try:
                if self.is_away:
                    await self._in_thread(self._ledger.reconnect)
                await self._in_thread(write)
            except (Misuse, trio.TooSlowError) as error:
                if not self.is_away:
                    self.is_away = True
                    told = str(error) or f"it has not answered for {_SAVE_SECONDS:g} s"
                    self._journal.tell(
                        f"the database is away: {told}; results wait, and no match begins", "database away"
                    )
                await trio.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                if self.is_away:
                    self.is_away = False
                    self._journal.tell("the database is back", "database back")
                return

    async def _in_thread(self, act: Callable[[], None]) -> None:
        # A limiter of its own: a thread that was given up keeps its place for as long as it hangs.
        with trio.fail_after(_SAVE_SECONDS):
            await trio.to_thread.run_sync(act, limiter=trio.CapacityLimiter(1), abandon_on_cancel=True)

    def _wake(self) -> None:
        if self._idle.is_set():
            self._idle = trio.Event()
            self._waits_since = trio.current_time()
        self._due.set()
