"""Random numbers for kernels: sfc32, on 32-bit words held in 64-bit integers.

Every intermediate result stays below 2**63, so that compiled code and plain Python give the same numbers. A bot's own
`random.Random` gives the seed, 96 bits, and nothing else: how many numbers a kernel takes changes nothing outside.

Source: sfc32 of Chris Doty-Humphrey's PractRand 0.95 (a counter of 32 bits, so no period below 2**32, 2**127 on
average; passes its tests), with the twelve rounds that he lets pass after seeding. A number below n: Lemire, "Fast random
integer generation in an interval" (2019), exactly uniform.
"""

from random import Random
from typing import Final

from aluette.sim.kernel import Ints, integers, kernel, run

__all__ = ["WORD", "below", "draw", "generator", "shuffle"]

WORD: Final = 0xFFFFFFFF
_ROUNDS: Final = 12


def generator(rng: Random) -> Ints:
    """A new generator: an array of four words, seeded with 96 bits of `rng`."""
    seed = rng.getrandbits(96)
    words = integers([seed & WORD, seed >> 32 & WORD, seed >> 64, 1])
    for _ in range(_ROUNDS):
        run(draw, words)
    return words


@kernel
def draw(words: Ints) -> int:
    """The next number, 0 to 2**32 - 1."""
    a, b, c, counter = words[0], words[1], words[2], words[3]
    drawn = (a + b + counter) & WORD
    words[0] = b ^ (b >> 9)
    words[1] = (c + (c << 3)) & WORD
    words[2] = (((c << 21) & WORD | (c >> 11)) + drawn) & WORD
    words[3] = (counter + 1) & WORD
    return drawn


@kernel
def below(words: Ints, n: int) -> int:
    """A number from 0 to n - 1, each as likely; n from 1 to 2**31."""
    product = draw(words) * n
    if product & WORD < n:
        rejected = (WORD + 1) % n
        while product & WORD < rejected:
            product = draw(words) * n
    return product >> 32


@kernel
def shuffle(words: Ints, values: Ints, start: int, size: int) -> None:
    """Put `size` values from `start` on into a random order, each as likely."""
    for last in range(size - 1, 0, -1):
        other = below(words, last + 1)
        here = values[start + last]
        values[start + last] = values[start + other]
        values[start + other] = here
