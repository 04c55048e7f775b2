"""The audit: an honest match passes, and each thing that was changed afterwards is named with its place."""

import copy
import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from referee.report.club import BLOCK, CONTEST, FIXTURE, KEY, RECORD, RULES, as_stored
from referee.report.scenes import fault_record

from aluette.errors import RecordError
from aluette.packs import BlockKey
from aluette.record import Record, record_of
from aluette.rules import Match
from aluette.seats import Seat
from aluette_referee.contest.contest import Contest
from aluette_referee.contest.schedule import Fixture
from aluette_referee.faults import Fault, FaultType
from aluette_referee.report.audit import Evidence, audit

NOT_STARTED = Match(RULES, KEY, first_dealer=BLOCK.first_dealer)
LATE = Fault(FaultType.LATE, Seat.E, 0, 0, "its own words")
FORFEIT = fault_record(NOT_STARTED, Seat.E, before=True)
BOTH = fault_record(NOT_STARTED, Seat.E, Seat.S, before=True)


def found(evidence: Evidence, contest: Contest = CONTEST, key: BlockKey = KEY) -> str:
    """What the audit says of a match; its sentence begins with the match."""
    with pytest.raises(RecordError) as caught:
        audit(contest, key, FIXTURE, evidence)
    begin = f"match {FIXTURE.id} does not hold: "
    assert str(caught.value).startswith(begin)
    return str(caught.value).removeprefix(begin)


def changed(*path: str | int, to: object) -> Record:
    """The record with another value at a place, or what a function makes of the value there."""
    record = copy.deepcopy(RECORD)
    *above, last = path
    place: Any = record
    for step in above:
        place = place[step]
    place[last] = to(place[last]) if callable(to) else to
    return record


def test_what_was_played_passes():
    for leg in (1, 2):
        audit(CONTEST, KEY, Fixture(BLOCK, leg), as_stored())


@pytest.mark.parametrize(
    ("record", "faults"),
    [(FORFEIT, (LATE,)), (BOTH, (LATE, LATE._replace(seat=Seat.S, type=FaultType.CRASHED)))],
    ids=["one side", "both sides"],
)
def test_what_a_fault_ended_passes(record, faults):
    audit(CONTEST, KEY, FIXTURE, as_stored(record, faults=faults))


# -- around the record --------------------------------------------------------------------------------------


def test_a_text_that_its_digest_was_not_made_of():
    text = as_stored().text.replace("3D", "3C", 1)
    assert found(as_stored(text=text)) == "the record is not the one that its digest was made of"
    assert found(as_stored(digest="0" * 64)) == "the record is not the one that its digest was made of"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"rules": "standard/1"}', "3"])
def test_a_text_that_is_no_record(text):
    evidence = as_stored(text=text, digest=hashlib.sha256(text.encode()).hexdigest())
    assert found(evidence) == "the record is not JSON of a match"


def test_a_commitment_to_another_key():
    sentence = "the block's key is not the one that was committed to"
    assert found(as_stored(commitment=BlockKey(bytes(32)).commitment)) == sentence
    assert found(as_stored(), key=BlockKey(bytes(32))) == sentence


def test_packs_of_another_key():
    key = BlockKey(bytes(32))
    assert found(as_stored(commitment=key.commitment), key=key).startswith("deal 1: pack.1 is '")


# -- within it ----------------------------------------------------------------------------------------------


def swapped(first: int, second: int) -> Callable[[list[str]], list[str]]:
    def swap(cards: list[str]) -> list[str]:
        cards[first], cards[second] = cards[second], cards[first]
        return cards

    return swap


DEAL = RECORD["deals"][0]
NOTICED = next(place for place, made in enumerate(DEAL["signals"]) if len(made["noticed"]) == 1)


@pytest.mark.parametrize(
    ("record", "sentence"),
    [
        (changed("rules", to="standard/1"), f"rules is 'standard/1'; the contest's are '{RULES}'"),
        (changed("first_dealer", to="N"), "first_dealer is 'N'; by the schedule 'S'"),
        (
            changed("deals", 0, "pack", to=swapped(4, 40)),
            f"deal 1: pack.5 is '{DEAL['pack'][40]}'; by the rules it is '{DEAL['pack'][4]}'",
        ),
        (
            changed("deals", 1, "cut", to=lambda cut: cut % 47 + 1),
            (
                f"deals.2.cut is {RECORD['deals'][1]['cut'] % 47 + 1}; "
                f"by the rules it is {RECORD['deals'][1]['cut']}"
            ),
        ),
        (
            changed("deals", 0, "signals", NOTICED, "noticed", to=[]),
            f"deals.1.signals.{NOTICED + 1}.noticed has nothing; by the rules 1",
        ),
        (
            changed("deals", 0, "tricks", 1, to=swapped(0, 1)),
            (
                f"deal 1, 2.1, {DEAL['leaders'][1]}: "
                f"{DEAL['tricks'][1][1]} cannot be played: it is not in the hand"
            ),
        ),
        (
            changed("deals", 0, "winners", to="XXXXXXXXX"),
            f"deals.1.winners is 'XXXXXXXXX'; by the rules it is '{DEAL['winners']}'",
        ),
        (
            changed("deals", 0, "score", "points", to=0),
            f"deals.1.score.points is 0; by the rules it is {DEAL['score']['points']}",
        ),
        (changed("result", "NS", to=9), f"result.NS is 9; by the rules it is {RECORD['result']['NS']}"),
        (
            changed("result", "winner", to=None),
            f"result.winner is None; by the rules it is {RECORD['result']['winner']!r}",
        ),
        (
            changed("result", "fault", to=LATE.as_record()),
            "result.fault is there, but the match was played to its end",
        ),
        (changed("deals", to=lambda deals: deals[:1]), "deal 2: the record stops, but the match is not over"),
    ],
    ids=lambda value: value.split(":")[0] if isinstance(value, str) else "",
)
def test_what_was_changed_in_a_record(record, sentence):
    assert found(as_stored(record)) == sentence


# -- beside it ----------------------------------------------------------------------------------------------


def test_points_that_the_table_counts_otherwise():
    result = RECORD["result"]
    said = (result["NS"], result["EW"], result["winner"])
    for counted in ((said[0] + 1, *said[1:]), (said[1], said[0], said[2]), (*said[:2], None)):
        sentence = f"the table counts {counted}, but the record says {said}"
        assert found(as_stored(result=counted)) == sentence


def test_a_fault_that_is_stored_and_not_recorded():
    late = LATE._replace(deal=2, trick=9)
    assert found(as_stored(faults=(late,))).startswith(f"result is {RECORD['result']}; by the faults it is ")


def test_a_fault_that_is_recorded_and_not_stored():
    assert found(as_stored(FORFEIT)) == "result names a fault, but none is stored"


@pytest.mark.parametrize(
    "other",
    [
        LATE._replace(type=FaultType.FAILED),
        LATE._replace(seat=Seat.W),
        LATE._replace(seat=Seat.N),
        LATE._replace(deal=1),
    ],
    ids=["type", "seat", "side", "place"],
)
def test_another_fault_than_the_recorded_one(other):
    sentence = found(as_stored(FORFEIT, faults=(other,)))
    assert sentence.startswith(f"result is {FORFEIT['result']}; by the faults it is ")


def test_the_second_fault_decides_whether_both_sides_lose():
    assert "'winner': None" in found(as_stored(FORFEIT, faults=(LATE, LATE._replace(seat=Seat.S))))


def test_a_forfeit_where_nothing_is_wrong():
    """Somebody cuts a match short and gives it to the other side."""
    record = record_of(Match(RULES, KEY, first_dealer=BLOCK.first_dealer), FORFEIT["result"])
    assert found(as_stored(record)) == "result names a fault, but none is stored"


def test_a_match_that_was_played_by_other_rules():
    other = Contest("club", CONTEST.teams, 4)
    assert found(as_stored(), contest=other) == f"rules is '{RULES}'; the contest's are 'standard/1'"


def test_what_statistics_count_must_be_what_the_record_says():
    honest = as_stored()
    counted = honest.counted
    for other in (
        counted._replace(summary=counted.summary._replace(spoiled=counted.summary.spoiled - 5)),
        counted._replace(forfeit=True),
    ):
        assert found(honest._replace(counted=other)).startswith(
            "statistics count Counted(summary=Summary(deals="
        )
