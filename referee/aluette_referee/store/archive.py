"""What is asked of a stored contest: who plays, what is missing, results, records, one root for all.

What hides cards - records, and the evidence of faults - is given out of complete blocks alone, those with
both legs stored: the other leg is still to be played with the same packs. Teams and blocks are those of
the moment of opening; the matches of all other entrants stay in the store and count for nothing.
"""

import hashlib
import itertools
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import sqlalchemy as sa

from aluette.errors import Misuse, RecordError
from aluette.packs import KEY_SIZE, open_contest_key
from aluette.seats import Seat
from aluette_referee.contest.contest import Entrant
from aluette_referee.contest.schedule import Block, Fixture, Round
from aluette_referee.contest.tally import Result, Tally
from aluette_referee.store import rows, schema
from aluette_referee.store.database import Database, open_for_reading
from aluette_referee.store.errors import damaged
from aluette_referee.store.lookup import find
from aluette_referee.store.matches import Blame, StoredMatch, VoidMatch, faults_of, result_of, stored_match
from aluette_referee.store.rounds import LEGS, beside_play, known_rounds
from aluette_referee.store.schema import FAULTS, block, log, match, record, team, void
from aluette_referee.store.tallies import read_tallies

if TYPE_CHECKING:
    from aluette_referee.contest.ranking import Ranking

__all__ = ["Archive", "open_existing"]

Select = sa.Select[*tuple[Any, ...]]
Row = sa.Row[*tuple[Any, ...]]

PAGE: Final = 200
"""Blocks that are read at a time."""


def open_existing(place: str | Path) -> "Archive":
    """Open a contest for reading, also while it is run: a file's name or a `postgresql://` URL.

    Makes and changes nothing. Raises `Misuse` when no contest of this version is there.
    """
    return Archive(open_for_reading(place))


class Archive:
    """A stored contest. One thread at a time; iterating is asking, page by page."""

    def __init__(self, database: Database) -> None:
        """Own an open database; it is closed when it cannot be read."""
        self._database = database
        try:
            with database.begin() as connection:
                contest = connection.execute(sa.select(schema.contest)).mappings().one_or_none()
                if contest is None:
                    raise RecordError(f"the contest itself was removed from {database.shown}")
                active = sa.select(team).where(team.c.active).order_by(team.c.position)
                with damaged("a team"):
                    self.entrants: tuple[Entrant, ...] = tuple(
                        rows.entrant_of(row) for row in connection.execute(active).mappings()
                    )
        except BaseException:
            database.close()
            raise
        with damaged("the contest"):
            self.contest = rows.contest_of(contest, [entrant.team for entrant in self.entrants])
            if not isinstance(contest["key"], bytes) or len(contest["key"]) != KEY_SIZE:
                raise ValueError("the key is none")
        self.key: bytes = contest["key"]
        """The contest's key: who knows it knows every card."""
        self.created: str = contest["created"]
        """When, in UTC, ISO 8601."""
        self.created_by: str = contest["created_by"]
        """By which version of this program."""

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def rounds(self) -> Iterator[Round]:
        """The rounds of the contest that are known by now, in the order of play."""
        with self._database.begin() as connection:
            return known_rounds(connection, self.contest, self.entrants)

    def schedule(self) -> Iterator[Block]:
        """All blocks of these rounds."""
        return (of_block for each in self.rounds() for of_block in each.blocks)

    def missing(self) -> Iterator[Fixture]:
        """The matches still to be played, in the order of play, as stored when this is called."""
        with self._database.begin() as connection:
            present = set(connection.scalars(sa.select(match.c.id)))
        fixtures = (fixture for of_block in self.schedule() for fixture in of_block.legs)
        return (fixture for fixture in fixtures if fixture.id not in present)

    def check_ids(self) -> None:
        """Raise `RecordError` for a key, a team or a block whose row is not what it was derived from."""
        seed = self.contest.seed
        if seed is not None and open_contest_key(seed) != self.key:
            raise RecordError(f"the contest was altered: its key is not that of seed {seed}")
        with self._database.begin() as connection:
            known: dict[str, Entrant] = {}
            for row in connection.execute(sa.select(team)).mappings():
                with damaged("a team"):
                    known[row["id"]] = rows.entrant_of(row)
                if known[row["id"]].id != row["id"]:
                    raise RecordError(f"team {row['name']!r} was altered: {row['id']} is not its id")
            for line in connection.execute(sa.select(block)):
                with damaged(f"block {line.id}"):
                    derived = rows.block_of(line, known).id
                if derived != line.id:
                    raise RecordError(f"block {line.id} was altered: by its teams and number it is {derived}")

    # -- counts and results ------------------------------------------------------------------------------

    def matches_played(self) -> int:
        """How many matches of the schedule are stored."""
        return self._count(match)

    def matches_void(self) -> int:
        """How often a match of the schedule was void."""
        return self._count(void)

    def voids(self) -> list[VoidMatch]:
        """The void matches of the schedule, in the order they happened."""
        columns = (void.c.block, void.c.leg, void.c.why)
        with self._database.begin() as connection:
            found = connection.execute(_of_schedule(void, *columns).order_by(void.c.id)).all()
        return [VoidMatch(f"{row.block}-{row.leg}", row.why) for row in found]

    def results(self) -> Iterator[Result]:
        """All stored matches of the schedule in its order, each seen from the block's first side."""
        for of_block, legs in self._blocks(_RESULTS):
            for row in legs:
                yield result_of(of_block, row)

    def tallies(self) -> list[Tally]:
        """The same, added up; in no order."""
        with self._database.begin() as connection:
            return list(read_tallies(connection, {entrant.id: entrant for entrant in self.entrants}))

    def ranking(self) -> "Ranking":
        """The table with strengths; of a knockout by how far each came, of a swiss with its byes."""
        # numpy takes a while to be imported, and is needed for nothing else.
        from aluette_referee.contest.ranking import ranking  # noqa: PLC0415

        with self._database.begin() as connection:
            byes, reached = beside_play(connection, self.contest, self.entrants)
        names = [entrant.name for entrant in self.entrants]
        return ranking(names, self.tallies(), byes=byes, reached=reached)

    def faults(self) -> Iterator[Blame]:
        """All faults in matches of the schedule, in its order."""
        for of_block, legs in self._blocks(sa.select(match.c.block, match.c.leg, match.c.faults)):
            for row in legs:
                fixture = Fixture(of_block, row.leg)
                made = itertools.chain(*faults_of(row.faults))
                for fault in sorted(made, key=attrgetter("place")):
                    shown = fault if len(legs) == LEGS else fault.public
                    yield Blame(fixture.id, fixture.seats[fault.seat], shown)

    # -- records -----------------------------------------------------------------------------------------

    def matches(self) -> Iterator[StoredMatch]:
        """The matches of all complete blocks of the schedule, in its order, some hundreds at a time."""
        for of_block, legs in self._blocks(_RECORDS, complete=True):
            yield from (stored_match(Fixture(of_block, row.leg), row) for row in legs)

    def root(self) -> str:
        """One digest for all records: SHA-256 over a line for each of `matches`, hexadecimal.

        A line is "id digest", and " type seat deal.trick" for each fault that was mended: the others are in the
        record. What only the bot's author sees of a fault differs from run to run, and is not in it.
        """
        total = hashlib.sha256()
        query = sa.select(match.c.block, match.c.id, match.c.digest, match.c.faults)
        for _, legs in self._blocks(query, complete=True):
            for row in legs:
                _, mended = faults_of(row.faults)
                told = [f"{fault.type} {fault.seat.name} {fault.deal}.{fault.trick}" for fault in mended]
                total.update((" ".join([row.id, row.digest, *told]) + "\n").encode())
        return total.hexdigest()

    def match(self, text: str) -> StoredMatch:
        """The match with this id, or the only one whose id begins so, whoever played it.

        Raises `Misuse` when there is none, more than one, or its block is not complete.
        """
        with self._database.begin() as connection:
            found = find(connection, text, self._database.shown)
            row = connection.execute(_RECORDS.where(match.c.id == found)).one()
            line = connection.execute(sa.select(block).where(block.c.id == row.block)).one()
            legs = connection.scalars(sa.select(match.c.leg).where(match.c.block == row.block)).all()
            players = [line.one, line.one_partner, line.other, line.other_partner]
            teams = sa.select(team).where(team.c.id.in_([name for name in players if name is not None]))
            entrants = {each["id"]: rows.entrant_of(each) for each in connection.execute(teams).mappings()}
        if len(legs) < LEGS:
            raise Misuse(
                f"match {found} cannot be shown yet: "
                "the other leg of its block is still to be played with the same cards"
            )
        return stored_match(Fixture(rows.block_of(line, entrants), row.leg), row)

    def log(self, stored: StoredMatch, seat: Seat) -> tuple[str, str]:
        """What the process at a seat of a stored match printed for it, and of its own meanwhile."""
        asked = sa.select(log.c.of_match, log.c.of_process)
        with self._database.begin() as connection:
            of_seat = asked.where(log.c.match == stored.fixture.id, log.c.seat == seat.name)
            row = connection.execute(of_seat).one_or_none()
        return ("", "") if row is None else (row.of_match, row.of_process)

    # -- how it is read ----------------------------------------------------------------------------------

    def _count(self, of: sa.Table) -> int:
        with self._database.begin() as connection:
            count: int = connection.execute(_of_schedule(of, sa.func.count())).scalar_one()
        return count

    def _blocks(self, query: Select, *, complete: bool = False) -> Iterator[tuple[Block, list[Row]]]:
        """The blocks of the schedule with what `query` gives for each of their stored legs, leg 1 first.

        A transaction for each page: rows do not change, so the pages fit together whatever happens.
        """
        blocks = self.schedule()
        while page := {of_block.id: of_block for of_block in itertools.islice(blocks, PAGE)}:
            legs: dict[str, list[Row]] = {}
            with self._database.begin() as connection:
                for row in connection.execute(query.where(match.c.block.in_(page)).order_by(match.c.leg)):
                    legs.setdefault(row.block, []).append(row)
            for name, of_block in page.items():
                if len(legs.get(name, ())) >= (LEGS if complete else 1):
                    yield of_block, legs[name]


def _of_schedule(of: sa.Table, *columns: sa.ColumnElement[Any]) -> Select:
    """Ask for columns of the matches, or the void ones, that belong to the schedule."""
    return sa.select(*columns).select_from(of.join(block)).where(block.c.scheduled)


_RESULTS: Final = sa.select(
    match.c.block,
    match.c.leg,
    match.c.winner,
    match.c.points_ns,
    match.c.points_ew,
    match.c.forfeit,
    *(match.c[name] for name in FAULTS),
)

_RECORDS: Final = sa.select(
    match.c.block,
    match.c.leg,
    match.c.digest,
    match.c.points_ns,
    match.c.points_ew,
    match.c.winner,
    match.c.faults,
    record.c.timing,
    record.c.text,
    block.c.commitment,
).select_from(match.join(record).join(block))
