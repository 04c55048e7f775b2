"""What a process printed: times, marks, and what is cut of too much."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aluette_referee.play.output import FIRST, LAST, STDERR, STDOUT, TAIL, Output


def mark(table: int) -> bytes:
    return b"\x1ealuette %d\x1f" % table


def begun(*tables: int) -> Output:
    """Since 0.0, with matches that have begun."""
    output = Output(0.0)
    for table in tables:
        output.begin(table)
    return output


def lines(text: str) -> list[str]:
    return [line[11:] for line in text.splitlines()]


def test_lines_have_their_seconds_since_the_start():
    output = Output(100.0)
    output.add(b"one\n", 100.5)
    output.add(b"two\nthree\n", 112.25)
    assert output.take(7, 0.0, 9.0).of_process == "    0.500  one\n   12.250  two\n   12.250  three\n"


def test_marks_tell_matches_apart_also_within_a_line():
    output = begun(7, 8)
    output.add(b"mine\n" + mark(7) + b"of seven\nmore of seven, " + mark(8) + b"of eight\n", 1.0)
    output.add(mark(7) + b"seven again\n" + mark(0) + b"mine\n", 2.0)
    assert output.tail() == "mine\nof seven\nmore of seven, \nof eight\nseven again\nmine\n"
    seven, eight = output.take(7, 0.0, 9.0), output.take(8, 0.0, 9.0)
    assert lines(seven.of_match) == ["of seven", "more of seven, ", "seven again"]
    assert lines(eight.of_match) == ["of eight"]
    assert lines(seven.of_process) == lines(eight.of_process) == ["mine", "mine"]


def test_what_was_taken_is_forgotten_and_of_its_own_only_what_is_new_enough_is_told():
    output = begun(7)
    output.add(b"early\n" + mark(7) + b"seven\n" + mark(0), 1.0)
    output.add(b"late\n", 5.0)
    assert lines(output.take(7, 3.0, 9.0).of_process) == ["late"]
    assert output.take(7, 3.0, 9.0).of_match == ""


def test_lines_of_both_streams_stand_in_the_order_in_which_they_came_each_under_its_own_marks():
    output = begun(7)
    output.add(mark(7) + b"out\n", 1.0, STDOUT)
    output.add(b"early\n" + mark(7) + b"err\n", 2.0, STDERR)
    output.note(7, "dropped", 3.0)
    output.add(b"out again\nand the be", 4.0, STDOUT)
    output.add(b"err ag", 5.0, STDERR)
    output.add(b"ain\n", 6.0, STDERR)
    log = output.take(7, 0.0, 7.5)
    assert log.of_match.splitlines() == [
        "    1.000  out",
        "    2.000! err",
        "    3.000* dropped",
        "    4.000  out again",
        "    6.000! err again",
        "    7.500  and the be",
    ]
    assert log.of_process.splitlines() == ["    2.000! early"]


def test_marks_of_tables_at_which_it_does_not_sit_mean_nothing():
    output = begun(7)
    for table in range(10_000):
        output.add(mark(table) + b"x\n", 1.0)
    assert len(output._lines) == 2
    assert lines(output.take(7, 0.0, 9.0).of_match) == ["x"]
    output.add(mark(7) + b"too late\n", 1.0)
    assert len(output._lines) == 1
    assert lines(output.take(0, 0.0, 9.0).of_process)[-1] == "too late"


def test_the_end_of_stderr_goes_before_that_of_stdout():
    output = Output(0.0)
    output.add(b"out\n", 1.0, STDOUT)
    assert output.tail() == "out\n"
    output.add(b"err", 1.0, STDERR)
    assert output.tail() == "err\n"


@given(st.lists(st.binary(max_size=12)))
def test_it_does_not_matter_in_which_pieces_it_comes(pieces):
    whole, split = begun(3), begun(3)
    text = b"\n".join([*pieces, mark(3) + b"x\n"])
    whole.add(text, 1.0)
    for place in range(len(text)):
        split.add(text[place : place + 1], 1.0)
    assert whole.tail() == split.tail()
    assert whole.take(3, 0.0, 9.0) == split.take(3, 0.0, 9.0)


def test_a_line_that_is_not_finished_is_told_too():
    output = Output(0.0)
    output.add(b"no end", 1.0)
    assert output.tail() == "no end\n"
    assert lines(output.take(0, 0.0, 9.0).of_process) == ["no end"]


def test_of_too_much_the_first_and_the_last_are_kept_with_a_mark_between():
    output = Output(0.0)
    for number in range(100_000):
        output.add(b"line %06d\n" % number, number / 1000)
    own = output.take(0, 0.0, 9.0).of_process.splitlines()
    assert own[0].endswith("line 000000")
    assert own[-1].endswith("line 099999")
    (cut,) = [line for line in own if "cut here" in line]
    assert cut == f"[{100_000 - (len(own) - 1)} lines were cut here]"
    assert sum(map(len, lines("\n".join(own)))) <= FIRST + LAST
    assert len(output.tail()) <= TAIL


@pytest.mark.parametrize("size", [3_999, 4_001, 1_000_000, 50_000_000])
def test_a_line_without_end_takes_no_memory_without_end(size):
    output = Output(0.0)
    for _ in range(0, size, 65_536):
        output.add(b"x" * min(size, 65_536), 1.0)
    assert len(output.tail()) <= TAIL + 70_000
    assert len(output.take(0, 0.0, 9.0).of_process) <= FIRST + LAST + 10_000
