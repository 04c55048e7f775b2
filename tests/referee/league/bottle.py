"""A league in memory, under trio's autojump clock: all of it but gRPC and the database."""

import random
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import trio
from referee.play.memory import Bot, MemoryLine, Starter, launch_of, memory_pool, play_honestly

from aluette.rules import RuleSet
from aluette_referee.clock import Limits
from aluette_referee.league.fixture import LeagueFixture
from aluette_referee.league.hall import Hall
from aluette_referee.league.journal import Journal
from aluette_referee.league.ledger import Ended, Lost
from aluette_referee.league.matchmaker import Matchmaker
from aluette_referee.league.roster import Entrant, Holder
from aluette_referee.league.settings import Settings
from aluette_referee.league.tables import Tables

__all__ = ["Bottle", "Notes", "bottled"]

SETTINGS = Settings("bottle", rules=RuleSet(deals=1), limits=Limits(grace=2.0), spacing=0.0)


class Notes:
    """In the place of a writer: what it was told. `away` holds commitments up, as a database does that is away."""

    def __init__(self) -> None:
        self.begun: list[LeagueFixture] = []
        self.over: dict[str, Ended] = {}
        self.losses: list[Lost] = []
        self.granted: dict[int, int] = {}
        self.behind = 0
        self.back = trio.Event()
        self.back.set()

    async def begin(self, fixtures: Iterable[LeagueFixture]) -> None:
        await self.back.wait()
        self.begun.extend(fixtures)

    def ended(self, ended: Ended) -> None:
        assert ended.match not in self.over
        self.over[ended.match] = ended

    def granting(self, wishes: dict[int, int]) -> None:
        self.granted |= wishes

    def lost(self, losses: Iterable[Lost]) -> None:
        self.losses.extend(losses)


@dataclass
class Bottle:
    """The parts. A token is an entrant's name; entrants count from 1."""

    settings: Settings
    hall: Hall
    tables: Tables
    matchmaker: Matchmaker
    notes: Notes
    start: Starter
    nursery: trio.Nursery
    roster: dict[int, Entrant]
    hosted: dict[int, object]
    revoked: set[int] = field(default_factory=set)

    def come(self, name: str, bot: Bot = play_honestly) -> MemoryLine:
        """A bot comes with its token."""
        line = self.start.dial(name)
        self.nursery.start_soon(bot, line)
        return line

    def bar(self, name: str, why: str) -> None:
        """It may not play any more."""
        (number,) = (number for number, entrant in self.roster.items() if entrant.name == name)
        self.roster[number] = replace(self.roster[number], barred=why)
        self.decide()

    def decide(self) -> None:
        """What people decided reaches everybody."""
        self.matchmaker.roster = dict(self.roster)
        self.hall.update(dict(self.roster), self.hosted, self.revoked)

    async def until(self, matches: int) -> None:
        """Wait until so many are over."""
        while len(self.notes.over) < matches:  # noqa: ASYNC110 - the clock jumps
            await trio.sleep(0.1)

    @property
    def results(self) -> list[Ended]:
        """Of the matches that have one."""
        return [ended for ended in self.notes.over.values() if ended.counts]


@asynccontextmanager
async def bottled(
    owners: Mapping[str, str], settings: Settings = SETTINGS, hosted: Mapping[str, Bot] | None = None
) -> AsyncIterator[Bottle]:
    """A league of these entrants, each with its owner; the hosted ones are bots of a `Starter`."""
    roster = {
        number: Entrant(number, name, sorted(set(owners.values())).index(owner), owner, name)
        for number, (name, owner) in enumerate(owners.items(), start=1)
    }
    numbers = {entrant.name: number for number, entrant in roster.items()}
    notes, said = Notes(), list[str]()

    async def look_up(token: str) -> tuple[Holder, Entrant | None] | None:
        await trio.lowlevel.checkpoint()
        if token == "owner":
            return Holder(99, 0, "Ana", "own", None, ""), None
        number = numbers.get(token)
        if number is None:
            return None
        entrant = bottle.roster[number]
        return Holder(number, entrant.owner, entrant.owner_name, "play", number, ""), entrant

    async with trio.open_nursery() as nursery:
        hall = Hall(
            nursery,
            look_up,
            streams_each=settings.streams_each,
            tables_each=settings.tables_each,
            lost=lambda loss: notes.lost([loss]),
            changed=lambda: matchmaker.wake(),  # noqa: PLW0108 - it is made below
            journal=Journal("json", lambda: "now", said.append),
        )
        tables = Tables(settings, hall, notes, lambda fixture, ended: None)
        matchmaker = Matchmaker(
            settings, hall, tables, notes, key=bytes(32), next_pack=1, season=1, rng=random.Random(1)
        )
        async with memory_pool(hosted or {}, settings.limits, find_guest=hall.find) as (pool, start):
            hall.open(pool)
            launches = {numbers[name]: launch_of(name) for name in hosted or {}}
            bottle = Bottle(settings, hall, tables, matchmaker, notes, start, nursery, roster, launches)
            bottle.decide()
            nursery.start_soon(matchmaker.run, nursery)
            nursery.start_soon(tables.keep_pace)
            yield bottle
            nursery.cancel_scope.cancel()
