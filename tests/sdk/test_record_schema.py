"""docs/record.schema.json: it takes every record that is written, and nothing that only looks like one."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from rules.play import QUICK
from sdk.matches import played, record_cut_short, some_matches, stopped_matches
from sdk.tampering import mutants, pattern

from aluette.cards import CARDS
from aluette.errors import RecordError
from aluette.record import record_of, replay
from aluette.rules import Drop, Kind, RuleSet, Signal
from aluette.seats import SEATS, Seat, Side
from aluette.version import RECORD_FORMAT
from aluette_referee.faults import FaultType

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/record.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
PLACE = {
    "id": "0123456789ab-2",
    "block": "0123456789ab",
    "leg": 2,
    "teams": {"NS": "Les Chênes", "EW": "Les Vaches"},
    "seats": {"N": "careful", "E": "mybot.py:MyBot", "S": "careful", "W": "./bot --level 3"},
    "key": "0f" * 32,
}
CLOCK = {"answers": 12, "seconds": 0.25, "longest": 0.125, "dropped": 0}


def line(record):
    """An export line of a record, as it is read back."""
    return json.loads(json.dumps({**PLACE, **record}))


WHOLE = line(record_of(played(RuleSet(deals=1), seed=4)))
DRAWN = line(record_of(played(RuleSet(deals=1, seating="draw"), seed=4)))
SHORT = line(record_cut_short(played(RuleSet(chant="always"), seed=4, stop=20), Seat.E))


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@settings(QUICK, max_examples=15)
@given(some_matches(max_deals=1))
def test_every_match_played_to_its_end_is_valid(match):
    VALIDATOR.validate(line(record_of(match)))


@settings(QUICK, max_examples=15)
@given(stopped_matches(max_deals=1))
def test_every_match_cut_short_is_valid(match):
    VALIDATOR.validate(line(record_cut_short(match, Seat.S)))


@pytest.mark.parametrize("both", [False, True])
def test_a_match_that_no_bot_came_to_is_valid(both):
    match = played(RuleSet(cut="player"), stop=0)
    record = record_cut_short(match, Seat.N, both=both, before=True)
    VALIDATOR.validate(line(record) | {"timing": {}})


def test_timing_may_be_there():
    VALIDATOR.validate(WHOLE | {"timing": {seat.name: CLOCK for seat in SEATS}})


@pytest.mark.parametrize("start", [DRAWN, SHORT], ids=["drawn", "short"])
def test_what_the_schema_refuses_does_not_hold(start):
    """Some changes of each kind of place: what else does not hold is for the rulebook to judge."""
    tried = Counter()
    refused = 0
    record = {name: value for name, value in start.items() if name not in PLACE}
    for place, changed in mutants(record):
        kind = pattern(place)
        tried[kind] += 1
        # Validating is slow: not every card of the pack. Which faults there are is the referee's to know.
        if tried[kind] not in (1, 6) or kind == "result.fault.type":
            continue
        if not VALIDATOR.is_valid(PLACE | changed):
            refused += 1
            with pytest.raises(RecordError):
                replay(changed)
    assert refused > 60


@pytest.mark.parametrize("start", [DRAWN, SHORT], ids=["drawn", "short"])
def test_a_value_of_another_kind_is_refused_wherever_it_is(start):
    seen = set()
    for place, changed in mutants(start):
        kind = pattern(place)
        if kind not in seen and _value_at(changed, place) is True:
            seen.add(kind)
            if kind != "deals.*.votes.*.*":
                assert not VALIDATOR.is_valid(changed), kind
    assert len(seen) > 60


def _value_at(record, place):
    for step in place:
        if isinstance(record, list) and step >= len(record):
            return None
        record = record[step] if isinstance(record, list) else record.get(step)
    return record


BROKEN = {
    "no key": {"key": None},
    "an upper-case key": {"key": "0F" * 32},
    "a short key": {"key": "0f" * 31},
    "another format": {"format": 2},
    "a third leg": {"leg": 3},
    "an unknown field": {"comment": "x"},
    "an unknown team": {"teams": {"NS": "a", "EW": "b", "X": "c"}},
    "a seat short": {"seats": {"N": "a", "E": "b", "S": "c"}},
    "a nameless team": {"teams": {"NS": "", "EW": "b"}},
    "other rules": {"rules": "house/1"},
    "no deals": {"deals": []},
    "timing of three seats": {"timing": dict.fromkeys("NES", CLOCK)},
    "timing below zero": {"timing": {seat: {**CLOCK, "longest": -1} for seat in "NESW"}},
    "a result without its fault": {"result": {"NS": 1, "EW": 0, "winner": "NS"}},
    "a fault of no known type": {
        "result": {
            "NS": 1,
            "EW": 0,
            "winner": "NS",
            "fault": {"type": "slow", "seat": "E", "deal": 1, "trick": 1},
        }
    },
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_a_broken_line_is_refused(change):
    VALIDATOR.validate(WHOLE)
    assert not VALIDATOR.is_valid(WHOLE | change)


@pytest.mark.parametrize("name", WHOLE)
def test_a_line_without_one_of_its_fields_is_refused(name):
    assert not VALIDATOR.is_valid({field: value for field, value in WHOLE.items() if field != name})


def test_its_words_are_those_of_the_code():
    defined = SCHEMA["$defs"]
    assert defined["card"]["enum"] == [str(card) for card in CARDS]
    assert defined["seat"]["enum"] == [seat.name for seat in SEATS]
    assert defined["side"]["enum"] == [side.name for side in Side]
    signal = defined["signal"]["properties"]
    assert signal["signal"]["enum"] == [signal.name for signal in Signal]
    assert signal["dropped"]["oneOf"][1]["enum"] == [drop.name.lower() for drop in Drop]
    assert defined["deal"]["properties"]["score"]["properties"]["kind"]["enum"] == list(Kind)
    assert defined["fault"]["properties"]["type"]["enum"] == list(FaultType)
    assert SCHEMA["properties"]["format"]["const"] == RECORD_FORMAT


def test_everything_is_closed():
    """No object takes a field that is not described."""

    def objects(schema):
        if isinstance(schema, dict):
            if "properties" in schema and "type" in schema:
                yield schema
            schema = list(schema.values())
        if isinstance(schema, list):
            for inner in schema:
                yield from objects(inner)

    found = list(objects(SCHEMA))
    assert len(found) > 12
    for schema in found:
        assert schema["additionalProperties"] is False
        assert set(schema["properties"]) - set(schema["required"]) <= {"timing"}
