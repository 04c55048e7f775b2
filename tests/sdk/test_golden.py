"""Whole matches against files that show every turn and what each of the four seats may know at it.

A difference says that the rules, the packs, a view or a record changed: look at it line by line. When
the change is meant, ALUETTE_WRITE_GOLDEN=1 writes the files anew: `ALUETTE_WRITE_GOLDEN=1 scripts/test
tests/sdk/test_golden.py`. A record that was once written must still be read, so then the record format
(`aluette.version.RECORD_FORMAT`) changes too.
"""

import json
import os
from pathlib import Path

import pytest
from sdk.playthrough import PLAYTHROUGHS

from aluette.record import digest, record_of, replay, to_bytes

FOLDER = Path(__file__).parent / "golden"
WRITE = bool(os.environ.get("ALUETTE_WRITE_GOLDEN"))
RUNS = {playthrough.name: playthrough.run() for playthrough in PLAYTHROUGHS}


def golden(name: str, found: bytes) -> bytes:
    path = FOLDER / name
    if WRITE:
        path.write_bytes(found)
    return path.read_bytes()


@pytest.mark.parametrize("name", RUNS)
def test_every_turn_and_all_four_views_are_the_golden_ones(name):
    text, _ = RUNS[name]
    # Line by line first: pytest shows where they part.
    expected = golden(f"{name}.txt", text.encode())
    assert text.splitlines() == expected.decode().splitlines()
    assert text.encode() == expected


@pytest.mark.parametrize("name", RUNS)
def test_the_record_is_the_golden_one_byte_for_byte(name):
    _, record = RUNS[name]
    assert to_bytes(record) == golden(f"{name}.json", to_bytes(record))


@pytest.mark.parametrize("name", RUNS)
def test_a_golden_record_is_read_and_holds(name):
    written = (FOLDER / f"{name}.json").read_bytes()
    record = json.loads(written)
    assert to_bytes(record_of(replay(record))) == written
    assert f"digest {digest(record)}" == RUNS[name][0].splitlines()[-1]


def test_the_golden_matches_hold_what_they_are_there_for():
    standard, extra, drawn = (RUNS[name][1] for name in ("standard", "extra_deals", "drawn"))
    assert [bool(deal["received"]["N"]) for deal in standard["deals"]] == [True, False]
    assert len(extra["deals"]) > 2
    assert {deal["cut"] for deal in extra["deals"]} != {24}
    assert drawn["draw"] is not None
    drops = {
        signal["dropped"]
        for record in (standard, extra, drawn)
        for deal in record["deals"]
        for signal in deal["signals"]
    }
    assert drops == {None, "off", "malformed", "untrue", "bound"}
    assert any(signal["noticed"] for deal in standard["deals"] for signal in deal["signals"])
