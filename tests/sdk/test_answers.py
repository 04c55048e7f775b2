"""What a bot's methods may return, and what is said of anything else."""

import pytest
from sdk.asking import ready, reply, view_at

from aluette.bot import Bot
from aluette.cards import Card
from aluette.rules import Chant, Cut, Discard, Look, Play, Sign, Signal, aces
from aluette.session import Failed, Session


class Returns(Bot):
    """Answers everything with the same value."""

    value = None

    def play(self, view):
        return self.value

    look = chant = discard = cut = play


def returns(value) -> type[Bot]:
    return type("Returns", (Returns,), {"value": value})


MADAME = Sign(Signal.MADAME)
SIX = tuple(view_at("discard").hand[:6])


@pytest.mark.parametrize(
    ("phase", "value", "expected"),
    [
        ("play", Card.D3, Play(Card.D3)),
        ("play", (Card.D3, None), Play(Card.D3)),
        ("play", (Card.D3, Signal.MADAME), Play(Card.D3, MADAME)),
        ("play", (Card.D3, aces(2)), Play(Card.D3, aces(2))),
        ("look", None, Look()),
        ("look", Signal.MADAME, Look(MADAME)),
        ("look", aces(1), Look(aces(1))),
        ("chant", True, Chant(True)),
        ("chant", (False, MADAME), Chant(False, MADAME)),
        ("discard", list(SIX), Discard(SIX)),
        ("discard", SIX, Discard(SIX)),
        ("discard", dict.fromkeys(SIX, 1).keys(), Discard(SIX)),
        ("discard", (SIX, Signal.MADAME), Discard(SIX, MADAME)),
        ("discard", (list(SIX), None), Discard(SIX)),
        ("discard", [], Discard(())),
        ("cut", 7, Cut(7)),
        ("cut", -3, Cut(-3)),
        ("cut", (7, MADAME), Cut(7, MADAME)),
    ],
)
def test_an_answer_may_be_written_in_these_ways(phase, value, expected):
    session = Session(returns(value))
    ready(session, 1)
    answer = reply(session, 1, 1, phase)
    assert answer == expected
    assert type(answer) is type(expected)


def test_discards_may_be_a_generator_or_a_set():
    class Mine(Bot):
        def discard(self, view):
            return (card for card in view.hand[:6])

    session = Session(Mine)
    ready(session, 1)
    assert reply(session, 1, 1, "discard") == Discard(SIX)
    session = Session(returns(frozenset(SIX)))
    ready(session, 1)
    assert set(reply(session, 1, 1, "discard").cards) == set(SIX)


CARD = "it must return a card, alone or with a signal: `card` or `card, Signal.MADAME`"
VOTE = "it must return True or False, alone or with a signal"
LIST = "it must return a list of six cards, alone or with a signal"
NUMBER = "it must return a number from 1 to 47"
SIGNAL = "is no signal; return a Signal, aces(n) or None"


@pytest.mark.parametrize(
    ("phase", "value", "sentence"),
    [
        ("play", None, f"play returned None; {CARD}"),
        ("play", 3, f"play returned 3; {CARD}"),
        ("play", "3D", f"play returned '3D'; {CARD}"),
        ("play", (Card.D3,), f"play returned (3D,); {CARD}"),
        ("play", (Card.D3, "MADAME"), f"play returned (3D, 'MADAME'); {CARD}"),
        ("play", (None, Signal.MADAME), f"play returned (None, <Signal.MADAME: 2>); {CARD}"),
        ("look", "MADAME", f"'MADAME' {SIGNAL}"),
        ("look", (Signal.MADAME,), f"(<Signal.MADAME: 2>,) {SIGNAL}"),
        ("look", 2, f"2 {SIGNAL}"),
        ("look", Sign("MADAME"), f"Sign(signal='MADAME', count=0) {SIGNAL}"),
        ("play", (Card.D3, Sign(Signal.ACES, "2")), f"Sign(signal=<Signal.ACES: 9>, count='2') {SIGNAL}"),
        ("chant", None, f"chant returned None; {VOTE}"),
        ("chant", 1, f"chant returned 1; {VOTE}"),
        ("discard", None, f"discard returned None; {LIST}"),
        ("discard", "3D 3C", f"discard returned '3D 3C'; {LIST}"),
        ("discard", [Card.D3, 5], f"discard returned [3D, 5]; {LIST}"),
        ("cut", None, f"cut returned None; {NUMBER}"),
        ("cut", 24.0, f"cut returned 24.0; {NUMBER}"),
    ],
)
def test_a_value_of_another_type_fails_with_a_sentence(phase, value, sentence, capsys):
    session = Session(returns(value))
    ready(session, 1)
    answer = reply(session, 1, 1, phase)
    assert isinstance(answer, Failed)
    assert answer.message.splitlines()[-1] == f"TypeError: {sentence}"


@pytest.mark.parametrize("count", [-1, 2**32, 10**30])
def test_a_count_that_no_message_can_carry_makes_a_signal_that_means_nothing(count):
    session = Session(returns(Sign(Signal.ACES, count)))
    ready(session, 1)
    assert reply(session, 1, 1, "look") == Look(Sign(Signal.UNKNOWN))


def test_numbers_that_are_more_than_numbers_are_made_plain():
    """In a record they are JSON: `true` is no number of cards."""
    for phase, value in (("cut", True), ("cut", Card.D3), ("look", Sign(Signal.ACES, True))):
        session = Session(returns(value))
        ready(session, 1)
        answer = reply(session, 1, 1, phase)
        assert type(answer.n if phase == "cut" else answer.sign.count) is int
