"""The sequential test: its likelihood ratios, its order, its bounds and its error rates."""

import itertools
import math
import random
from collections import Counter

import pytest
from scipy import optimize, stats

from aluette_referee.contest.sprt import (
    BLOCK_SCORES,
    FEWEST_BLOCKS,
    PRIOR,
    PRIOR_SQUARE,
    Hypotheses,
    Sprt,
    block_score_of_elo,
    llr_of_points,
    llr_of_scores,
    value_of,
)
from aluette_referee.contest.tally import Result


def test_the_bounds_are_walds():
    low, high = Hypotheses(0, 1, alpha=0.05, beta=0.1).bounds
    assert low == pytest.approx(math.log(0.1 / 0.95))
    assert high == pytest.approx(math.log(0.9 / 0.05))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((1, 1), "H0 must be below H1"),
        ((2, 1), "H0 must be below H1"),
        ((0, 1, 0.5), "alpha is between 0 and 0.5"),
        ((0, 1, 0.05, 0.0), "beta is between 0 and 0.5"),
    ],
)
def test_hypotheses_that_cannot_be_told_apart_are_refused(given, said):
    with pytest.raises(ValueError, match=said):
        Hypotheses(*given)


@pytest.mark.parametrize(("h0", "h1"), [(0, 1), (1, 2), (-1, 3)])
def test_the_score_of_a_block_is_between_its_ends(h0, h1):
    with pytest.raises(ValueError, match="between 0 and 2"):
        Sprt(Hypotheses(h0, h1), "results")


@pytest.mark.parametrize("seed", range(5))
def test_on_points_it_is_the_ratio_of_two_normal_distributions(seed):
    chance = random.Random(seed)
    values = [float(round(chance.gauss(0.3, 2))) for _ in range(40)]
    mean = sum(values) / 40
    deviation = math.sqrt((sum((value - mean) ** 2 for value in values) + PRIOR_SQUARE) / 40)
    logs = [stats.norm.logpdf(values, h, deviation).sum() for h in (0.1, 0.7)]
    assert llr_of_points(Counter(values), 0.1, 0.7) == pytest.approx(logs[1] - logs[0])


@pytest.mark.parametrize("seed", range(5))
def test_on_results_it_is_the_ratio_of_the_likeliest_distributions_with_these_means(seed):
    """Found anew, by a general optimizer over the four chances that are free."""
    chance = random.Random(seed)
    seen = Counter(chance.choices(BLOCK_SCORES, (1, 2, 5, 3, 2), k=60))
    often = [seen[score] + PRIOR for score in BLOCK_SCORES]

    def most_likely(mean: float) -> float:
        found = optimize.minimize(
            lambda p: -sum(n * math.log(max(q, 1e-300)) for n, q in zip(often, p, strict=True)),
            [0.2] * 5,
            bounds=[(1e-9, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: sum(p) - 1},
                {
                    "type": "eq",
                    "fun": lambda p: sum(q * s for q, s in zip(p, BLOCK_SCORES, strict=True)) - mean,
                },
            ],
            method="SLSQP",
            options={"ftol": 1e-13, "maxiter": 500},
        )
        return -found.fun

    expected = most_likely(1.1) - most_likely(0.95)
    assert llr_of_scores(seen, 0.95, 1.1) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("on", ["points", "results"])
@pytest.mark.parametrize("seed", range(4))
def test_blocks_count_in_the_order_of_the_schedule_whenever_they_end(on, seed):
    chance = random.Random(seed)
    hypotheses = Hypotheses(0, 0.5) if on == "points" else Hypotheses(1.0, 1.2)
    values = [None if chance.random() < 0.1 else chance.choice(BLOCK_SCORES) for _ in range(200)]
    in_order, shuffled = Sprt(hypotheses, on), Sprt(hypotheses, on)
    for index, value in enumerate(values):
        in_order.add(index, value)
    # As many are under way at once as tables.
    order = sorted(range(200), key=lambda index: index + chance.randrange(30))
    for index in order:
        shuffled.add(index, values[index])
    assert in_order.decision is not None
    for name in ("decision", "llr", "seen", "left_out"):
        assert getattr(shuffled, name) == getattr(in_order, name)


def test_nothing_is_decided_before_the_spread_is_known():
    test = Sprt(Hypotheses(0, 0.2))
    for index in range(FEWEST_BLOCKS - 1):
        test.add(index, 10.0 + index % 2)
    assert (test.decision, test.llr > 50) == (None, True)
    test.add(FEWEST_BLOCKS - 1, 10.0)
    assert test.decision == "H1"
    test.add(FEWEST_BLOCKS, -1000.0)
    assert test.blocks == FEWEST_BLOCKS


def test_blocks_with_a_fault_are_left_out():
    test = Sprt(Hypotheses(0, 0.2))
    for index in range(10):
        test.add(index, None if index % 2 else 1.0)
    assert (test.blocks, test.left_out) == (5, 5)


def test_what_a_block_is_worth():
    won = Result("b", ("A",), ("B",), 4, 2, 1.0, 0.0)
    drawn = Result("b", ("A",), ("B",), 2, 1, 0.5, 0.5)
    assert value_of([won, drawn], "A", "points") == 3.0
    assert value_of([won, drawn], "B", "points") == -3.0
    assert (value_of([won, drawn], "A", "results"), value_of([won, drawn], "B", "results")) == (1.5, 0.5)
    assert value_of([won, drawn._replace(forfeit=True)], "A", "points") is None
    assert value_of([None, drawn], "A", "points") is None


def test_elo_as_the_mean_score_of_a_block():
    assert block_score_of_elo(0) == 1.0
    assert block_score_of_elo(400) == pytest.approx(2 * 10 / 11)


def wrong(hypotheses: Hypotheses, on, draw, right: str, runs: int) -> float:
    """How often the other hypothesis is accepted, of so many tests."""
    chance = random.Random(1)
    others = 0
    for _ in range(runs):
        test = Sprt(hypotheses, on)
        for index in itertools.count():
            test.add(index, draw(chance))
            if test.decision is not None:
                break
        others += test.decision != right
    return others / runs


POINTS = Hypotheses(0.0, 0.6)
RESULTS = Hypotheses(1.0, block_score_of_elo(80))


@pytest.mark.parametrize(
    ("hypotheses", "on", "draw", "right"),
    [
        (POINTS, "points", lambda chance: float(round(chance.gauss(0.0, 2))), "H0"),
        (POINTS, "points", lambda chance: float(round(chance.gauss(0.6, 2))), "H1"),
        (RESULTS, "results", lambda chance: float(sum(chance.random() < RESULTS.h0 / 2 for _ in "12")), "H0"),
        (RESULTS, "results", lambda chance: float(sum(chance.random() < RESULTS.h1 / 2 for _ in "12")), "H1"),
    ],
    ids=["points H0", "points H1", "results H0", "results H1"],
)
def test_it_errs_as_seldom_as_it_says(hypotheses, on, draw, right):
    """5 % nominal; of 400 tests 5 % and three standard deviations are 33."""
    assert wrong(hypotheses, on, draw, right, 400) <= 0.0825


@pytest.mark.parametrize("mean", [float("inf"), float("-inf"), float("nan"), 1001.0, -1e308])
def test_hypotheses_that_nobody_can_have(mean):
    with pytest.raises(ValueError, match=r"from -1000 to 1000"):
        Hypotheses(0.0, mean)
    with pytest.raises(ValueError, match=r"from -1000 to 1000"):
        block_score_of_elo(mean)
