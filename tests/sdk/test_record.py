"""The record of a match: played again it gives that very record, wherever the match stopped."""

import hashlib
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.play import QUICK, keys, play_out, rule_sets, seeds, steps
from sdk.matches import played, record_cut_short, some_matches, stopped_matches

from aluette.errors import RecordError
from aluette.packs import BlockKey
from aluette.record import digest, forfeited, record_of, replay, result_of, to_bytes
from aluette.rules import Ask, Cut, Look, Match, RuleSet, Sign, Signal
from aluette.seats import SEATS, Seat, Side

seats = st.sampled_from(SEATS)
EVERY_PHASE = [
    f"standard/1+{changes}deals=1{signals}"
    for changes in ("", "chant=always,", "chant=off,", "cut=player,", "chant=always,cut=player,")
    for signals in ("", ",signals=off", ",seating=draw")
]


def again(record):
    """The record of the match that comes out of a record, read back from its bytes."""
    match = replay(json.loads(to_bytes(record)))
    fault = record["result"]["fault"]
    return record_of(match, record["result"] if fault else None)


# -- what is written holds -------------------------------------------------------------------------


@settings(QUICK, max_examples=40)
@given(some_matches(max_deals=2))
def test_a_match_played_to_its_end_has_the_very_record_that_it_is_replayed_from(match):
    record = record_of(match)
    assert again(record) == record
    assert to_bytes(again(record)) == to_bytes(record)
    replayed = replay(record)
    assert (replayed.totals, replayed.winner, replayed.over) == (match.totals, match.winner, True)
    assert [deal.signals for deal in replayed.deals] == [deal.signals for deal in match.deals]


@settings(QUICK, max_examples=40)
@given(stopped_matches(), seats, st.booleans())
def test_so_has_one_that_a_fault_cut_short(match, seat, both):
    record = record_cut_short(match, seat, both=both)
    assert again(record) == record


@pytest.mark.parametrize("rules", EVERY_PHASE)
def test_a_match_may_stop_after_any_action(rules):
    """In each phase that a rule set has, also half way through the first look."""
    key, rng = BlockKey(random.Random(rules).randbytes(32)), random.Random(rules)
    match = Match(RuleSet.parse(rules), key)
    assert again(record := record_cut_short(match, Seat.N, before=True)) == record
    phases = {match.ask}
    for _ in steps(match, rng):
        if not match.over:
            phases.add(match.ask)
            record = record_cut_short(match, Seat.E)
            assert again(record) == record
            assert replay(record, key).totals == match.totals
    assert phases == {
        Ask.PLAY,
        *([Ask.CUT] if match.rules.cut == "player" else []),
        *([Ask.LOOK] if match.rules.signals else []),
        *([Ask.CHANT] if match.rules.chant == "ask" else []),
        *([Ask.DISCARD] if match.deal.received else []),
    }
    assert again(record_of(match)) == record_of(match)


def test_a_signal_with_the_cut_does_not_say_that_anybody_looked():
    match = Match(RuleSet(cut="player", chant="off"), BlockKey(bytes(32)))
    match.do(Seat.W, Cut(7, Sign(Signal.MADAME)))
    assert again(record := record_cut_short(match, Seat.N)) == record
    assert replay(record).ask is Ask.LOOK
    for seat in SEATS:
        match.do(seat, Look())
    assert again(record := record_cut_short(match, Seat.N)) == record
    assert replay(record).ask is Ask.PLAY


@settings(QUICK, max_examples=20)
@given(rule_sets(max_deals=2), keys, keys, seeds)
def test_with_a_key_the_luck_must_be_its_own(rules, key, other, seed):
    match = Match(rules, key)
    play_out(match, random.Random(seed))
    assert record_of(replay(record_of(match), key)) == record_of(match)
    if other.secret != key.secret:
        with pytest.raises(RecordError, match=r"by the rules it is|deal 1|draw"):
            replay(record_of(match), other)


@settings(QUICK, max_examples=20)
@given(some_matches(max_deals=1))
def test_replaying_changes_neither_the_record_nor_what_it_is_made_of(match):
    record = record_of(match)
    before = json.loads(to_bytes(record))
    replay(record)
    assert record == before


# -- its form --------------------------------------------------------------------------------------


def test_the_digest_is_that_of_the_canonical_bytes():
    record = record_of(played(RuleSet(deals=1)))
    assert to_bytes(record) == json.dumps(record, separators=(",", ":")).encode()
    assert digest(record) == hashlib.sha256(to_bytes(record)).hexdigest()
    assert list(record) == ["format", "rules", "first_dealer", "draw", "result", "deals"]


def test_bytes_are_utf_8_and_not_escaped():
    assert to_bytes({"name": "Chêne"}) == '{"name":"Chêne"}'.encode()


def test_the_result_of_a_match_is_its_totals_and_its_winner():
    match = played(RuleSet(deals=3), seed=2)
    ns, ew = match.totals.values()
    winner = "NS" if ns > ew else "EW"
    assert result_of(match) == {"NS": ns, "EW": ew, "winner": winner, "fault": None}
    assert result_of(played(RuleSet(), stop=0)) == {"NS": 0, "EW": 0, "winner": None, "fault": None}


def test_a_forfeited_match_counts_all_its_deals_for_the_side_without_fault():
    match = played(RuleSet(deals=7), stop=50)
    fault = {"type": "late", "seat": "E", "deal": 1, "trick": 9}
    assert forfeited(match, Side.NS, fault) == {"NS": 7, "EW": 0, "winner": "NS", "fault": fault}
    assert forfeited(match, Side.EW, fault) == {"NS": 0, "EW": 7, "winner": "EW", "fault": fault}
    assert forfeited(match, None, fault) == {"NS": 0, "EW": 0, "winner": None, "fault": fault}


@settings(QUICK, max_examples=20)
@given(some_matches(max_deals=2))
def test_a_record_says_what_the_deals_say(match):
    for deal, said in zip(match.deals, record_of(match)["deals"], strict=True):
        assert said["pack"] == [str(card) for card in deal.pack]
        assert [card for trick in said["tricks"] for card in trick] == [str(card) for card in deal.played]
        assert [Seat[name] for name, _ in said["votes"]] == [
            deal.dealer.after(place + 1) for place in range(len(deal.votes))
        ]
        assert [yes for _, yes in said["votes"]] == [vote.yes for vote in deal.votes]
        assert said["leaders"] == [leader.name for leader in deal.leaders]
        assert said["winners"] == "".join(winner.name if winner else "X" for winner in deal.winners)
        for kept in ("received", "discards"):
            given_to = {seat.name for seat in getattr(deal, kept)}
            assert {seat for seat, cards in said[kept].items() if cards} == given_to
        for made, entry in zip(deal.signals, said["signals"], strict=True):
            assert (entry["seat"], entry["signal"], entry["count"]) == (
                made.seat.name,
                made.sign.signal.name,
                made.sign.count,
            )
            if made.ask is Ask.PLAY:
                assert entry["when"] == f"{made.played // 4 + 1}.{made.played % 4 + 1}"
            else:
                assert entry["when"] == made.ask.name.lower()
