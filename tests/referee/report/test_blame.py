"""A fault in words: all of it for the bot's author, its reason on one line for a table."""

import traceback

import pytest

from aluette.errors import Misuse
from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.report.blame import blame, why


def fault(evidence: str, output: str = "") -> Fault:
    return Fault(FaultType.FAILED, Seat.E, 1, 2, evidence, output=output)


def traceback_of(error: ValueError | Misuse) -> str:
    try:
        raise error
    except (ValueError, Misuse):
        return traceback.format_exc()


def chained() -> str:
    try:
        try:
            raise KeyError("first")
        except KeyError:
            raise ValueError("then")  # noqa: B904 - what is looked at is this
    except ValueError:
        return traceback.format_exc()


def not_python() -> str:
    try:
        compile("def play(:", "mybot.py", "exec")
    except SyntaxError:
        return traceback.format_exc()
    raise AssertionError


@pytest.mark.parametrize(
    ("evidence", "reason"),
    [
        ("", ""),
        ("  \n", ""),
        ("3D is not in the hand", "3D is not in the hand"),
        ("the process ended with exit code 7\nmore", "the process ended with exit code 7"),
        ("\n  3D is not in the hand", "3D is not in the hand"),
        ("a \x1b[31mred\t word", "a  [31mred  word"),
        (traceback_of(ValueError("what is one to do?")), "ValueError: what is one to do?"),
        (traceback_of(ValueError("two\nlines")), "ValueError: two"),
        (chained()[40:], "ValueError: then"),
        (chained(), "ValueError: then"),
        (not_python(), "SyntaxError: invalid syntax"),
        (not_python()[not_python().rindex('  File "') :], "SyntaxError: invalid syntax"),
        (traceback_of(Misuse("the person has left")), "the person has left"),
    ],
)
def test_why_on_one_line(evidence, reason):
    assert why(fault(evidence)) == reason


def test_a_traceback_is_shown_to_the_author_once():
    evidence = traceback_of(ValueError("what is one to do?"))
    lines = blame(fault(evidence, output=f"{evidence}"), "mybot").splitlines()
    assert lines[0] == "E (mybot): failed in deal 1, trick 2"
    assert lines[1] == "  Traceback (most recent call last):"
    assert lines[-1] == "  ValueError: what is one to do?"
    assert len(lines) == 1 + len(evidence.splitlines())


@pytest.mark.parametrize("sentence", ["the person has left", "two mistakes:\none and the other"])
def test_what_a_person_did_is_a_sentence_without_a_traceback(sentence):
    evidence = traceback_of(Misuse(sentence))
    assert blame(fault(evidence, output=evidence), "human").splitlines()[1:] == [
        f"  {line}" for line in sentence.splitlines()
    ]
