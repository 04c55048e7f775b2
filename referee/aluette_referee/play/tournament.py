"""Runs a tournament: its file, its bots, its database, until nothing is missing.

Nothing is made before the file is without mistakes and every bot has been seen to get ready.
"""

import functools
import importlib
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from aluette.errors import Misuse
from aluette.loading import built_in_bots
from aluette_referee.contest import formats
from aluette_referee.contest.contest import BotSpec, Contest
from aluette_referee.contest.file import read_contest
from aluette_referee.contest.schedule import Fixture
from aluette_referee.contest.toml_text import FileMistakes
from aluette_referee.play.launch import resolve
from aluette_referee.play.live import Settings, check_launches, play_plans
from aluette_referee.play.runner import MatchPlayed
from aluette_referee.play.seating import Prepared, plans_of

if TYPE_CHECKING:
    from aluette_referee.store import Changes, Played, Store, Voided

__all__ = ["Watcher", "read_file", "run_tournament"]


class Watcher(Protocol):
    """Who is told how a run comes along."""

    def opened(self, changes: "Changes") -> None:
        """The database is open; how the teams differ from the last run."""
        ...

    def begins(self, total: int, played: int) -> None:
        """Matches are going to be played, of so many in all at least, of which so many were."""
        ...

    def saved(self, ended: Sequence[MatchPlayed]) -> None:
        """Matches have been stored."""
        ...


def read_file(path: Path) -> Contest:
    """The contest of a file; raises `Misuse`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Misuse(f"there is no tournament file {path}") from None
    except UnicodeDecodeError:
        raise Misuse(f"{path} is not a text file in UTF-8") from None
    except OSError as error:
        raise Misuse(f"{path} cannot be read: {error.strerror}") from None
    try:
        return read_contest(
            text, built_in=built_in_bots(), wrong_with=functools.partial(_wrong_with, path.parent)
        )
    except FileMistakes as error:
        count = "a mistake" if len(error.mistakes) == 1 else f"{len(error.mistakes)} mistakes"
        raise Misuse(f"{path} has {count}:\n" + "\n".join(f"  {line}" for line in error.mistakes)) from None


def _wrong_with(base: Path, run: str) -> str:
    try:
        resolve(BotSpec(run), base)
    except Misuse as error:
        return str(error)
    return ""


def run_tournament(
    contest: Contest, prepared: Prepared, place: str, settings: Settings, watcher: Watcher
) -> None:
    """Play what is missing of a contest, whose bots were found. `place` is the database.

    Raises `Misuse`, and `Interrupted` when Ctrl-C ended it: what was played by then is stored.
    """
    is_new = "://" not in place and not os.path.lexists(place)
    if is_new:
        # What is waited for is the bots: what the database needs is imported meanwhile.
        threading.Thread(target=importlib.import_module, args=("aluette_referee.store",)).start()
        check_launches(prepared.launches, contest.rules, settings)
    from aluette_referee.store import create_or_open  # noqa: PLC0415 - a third of a second

    store, changes = create_or_open(place, contest, prepared.entrants)
    with closing(store):
        watcher.opened(changes)
        played, tried = store.matches_played(), set[str]()
        missing = store.matches_missing(played)
        if missing and not is_new:
            check_launches(prepared.launches, contest.rules, settings)
        fewest = formats.fewest_matches(contest, len(prepared.entrants))
        while missing:
            watcher.begins(max(fewest, played + missing), played)
            _play(store, prepared, settings, watcher, tried)
            if not contest.format.goes_by_results:
                break
            # The next round is known now that this one has been played.
            store.extend()
            played = store.matches_played()
            missing = sum(fixture.id not in tried for fixture in store.missing())


def _play(store: "Store", prepared: Prepared, settings: Settings, watcher: Watcher, tried: set[str]) -> None:
    """Play what is missing and was not `tried`, and note it there where more rounds follow."""
    contest = store.contest
    under_way: dict[str, Fixture] = {}  # of a long contest not all

    def fixtures() -> Iterator[Fixture]:
        for fixture in store.missing():
            if fixture.id not in tried:
                under_way[fixture.id] = fixture
                yield fixture

    def save(ended: Sequence[MatchPlayed]) -> None:
        store.save(row for played in ended for row in _rows(under_way[played.plan.id], played, settings))
        for played in ended:
            del under_way[played.plan.id]
            if contest.format.goes_by_results:
                tried.add(played.plan.id)
        watcher.saved(ended)

    plans = plans_of(
        fixtures(), prepared, contest.rules, store.key, isolation=contest.isolation, names=contest.names
    )
    play_plans(plans, settings, save)


def _rows(fixture: Fixture, played: MatchPlayed, settings: Settings) -> "Iterator[Played | Voided]":
    from aluette_referee.store import Played, Voided  # noqa: PLC0415

    for why in played.voids:
        yield Voided(fixture, why)
    if played.outcome.record is not None:
        shut_off = {} if settings.bounds.sandbox == "none" else {"sandbox": settings.bounds.sandbox}
        yield Played(
            fixture, played.outcome, {**played.timing, **shut_off} or None, played.logs, played.written
        )
