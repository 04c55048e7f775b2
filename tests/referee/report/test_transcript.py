"""Transcripts: golden texts of short matches, and what one seat's transcript must not depend on.

When a change of the text is meant, ALUETTE_WRITE_GOLDEN=1 writes the files anew.
"""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee.report.scenes import SCENES, fault_record
from referee.report.twins import records_of_twins
from rules.play import QUICK, keys, rule_sets, seeds

from aluette.errors import RecordError
from aluette.packs import BlockKey
from aluette.rules import Chant, Match, RuleSet, Sign, Signal
from aluette.seats import SEATS, Seat
from aluette_referee.report.transcript import transcript, when

GOLDEN = Path(__file__).parent / "golden"
WRITE = bool(os.environ.get("ALUETTE_WRITE_GOLDEN"))
NAMES = {Seat.N: "Ana", Seat.E: "Bea", Seat.S: "Ana (2)", Seat.W: "[bold]Bea 2"}
SEEN_BY = [("chant", seat) for seat in SEATS] + [("draw", Seat.W), ("fault", Seat.S), ("both_late", Seat.E)]

unequal_rules = rule_sets(max_deals=2).map(
    lambda rules: type(rules)(**{**rules.changes(), "truthful": False, "chant_discard": "free"})
)


def is_golden(name: str, lines: list[str]) -> None:
    path = GOLDEN / f"{name}.txt"
    if WRITE:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", SCENES)
def test_the_golden_transcripts(name):
    is_golden(name, list(transcript(SCENES[name], NAMES)))


@pytest.mark.parametrize(("name", "seat"), SEEN_BY)
def test_the_golden_transcripts_of_one_seat(name, seat):
    is_golden(f"{name}-{seat}", list(transcript(SCENES[name], None, seat)))


def test_every_golden_file_is_looked_at():
    names = {*SCENES, *(f"{name}-{seat}" for name, seat in SEEN_BY)}
    assert {path.stem for path in GOLDEN.iterdir()} == names


def test_who_sits_where_is_left_out_when_it_is_not_known():
    lines = list(transcript(SCENES["void"]))
    assert lines[:2] == ["Rules standard/1+chant=off,deals=1,signals=off", ""]


def test_a_record_that_does_not_hold_has_no_transcript():
    broken = {**SCENES["void"], "result": {**SCENES["void"]["result"], "NS": 1}}
    with pytest.raises(RecordError, match=r"^result\.NS is 1; by the rules it is 0$"):
        list(transcript(broken))


def test_a_signal_where_the_rules_have_none_is_told():
    match = Match(RuleSet(signals=False), BlockKey(bytes(32)))
    match.do(seat := match.asked[0], Chant(True, Sign(Signal.USELESS_HAND)))
    assert f"       {seat} shrugs: USELESS_HAND, dropped: the rules have no signals" in list(
        transcript(fault_record(match, match.asked[0]))
    )


@pytest.mark.parametrize(
    ("deal", "trick", "words"),
    [
        (0, 0, "before the first deal"),
        (2, 0, "in deal 2, before its first trick"),
        (2, 9, "in deal 2, trick 9"),
    ],
)
def test_the_moment_of_a_fault(deal, trick, words):
    assert when(deal, trick) == words


@QUICK
@given(unequal_rules, keys, seeds, st.sampled_from(SEATS), st.none() | st.integers(0, 80))
def test_a_seats_transcript_is_the_same_in_all_worlds_that_it_cannot_tell_apart(rules, key, seed, seat, stop):
    match, one, other = records_of_twins(rules, key, seed, seat, stop)
    assert list(transcript(one, NAMES, seat)) == list(transcript(other, NAMES, seat))
    # The worlds do differ, and whoever may know everything sees it.
    if match.deals[0].pack:
        assert list(transcript(one, NAMES)) != list(transcript(other, NAMES))


def test_all_four_seats_together_know_less_than_the_whole():
    lines = {line for seat in SEATS for line in transcript(SCENES["chant"], None, seat)}
    whole = set(transcript(SCENES["chant"]))
    hidden = {line.split()[0] for line in whole - lines}
    assert hidden == {"Rules", "Deal", "Stock", "E", "W"}  # rules and deal say more; signals who noticed them
