"""A record that anybody changed: it does not hold, or it is another match that could have been played.

Everything is changed in turn. What a replay lets pass is listed below with its reason, and the match that
comes out then has the changed record exactly. With the block's key nothing of the luck is left on the list.
"""

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.play import QUICK, steps
from sdk.matches import played, record_cut_short
from sdk.tampering import mutants, pattern

from aluette.errors import RecordError
from aluette.packs import BlockKey
from aluette.record import record_of, replay, to_bytes
from aluette.rules import Match, RuleSet, Sign, Signal
from aluette.rules.actions import Look
from aluette.seats import SEATS, Seat

# What the recorded pack, which is the one after the cut, does not tell without the key.
LUCK = {
    "draw.cards.*": "another card that decides nothing, or two of them exchanged",
    "deals.*.cut": "another number for the referee's cut",
    "deals.*.pack.*": "two cards exchanged that go to the same player, or that stay in the stock",
    "deals.*.signals.*.noticed": "nobody else noticed",
    "deals.*.signals.*.noticed.*": "the other opponent noticed, or one fewer",
}
# What the players could have done as well.
CHOICES = {
    "deals.*.discards.N.*": "the same six in another order",
    "deals.*.discards.E.*": "the same six in another order",
    "deals.*.discards.S.*": "the same six in another order",
    "deals.*.signals": "no signal, where all were dropped",
    "deals.*.signals.*": "one signal fewer, or none in its place",
    "deals.*.signals.*.signal": "another signal that is judged alike",
    "deals.*.signals.*.count": "another count that makes as little sense",
    "deals.*.signals.*.seat": "made by another seat at that time, and judged alike",
    "deals.*.signals.*.when": "made at another time, and judged alike",
    "deals.*.tricks.*": "two tricks exchanged, or the last one not played, with the same leaders and winners",
    "deals.*.tricks.*.*": "another card that the player held to the end",
}
FAULT = {
    "result.fault.type": "any fault loses a match",
    "result.fault.seat": "the partner's fault loses it as well",
}


def at(rules: str, seed: int, stop: int | None = None) -> tuple[BlockKey, Match]:
    rng = random.Random(seed)
    key = BlockKey(rng.randbytes(32))
    match = Match(RuleSet.parse(rules), key)
    for done, _ in enumerate(steps(match, rng), start=1):
        if done == stop:
            break
    return key, match


def let_pass(record, luck=None) -> set[str]:
    """The places where a change makes another record that holds."""
    passed = set()
    for place, tampered in mutants(record):
        try:
            match = replay(tampered, luck)
        except RecordError:
            continue
        result = tampered["result"]
        assert to_bytes(record_of(match, result if result["fault"] else None)) == to_bytes(tampered)
        passed.add(pattern(place))
    return passed


def test_of_a_match_with_everything_only_luck_and_choices_can_be_others():
    _, match = at("standard/1+cut=player,deals=1,seating=draw", seed=5)
    assert match.deal.received
    passed = let_pass(record_of(match))
    assert passed <= {*LUCK, *CHOICES}
    assert passed >= {"draw.cards.*", "deals.*.pack.*", "deals.*.signals.*.noticed.*"}


def test_with_the_key_no_luck_can_be_another():
    key, match = at("standard/1+chant=always,deals=1", seed=1)
    passed = let_pass(record_of(match), key)
    assert "deals.*.signals.*.signal" in passed
    assert passed <= set(CHOICES)


def test_with_the_key_and_without_chant_only_signals_that_were_dropped_can_be_others():
    """In this match, where no two tricks that follow each other have the same leader and winner."""
    key, match = at("standard/1+chant=off,deals=1,signals=off", seed=0)
    passed = let_pass(record_of(match), key)
    assert passed <= {place for place in CHOICES if place.startswith("deals.*.signals")}


def test_of_a_match_cut_short_the_last_cards_and_the_fault_can_be_others_too():
    _, match = at("standard/1+chant=off,deals=1,signals_per_deal=0", seed=7, stop=17)
    record = record_cut_short(match, Seat.E)
    passed = let_pass(record)
    assert {*FAULT, "deals.*.tricks.*.*"} <= passed <= {*FAULT, *LUCK, *CHOICES}


# -- the place is named ----------------------------------------------------------------------------


def _leaves(value, place=""):
    parts = (
        value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    )
    for name, item in parts:
        yield from _leaves(item, f"{place}.{name}" if place else str(name))
    if not parts:
        yield place


def _put(record, place, value):
    *path, last = (int(step) - 1 if step.isdigit() else step for step in place.split("."))
    for step in path:
        record = record[step]
    before, record[last] = record[last], value
    return before


def test_a_value_of_the_wrong_kind_is_named_by_its_place():
    record = record_cut_short(at("standard/1+deals=1,seating=draw", seed=5, stop=30)[1], Seat.N)
    leaves = list(_leaves(record))
    assert {"rules", "draw.chairs.W", "result.fault.trick", "deals.1.tricks.2.1", "deals.1.winners"} < {
        *leaves
    }
    for place in leaves:
        before = _put(record, place, {"no": "thing"})
        with pytest.raises(RecordError) as caught:
            replay(record)
        found = "record format {" if place == "format" else f"{place} is {{"
        assert str(caught.value).startswith(found)
        _put(record, place, before)
    replay(record)


SHORT = record_cut_short(played(RuleSet(chant="off"), seed=1, stop=20), Seat.E)
WHOLE = record_of(played(RuleSet(deals=1), seed=1))


def changed(record, **places):
    """The record with values at places; `__` stands for a dot."""
    other = replay_form(record)
    for place, value in places.items():
        _put(other, place.replace("__", "."), value)
    return other


def replay_form(value):
    """A deep copy, by value."""
    if isinstance(value, dict):
        return {name: replay_form(item) for name, item in value.items()}
    return [replay_form(item) for item in value] if isinstance(value, list) else value


SENTENCES = [
    (None, "the record is None, not an object"),
    ([1, 2], "the record is [1, 2], not an object"),
    ({}, "the record is [], not the fields format, rules, first_dealer, draw, result, deals in this order"),
    (changed(WHOLE, format=2), "record format 2 is not 1, the one known here"),
    (changed(WHOLE, format=True), "record format True is not 1, the one known here"),
    ({"format": 7, "moves": []}, "record format 7 is not 1, the one known here"),
    (changed(WHOLE, deals=[]), "the record has no deals"),
    (
        changed(WHOLE, rules="standard/2"),
        "'standard/2' is no rule set: its name is not 'standard/1'",
    ),
    (
        changed(WHOLE, rules="standard/1+deals=1,seating=draw"),
        "draw is None, but by the rules the partners are drawn",
    ),
    (
        changed(WHOLE, rules="standard/1+deals=2"),
        "deal 2: it is missing from the record",
    ),
    (changed(WHOLE, first_dealer="X"), "first_dealer is 'X', not one of N, E, S, W"),
    (changed(WHOLE, deals__1__pack__3="ZZ"), "deals.1.pack.3 is 'ZZ', not a card"),
    (changed(WHOLE, deals__1__cut=0), "deal 1: a cut is from 1 to 47, not 0"),
    (changed(WHOLE, deals__1__cut=48), "deal 1: a cut is from 1 to 47, not 48"),
    (
        {**WHOLE, "deals": WHOLE["deals"] * 2},
        "deal 2: the match was over after deal 1",
    ),
    (
        changed(WHOLE, deals__1__score__points=2),
        "deals.1.score.points is 2; by the rules it is 1",
    ),
    (changed(SHORT, result__fault=None), "deal 1: the record stops, but the match is not over"),
    (
        changed(SHORT, result__winner="EW"),
        "result.winner is EW, the side of E, who was at fault",
    ),
    (changed(SHORT, result__NS=3), "result.NS is 3; by the rules it is 5"),
    (
        changed(SHORT, result__fault__deal=3),
        "result.fault is not where the match stopped: deal 1, trick 5",
    ),
    (
        changed(WHOLE, result__fault={"type": "late", "seat": "N", "deal": 1, "trick": 9}),
        "result.fault is there, but the match was played to its end",
    ),
]


@pytest.mark.parametrize(("record", "sentence"), SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_the_sentence_says_what_does_not_hold(record, sentence):
    with pytest.raises(RecordError) as caught:
        replay(record)
    assert str(caught.value) == sentence


def test_an_illegal_card_is_named_with_its_turn():
    record = changed(WHOLE)
    first, second = record["deals"][0]["tricks"][0][:2]
    record["deals"][0]["tricks"][0][:2] = [second, first]
    leader = record["deals"][0]["leaders"][0]
    with pytest.raises(
        RecordError, match=f"^deal 1, 1.1, {leader}: {second} cannot be played: it is not in the hand$"
    ):
        replay(record)


def test_a_card_drawn_twice_is_no_draw():
    record = record_of(at("standard/1+deals=1,seating=draw", seed=5)[1])
    cards = record["draw"]["cards"]
    cards[1] = cards[2]
    with pytest.raises(RecordError, match=r"^draw\.cards names a card twice$"):
        replay(record)


def test_who_is_sure_to_notice_has_noticed():
    match = Match(RuleSet(notice=1, deals=1, chant="off"), BlockKey(bytes(32)))
    for seat in SEATS:
        match.do(seat, Look(Sign(Signal.USELESS_HAND)))
    record = record_cut_short(match, Seat.N)
    replay(record)
    record["deals"][0]["signals"][0]["noticed"] = []
    with pytest.raises(RecordError, match=r"^deals\.1\.signals\.1\.noticed has nothing; by the rules 1, 2$"):
        replay(record)


# -- garbage ---------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


def holds_or_does_not(record) -> None:
    """Any error but a `RecordError` fails the test that calls this."""
    with suppress(RecordError):
        replay(record)


@QUICK
@given(json_values)
def test_what_is_no_record_is_said_not_to_be_one(value):
    with pytest.raises(RecordError):
        replay(value)


@settings(QUICK, max_examples=150)
@given(st.data(), json_values)
def test_anything_anywhere_in_a_record_is_judged(data, value):
    record = replay_form(data.draw(st.sampled_from([WHOLE, SHORT])))
    _put(record, data.draw(st.sampled_from(list(_leaves(record)))), value)
    holds_or_does_not(record)


@settings(QUICK, max_examples=30)
@given(st.text(max_size=40))
def test_any_text_for_the_rules_is_judged(text):
    holds_or_does_not(changed(WHOLE, rules=text))
    holds_or_does_not(changed(WHOLE, rules=f"standard/1+{text}"))


def test_depth_and_size_make_no_difference():
    deep = []
    for _ in range(5000):
        deep = [deep]
    for place in ("result.winner", "deals.1.signals", "deals.1.tricks.1.1", "draw", "format"):
        record = replay_form(WHOLE)
        _put(record, place, deep)
        with pytest.raises(RecordError):
            replay(record)
    with pytest.raises(RecordError):
        replay(changed(WHOLE, deals__1__cut=10**1000))
