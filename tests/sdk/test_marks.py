"""Marks in the output: at which table a bot was when it printed."""

# ruff: noqa: T201 - printing is what this is about
import io
import sys

import pytest
from sdk.asking import ask, begin, deal_end, ready

from aluette.bot import BatchBot, Bot
from aluette.marks import mark_output
from aluette.session import Session


def mark(table: int) -> str:
    return f"\x1ealuette {table}\x1f"


class Chatty(Bot):
    def play(self, view):
        print("playing")
        print("to stderr", file=sys.stderr)
        return view.hand[0]

    def on_deal_end(self, ended):
        print("deal over")


@pytest.fixture
def capture(monkeypatch):
    """Gives the texts of stdout and stderr."""

    def begin_now() -> tuple[io.StringIO, io.StringIO]:
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        return out, err

    monkeypatch.setenv("ALUETTE_MARKS", "1")
    return begin_now


def test_what_is_printed_in_a_turn_or_event_stands_under_its_table(capture):
    printed, errors = capture()
    session = Session(Chatty)
    mark_output(session)
    print("at the start")
    ready(session, 1, 2)
    ask(session, (1, 1, "play"), (2, 1, "play"))
    session.tell(1, deal_end(1))
    print("at the end")
    assert printed.getvalue() == (
        f"at the start\n{mark(1)}playing\n{mark(2)}playing\n{mark(1)}deal over\n{mark(0)}at the end\n"
    )
    assert errors.getvalue() == f"{mark(1)}to stderr\n{mark(2)}to stderr\n"


def test_a_traceback_stands_under_its_table(capture):
    _, errors = capture()

    def fails(view):
        raise ValueError("no card is good enough")

    session = Session(fails)
    mark_output(session)
    ready(session, 5)
    ask(session, (5, 1, "play"))
    assert errors.getvalue().startswith(f"{mark(5)}Traceback")


def test_one_call_for_many_tables_belongs_to_none(capture):
    printed, _ = capture()

    class Mine(BatchBot):
        def play(self, turns):
            print("many")
            return [view.hand[0] for _, view in turns]

    session = Session(Mine)
    mark_output(session)
    ready(session, 1, 2)
    ask(session, (1, 1, "play"), (2, 1, "play"))
    assert printed.getvalue() == "many\n"


def test_without_being_asked_nothing_is_marked(capture, monkeypatch):
    printed, _ = capture()
    monkeypatch.delenv("ALUETTE_MARKS")
    session = Session(Chatty)
    mark_output(session)
    begin(session, 1)
    ask(session, (1, 0, None), (1, 1, "play"))
    assert printed.getvalue() == "playing\n"


def test_all_else_of_a_stream_is_its_own(capture):
    printed, _ = capture()
    mark_output(Session(Chatty))
    sys.stdout.writelines(["a", "b"])
    sys.stdout.flush()
    assert sys.stdout.getvalue() == printed.getvalue() == "ab"
    assert not sys.stdout.isatty()
