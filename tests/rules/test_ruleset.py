"""Rule sets: one identity each, and a sentence for every mistake."""

from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules.play import QUICK, rule_sets

from aluette.errors import Misuse, NotationError
from aluette.rules import STANDARD, RuleSet

DEFAULTS = {
    "seating": "fixed", "cut": "referee", "chant": "ask", "chant_discard": "free", "mordienne": True,
    "deals": 5, "tie": "draw", "signals": True, "signals_per_deal": 3, "notice": 0.5, "truthful": True,
}  # fmt: skip

# Every value of every option that differs from the default, and how an identity writes it.
CHANGES = [
    ("seating", "draw", "draw"), ("cut", "player", "player"), ("chant", "off", "off"),
    ("chant", "always", "always"), ("chant_discard", "lowest", "lowest"), ("mordienne", False, "off"),
    ("deals", 1, "1"), ("deals", 100, "100"), ("tie", "extra_deals", "extra_deals"),
    ("signals", False, "off"), ("signals_per_deal", 0, "0"), ("signals_per_deal", 9, "9"),
    ("notice", 0, "0"), ("notice", 1, "1"), ("notice", 0.25, "0.25"), ("notice", 0.0001, "0.0001"),
    ("notice", 0.9999, "0.9999"), ("notice", 1e-1, "0.1"), ("truthful", False, "false"),
]  # fmt: skip

CHOICES = {
    "seating": "fixed, draw", "cut": "referee, player", "chant": "ask, off, always",
    "chant_discard": "free, lowest", "tie": "draw, extra_deals",
}  # fmt: skip
RANGES = {
    **{name: f"one of {choices}" for name, choices in CHOICES.items()},
    "mordienne": "on or off", "signals": "on or off", "truthful": "on or off",
    "deals": "whole number from 1 to 100", "signals_per_deal": "whole number from 0 to 9",
    "notice": "number from 0 to 1",
}  # fmt: skip

BAD = [
    *((name, value) for name in CHOICES for value in ("", "Fixed", "on", True, None, 1, ["fixed"])),
    *((name, value) for name in ("mordienne", "signals", "truthful") for value in ("", "maybe", 1, 0, None)),
    *(("deals", value) for value in (0, 101, -5, 5.0, 2.5, True, None, "five", "", "5.0")),
    *(("signals_per_deal", value) for value in (-1, 10, 3.0, False, None, "many")),
    *(("notice", value) for value in (-0.0001, 1.0001, 2, 10**400, float("nan"), float("inf"), True, None, "x", "")),
]  # fmt: skip


def test_the_standard_game():
    assert {field.name: getattr(STANDARD, field.name) for field in fields(STANDARD)} == DEFAULTS
    assert RuleSet() == STANDARD
    assert STANDARD.identity == str(STANDARD) == "standard/1"
    assert STANDARD.changes() == {}


@pytest.mark.parametrize(("name", "value", "text"), CHANGES)
def test_each_changed_option_is_part_of_the_identity(name, value, text):
    rules = RuleSet(**{name: value})
    assert rules.identity == f"standard/1+{name}={text}"
    assert rules.changes() == {name: value}
    assert RuleSet.parse(rules.identity) == rules


def test_changed_options_are_sorted_whatever_the_order_given():
    rules = RuleSet.of({"tie": "extra_deals", "deals": 7, "notice": 0.25})
    assert rules.identity == "standard/1+deals=7,notice=0.25,tie=extra_deals"


@QUICK
@given(rule_sets(max_deals=100))
def test_an_identity_reads_back_to_the_same_value(rules):
    again = RuleSet.parse(rules.identity)
    assert (again, hash(again), again.identity) == (rules, hash(rules), rules.identity)


@QUICK
@given(rule_sets(max_deals=100), rule_sets(max_deals=100))
def test_two_rule_sets_have_one_identity_exactly_when_they_are_equal(one, other):
    assert (one == other) == (one.identity == other.identity)


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (0, 0.0), (0.0, -0.0), (0.3, 0.1 + 0.2), (0.5, 0.5 + 1e-12), (0.07, 7 * 0.01)],
)
def test_equal_probabilities_are_one_rule_set(one, other):
    assert RuleSet(notice=one) == RuleSet(notice=other)
    assert RuleSet(notice=one).identity == RuleSet(notice=other).identity
    assert RuleSet.parse(RuleSet(notice=other).identity) == RuleSet(notice=other)


@QUICK
@given(st.integers(0, 10_000))
def test_notice_keeps_four_decimals_exactly(n):
    rules = RuleSet.of({"notice": f"0.{n:04}" if n < 10_000 else "1"})
    assert rules.notice_threshold == n
    assert rules == RuleSet(notice=n / 10_000)


@pytest.mark.parametrize("value", [0.12345, 0.00001, 0.99999, 0.50005, 0.5 + 1e-6])
def test_a_fifth_decimal_of_notice_is_refused(value):
    for make in (lambda: RuleSet(notice=value), lambda: RuleSet.of({"notice": str(value)})):
        with pytest.raises(Misuse, match=r"^notice = .* four decimals$") as caught:
            make()
        assert str(value) in str(caught.value)


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_value_is_refused_by_name_and_range(name, value):
    for make in (lambda: RuleSet(**{name: value}), lambda: RuleSet.of({name: value})):
        with pytest.raises(Misuse) as caught:
            make()
        assert str(caught.value).startswith(f"{name} = {value!r}: must be ")
        assert RANGES[name] in str(caught.value)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("on", True),
        ("true", True),
        ("yes", True),
        ("ON", True),
        ("off", False),
        ("false", False),
        ("No", False),
    ],
)
@pytest.mark.parametrize("name", ["mordienne", "signals", "truthful"])
def test_words_for_yes_and_no(name, word, value):
    assert RuleSet.of({name: word}) == RuleSet(**{name: value})


def test_options_may_be_text_or_typed():
    typed = {"deals": 3, "signals_per_deal": 9, "notice": 0.25, "mordienne": False, "cut": "player"}
    assert RuleSet.of({name: str(value) for name, value in typed.items()}) == RuleSet.of(typed)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"notise": 0.5}, "'notise' is no rule option: did you mean 'notice'?"),
        ({"chant_discards": "free"}, "'chant_discards' is no rule option: did you mean 'chant_discard'?"),
        ({"tie": "extra_deal"}, "(did you mean 'extra_deals'?)"),
        ({"cut": "refere"}, "(did you mean 'referee'?)"),
        ({"zzz": 1}, f"'zzz' is no rule option: known are {', '.join(DEFAULTS)}"),
    ],
)
def test_a_near_miss_is_answered_with_a_hint(options, hint):
    with pytest.raises(Misuse) as caught:
        RuleSet.of(options)
    assert hint in str(caught.value)


def test_nothing_is_guessed_that_is_not_near():
    with pytest.raises(Misuse) as caught:
        RuleSet.of({"tie": "zzz", "cut": 3, "deals": "refere"})
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    "house_rule",
    [
        "surrender",
        "announced_mordienne",
        "team_totals",
        "stock_receivers",
        "spoiled_leader",
        "sweep_mordienne",
    ],
)
def test_house_rules_of_a_single_source_are_not_offered(house_rule):
    with pytest.raises(Misuse, match=f"'{house_rule}' is no rule option"):
        RuleSet.of({house_rule: True})


def test_all_mistakes_are_told_at_once():
    bad = {"deals": 0, "tie": "never", "notice": 2, "notise": 1, "cut": "player"}
    with pytest.raises(Misuse) as caught:
        RuleSet.of(bad)
    sentences = str(caught.value).split("; ")
    assert [sentence.split()[0].strip("'") for sentence in sentences] == ["deals", "tie", "notice", "notise"]


def test_the_constructor_tells_all_mistakes_at_once():
    with pytest.raises(Misuse, match=r"^deals = 0: .*; signals_per_deal = 10: .*; notice = 2: [^;]*$"):
        RuleSet(deals=0, signals_per_deal=10, notice=2)


def test_check_gives_the_good_options_and_a_sentence_for_each_bad_one():
    read, mistakes = RuleSet.check({"deals": "3", "signals": "off", "tie": "never", "colour": "red"})
    assert read == {"deals": 3, "signals": False}
    assert list(mistakes) == ["tie", "colour"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "its name is not 'standard/1'"),
        ("standard", "its name is not"),
        ("standard/2", "its name is not"),
        ("Standard/1", "its name is not"),
        ("standard/1 ", "its name is not"),
        ("standard/1+", "canonical form is 'standard/1'"),
        ("standard/1+notice", "notice = ''"),
        ("standard/1+notice=2", "number from 0 to 1"),
        ("standard/1+notice=0.5", "canonical form is 'standard/1'"),
        ("standard/1+notice=.25", "canonical form is 'standard/1+notice=0.25'"),
        ("standard/1+notice=0.250", "canonical form is 'standard/1+notice=0.25'"),
        ("standard/1+notice=1.0", "canonical form is 'standard/1+notice=1'"),
        ("standard/1+deals=07", "canonical form is 'standard/1+deals=7'"),
        ("standard/1+deals= 7", "canonical form is 'standard/1+deals=7'"),
        ("standard/1+mordienne=no", "canonical form is 'standard/1+mordienne=off'"),
        ("standard/1+truthful=off", "canonical form is 'standard/1+truthful=false'"),
        (
            "standard/1+tie=extra_deals,notice=0.25",
            "canonical form is 'standard/1+notice=0.25,tie=extra_deals'",
        ),
        ("standard/1+deals=7,deals=7", "canonical form is 'standard/1+deals=7'"),
        ("standard/1+deals=7,", "'' is no rule option"),
        ("standard/1+colour=red", "'colour' is no rule option"),
        ("standard/1+deals=0,tie=never", "tie = 'never'"),
    ],
)
def test_only_the_one_canonical_form_is_read(text, reason):
    with pytest.raises(NotationError) as caught:
        RuleSet.parse(text)
    assert str(caught.value).startswith(f"{text!r} is no rule set: ")
    assert reason in str(caught.value)


def test_a_rule_set_never_changes():
    with pytest.raises(FrozenInstanceError):
        STANDARD.deals = 3
