"""What a run writes: the contest as its file now says it, then matches, each batch as a whole.

contest, teams   `create_or_open` compares, extends and remembers; nothing is ever deleted
blocks           all of them with their commitments, before any match
matches          `Store.save`
"""

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import sqlalchemy as sa

from aluette.errors import Misuse
from aluette.packs import KEY_SIZE, open_contest_key
from aluette.version import __version__
from aluette_referee.contest.contest import Contest, Entrant, Keep
from aluette_referee.store import rows, schema
from aluette_referee.store.archive import Archive
from aluette_referee.store.database import Database, open_for_run
from aluette_referee.store.matches import Played, Voided, log_rows, match_rows, void_row
from aluette_referee.store.rounds import known_rounds
from aluette_referee.store.schema import block, log, match, record, team, void

__all__ = ["Changes", "Store", "create_or_open"]

T = TypeVar("T")
CHUNK: Final = 1000


class Changes(NamedTuple):
    """How the teams differ from those of the last run, by name."""

    created: bool
    """Whether there was no such contest before; then nothing else has changed."""
    changed: tuple[str, ...] = ()
    """Their bots have another content: they play anew, their old matches leave the table."""
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    """Their matches leave the table; a team that comes back has them again."""

    @property
    def of_the_field(self) -> tuple[str, ...]:
        """All who came, left or changed."""
        return (*self.changed, *self.added, *self.removed)


def create_or_open(
    place: str | Path,
    contest: Contest,
    entrants: Sequence[Entrant],
    key_source: Callable[[int], bytes] = os.urandom,
) -> "tuple[Store, Changes]":
    """Open a contest for a run, making it when there is none: a file's name or a `postgresql://` URL.

    More or other teams, another number of blocks and what is to be kept are taken over. Raises `Misuse`, and has changed
    nothing, when anything else differs from what is stored, when another run has it open, or when the
    place holds, or can hold, no contest. `key_source` gives so many secret bytes, for a contest without a
    seed; a contest keeps the key it has.
    """

    def enrol(connection: sa.Connection, shown: str) -> Changes:
        row = connection.execute(sa.select(schema.contest)).mappings().one_or_none()
        if row is None:
            key = key_source(KEY_SIZE) if contest.seed is None else open_contest_key(contest.seed)
            _insert(connection, contest, key)
        else:
            key = row["key"]
            _compare(rows.contest_of(row, ()), contest, shown)
            settings = rows.settings_after(row["settings"], contest.keep)
            connection.execute(sa.update(schema.contest).values(blocks=contest.blocks, settings=settings))
        changes = _enrol_teams(connection, entrants, created=row is None)
        if contest.format.goes_by_results and changes.of_the_field:
            raise Misuse(
                f"{shown} holds a {contest.format.kind} of other teams: {', '.join(changes.of_the_field)} came, left or "
                "changed, and its rounds went by their results (give this one a database of its own)"
            )
        _commit_to(connection, contest, entrants, key)
        return changes

    database, changes = open_for_run(place, enrol, schema.CONTEST)
    return Store(database, contest.keep), changes


class Store(Archive):
    """A contest being run: an archive that matches can be saved in. Only one process has it."""

    def __init__(self, database: Database, keep: Keep) -> None:
        """Own an open database. `keep` says which records and logs are stored from now on."""
        super().__init__(database)
        self._keep = keep

    def extend(self) -> None:
        """Commit to the blocks that are known by now, before their first card."""
        with self._database.begin() as connection:
            _commit_to(connection, self.contest, self.entrants, self.key)

    def save(self, batch: Iterable[Played | Voided]) -> None:
        """Store matches, all or none of them. What is stored already is left as it is.

        Raises `Misuse` when the database is beyond reach (a full disk, a lost connection), and
        `RuntimeError` for a match that is stored with another record, which would be a bug of ours.
        """
        matches: dict[str, dict[str, Any]] = {}
        records: dict[str, dict[str, Any]] = {}
        logs: dict[str, list[dict[str, Any]]] = {}
        voids: list[dict[str, Any]] = []
        for item in batch:
            if isinstance(item, Voided):
                voids.append(void_row(item))
                continue
            row, of_record = match_rows(item)
            name = row["id"]
            _same(name, row["digest"], matches.setdefault(name, row)["digest"])
            if self._keep == "all" or row["faults"] is not None:
                records[name] = of_record
                logs[name] = log_rows(name, item.logs)
        with self._database.begin() as connection:
            for ids in _chunks(list(matches)):
                stored = sa.select(match.c.id, match.c.digest).where(match.c.id.in_(ids))
                for name, digest in connection.execute(stored):
                    _same(name, matches.pop(name)["digest"], digest)
                    records.pop(name, None)
                    logs.pop(name, None)
            printed = list(itertools.chain.from_iterable(logs.values()))
            rows_of = ((match, matches.values()), (record, records.values()), (log, printed), (void, voids))
            for table, lines in rows_of:
                if lines:
                    connection.execute(sa.insert(table), list(lines))


def _same(name: str, digest: str, stored: str) -> None:
    if digest != stored:
        raise RuntimeError(f"match {name} has the digest {digest}, but {stored} is stored for it")


def _insert(connection: sa.Connection, contest: Contest, key: bytes) -> None:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    made = {"id": 1, "key": key, "created": now, "created_by": __version__}
    connection.execute(sa.insert(schema.contest), {**rows.contest_row(contest), **made})


def _compare(was: Contest, now: Contest, shown: str) -> None:
    if found := rows.differences(was, now):
        raise Misuse(
            f"{shown} holds a contest that is played otherwise: {'; '.join(found)}"
            " (change that back, or give this contest a database of its own)"
        )


def _enrol_teams(connection: sa.Connection, entrants: Sequence[Entrant], *, created: bool) -> Changes:
    known = connection.execute(sa.select(team.c.id, team.c.name, team.c.active)).all()
    ids = {row.id for row in known}
    before = {row.name: row.id for row in known if row.active}
    connection.execute(sa.update(team).values(active=False))
    for position, entrant in enumerate(entrants):
        row = rows.entrant_row(entrant, position)
        if entrant.id in ids:
            connection.execute(sa.update(team).where(team.c.id == entrant.id).values(row))
        else:
            connection.execute(sa.insert(team), row)
    now = {entrant.name: entrant.id for entrant in entrants}
    if created:
        return Changes(created=True)
    return Changes(
        created=False,
        changed=tuple(name for name in now if before.get(name, now[name]) != now[name]),
        added=tuple(name for name in now if name not in before),
        removed=tuple(name for name in before if name not in now),
    )


def _commit_to(connection: sa.Connection, contest: Contest, entrants: Sequence[Entrant], key: bytes) -> None:
    """Store the blocks that are known by now, each with its commitment, and which of all are scheduled."""
    stored = {row.id: row.scheduled for row in connection.execute(sa.select(block.c.id, block.c.scheduled))}
    left = {name for name, scheduled in stored.items() if scheduled}
    blocks = (each for known in known_rounds(connection, contest, entrants) for each in known.blocks)
    for chunk in _chunks(blocks):
        left.difference_update(each.id for each in chunk)
        back = [each.id for each in chunk if stored.get(each.id) is False]
        connection.execute(sa.update(block).where(block.c.id.in_(back)).values(scheduled=True))
        if new := [rows.block_row(each, key) for each in chunk if each.id not in stored]:
            connection.execute(sa.insert(block), new)
    for gone in _chunks(left):
        connection.execute(sa.update(block).where(block.c.id.in_(gone)).values(scheduled=False))


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while chunk := list(itertools.islice(iterator, CHUNK)):
        yield chunk
