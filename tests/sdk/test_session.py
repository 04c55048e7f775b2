"""A session: one bot for each match, and what one bot does wrong is no other match's fault."""

import os
import random
import sys
from pathlib import Path

import pytest
from sdk.asking import PHASES, ask, begin, deal_end, ready, reply, view_at

from aluette.bot import Bot
from aluette.cards import Card
from aluette.errors import Misuse
from aluette.events import MatchBegun, MatchEnded, Reason
from aluette.rules import STANDARD, Chant, Cut, Discard, Look, Play, RuleSet, Sign, Signal, aces
from aluette.seats import Seat
from aluette.session import Answer, Failed, Ready, Session, Turn
from aluette.view import Points

OVER = MatchEnded(Reason.PLAYED, None, Points(0, 0))


class Strongest(Bot):
    """Plays the strongest card, and keeps a list of all that happened."""

    log: list[str]

    def __init__(self, log=None):
        self.log = [] if log is None else log

    def play(self, view):
        self.log.append("play")
        return view.hand[0]

    def on_match_start(self, match):
        self.log.append("start")

    def on_deal_end(self, ended):
        self.log.append(f"deal {ended.deal.number}")

    def on_match_end(self, ended):
        self.log.append(f"end {ended.reason}")


class Returns(Strongest):
    """Answers everything with the same value."""

    value = None

    def play(self, view):
        return self.value

    look = chant = discard = cut = play


def returns(value) -> type[Bot]:
    return type("Returns", (Returns,), {"value": value})


@pytest.fixture
def strongest_card():
    return view_at("play").hand[0]


# -- matches and bots ------------------------------------------------------------------------------


def test_each_match_has_a_bot_of_its_own():
    made = []

    class Mine(Strongest):
        def __init__(self):
            super().__init__()
            made.append(self)

    session = Session(Mine)
    assert ready(session, 1, 2) == [Ready(), Ready()]
    assert len(made) == 2
    reply(session, 1, 1)
    assert [bot.log for bot in made] == [["start", "play"], ["start"]]
    assert made[0].match is not made[1].match


def test_a_bot_is_made_when_it_is_to_get_ready_and_not_before():
    log = []
    session = Session(Strongest, {"log": log})
    begin(session, 1)
    assert log == []
    ask(session, (1, 0, None))
    assert log == ["start"]


def test_match_and_rng_are_there_before_init_which_gets_the_options():
    class Mine(Bot):
        def __init__(self, *, level, name="?"):
            self.seen = (self.match.seat, self.match.rules, level, name, self.rng.random())

        def play(self, view):
            raise AssertionError(self.seen)

    session = Session(Mine, {"level": 3})
    session.tell(1, MatchBegun(Seat.W, RuleSet(deals=2), 77))
    assert ask(session, (1, 0, None)) == [Answer(1, 0, Ready())]
    seen = (Seat.W, RuleSet(deals=2), 3, "?", random.Random(77).random())
    assert f"AssertionError: {seen}" in reply(session, 1, 1).message


def test_the_rng_of_a_match_follows_from_its_seed_alone():
    class Chance(Bot):
        def play(self, view):
            return self.rng.choice(view.hand)

    def cards(seed):
        session = Session(Chance)
        ready(session, 1, 2, seed=seed)
        return [reply(session, table, number).card for number in range(1, 6) for table in (1, 2)]

    assert cards(5) == cards(5) != cards(6)
    assert cards(5)[0::2] == cards(5)[1::2]


def test_the_match_state_says_who_and_what_and_gathers_the_deals():
    states = []

    class Mine(Strongest):
        def on_match_start(self, match):
            states.append(match)

    session = Session(Mine)
    session.tell(1, MatchBegun(Seat.S, STANDARD, 1, ("a", "b", "c", "d"), 2.0))
    ask(session, (1, 0, None))
    (state,) = states
    assert (state.seat, state.rules, state.names) == (Seat.S, STANDARD, ("a", "b", "c", "d"))
    assert state.begun.move_limit == 2.0
    assert (state.deals, state.memo) == ([], None)
    session.tell(1, deal_end(1))
    assert state.deals == [deal_end(1)]


@pytest.mark.parametrize("phase", PHASES)
def test_a_bot_that_only_plays_answers_everything_else_by_itself(phase):
    session = Session(Strongest)
    ready(session, 1)
    hand = view_at("discard").hand
    assert (
        reply(session, 1, 1, phase)
        == {
            "cut": Cut(24),
            "look": Look(),
            "chant": Chant(False),
            "discard": Discard(tuple(sorted(hand, key=lambda card: (card.strength, card))[:6])),
            "play": Play(view_at("play").hand[0]),
        }[phase]
    )


def test_a_function_is_a_bot(strongest_card):
    session = Session(lambda view: (view.hand[0], Signal.VACHE))
    assert ready(session, 1) == [Ready()]
    assert reply(session, 1, 1) == Play(strongest_card, Sign(Signal.VACHE))
    assert reply(session, 1, 2, "chant") == Chant(False)


def test_a_bot_without_play_is_told_what_to_write():
    session = Session(type("Lazy", (Bot,), {}))
    ready(session, 1)
    assert "Lazy does not say which card to play: write play(self, view)" in reply(session, 1, 1).message


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (Strongest(), "a bot is named by its class, Strongest, not by an instance of it"),
        (dict, "dict is a class, but not an aluette.Bot or aluette.BatchBot"),
        (5, "5 is neither a bot class nor a function"),
        (None, "None is neither a bot class nor a function"),
    ],
)
def test_what_is_no_bot_is_refused_at_once(value, sentence):
    with pytest.raises(Misuse) as caught:
        Session(value)
    assert str(caught.value) == sentence


# -- what an answer may be -------------------------------------------------------------------------

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
    class Mine(Strongest):
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


# -- failures --------------------------------------------------------------------------------------


class Fails(Strongest):
    """Raises wherever its option says."""

    def __init__(self, where):
        super().__init__()
        self.where = where
        self.act("init")

    def act(self, where):
        if self.where == where and self.match.begun.seed == 13:
            raise ZeroDivisionError(where)

    def play(self, view):
        self.act("play")
        return view.hand[0]

    def on_match_start(self, match):
        self.act("start")

    def on_deal_end(self, ended):
        self.act("deal end")

    def on_match_end(self, ended):
        self.act("match end")


def with_an_unlucky_match(where) -> Session:
    """Matches at tables 1 and 3, and between them one whose bot fails."""
    session = Session(Fails, {"where": where})
    begin(session, 1, 3)
    begin(session, 2, seed=13)
    return session


def failed(answer, where) -> bool:
    return isinstance(answer, Failed) and answer.message.endswith(f"ZeroDivisionError: {where}\n")


@pytest.mark.parametrize("where", ["init", "start"])
def test_a_bot_that_fails_to_get_ready_fails_its_own_match_alone(where, capsys):
    session = with_an_unlucky_match(where)
    one, two, three = (answer.reply for answer in ask(session, (1, 0, None), (2, 0, None), (3, 0, None)))
    assert (one, three) == (Ready(), Ready())
    assert failed(two, where)
    assert isinstance(reply(session, 1, 1), Play)
    assert reply(session, 2, 1) == two


def test_a_bot_that_fails_at_a_turn_fails_its_own_match_alone(capsys):
    session = with_an_unlucky_match("play")
    ask(session, (1, 0, None), (2, 0, None), (3, 0, None))
    one, two, three = (
        answer.reply for answer in ask(session, (1, 1, "play"), (2, 1, "play"), (3, 1, "play"))
    )
    assert isinstance(one, Play)
    assert isinstance(three, Play)
    assert failed(two, "play")
    assert reply(session, 2, 2, "chant") == two


def test_a_bot_that_fails_at_an_event_fails_its_match_at_its_next_turn(capsys):
    session = with_an_unlucky_match("deal end")
    ask(session, (1, 0, None), (2, 0, None))
    session.tell(1, deal_end(1))
    session.tell(2, deal_end(1))
    assert isinstance(reply(session, 1, 1), Play)
    assert failed(reply(session, 2, 1, "look"), "deal end")


def test_a_bot_that_fails_at_the_end_fails_nothing(capsys):
    session = with_an_unlucky_match("match end")
    ask(session, (2, 0, None))
    session.tell(2, OVER)
    assert "ZeroDivisionError: match end" in capsys.readouterr().err
    assert ready(session, 4) == [Ready()]


def test_options_that_init_does_not_take_fail_the_match_with_the_reason(capsys):
    session = Session(Strongest, {"levle": 3})
    (answer,) = ready(session, 1)
    assert "unexpected keyword argument 'levle'" in answer.message
    session = Session(lambda view: view.hand[0], {"level": 3})
    (answer,) = ready(session, 1)
    assert isinstance(answer, Failed)


def test_the_traceback_goes_to_stderr_and_into_the_answer_once(capsys):
    session = with_an_unlucky_match("play")
    ask(session, (2, 0, None))
    capsys.readouterr()
    answer = reply(session, 2, 1)
    told = capsys.readouterr()
    assert told.err == answer.message
    assert told.out == ""
    assert "in act\n" in answer.message
    reply(session, 2, 2)
    assert capsys.readouterr().err == ""


def test_a_traceback_with_half_a_character_can_be_sent(capsys):
    def play(view):
        raise ValueError("before \ud800 after")

    session = Session(play)
    ready(session, 1)
    assert reply(session, 1, 1).message.endswith("ValueError: before \\ud800 after\n")


def test_a_stderr_that_is_closed_loses_nothing(monkeypatch):
    def play(view):
        raise ValueError("told to the referee alone")

    session = Session(play)
    ready(session, 1)
    with Path(os.devnull).open("w", encoding="utf-8") as stderr:
        monkeypatch.setattr(sys, "stderr", stderr)
    assert "told to the referee alone" in reply(session, 1, 1).message


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_a_process_is_not_caught(error):
    def play(view):
        raise error

    session = Session(play)
    ready(session, 1)
    with pytest.raises(error):
        reply(session, 1, 1)


def test_a_turn_of_a_match_that_has_not_begun_fails():
    session = Session(Strongest)
    assert reply(session, 9, 1) == Failed("the match of this table has not begun")
    assert ask(session, (9, 0, None)) == [Answer(9, 0, Failed("the match of this table has not begun"))]


def test_a_turn_before_the_bot_is_ready_fails(capsys):
    session = Session(Strongest)
    begin(session, 1)
    assert "a turn came that no ready bot can answer" in reply(session, 1, 1).message


# -- the same thing twice --------------------------------------------------------------------------


def test_being_told_twice_changes_nothing():
    log = []
    session = Session(Strongest, {"log": log})
    ready(session, 1)
    begin(session, 1, seed=99)
    session.tell(1, deal_end(1))
    session.tell(1, deal_end(1))
    session.tell(1, deal_end(2))
    session.tell(1, deal_end(1))
    session.tell(1, OVER)
    session.tell(1, OVER)
    session.tell(1, deal_end(3))
    assert log == ["start", "deal 1", "deal 2", "end played"]


def test_being_asked_twice_gives_the_same_answer_and_asks_the_bot_once():
    class Chance(Strongest):
        def play(self, view):
            self.log.append("play")
            return self.rng.choice(view.hand)

    log = []
    session = Session(Chance, {"log": log})
    ready(session, 1)
    first = reply(session, 1, 1)
    assert reply(session, 1, 1) == first
    assert log.count("play") == 1


def test_being_asked_twice_in_one_batch_shifts_no_answer():
    session = Session(lambda view: view.hand[0])
    ready(session, 1, 2)
    answers = ask(session, (1, 1, "play"), (1, 1, "play"), (2, 1, "discard"), (1, 1, "play"))
    play = Play(view_at("play").hand[0])
    assert [answer.reply for answer in answers[:2]] == [play, play]
    assert isinstance(answers[2].reply, Discard)
    assert answers[3].reply == play


def test_a_table_number_may_be_used_again_when_its_match_is_over():
    """The protocol promises that it is not; a session does not depend on it."""
    made = []
    session = Session(Strongest, {"log": made})
    ready(session, 1)
    session.tell(1, OVER)
    assert ready(session, 1) == [Ready()]
    assert made == ["start", "end played", "start"]


# -- streaming -------------------------------------------------------------------------------------


def test_answers_come_one_at_a_time_in_the_order_of_the_turns_each_as_soon_as_it_is_ready():
    asked = []

    def play(view):
        asked.append(view)
        return view.hand[0]

    session = Session(play)
    ready(session, 1, 2, 3)
    answers = session.answer([Turn(table, 1, view_at("play")) for table in (2, 3, 1)])
    assert asked == []
    for number, table in enumerate((2, 3, 1), start=1):
        assert next(answers).table == table
        assert len(asked) == number
    assert next(answers, None) is None


def test_no_turns_no_answers():
    assert list(Session(Strongest).answer([])) == []
