"""Who takes a trick: every outcome by strength, against an oracle and against one digest."""

import functools
import hashlib
import itertools
import math
from collections import Counter

import pytest
from rules.table import STRENGTHS, cards

from aluette.cards import Card
from aluette.rules import Trick, strongest
from aluette.seats import Seat

CLASSES = {strength: cards(text) for strength, text in STRENGTHS.items()}
# SHA-256 over a line "strength strength strength strength outcome" for each trick that the pack allows,
# in counting order; the outcome is the place of the winner, or X.
DIGEST = "e30df0a8341c5b6fb60a0040c9bbff77e7ece1746146448422d788ff1cf197a5"


@functools.cache
def every_trick(size: int) -> list[tuple[int, ...]]:
    """All ways in which `size` strengths can lie on the table in order."""
    return [
        trick
        for trick in itertools.product(sorted(CLASSES), repeat=size)
        if all(number <= len(CLASSES[strength]) for strength, number in Counter(trick).items())
    ]


def laid(trick: tuple[int, ...]) -> list[Card]:
    """Cards of these strengths."""
    piles = {strength: iter(CLASSES[strength]) for strength in trick}
    return [next(piles[strength]) for strength in trick]


def oracle(trick: tuple[int, ...]) -> int | None:
    """The place of the card that beats each of the others by itself."""
    for place, strength in enumerate(trick):
        others = trick[:place] + trick[place + 1 :]
        if all(strength > other for other in others):
            return place
    return None


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_one_card_that_beats_all_others_wins(size):
    wrong = [trick for trick in every_trick(size) if strongest(laid(trick)) != oracle(trick)]
    assert wrong == []


def test_all_outcomes_have_the_pinned_digest():
    listing = hashlib.sha256()
    for trick in every_trick(4):
        place = strongest(laid(trick))
        listing.update(f"{' '.join(map(str, trick))} {'X' if place is None else place}\n".encode())
    assert listing.hexdigest() == DIGEST


def test_the_pack_allows_so_many_orders_of_strengths():
    # By counting cards: 4! times the coefficient of x^4 in the product of (1 + x + ... x^n / n!) over the classes.
    ways = [1.0, 0.0, 0.0, 0.0, 0.0]
    for same in CLASSES.values():
        terms = [1 / math.factorial(n) for n in range(len(same) + 1)]
        ways = [sum(ways[k - n] * terms[n] for n in range(min(k, len(same)) + 1)) for k in range(5)]
    assert len(every_trick(4)) == round(24 * ways[4]) == 114_207


@pytest.mark.parametrize("pair", [text for text in STRENGTHS.values() if len(cards(text)) == 4])
def test_any_two_of_equal_strength_spoil_whoever_played_them(pair):
    for one, other in itertools.permutations(cards(pair), 2):
        for places in itertools.combinations(range(4), 2):
            low = list(cards("3S 3B"))
            trick = [
                one if place == places[0] else other if place == places[1] else low.pop()
                for place in range(4)
            ]
            assert strongest(trick) is None


@pytest.mark.parametrize("leader", Seat)
@pytest.mark.parametrize("place", range(4))
def test_places_are_counted_clockwise_from_the_leader(leader, place):
    trick = Trick(leader, cards("3D 3C 2D 2C"))
    seat = "NESWNESW"["NESW".index(leader.name) + place]
    assert trick.plays[place] == (Seat[seat], trick.cards[place])


@pytest.mark.parametrize(
    ("played", "winner", "complete", "spoiled", "next_leader"),
    [
        ("", None, False, False, Seat.E),
        ("KC KD 5S", None, False, False, Seat.E),
        ("KC KD 5S 4S", None, True, True, Seat.E),
        ("KC 5D 2S 4S", Seat.W, True, False, Seat.W),
    ],
)
def test_a_trick_knows_whether_it_is_complete_or_spoiled(played, winner, complete, spoiled, next_leader):
    trick = Trick(Seat.E, cards(played), winner)
    assert (trick.complete, trick.spoiled, trick.next_leader) == (complete, spoiled, next_leader)
