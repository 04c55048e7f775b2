"""Checks a stored match against everything it can be checked against.

Its digest, the contest's rules, the block's commitment and key - every pack, cut and noticed signal is
derived again -, the rulebook, and the points that its stored line gives to the table.
"""

import json
from typing import NamedTuple, cast

from aluette.errors import RecordError
from aluette.packs import BlockKey
from aluette.record import Record, digest, replay
from aluette.seats import Side
from aluette_referee.contest.contest import Contest
from aluette_referee.contest.schedule import Fixture
from aluette_referee.contest.summary import Counted
from aluette_referee.faults import Fault
from aluette_referee.table import forfeit

__all__ = ["Evidence", "audit"]


class Evidence(NamedTuple):
    """A match as it is stored: the record's text and what stands beside it."""

    text: str | None
    """None: it was not kept, and only the commitment can be checked."""
    digest: str
    commitment: str
    result: tuple[int, int, str | None]
    """Points of NS and EW, and the winner, as the table counts them."""
    counted: Counted
    faults: tuple[Fault, ...]


def audit(contest: Contest, key: BlockKey, fixture: Fixture, stored: Evidence) -> None:
    """Raise `RecordError` with the exact place where a stored match does not hold."""
    try:
        _audit(contest, key, fixture, stored)
    except RecordError as error:
        raise RecordError(f"match {fixture.id} does not hold: {error}") from None


def _audit(contest: Contest, key: BlockKey, fixture: Fixture, stored: Evidence) -> None:
    if key.commitment != stored.commitment:
        raise RecordError("the block's key is not the one that was committed to")
    if stored.text is None:
        return
    if digest(stored.text.encode()) != stored.digest:
        raise RecordError("the record is not the one that its digest was made of")
    try:
        record = cast("Record", json.loads(stored.text))
        rules, first_dealer = record["rules"], record["first_dealer"]
    except (ValueError, KeyError, TypeError):
        raise RecordError("the record is not JSON of a match") from None
    if rules != contest.rules.identity:
        raise RecordError(f"rules is {rules!r}; the contest's are {contest.rules.identity!r}")
    if first_dealer != fixture.block.first_dealer.name:
        raise RecordError(
            f"first_dealer is {first_dealer!r}; by the schedule {fixture.block.first_dealer.name!r}"
        )
    match = replay(record, key)
    result = record["result"]
    if stored.faults and result != (due := forfeit(match, stored.faults)):
        raise RecordError(f"result is {result}; by the faults it is {due}")
    if result["fault"] is not None and not stored.faults:
        raise RecordError("result names a fault, but none is stored")
    counted = (result[Side.NS.name], result[Side.EW.name], result["winner"])
    if counted != stored.result:
        raise RecordError(f"the table counts {stored.result}, but the record says {counted}")
    if stored.counted != Counted.of(record):
        raise RecordError(f"statistics count {stored.counted}, but the record says {Counted.of(record)}")
