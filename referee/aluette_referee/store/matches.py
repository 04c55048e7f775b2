"""A match as a run hands it over, as it is stored, and as it is read back."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from sqlalchemy import Row

from aluette.errors import Misuse
from aluette.record import Record, digest, to_bytes
from aluette.seats import SEATS, Seat
from aluette_referee.contest.schedule import Block, Fixture, Player
from aluette_referee.contest.summary import Counted, Summary
from aluette_referee.contest.tally import Result
from aluette_referee.faults import Fault, FaultType
from aluette_referee.store.errors import damaged
from aluette_referee.store.schema import FAULTS
from aluette_referee.table import Outcome

__all__ = [
    "Blame",
    "Played",
    "StoredMatch",
    "VoidMatch",
    "Voided",
    "ending_columns",
    "faults_of",
    "log_rows",
    "match_rows",
    "not_kept",
    "record_row",
    "result_of",
    "storable",
    "stored_match",
    "void_row",
]


class Played(NamedTuple):
    """A match that counts. `timing` is about the run, not the match: any JSON object, or nothing.

    `logs` is what each seat's process printed for the match, and of its own meanwhile. `written` is the record in its
    canonical form, if that is at hand.
    """

    fixture: Fixture
    outcome: Outcome
    timing: Mapping[str, Any] | None = None
    logs: Mapping[Seat, tuple[str, str]] = MappingProxyType({})
    written: str = ""


class Voided(NamedTuple):
    """A match that counts for nobody, and why: a sentence that shows no card, since it is not held back."""

    fixture: Fixture
    why: str


class StoredMatch(NamedTuple):
    """A match as stored; of its block both legs are."""

    fixture: Fixture
    commitment: str
    """Of its block, made before the first card."""
    text: str | None
    """The record in its canonical form, if it was kept; the SHA-256 of it should be `digest`."""
    digest: str
    result: tuple[int, int, str | None]
    """Points of NS and EW and the winner, as the table counts them: the record should say the same."""
    counted: Counted
    """What statistics count of it: this, too."""
    faults: tuple[Fault, ...]
    """Those that decided it."""
    strikes: tuple[Fault, ...]
    """Those that were mended."""
    timing: dict[str, Any] | None

    @property
    def record(self) -> Record:
        """The record as a value; raises `Misuse` when it was not kept, `RecordError` when the text is none."""
        if self.text is None:
            raise not_kept(self.fixture)
        with damaged(f"the record of match {self.fixture.id}"):
            return cast("Record", json.loads(self.text))


def not_kept(fixture: Fixture) -> Misuse:
    """What to say to somebody who asks for what was not kept."""
    return Misuse(
        f'the record and the logs of match {fixture.id} were not kept: it was played with keep = "faults", and no '
        'bot made a fault in it (to see such matches, set keep = "all" in [store] and play into another database)'
    )


class Blame(NamedTuple):
    """A fault, and who made it. The evidence is blank until the block is complete."""

    match: str
    player: Player
    fault: Fault


class VoidMatch(NamedTuple):
    """A match that counted for nobody and was, or is to be, played again."""

    match: str
    why: str


def match_rows(played: Played) -> tuple[dict[str, Any], dict[str, Any]]:
    """The row of a match that counts, and that of its record in the canonical form."""
    fixture, (record, faults, strikes), timing, *_ = played
    if record is None:
        raise ValueError(f"match {fixture.id} is void and has no record")
    written = played.written or to_bytes(record).decode()
    row = {
        "id": fixture.id,
        "block": fixture.block.id,
        "leg": fixture.leg,
        **ending_columns(record, written, faults, strikes),
    }
    return row, record_row(fixture.id, written, timing)


def ending_columns(
    record: Record, written: str, faults: Sequence[Fault], strikes: Sequence[Fault]
) -> dict[str, Any]:
    """How a match ended: what its row says of the record, which is `written` in its canonical form."""
    result, counted = record["result"], Counted.of(record)
    return {
        "winner": result["winner"],
        "points_ns": result["NS"],
        "points_ew": result["EW"],
        "forfeit": counted.forfeit,
        **{
            name: sum(fault.seat is seat for fault in (*faults, *strikes))
            for name, seat in zip(FAULTS, SEATS, strict=True)
        },
        "faults": _faults_text(faults, strikes),
        "digest": digest(written.encode()),
        **counted.summary._asdict(),
    }


def record_row(match: str, written: str, timing: Mapping[str, Any] | None) -> dict[str, Any]:
    """The row of a record."""
    return {"match": match, "text": written, "timing": None if timing is None else json.dumps(timing)}


def log_rows(match: str, logs: Mapping[Seat, tuple[str, str]]) -> list[dict[str, Any]]:
    """The rows of what was printed."""
    return [
        {"match": match, "seat": seat.name, "of_match": storable(one), "of_process": storable(other)}
        for seat, (one, other) in logs.items()
    ]


def storable(text: str) -> str:
    """A process may have had the last word, and no database stores half a character or a NUL."""
    return text.encode(errors="replace").decode().replace("\0", "?")


def void_row(voided: Voided) -> dict[str, Any]:
    """The row of a match that counts for nobody."""
    fixture, why = voided
    return {"block": fixture.block.id, "leg": fixture.leg, "why": storable(why)}


def stored_match(fixture: Fixture, row: Row[*tuple[Any, ...]]) -> StoredMatch:
    """A match of a row: the columns of `match`, its record's if there is one, and the block's `commitment`."""
    with damaged(f"match {fixture.id}"):
        if not isinstance(row.text, str | None):
            raise TypeError("the record is not text")
        timing = None if row.timing is None else json.loads(row.timing)
    result = (row.points_ns, row.points_ew, row.winner)
    summary = Summary(*(getattr(row, name) for name in Summary._fields))
    counted = Counted(summary, bool(row.forfeit))
    return StoredMatch(
        fixture, row.commitment, row.text, row.digest, result, counted, *faults_of(row.faults), timing
    )


def result_of(block: Block, row: Row[*tuple[Any, ...]]) -> Result:
    """The result of a row, seen from the block's first team: leg 1 seats it NS, leg 2 EW."""
    return Result.of(
        Fixture(block, row.leg),
        (row.points_ns, row.points_ew, row.winner),
        forfeit=row.forfeit,
        faults={seat: getattr(row, name) for name, seat in zip(FAULTS, SEATS, strict=True)},
    )


def _faults_text(faults: Sequence[Fault], strikes: Sequence[Fault]) -> str | None:
    values = [
        {**fault._asdict(), **fault.as_record(), "mended": mended}
        for some, mended in ((strikes, True), (faults, False))
        for fault in some
    ]
    return json.dumps(values) if values else None


_NUMBER: Final = int | float | None
_OF_A_FAULT: Final = {
    "deal": int, "trick": int, "evidence": str, "elapsed": _NUMBER, "limit": _NUMBER, "legal": str, "output": str,
}  # fmt: skip


def faults_of(text: str | None) -> tuple[tuple[Fault, ...], tuple[Fault, ...]]:
    """The faults of a row that decided its match, and those that were mended."""
    if text is None:
        return (), ()
    found: dict[bool, list[Fault]] = {False: [], True: []}
    with damaged("the faults of a match"):
        for value in json.loads(text):
            mended = value.pop("mended", False)
            kind, seat = FaultType(value.pop("type")), Seat[value.pop("seat")]
            if not all(isinstance(value[name], of) for name, of in _OF_A_FAULT.items() if name in value):
                raise TypeError("a fault is of another form")
            found[mended].append(Fault(type=kind, seat=seat, **value))
    return tuple(found[False]), tuple(found[True])
