"""What one bot does wrong is the fault of its own match, and of no other in the process."""

import os
import sys
from pathlib import Path

import pytest
from sdk.asking import ask, begin, deal_end, ready, reply

from aluette.bot import Bot
from aluette.cards import Card
from aluette.events import MatchEnded, Reason
from aluette.rules import Chant, Play
from aluette.session import Answer, Failed, Ready, Session
from aluette.view import Points

OVER = MatchEnded(Reason.PLAYED, None, Points(0, 0))


class Fails(Bot):
    """Raises wherever its option says."""

    def __init__(self, where):
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
    assert reply(session, 2, 1) == reply(session, 2, 2) == two


def test_a_bot_that_fails_at_a_turn_fails_its_own_match_alone(capsys):
    session = with_an_unlucky_match("play")
    ask(session, (1, 0, None), (2, 0, None), (3, 0, None))
    one, two, three = (
        answer.reply for answer in ask(session, (1, 1, "play"), (2, 1, "play"), (3, 1, "play"))
    )
    assert isinstance(one, Play)
    assert isinstance(three, Play)
    assert failed(two, "play")
    assert reply(session, 2, 1) == two, "asked again, it says the same"
    assert isinstance(reply(session, 2, 2, "chant"), Chant), "and the next turn is another matter"


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
    session = Session(Fails, {"levle": 3})
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
    reply(session, 2, 1)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("where", ["init", "start", "play", "deal end"])
def test_a_traceback_begins_with_the_bots_own_code(where, capsys):
    session = with_an_unlucky_match(where)
    (answer,) = (answer.reply for answer in ask(session, (2, 0, None)))
    if where not in {"init", "start"}:
        session.tell(2, deal_end(1))
        answer = reply(session, 2, 1)
    head, first, *_ = answer.message.splitlines()
    assert head == "Traceback (most recent call last):"
    assert first.startswith(f'  File "{__file__}", line ')
    assert "session.py" not in answer.message


def test_what_the_sdk_does_for_a_bot_stays_in_its_traceback(capsys):
    def play(view):
        return Card.parse("Monsieur")

    session = Session(play)
    ready(session, 1)
    message = reply(session, 1, 1).message
    assert message.index("test_failures.py") < message.index("cards.py")
    assert "session.py" not in message


def test_a_traceback_without_any_code_of_the_bot_is_whole(capsys):
    session = Session(lambda view: "3D")
    ready(session, 1)
    message = reply(session, 1, 1).message
    assert message.startswith("Traceback (most recent call last):\n  File ")
    assert "session.py" in message
    assert "TypeError: play returned '3D'; it must return a card" in message


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
    session = Session(lambda view: view.hand[0])
    assert reply(session, 9, 1) == Failed("the match of this table has not begun")
    assert ask(session, (9, 0, None)) == [Answer(9, 0, Failed("the match of this table has not begun"))]


def test_a_turn_before_the_bot_is_ready_fails(capsys):
    session = Session(lambda view: view.hand[0])
    begin(session, 1)
    assert "a turn came before the one to get ready" in reply(session, 1, 1).message
