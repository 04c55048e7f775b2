"""The serial clock: each turn gets its own limit, however many others are on the same stream."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aluette_referee.clock import Limits, SerialClock

QUICK = settings(max_examples=200, deadline=None, derandomize=True)


def clock_of(*turns: tuple[str, float], now: float = 0.0) -> SerialClock[str]:
    clock: SerialClock[str] = SerialClock()
    clock.sent(dict(turns), now)
    return clock


def test_with_nothing_under_way_nothing_is_ever_late():
    clock = clock_of()
    assert (len(clock), clock.first, clock.deadline) == (0, None, math.inf)


def test_a_single_turn_starts_when_it_is_sent():
    clock = clock_of(("a", 2.0), now=100.0)
    assert (clock.first, clock.deadline) == ("a", 102.0)
    assert clock.answered("a", 100.75) == 0.75
    assert (len(clock), clock.deadline) == (0, math.inf)


def test_a_turn_starts_when_the_one_before_it_is_answered():
    clock = clock_of(("a", 2.0), ("b", 2.0), ("c", 5.0))
    assert clock.deadline == 2.0
    assert clock.answered("a", 1.5) == 1.5
    assert (clock.first, clock.deadline) == ("b", 3.5)
    assert clock.answered("b", 1.5) == 0.0
    assert (clock.first, clock.deadline) == ("c", 6.5)
    assert clock.answered("c", 6.0) == 4.5


def test_idle_time_between_two_batches_is_charged_to_nobody():
    clock = clock_of(("a", 2.0))
    clock.answered("a", 1.0)
    clock.sent({"b": 2.0}, 50.0)
    assert clock.deadline == 52.0
    assert clock.answered("b", 50.5) == 0.5


def test_a_turn_sent_behind_another_waits_for_it():
    clock = clock_of(("a", 2.0))
    clock.sent({"b": 2.0}, 1.0)
    assert clock.deadline == 2.0
    clock.answered("a", 1.75)
    assert clock.deadline == 3.75


def test_a_turn_answered_before_an_earlier_one_is_free_and_stops_no_clock():
    clock = clock_of(("a", 2.0), ("b", 2.0), ("c", 2.0))
    assert clock.answered("b", 1.0) == 0.0
    assert (clock.first, clock.deadline) == ("a", 2.0)
    assert clock.answered("a", 1.5) == 1.5
    assert (clock.first, clock.deadline) == ("c", 3.5)


@pytest.mark.parametrize("stranger", ["a", "z"], ids=["answered already", "never asked"])
def test_an_answer_to_a_turn_that_is_not_under_way_changes_nothing(stranger):
    clock = clock_of(("a", 2.0), ("b", 2.0))
    clock.answered("a", 1.0)
    assert clock.answered(stranger, 1.5) is None
    assert (len(clock), clock.first, clock.deadline) == (1, "b", 3.0)


def test_a_turn_without_limit_is_never_late_and_the_next_gets_its_own():
    clock = clock_of(("person", math.inf), ("bot", 2.0))
    assert clock.deadline == math.inf
    assert clock.answered("person", 3600.0) == 3600.0
    assert clock.deadline == 3602.0


def test_the_limits_of_a_contest_that_names_none():
    assert Limits() == Limits(connect=10.0, ready=10.0, move=2.0, goodbye=2.0)


times = st.lists(st.integers(0, 1000), min_size=1, max_size=20)


@QUICK
@given(times)
def test_each_is_charged_its_own_thinking_time(thinking):
    clock = clock_of(*[(str(number), 2.0) for number in range(len(thinking))])
    now = 0.0
    for number, seconds in enumerate(thinking):
        now += seconds
        assert clock.answered(str(number), now) == seconds


@QUICK
@given(times, st.randoms(use_true_random=False))
def test_whatever_the_order_of_the_answers_all_time_is_charged_exactly_once(gaps, chance):
    turns = [str(number) for number in range(len(gaps))]
    clock = clock_of(*[(turn, 2.0) for turn in turns])
    chance.shuffle(turns)
    now, charged = 0.0, 0.0
    for turn, gap in zip(turns, gaps, strict=True):
        now += gap
        charged += clock.answered(turn, now) or 0.0
        assert charged <= now
    assert charged == now
