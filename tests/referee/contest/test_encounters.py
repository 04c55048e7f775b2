"""Who did how well against whom, block scores, drawn partners, and what mirroring was worth."""

import math
import random
import statistics

import pytest

from aluette_referee.contest.encounters import block_scores, encounters, mirroring, with_strangers
from aluette_referee.contest.ratio import Ratio
from aluette_referee.contest.tally import Result, tallies


def block(number: object, *apart: int, one=("A",), other=("B",)) -> list[Result]:
    """A block with these differences of deal points."""
    return [
        Result(
            f"{one}{other}{number}", one, other, max(0, each), max(0, -each),
            (1 + math.copysign(bool(each), each)) / 2, (1 - math.copysign(bool(each), each)) / 2,
        )
        for each in apart
    ]  # fmt: skip


def test_each_two_who_met():
    met = encounters(tallies([*block(1, 3, -1), *block(2, 2), *block(1, 0, 1, other=("C",))]))
    assert {pair: (each.matches, each.points, each.difference) for pair, each in met.items()} == {
        ("A", "B"): (3, 2.0, 4), ("B", "A"): (3, 1.0, -4), ("A", "C"): (2, 1.5, 1), ("C", "A"): (2, 0.5, -1),
    }  # fmt: skip


def test_drawn_partners_met_both_of_the_others():
    met = encounters(tallies(block(1, 3, 1, one=("A", "B"), other=("C", "D"))))
    assert {pair for pair in met if pair[0] == "A"} == {("A", "C"), ("A", "D")}
    assert (met["B", "D"].points, met["D", "B"].points) == (2.0, 0.0)


def test_blocks_by_score_and_those_with_one_leg_are_left_out():
    played = [*block(1, 3, -1), *block(2, 2, 2), *block(3, 0, 1), *block(4, 0, 0), *block(5, 1)]
    assert block_scores(tallies(played)) == {"A": {1.0: 2, 2.0: 1, 1.5: 1}, "B": {1.0: 2, 0.0: 1, 0.5: 1}}


def test_a_partner_of_the_same_program_is_no_stranger():
    played = [
        *block(1, 3, 1, one=("A", "B"), other=("C", "D")),
        *block(2, -2, 0, one=("A", "C"), other=("B", "D")),
    ]
    found = with_strangers({"A": "x", "B": "x", "C": "y", "D": "z"}, tallies(played))
    assert {name: (met.matches, met.points, met.difference) for name, (met, _) in found.items()} == {
        "A": (2, 0.5, -2), "B": (2, 1.5, 2), "C": (4, 0.5, -6), "D": (4, 1.5, -2),
    }  # fmt: skip
    assert (found["C"][1].value, found["D"][1].value) == (-1.5, -0.5)
    assert found["C"][1].blocks == 2


def test_teams_have_no_strangers():
    assert with_strangers({"A": "x", "B": "y"}, tallies(block(1, 3, 1)))["A"][0].matches == 0


@pytest.mark.parametrize("seed", range(3))
def test_mirroring_is_worth_what_the_luck_of_the_packs_is(seed):
    """Matches vary by luck of the packs (twice the variance of the rest), which turns round with the sides."""
    chance = random.Random(seed)
    played = []
    for one, other, apart in ((("A",), ("B",), 2), (("A",), ("C",), -3), (("B",), ("C",), 0)):
        for number in range(4000):
            luck = chance.gauss(0, math.sqrt(8))
            legs = (round(apart + turn * luck + chance.gauss(0, 2)) for turn in (1, -1))
            played += block(number, *legs, one=one, other=other)
    found = mirroring(tallies(played))
    # A match has the variance 8 + 4 and a block's mean 4 / 2: 12 / 2 over 2.
    assert found.points == pytest.approx(3.0, rel=0.05)
    assert 1.2 < found.results < 3.0
    assert found.blocks == 12_000


def test_mirroring_is_what_the_formula_says_with_few_blocks():
    apart = [(3, -1), (2, 2), (-4, 1), (0, 1)]
    found = mirroring(tallies([leg for number, legs in enumerate(apart) for leg in block(number, *legs)]))
    of_mean = statistics.variance((one + two) / 2 for one, two in apart)
    single = [each for legs in apart for each in legs]
    of_match = (7 * statistics.variance(single) + 2 * of_mean) / 8
    assert found.points == pytest.approx(of_match / 2 / of_mean)


@pytest.mark.parametrize(
    "played", [[], block(1, 3, -1), [*block(1, 3, -3), *block(2, 2, -2)], [*block(1, 1), *block(2, 2)]]
)
def test_where_nothing_was_measured_mirroring_is_not_determined(played):
    assert mirroring(tallies(played)).points is None


# -- a ratio ------------------------------------------------------------------------------------------------


def ratio(pairs) -> Ratio:
    found = Ratio()
    for y, x in pairs:
        found.add(Ratio(1, y, x, y * y, x * x, y * x))
    return found


def test_a_ratio_of_equal_blocks_has_the_interval_of_a_mean():
    values = [3, -1, 2, 0, 5, 1, -2, 4, 4, 1]
    found = ratio((value, 10) for value in values)
    assert found.value == pytest.approx(statistics.mean(values) / 10)
    # Student's t of 9 degrees of freedom, 95 %: 2.2622 (any table of it).
    assert found.margin == pytest.approx(2.26216 * statistics.stdev(values) / math.sqrt(10) / 10, rel=1e-5)


def test_a_ratio_turned_round():
    one, other = ratio([(3, 10), (1, 9)]), Ratio()
    other.add(one, -1)
    assert (other.value, other.xy, other.yy) == (-one.value, -one.xy, one.yy)


@pytest.mark.parametrize("pairs", [[], [(0, 0)] * 9, [(1, 10)] * 9, [(1, 10), (2, 10)] * 3])
def test_an_interval_needs_seven_blocks_that_differ(pairs):
    assert ratio(pairs).margin is None


def test_the_interval_of_a_ratio_covers_it():
    """Blocks of five to ten deals, of which more count more."""
    within = 0
    for seed in range(1000):
        chance = random.Random(seed)
        found = ratio(
            (sum(chance.random() < 0.3 for _ in range(x)), x)
            for x in (chance.randint(5, 10) for _ in range(30))
        )
        within += abs(found.value - 0.3) <= found.margin
    assert 0.93 < within / 1000 < 0.97
