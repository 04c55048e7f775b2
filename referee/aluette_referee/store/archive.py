"""What is asked of a stored contest: who plays, what is missing, results, records, one root for all.

What hides cards - records, and the evidence of faults - is given out of complete blocks alone, those with
both legs stored: the other leg is still to be played with the same packs. Teams and blocks are those of
the moment of opening; the matches of all other entrants stay in the store and count for nothing.
"""

import itertools
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import sqlalchemy as sa

from aluette.errors import Misuse, RecordError
from aluette.packs import KEY_SIZE
from aluette.seats import Seat
from aluette_referee.contest.contest import Entrant
from aluette_referee.contest.counts import Counts, PerDeal
from aluette_referee.contest.schedule import LEGS, Block, Fixture, Round
from aluette_referee.contest.summary import Summary
from aluette_referee.contest.tally import Result, Tally
from aluette_referee.store import rows, schema
from aluette_referee.store.database import Database, open_for_reading
from aluette_referee.store.derived import check_ids
from aluette_referee.store.errors import damaged
from aluette_referee.store.lookup import find
from aluette_referee.store.matches import (
    Blame,
    StoredMatch,
    VoidMatch,
    faults_of,
    not_kept,
    result_of,
    stored_match,
)
from aluette_referee.store.root import read_root
from aluette_referee.store.rounds import beside_play, known_rounds
from aluette_referee.store.schema import FAULTS, block, log, match, record, team, void
from aluette_referee.store.statistics import (
    FaultKind,
    read_counts,
    read_fault_kinds,
    read_faults,
    read_per_deal,
)
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
    return Archive(open_for_reading(place, schema.CONTEST))


class Archive:
    """A stored contest. One thread at a time; iterating is asking, page by page."""

    def __init__(self, database: Database) -> None:
        """Own an open database; it is closed when it cannot be read."""
        self._database = database
        self._keeps_all = True
        try:
            with database.begin() as connection:
                self._read(connection)
        except BaseException:
            database.close()
            raise

    def _read(self, connection: sa.Connection) -> None:
        """The contest and its teams, as they are now."""
        contest = connection.execute(sa.select(schema.contest)).mappings().one_or_none()
        if contest is None:
            raise RecordError(f"the contest itself was removed from {self._database.shown}")
        active = sa.select(team).where(team.c.active).order_by(team.c.position)
        with damaged("a team"):
            self.entrants: tuple[Entrant, ...] = tuple(
                rows.entrant_of(row) for row in connection.execute(active).mappings()
            )
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

    @contextmanager
    def at_once(self) -> Generator[None]:
        """All that is asked within is of one moment, teams and blocks, too. A run waits meanwhile to save its matches."""
        with self._database.hold() as connection:
            self._read(connection)
            yield

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
        with self._database.begin() as connection:
            check_ids(connection, self.contest.seed, self.key)

    # -- counts and results ------------------------------------------------------------------------------

    def matches_played(self) -> int:
        """How many matches of the schedule are stored."""
        return self._count(match)

    def matches_void(self) -> int:
        """How often a match of the schedule was void."""
        return self._count(void)

    def matches_missing(self, played: int) -> int:
        """How many matches are still to be played, of the rounds that are known by now, when so many are stored."""
        if self.contest.format.goes_by_results:
            return sum(1 for _ in self.missing())
        with self._database.begin() as connection:
            blocks: int = connection.scalar(sa.select(sa.func.count()).where(block.c.scheduled)) or 0
        return LEGS * blocks - played

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
        with self._database.begin() as connection, damaged("the results"):
            return list(read_tallies(connection, self._by_id()))

    def ranking(self, played: Iterable[Tally] | None = None) -> "Ranking":
        """The table with strengths, of `tallies`; of a knockout by how far each came, of a swiss with its byes."""
        # numpy takes a while to be imported, and is needed for nothing else.
        from aluette_referee.contest.ranking import ranking  # noqa: PLC0415

        with self._database.begin() as connection, damaged("the results"):
            byes, reached = beside_play(connection, self.contest, self.entrants)
            made = read_faults(connection, self._by_id())
        names = [entrant.name for entrant in self.entrants]
        return ranking(
            names, self.tallies() if played is None else played, faults=made, byes=byes, reached=reached
        )

    def counts(self) -> list[Counts]:
        """The summaries of the stored matches of the schedule, added up for each meeting and leg."""
        with self._database.begin() as connection, damaged("the results"):
            return list(read_counts(connection, self._by_id()))

    def per_deal(self) -> list[PerDeal]:
        """Deal points a deal, and how often the dealer's side wins, for each meeting."""
        with self._database.begin() as connection, damaged("the results"):
            return list(read_per_deal(connection, self._by_id()))

    def fault_kinds(self) -> Counter[FaultKind]:
        """How many faults of each type each player made."""
        with self._database.begin() as connection, damaged("the faults"):
            return read_fault_kinds(connection, self._by_id())

    def faults(self) -> Iterator[Blame]:
        """All faults in matches of the schedule, in its order."""
        with self._database.begin() as connection:
            at_fault = _of_schedule(match, match.c.block).where(match.c.faults.is_not(None))
            some = set(connection.scalars(at_fault))
        for of_block, legs in self._blocks(sa.select(match.c.block, match.c.leg, match.c.faults), some):
            for row in legs:
                fixture = Fixture(of_block, row.leg)
                made = itertools.chain(*faults_of(row.faults))
                for fault in sorted(made, key=attrgetter("place")):
                    shown = fault if len(legs) == LEGS else fault.public
                    yield Blame(fixture.id, fixture.seats[fault.seat], shown)

    # -- records -----------------------------------------------------------------------------------------

    def matches(self) -> Iterator[StoredMatch]:
        """The matches of all complete blocks of the schedule, in its order, some hundreds at a time.

        Also those whose record was not kept; raises `RecordError` for one that is not there and should be.
        """
        for of_block, legs in self._blocks(_RECORDS, complete=True):
            yield from (self._stored(Fixture(of_block, row.leg), row) for row in legs)

    def root(self) -> str:
        """One digest for all records, kept or not (`store.root`)."""
        with self._database.begin() as connection:
            return read_root(connection)

    def match(self, text: str) -> StoredMatch:
        """The match with this id, or the only one whose id begins so, whoever played it.

        Raises `Misuse` when there is none, more than one, its block is not complete, or its record was not kept.
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
        stored = self._stored(Fixture(rows.block_of(line, entrants), row.leg), row)
        if stored.text is None:
            raise not_kept(stored.fixture)
        return stored

    def log(self, stored: StoredMatch, seat: Seat) -> tuple[str, str]:
        """What the process at a seat of a stored match printed for it, and of its own meanwhile."""
        asked = sa.select(log.c.of_match, log.c.of_process)
        with self._database.begin() as connection:
            of_seat = asked.where(log.c.match == stored.fixture.id, log.c.seat == seat.name)
            row = connection.execute(of_seat).one_or_none()
        return ("", "") if row is None else (row.of_match, row.of_process)

    # -- how it is read ----------------------------------------------------------------------------------

    def _by_id(self) -> dict[str, Entrant]:
        return {entrant.id: entrant for entrant in self.entrants}

    def _stored(self, fixture: Fixture, row: Row) -> StoredMatch:
        if row.text is None and (row.faults is not None or self._all_are_kept()):
            raise RecordError(f"match {fixture.id} does not hold: it counts, but has no record")
        return stored_match(fixture, row)

    def _all_are_kept(self) -> bool:
        """Asked anew while it is so: a run that began after this was opened may leave records out."""
        if self._keeps_all:
            with self._database.begin() as connection, damaged("the contest"):
                settings = connection.execute(sa.select(schema.contest.c.settings)).scalar_one()
                self._keeps_all = rows.keeps_all(settings)
        return self._keeps_all

    def _count(self, of: sa.Table) -> int:
        with self._database.begin() as connection:
            count: int = connection.execute(_of_schedule(of, sa.func.count())).scalar_one()
        return count

    def _blocks(
        self, query: Select, some: Collection[str] | None = None, *, complete: bool = False
    ) -> Iterator[tuple[Block, list[Row]]]:
        """The blocks of the schedule, or some by their ids, with what `query` gives for each of their stored legs.

        Leg 1 comes first. A transaction for each page: rows do not change, so the pages fit together whatever happens.
        """
        if some is not None and not some:
            return
        blocks = (of_block for of_block in self.schedule() if some is None or of_block.id in some)
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
    match.c.forfeit,
    match.c.faults,
    *(match.c[name] for name in Summary._fields),
    record.c.timing,
    record.c.text,
    block.c.commitment,
).select_from(match.outerjoin(record).join(block))
