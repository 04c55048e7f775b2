"""Export lines: the schema that is published takes them, and they are the canonical bytes."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from referee.report.club import BLOCK, FIXTURE, KEY, RECORD
from referee.report.scenes import SCENES, fault_record

from aluette.record import replay, to_bytes
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette_referee.contest.schedule import Fixture
from aluette_referee.report.export import export_line

SCHEMA = json.loads((Path(__file__).parents[3] / "docs/record.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
RECORDS = {
    **SCENES,
    "random": RECORD,
    "absent": fault_record(Match(RuleSet(), KEY), Seat.N, before=True),
}


@pytest.mark.parametrize("name", RECORDS)
def test_the_published_schema_takes_every_line(name):
    VALIDATOR.validate(json.loads(export_line(FIXTURE, RECORDS[name], KEY)))


def test_a_line_says_which_match_it_is_and_who_played():
    line = json.loads(export_line(FIXTURE, RECORD, KEY))
    place = {name: line[name] for name in ("id", "block", "leg", "teams", "seats", "key")}
    assert place == {
        "id": f"{BLOCK.id}-2",
        "block": BLOCK.id,
        "leg": 2,
        "teams": {"NS": "Les Chênes", "EW": "Ana \U0001f0a1"},
        "seats": {"N": "random", "E": "mybot.py:MyBot", "S": "./bot --level 3", "W": "external"},
        "key": KEY.secret.hex(),
    }
    other = json.loads(export_line(Fixture(BLOCK, 1), RECORD, KEY))
    assert other["teams"] == {"NS": "Ana \U0001f0a1", "EW": "Les Chênes"}
    assert other["seats"] == {
        "N": "mybot.py:MyBot", "E": "random", "S": "external", "W": "./bot --level 3",
    }  # fmt: skip


def test_a_line_ends_with_the_canonical_bytes_of_the_record():
    line = export_line(FIXTURE, RECORD, KEY)
    assert "\n" not in line
    place, record = line.encode().split(b'"format":')
    assert b'{"format":' + record == to_bytes(RECORD)
    assert place.endswith(b'",')
    assert "Les Chênes" in line


def test_a_line_can_be_checked_by_itself():
    line = json.loads(export_line(FIXTURE, RECORD, KEY))
    record = {name: line[name] for name in RECORD}
    assert replay(record, type(KEY)(bytes.fromhex(line["key"]))).rules == RuleSet.parse(line["rules"])


@pytest.mark.parametrize(
    "timing",
    [{}, {seat.name: {"answers": 9, "seconds": 0.5, "longest": 0.125, "dropped": 0} for seat in SEATS}],
)
def test_timing_comes_last_and_only_when_it_is_asked_for(timing):
    line = export_line(FIXTURE, RECORD, KEY, timing)
    assert list(json.loads(line))[-1] == "timing"
    VALIDATOR.validate(json.loads(line))
    assert line.startswith(export_line(FIXTURE, RECORD, KEY)[:-1])
