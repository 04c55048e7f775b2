"""The ladder: one fit, whatever the order; who has a rank and who is provisional; and the truth found again."""

import math
import random

import pytest

from aluette_referee.contest.tally import Tally
from aluette_referee.league.ladder import MEAN, Rating, climb, rate
from aluette_referee.league.pairing import Candidate, Pairing

SETTLED = 100.0


def tally(one: str, other: str, score: float, blocks: int = 1, points: tuple[int, int] = (3, 2)) -> Tally:
    lost = 0.0 if score == 1 else 1.0 if score == 0 else 0.5
    return Tally(
        (one,), (other,), (score,), (lost,), blocks, points[0] * blocks, points[1] * blocks, blocks, blocks
    )


def test_the_order_of_matches_does_not_matter():
    rng = random.Random(1)
    names = list("abcdef")
    played = [tally(*rng.sample(names, 2), rng.choice([0.0, 0.5, 1.0])) for _ in range(300)]
    shuffled = list(played)
    rng.shuffle(shuffled)
    assert rate(names, played) == rate(names, shuffled)


def test_the_mean_of_the_field_is_1500_and_who_has_not_played_has_no_rating():
    ratings = rate(["a", "b", "new"], [tally("a", "b", 1.0, 30), tally("a", "b", 0.0, 10)])
    assert set(ratings) == {"a", "b"}
    assert ratings["a"].value - ratings["b"].value == pytest.approx(400 * math.log10(3))
    assert sum(rating.value for rating in ratings.values()) / 2 == pytest.approx(MEAN)
    assert rate(["new"], []) == {}


def test_who_is_provisional_or_away_has_no_rank_and_an_entrant_that_has_won_all_no_interval():
    played = [
        tally("a", "b", 1.0, 300),
        tally("a", "b", 0.0, 200),
        tally("c", "b", 1.0, 400),
        tally("c", "b", 0.0, 150),
        tally("d", "a", 1.0),
    ]
    rungs = climb(rate(list("abcd"), played), played, SETTLED, frozenset("a"))
    assert [(rung.entrant, rung.rank, rung.provisional) for rung in rungs] == [
        ("c", 1, False),
        ("a", None, False),
        ("b", 2, False),
        ("d", None, True),
    ]
    assert rungs[3].rating.margin is None
    assert (rungs[2].won, rungs[2].drawn, rungs[2].lost, rungs[2].matches) == (350, 0, 700, 1050)
    assert rungs[2].score == pytest.approx(1 / 3)
    assert (rungs[3].points, rungs[3].points_against) == (3, 2)


def test_a_match_that_both_lost_is_lost_by_both():
    both = Tally(("a",), ("b",), (0.0,), (0.0,))
    rungs = climb({"a": Rating(1500, None), "b": Rating(1500, None)}, [both], SETTLED)
    assert [(rung.won, rung.drawn, rung.lost) for rung in rungs] == [(0, 0, 1), (0, 0, 1)]


ENTRANTS, MATCHES_EACH = 50, 150


def test_fifty_entrants_that_join_over_time_are_found_in_their_true_order():
    """Of known strengths, met as the pairing has it, rated as the ladder does, after 150 matches each."""
    rng = random.Random(20)
    truth = {number: rng.gauss(0.0, 150.0) for number in range(ENTRANTS)}
    pairing = Pairing("teams", 5.0)
    played: dict[tuple[int, int, float], int] = {}
    came: dict[int, int] = {}
    ratings: dict[str, Rating] = {}
    counts = dict.fromkeys(truth, 0)
    number = 0
    while sum(counts.values()) < ENTRANTS * MATCHES_EACH:
        here = min(ENTRANTS, 10 + number // 40)
        for entrant in range(here):
            came.setdefault(entrant, number)
        pairing.present(range(here))
        candidates = [
            Candidate(entrant, entrant, rating.value - MEAN, rating.margin)
            for entrant in range(here)
            for rating in [ratings.get(str(entrant), Rating(MEAN, None))]
        ]
        drawn = pairing.draw(candidates, float(number), rng)
        assert drawn is not None
        one, other = drawn.entrants
        wins = rng.random() < 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
        played[one, other, float(wins)] = played.get((one, other, float(wins)), 0) + 1
        counts[one] += 1
        counts[other] += 1
        number += 1
        if number % 100 == 0:
            ratings = rate(list(map(str, truth)), _tallies(played))
    ratings = rate(list(map(str, truth)), _tallies(played))
    mean = sum(truth.values()) / ENTRANTS
    found = {entrant: ratings[str(entrant)] for entrant in truth}
    assert all(rating.margin is not None and rating.margin <= SETTLED for rating in found.values())
    within = [
        abs(found[entrant].value - MEAN - (truth[entrant] - mean)) <= found[entrant].margin
        for entrant in truth
    ]
    assert sum(within) >= 44  # of 50 intervals of 95 %: fewer in one of 300 such leagues
    wrong = [
        (one, other)
        for one in truth
        for other in truth
        if truth[one] > truth[other]
        and found[one].value + found[one].margin < found[other].value - found[other].margin
    ]
    assert wrong == []
    # Shares, of all matches that were begun while an entrant was there, as its weight has it.
    shares = {entrant: counts[entrant] / (number - came[entrant]) for entrant in truth}
    early = [shares[entrant] for entrant in range(10)]
    assert max(early) / min(early) < 1.25
    assert min(shares.values()) > 0.5 * max(shares.values())


def _tallies(played: dict[tuple[int, int, float], int]) -> list[Tally]:
    return [
        tally(str(one), str(other), score, count) for (one, other, score), count in sorted(played.items())
    ]
