"""The scoreboard of faults in its short form: each sin once, at a random place among honest matches."""

import sys

import pytest

from aluette_bench.faults import LIMITS, inject
from aluette_bots.scripted import SINS
from aluette_referee.faults import FaultType

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a warden finds what to kill in /proc")


@pytest.fixture(scope="module")
def board():
    return inject(len(SINS), seed=7, tables=8)


def test_every_sin_is_called_by_its_name_at_its_seat_and_place(board):
    assert board.wrong == []
    assert board.injected == board.attributed
    assert set(board.injected) == set(SINS)


def test_honest_matches_beside_them_are_as_if_nothing_had_been(board):
    assert (board.honest, board.honest_changed) == (len(SINS), 0)


def test_nothing_is_left_running_and_nobody_waits_for_long(board):
    assert board.orphans == 0
    assert -LIMITS.connect < board.stall < 1.0


def test_every_kind_of_fault_that_a_bot_can_commit_after_its_hello_is_among_them():
    kinds = {sin.fault for sin in SINS.values()} - {""}
    assert {FaultType(kind) for kind in kinds} == set(FaultType) - {
        FaultType.NOT_CONNECTED,
        FaultType.REFUSED,
    }
