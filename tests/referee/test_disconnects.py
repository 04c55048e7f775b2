"""A bot that breaks its stream at every card and comes back, in the benchmark's short form."""

import sys

import pytest

from aluette_bench.disconnects import disconnect

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the referee's memory is looked at in /proc")


def test_a_bot_that_comes_back_at_every_card_loses_nothing():
    found = disconnect(100)
    assert found.disconnects >= 100
    assert found.changed == 0


@pytest.mark.slow
def test_thousands_of_disconnects_leave_memory_flat():
    found = disconnect(3000)
    assert found.changed == 0
    assert found.memory[-1] - found.memory[1] < 5_000_000
