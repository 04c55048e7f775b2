"""The league's program: one nursery for its bots, who plays whom, what is written, and the ladder.

It looks every second whether people have changed something. It ends in order: no match begins any more, those that are played have a
moment to end, what ended is stored, and everybody is told to come again.
"""

import contextlib
import functools
import math
import random
import secrets
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import sqlalchemy as sa
import trio

from aluette.errors import Misuse
from aluette_referee.league.fixture import LeagueFixture
from aluette_referee.league.folder import Folder
from aluette_referee.league.hall import Hall
from aluette_referee.league.journal import Journal
from aluette_referee.league.ledger import Ended, Ledger, create_or_open
from aluette_referee.league.matchmaker import Matchmaker
from aluette_referee.league.metrics import Metrics
from aluette_referee.league.queries import read_season
from aluette_referee.league.rater import Rater
from aluette_referee.league.reader import Reader
from aluette_referee.league.roster import (
    Entrant,
    Flags,
    Holder,
    Wish,
    change_number,
    read_flags,
    read_holder,
    read_revoked,
    read_roster,
    read_wishes,
)
from aluette_referee.league.tables import Tables
from aluette_referee.league.watching import Stage
from aluette_referee.league.writer import Writer
from aluette_referee.play import bridge
from aluette_referee.play.bridge import Server
from aluette_referee.play.door import NotNow
from aluette_referee.play.endpoint import Endpoint
from aluette_referee.play.launch import Launch, resolve
from aluette_referee.play.pool import open_pool
from aluette_referee.play.sandbox import require_sandbox

__all__ = ["END_SECONDS", "LeagueService", "serve"]

END_SECONDS: Final = 10.0
"""For matches that are being played when the service is to end."""
_LOOK_SECONDS: Final = 1.0
_STORE_SECONDS: Final = 30.0
"""For storing how the last matches ended."""
_READERS: Final = 4


@dataclass(frozen=True, slots=True)
class _Decided:
    """What people have decided, as the database has it. `number` grows with every change."""

    number: int
    flags: Flags
    roster: Mapping[int, Entrant] = field(default_factory=dict[int, Entrant])
    revoked: frozenset[int] = frozenset()
    wishes: tuple[Wish, ...] = ()


class LeagueService:
    """A league that is being served."""

    def __init__(self, folder: Folder, ledger: Ledger, journal: Journal) -> None:
        """Take an open ledger."""
        self._folder = folder
        self._settings = folder.settings
        self._ledger = ledger
        self.journal = journal
        self.reader = Reader(folder.database, _READERS)
        self._decided = _Decided(-1, Flags(False, False, None))
        self._launches: dict[int, Launch | None] = {}
        """Of hosted bots; None of one that cannot be played."""
        self._ending = trio.Event()
        self._matches = trio.CancelScope()
        self.metrics = Metrics(
            {
                "tables": ("Matches that are being played", lambda: len(self.tables.playing)),
                "streams": ("Streams of bots that are here", lambda: self.hall.streams),
                "entrants": ("Versions of bots that are here, hosted ones too", lambda: len(self.hall.here)),
                "results_waiting": ("Results that are not stored yet", lambda: self.writer.behind),
                "store_lag_seconds": ("How long the oldest of them waits", lambda: self.writer.lag),
                "fit_seconds": ("How long the last fit of the ladder took", lambda: self.rater.seconds),
            }
        )

    @property
    def is_ready(self) -> bool:
        """Whether matches can begin: it is not ending, and the database answers."""
        return not self._ending.is_set() and not self.writer.is_away

    def end(self) -> None:
        """No match begins any more, and those that are played have a moment to end; the second time, none."""
        again = self._matches.deadline < math.inf
        self._matches.deadline = trio.current_time() + (0.0 if again else END_SECONDS)
        self._ending.set()

    async def run(
        self,
        socket: str,
        endpoint: Endpoint,
        opened: Callable[[str], None],
        beside: Callable[["LeagueService"], Awaitable[object]] | None = None,
    ) -> None:
        """Serve until it is to end; `opened` hears the environment that leads bots here.

        `beside` is run with it until then: the web.
        """
        settings, season = self._settings, self._ledger.season.id
        async with trio.open_nursery() as nursery:
            self.writer = Writer(self._ledger, self.journal, self._stored)
            self.hall = Hall(
                nursery,
                self._look_up,
                streams_each=settings.streams_each,
                tables_each=settings.tables_each,
                lost=lambda loss: self.writer.lost([loss]),
                changed=self._room_has_changed,
                journal=self.journal,
            )
            self.tables = Tables(settings, self.hall, self.writer, self._hear)
            self.stage = Stage(self.tables.playing, self.tables.live, self._name_of, settings.delay)
            self.matchmaker = Matchmaker(
                settings,
                self.hall,
                self.tables,
                self.writer,
                key=self._ledger.key,
                next_pack=self._ledger.next_pack,
                season=season,
                rng=random.Random(secrets.randbits(128)),  # noqa: S311 - who meets whom is no secret
            )
            self.rater = Rater(settings, self.reader, self.writer, season, self._learn)
            nursery.start_soon(self.writer.run)
            await self._look()
            async with open_pool(
                socket,
                settings.limits,
                self.journal.tell,
                settings.bounds,
                endpoint,
                find_guest=self.hall.find,
            ) as pool:
                self.hall.open(pool)
                assert pool.server is not None
                nursery.start_soon(self._keep_looking, pool.server)
                for task in (self.rater.run, self.tables.keep_pace):
                    nursery.start_soon(task)
                if beside is not None:
                    nursery.start_soon(beside, self)
                opened(pool.way_here)
                await self._play()
                self.hall.goodbye("the league is about to be started anew: come again")
                with trio.move_on_after(_STORE_SECONDS) as storing:
                    await self.writer.drained()
                    with contextlib.suppress(Misuse):  # the next service fits it
                        await self.rater.fit()
                if storing.cancelled_caught:
                    self.journal.tell(
                        f"how {self.writer.behind} matches ended could not be stored", "not stored"
                    )
            nursery.cancel_scope.cancel()
        self.reader.close()

    async def _play(self) -> None:
        """Have matches begun and played until the service is to end, and the last is over or out of time."""
        with self._matches:
            async with trio.open_nursery() as matches, trio.open_nursery() as drawing:
                drawing.start_soon(self.matchmaker.run, matches)
                await self._ending.wait()
                drawing.cancel_scope.cancel()

    # -- what people decide ----------------------------------------------------------------------------

    async def _look_up(self, token: str) -> tuple[Holder, Entrant | None] | None:
        def find(connection: sa.Connection) -> tuple[Holder, Entrant | None] | None:
            holder = read_holder(connection, token)
            if holder is None:
                return None
            version = holder.version
            return holder, None if version is None else read_roster(connection, version).get(version)

        try:
            return await self.reader.ask(find)
        except Misuse as error:
            raise NotNow from error

    async def _keep_looking(self, server: Server) -> None:
        told = True
        while True:
            await trio.sleep(_LOOK_SECONDS)
            if self.is_ready is not told:
                told = self.is_ready
                await server.say_serving(serving=told)
            try:
                await self._look()
                if self._decided.flags.successor is not None and not self.tables.playing:
                    await self._follow()
            except Misuse:
                continue  # the database is away; the writer says so

    async def _look(self) -> None:
        """See what has been decided since the last time, and go by it."""
        known, tokens = self._decided.number, self.hall.tokens

        def ask(connection: sa.Connection) -> _Decided | None:
            number = change_number(connection)
            if number == known:
                return None
            return _Decided(
                number,
                read_flags(connection),
                read_roster(connection),
                frozenset(read_revoked(connection, tokens)),
                tuple(read_wishes(connection)),
            )

        decided = await self.reader.ask(ask)
        if decided is None:
            return
        self._decided = decided
        hosted = await self._resolve(decided.roster)
        self.matchmaker.roster = self.rater.roster = decided.roster
        self.matchmaker.wishes = list(decided.wishes)
        self.matchmaker.paused = decided.flags.paused or decided.flags.successor is not None
        self.hall.update(decided.roster, hosted, decided.revoked)
        self.rater.wake()
        if decided.flags.draining:
            self._ending.set()

    async def _resolve(self, roster: Mapping[int, Entrant]) -> dict[int, Launch]:
        """How the hosted bots that may play are started; who has changed since it was entered does not play."""
        playing = [
            entrant for entrant in roster.values() if entrant.hosted is not None and not entrant.barred
        ]
        for entrant in playing:
            if entrant.id not in self._launches:
                self._launches[entrant.id] = await trio.to_thread.run_sync(self._launch_of, entrant)
        found = {entrant.id: self._launches[entrant.id] for entrant in playing}
        return {number: launch for number, launch in found.items() if launch is not None}

    def _launch_of(self, entrant: Entrant) -> Launch | None:
        assert entrant.hosted is not None
        try:
            launch = resolve(entrant.hosted, self._folder.path)
        except Misuse as error:
            self.journal.tell(f"{entrant.name} does not play: {error}", bot=entrant.name)
            return None
        if launch.content != entrant.content:
            told = f"{entrant.name} does not play: its files have changed since it was entered; enter a new version"
            self.journal.tell(told, bot=entrant.name)
            return None
        return launch

    async def _follow(self) -> None:
        """The season's last match is over: its ladder is final, and the next season begins."""
        await self.writer.drained()
        await self.rater.fit()
        await self.writer.do(lambda ledger: ledger.follow(self._settings))
        season = await self.reader.ask(read_season)
        self.matchmaker.season = season.id
        self.rater.begin(season.id)
        self.journal.tell(f"{season.name} has begun", "season", season=season.id)
        self._decided = _Decided(-1, self._decided.flags)
        await self._look()

    # -- who tells whom --------------------------------------------------------------------------------

    def _stored(self) -> None:
        self.rater.wake()

    def _room_has_changed(self) -> None:
        self.matchmaker.wake()

    def _hear(self, fixture: LeagueFixture, ended: Ended) -> None:
        self.metrics.count(ended)
        roster = self._decided.roster
        self.journal.note(
            "match over",
            match=fixture.id,
            seats={seat.name: roster[version].name for seat, version in fixture.seats.items()},
            void=ended.why or None,
            faults=[[fault.type.value, fault.seat.name] for fault in ended.outcome.faults],
        )

    def _name_of(self, version: int) -> str:
        return self._decided.roster[version].name

    def _learn(self) -> None:
        self.matchmaker.ratings = self.rater.ratings


def serve(
    folder: Folder,
    endpoint: Endpoint,
    journal: Journal,
    opened: Callable[[str], None],
    beside: Callable[[LeagueService], Awaitable[object]] | None = None,
) -> None:
    """Serve a league until a signal, or until it is drained. Raises `Misuse`."""
    if folder.settings.bounds.sandbox != "none":
        require_sandbox()

    async def main(ledger: Ledger, socket: str) -> None:
        service = LeagueService(folder, ledger, journal)
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_end_at_signals, signals, service)
                await service.run(socket, endpoint, opened, beside)
                nursery.cancel_scope.cancel()

    with (
        contextlib.closing(create_or_open(folder.database, folder.settings)) as ledger,
        tempfile.TemporaryDirectory(prefix="aluette-") as temporary,
    ):
        bridge.run(functools.partial(main, ledger, f"{temporary}/referee"))


async def _end_at_signals(signals: AsyncIterator[int], service: LeagueService) -> None:
    async for _ in signals:
        told = f"ending: matches that are played have {END_SECONDS:g} s; once more ends at once"
        service.journal.tell(told, "ending")
        service.end()
