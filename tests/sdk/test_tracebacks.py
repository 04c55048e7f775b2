"""Tracebacks as a bot's author sees them."""

from aluette.tracebacks import MOST, own_traceback


def test_of_a_message_without_end_the_beginning_and_the_end_are_kept():
    error = ValueError("no card " + "y" * 10_000_000 + " was good enough")
    text = own_traceback(error)
    assert len(text) < MOST + 100
    assert text.startswith("ValueError: no card yyy")
    assert text.endswith("yyy was good enough\n")
    assert "characters were left out here]" in text


def test_others_are_whole():
    assert own_traceback(ValueError("no card")) == "ValueError: no card\n"
