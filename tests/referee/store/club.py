"""A small contest, with records of real matches, for the tests of the store."""

import functools
import itertools
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import aluette
from aluette.packs import BlockKey
from aluette.record import Record
from aluette.rules import RuleSet
from aluette.rules.match import Match
from aluette.seats import SEATS, Seat
from aluette.session import Ready
from aluette.testing import play_match
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec, Contest, Entrant, Team
from aluette_referee.contest.schedule import Fixture
from aluette_referee.faults import FaultType
from aluette_referee.store import Archive, Played, create_or_open, postgresql, sqlite
from aluette_referee.table import Ended, Outcome, Table

HEAD = """
import itertools, os, sys
import sqlalchemy as sa
from aluette_referee.store import create_or_open, open_existing
from referee.store.club import club, played
"""
TESTS = Path(__file__).parents[2]


class Weakest(aluette.Bot):
    def play(self, view: aluette.View) -> aluette.Card:
        return min(view.hand, key=lambda card: card.strength)


def entrant(name: str, content: str = "1") -> Entrant:
    bots = (BotSpec(f"{name}.py:Bot", {"depth": 3}, {"SEED": "é"}, ("weights/",)), BotSpec("careful"))
    return Entrant(Team(name, bots), (f"{name}/{content}", "careful/1"))


def club(teams: Iterable[str] = ("Ana", "Bea"), **settings: Any) -> tuple[Contest, list[Entrant]]:
    """A contest and its teams: `club("ABC", blocks=2)`."""
    entrants = [entrant(name) for name in teams]
    return Contest("club", tuple(each.team for each in entrants), **settings), entrants


@functools.cache
def match_record(seed: int = 0) -> Record:
    return play_match([Weakest] * 4, seed=seed)


@functools.cache
def outcome(winner: str | None) -> Outcome:
    """A match that was played and has this winner: NS, EW, or None for a draw."""
    rules = RuleSet(deals=2)
    records = (play_match([Weakest] * 4, seed=seed, rules=rules) for seed in itertools.count())
    return Outcome(next(record for record in records if record["result"]["winner"] == winner))


def forfeit(*seats: Seat, evidence: str = "") -> Outcome:
    """A match that ended before its first card, by fault of these seats."""
    luck = BlockKey(bytes(32))
    table = Table(Match(RuleSet(), luck), luck, dict.fromkeys(SEATS, 1), dict.fromkeys(SEATS, Limits()))
    effects = table.begin()
    for seat in SEATS:
        if seat in seats:
            effects += table.fault(seat, FaultType.FAILED, evidence)
        else:
            effects += table.answer(seat, 0, Ready())
    return next(effect.outcome for effect in effects if isinstance(effect, Ended))


def played(fixtures: Iterable[Fixture]) -> list[Played]:
    """The fixtures, each with the record of some match."""
    return [Played(fixture, Outcome(match_record(len(fixture.id) % 3))) for fixture in fixtures]


def play(place: str, contest: Contest, entrants: Sequence[Entrant], matches: int | None = None) -> None:
    """A run of so many matches, or of all that are missing."""
    with create_or_open(place, contest, entrants)[0] as store:
        store.save(played(itertools.islice(store.missing(), matches)))


def ids(archive: Archive) -> list[str]:
    """All matches of a contest, in the order of play."""
    return [fixture.id for block in archive.schedule() for fixture in block.legs]


def raw(place: str) -> "closing[sa.Connection]":
    """A connection of one's own to what is at a place."""
    url = postgresql.url_of(place)
    if url is not None:
        return closing(postgresql.connect(url, write=True))
    return closing(sqlite.connect(Path(place), place, write=True))


def count(place: str, table: str) -> int:
    with raw(place) as connection:
        return int(connection.exec_driver_sql(f'SELECT count(*) FROM "{table}"').scalar_one())


def process(code: str, *arguments: str) -> "subprocess.Popen[str]":
    """Another process that runs `code`, with these names at hand; it talks over its pipes."""
    return subprocess.Popen(
        [sys.executable, "-c", HEAD + code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(TESTS)},
    )
