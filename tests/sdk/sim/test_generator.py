"""Random numbers: sfc32 as its author wrote it, the same in every way it can be run, and evenly spread."""

import ctypes
import random
from collections import Counter
from itertools import permutations

import pytest
from scipy import stats

from aluette.sim.generator import below, draw, generator, shuffle
from aluette.sim.kernel import integers, run, uncompiled


class Sfc32:
    """Written with C's own 32-bit words, which wrap by themselves."""

    def __init__(self, seed: int) -> None:
        self.words = [seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, seed >> 64, 1]
        for _ in range(12):
            self.next()

    def next(self) -> int:
        a, b, c, counter = map(ctypes.c_uint32, self.words)
        drawn = ctypes.c_uint32(a.value + b.value + counter.value).value
        turned = ctypes.c_uint32((c.value << 21) | (c.value >> 11)).value
        self.words = [
            b.value ^ (b.value >> 9),
            ctypes.c_uint32(c.value + (c.value << 3)).value,
            ctypes.c_uint32(turned + drawn).value,
            ctypes.c_uint32(counter.value + 1).value,
        ]
        return drawn


@pytest.mark.parametrize("seed", [0, 1, 2**96 - 1, 0x123456789ABCDEF012345678])
def test_it_is_sfc32(seed):
    words = generator(Given(seed))
    other = Sfc32(seed)
    assert [run(draw, words) for _ in range(200)] == [other.next() for _ in range(200)]


class Given(random.Random):
    """Gives one number, of 96 bits."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def getrandbits(self, k: int, /) -> int:
        assert k == 96
        return self.number


@pytest.mark.parametrize("n", [1, 2, 3, 7, 36, 48, 6561, 3 * 2**29, 2**31])
def test_numbers_below_a_bound_are_evenly_spread_and_the_same_uncompiled(n):
    words, same = generator(random.Random(n)), generator(random.Random(n))
    drawn = [run(below, words, n) for _ in range(6000)]
    with uncompiled():
        assert [run(below, same, n) for _ in range(6000)] == drawn
    cells = min(n, 48)
    found = Counter(number * cells // n for number in drawn)
    assert min(drawn) >= 0
    assert max(drawn) < n
    assert cells == 1 or stats.chisquare([found[cell] for cell in range(cells)]).pvalue > 1e-4


def test_a_number_that_would_make_some_more_likely_is_thrown_away():
    """Of 2**32 numbers eight go to every three of these: without that one of three would come half as often again."""
    n = 3 * 2**29
    words = generator(random.Random(1))
    residues = Counter(run(below, words, n) % 3 for _ in range(6000))
    assert stats.chisquare([residues[part] for part in range(3)]).pvalue > 1e-4


def test_every_order_is_as_likely_and_what_lies_around_stays():
    words = generator(random.Random(5))
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(4800):
        values = integers([9, 0, 1, 2, 3, 9])
        run(shuffle, words, values, 1, 4)
        assert values[0] == values[5] == 9
        found[tuple(values.tolist()[1:5])] += 1
    assert stats.chisquare([found[order] for order in permutations(range(4))]).pvalue > 1e-4
