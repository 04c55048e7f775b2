"""A person at the terminal, typed for: what is shown, what may be typed, what a slip gets."""

import io

import pytest
from bots.positions import seat_at, view

from aluette import Ask, RuleSet, Sign, Signal, aces
from aluette_bots.human import Human


def sit(*typed: str, rules: RuleSet | None = None) -> tuple[Human, io.StringIO]:
    shown = io.StringIO()

    class AtTheTable(Human):
        def __init__(self) -> None:
            super().__init__(io.StringIO("".join(f"{line}\n" for line in typed)), shown)

    return seat_at(AtTheTable, rules), shown


HAND = "3D KC AC AB 9S 8D 6B 5C 4B"


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("1", ("3D", None)),
        ("kc", ("KC", None)),
        ("3D monsieur", ("3D", Sign(Signal.MONSIEUR))),
        ("9 aces 2", ("4B", aces(2))),
    ],
)
def test_a_card_by_number_or_name_with_or_without_a_signal(typed: str, answer: tuple[str, Sign | None]):
    person, _ = sit(typed)
    card, sign = person.play(view(HAND, table="5D 6C"))
    assert (str(card), sign) == answer


@pytest.mark.parametrize("slip", ["12", "3C", "hello", "3D madame", "3D aces 3", "3D wave"])
def test_a_slip_gets_a_sentence_and_another_try(slip: str):
    person, shown = sit(slip, "1")
    assert str(person.play(view(HAND))[0]) == "3D"
    assert shown.getvalue().count("Your card:") == 2


def test_help_lists_the_signals():
    person, shown = sit("?", "1")
    person.play(view(HAND))
    assert "going_for_mordienne" in shown.getvalue()


def test_the_table_and_the_hand_are_shown():
    person, shown = sit("1")
    person.play(view(HAND, table="5D 6C"))
    for word in ("5D", "6C", "1 3D Monsieur", "9 4B"):
        assert word in shown.getvalue()


def test_a_vote_a_cut_a_look_and_six_discards():
    person, _ = sit("maybe", "yes", rules=RuleSet())
    assert person.chant(view(HAND, asked=Ask.CHANT)) == (True, None)
    person, _ = sit("48", "12")
    assert person.cut(view("", asked=Ask.CUT)) == 12
    person, _ = sit("")
    assert person.look(view(HAND, asked=Ask.LOOK)) is None
    fifteen = "3D KC AC AB 9S 8D 6B 5C 4B 8C 7C 6C 4C 3S 3B"
    person, _ = sit("10 11 12 13 14", "10 11 12 13 14 15")
    cards, sign = person.discard(view(fifteen, asked=Ask.DISCARD))
    assert (len(cards), sign) == (6, None)


def test_a_closed_terminal_is_said():
    person, _ = sit()
    with pytest.raises(EOFError, match="left the match"):
        person.play(view(HAND))
