"""Fits and their intervals, against statsmodels and choix, and by simulation."""

import itertools
import random

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from referee.contest.simulated import block, merged, round_robin
from scipy import stats

from aluette_referee.contest.ratings import ELO, bradley_terry, point_difference
from aluette_referee.contest.tally import Result, Tally

TEAMS = list("ABCDE")
Blocks = list[list[Result]]


def design(teams: list[str], blocks: Blocks) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A row for each match, its score and difference of points, its block; the first player's strength is 0."""
    rows, scores, points, groups = [], [], [], []
    for number, legs in enumerate(blocks):
        for leg in legs:
            row = np.zeros(len(teams))
            for side, sign in ((leg.one, 1), (leg.other, -1)):
                for who in side:
                    row[teams.index(who)] += sign / len(side)
            rows.append(row[1:])
            scores.append(leg.score)
            points.append(leg.points - leg.points_other)
            groups.append(number)
    return np.array(rows), np.array(scores), np.array(points), np.array(groups)


def centred(theirs: np.ndarray, covariance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """From strengths over the first player's to strengths over the mean."""
    size = len(theirs) + 1
    move = (np.eye(size) - 1 / size)[:, 1:]
    return move @ theirs, move @ covariance @ move.T


def clustered_glm(teams: list[str], blocks: Blocks) -> tuple[np.ndarray, np.ndarray]:
    rows, scores, _, groups = design(teams, blocks)
    theirs = sm.GLM(scores, rows, family=sm.families.Binomial()).fit(
        tol=1e-14, maxiter=200, cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    count, free = len(blocks), len(teams) - 1
    strengths, covariance = centred(theirs.params, theirs.cov_params() * count / (count - free))
    return strengths * ELO, covariance * ELO**2


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("teams", [TEAMS[:2], TEAMS])
def test_bradley_terry_is_the_clustered_glm_of_statsmodels(teams, seed):
    blocks = round_robin(teams, 6, seed)
    ours = bradley_terry(teams, merged(blocks))
    strengths, covariance = clustered_glm(teams, blocks)
    assert ours.unbound == frozenset()
    assert ours.freedom == len(blocks) - len(teams) + 1
    assert ours.strengths == pytest.approx(strengths, rel=1e-8, abs=1e-8)
    assert ours.covariance == pytest.approx(covariance, rel=1e-7, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_point_differences_are_the_clustered_least_squares_of_statsmodels(seed):
    blocks = round_robin(TEAMS, 6, seed)
    ours = point_difference(TEAMS, merged(blocks))
    rows, _, points, groups = design(TEAMS, blocks)
    theirs = sm.OLS(points, rows).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    count, free = len(blocks), len(TEAMS) - 1
    strengths, covariance = centred(theirs.params, theirs.cov_params() * count / (count - free))
    assert ours.strengths == pytest.approx(strengths, rel=1e-10, abs=1e-10)
    assert ours.covariance == pytest.approx(covariance, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_strengths_are_those_of_choix(seed):
    """It knows wins alone: a draw is given to both, and every win twice."""
    blocks = round_robin(TEAMS, 6, seed)
    pairs = []
    for leg in itertools.chain(*blocks):
        one, other = TEAMS.index(*leg.one), TEAMS.index(*leg.other)
        pairs += [(one, other)] * int(2 * leg.score) + [(other, one)] * int(2 * leg.score_other)
    theirs = choix.opt_pairwise(len(TEAMS), pairs, tol=1e-12)
    ours = bradley_terry(TEAMS, merged(blocks))
    assert ours.strengths / ELO == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_partners_count_half_each():
    chance = random.Random(3)
    teams = list("ABCDEFGH")
    drawn = [chance.sample(teams, 4) for _ in range(60)]
    blocks = [block(chance, (a, b), (c, d), 0.0) for a, b, c, d in drawn]
    ours = bradley_terry(teams, merged(blocks))
    strengths, covariance = clustered_glm(teams, blocks)
    assert ours.strengths == pytest.approx(strengths, rel=1e-8, abs=1e-8)
    assert ours.covariance == pytest.approx(covariance, rel=1e-7, abs=1e-6)


def test_a_block_of_one_leg_is_a_cluster_of_one():
    blocks = round_robin(TEAMS, 6, 1)
    for legs in blocks[::3]:
        del legs[1]
    ours = bradley_terry(TEAMS, merged(blocks))
    strengths, covariance = clustered_glm(TEAMS, blocks)
    assert ours.strengths == pytest.approx(strengths, rel=1e-8, abs=1e-8)
    assert ours.covariance == pytest.approx(covariance, rel=1e-7, abs=1e-6)


def test_intervals_and_likelihoods_are_read_with_students_t():
    fit = bradley_terry(TEAMS, merged(round_robin(TEAMS, 6, 1)))
    for one, other in itertools.permutations(TEAMS, 2):
        contrast = np.eye(5)[TEAMS.index(one)] - np.eye(5)[TEAMS.index(other)]
        deviation = float(np.sqrt(contrast @ fit.covariance @ contrast))
        value, margin = fit.difference(one, other)
        assert value == pytest.approx(contrast @ fit.strengths)
        assert margin == pytest.approx(stats.t.ppf(0.975, fit.freedom) * deviation)
        assert fit.superiority(one, other) == pytest.approx(stats.t.cdf(value / deviation, fit.freedom))
    assert fit.margin("A") == pytest.approx(stats.t.ppf(0.975, fit.freedom) * fit.covariance[0, 0] ** 0.5)


@pytest.mark.parametrize("fitted", [bradley_terry, point_difference])
@pytest.mark.parametrize("seed", range(3))
def test_neither_the_order_of_blocks_nor_how_they_are_added_up_changes_a_bit(fitted, seed):
    blocks = round_robin(TEAMS, 8, seed)
    first = fitted(TEAMS, merged(blocks))
    random.Random(seed).shuffle(blocks)
    together: dict[object, Tally] = {}
    for each in merged(blocks):
        key = (each.one, each.other, each.scores)
        so_far = together.get(key)
        together[key] = each if so_far is None else added(so_far, each)
    for again in (fitted(TEAMS, merged(blocks)), fitted(TEAMS, together.values())):
        assert first.strengths.tobytes() == again.strengths.tobytes()
        assert first.covariance.tobytes() == again.covariance.tobytes()


def added(one: Tally, other: Tally) -> Tally:
    names = ("blocks", "points", "points_other", "squares", "apart")
    sums = {name: getattr(one, name) + getattr(other, name) for name in names}
    return Tally(one.one, one.other, one.scores, one.scores_other, **sums)


# -- where nothing was measured -----------------------------------------------------------------------------


def finite(fit) -> bool:
    return bool(np.isfinite(fit.strengths).all() and np.isfinite(fit.covariance).all())


def won(one: str, other: str, times: int, score: float = 1.0) -> Tally:
    return Tally(
        (one,), (other,), (score, score), (1 - score, 1 - score), times, 6 * times, 0, 36 * times, 18 * times
    )


@pytest.mark.parametrize("fitted", [bradley_terry, point_difference])
def test_who_has_not_played_is_in_the_middle_and_not_determined(fitted):
    fit = fitted(TEAMS, [])
    assert finite(fit)
    assert fit.strengths == pytest.approx(np.zeros(5))
    assert all(fit.margin(name) is None for name in TEAMS)


def test_who_won_everything_has_a_finite_figure_without_an_interval():
    played = [*merged(round_robin(TEAMS[:3], 6, 1)), *(won("D", name, 6) for name in "ABC")]
    fit = bradley_terry(TEAMS[:4], played)
    assert finite(fit)
    assert fit.unbound == {"D"}
    assert fit.strength("D") == max(fit.strengths)
    assert fit.margin("D") is None
    assert fit.superiority("D", "A") is None
    assert fit.margin("A") is not None


def test_two_groups_that_never_met_are_not_compared():
    played = [*merged(round_robin(["A", "B"], 8, 1)), *merged(round_robin(["C", "D"], 8, 2))]
    fit = bradley_terry(["A", "B", "C", "D"], played)
    assert finite(fit)
    assert len(fit.unbound) == 2
    assert fit.difference("A", "C")[1] is None


def test_who_lost_everything_changes_nothing_for_the_others():
    inner = list(merged(round_robin(TEAMS[:3], 8, 1)))
    alone = bradley_terry(TEAMS[:3], inner)
    fit = bradley_terry(TEAMS[:4], [*inner, *(won(name, TEAMS[3], 6) for name in TEAMS[:3])])
    assert fit.unbound == {TEAMS[3]}
    for name in TEAMS[:3]:
        assert fit.strength(name) == pytest.approx(alone.strength(name), abs=1e-6)
        assert fit.margin(name) == pytest.approx(alone.margin(name), rel=1e-6)
    assert fit.strength(TEAMS[3]) < min(alone.strengths)


def test_who_lost_all_to_the_weakest_of_a_wide_field_has_a_guess():
    """Far from what was expected at first, where the likelihood is flat."""
    ladder = [won("A", "B", 30), won("B", "A", 1), won("B", "C", 30), won("C", "B", 1)]
    fit = bradley_terry(list("ABCD"), [*ladder, won("C", "D", 50)])
    assert finite(fit)
    assert fit.unbound == {"D"}
    assert fit.strength("C") - 2000 < fit.strength("D") < fit.strength("C")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("fitted", [bradley_terry, point_difference])
def test_whatever_is_played_has_finite_figures(fitted, seed):
    """Few meetings, each of them one-sided, drawn, or both; between teams, or between partners who were drawn."""
    chance = random.Random(seed)
    for _ in range(20):
        players = "ABCDEFG"[: chance.randint(4, 7)]
        size = chance.choice((1, 2))
        played = []
        for _ in range(chance.randint(1, 12)):
            seated = chance.sample(players, 2 * size)
            times, score = chance.choice((1, 3, 1000)), chance.choice((0.0, 0.5, 1.0))
            one, other = tuple(seated[:size]), tuple(seated[size:])
            played.append(won("A", "B", times, score)._replace(one=one, other=other))
        fit = fitted(list(players), played)
        assert finite(fit)
        assert all(fit.margin(name) is None for name in fit.unbound)


def test_of_two_groups_the_one_that_beats_the_other_is_measured():
    """Both are of two; and the two who lost all to them ended all their own blocks alike."""
    played = [
        *merged(round_robin(["Y", "Z"], 8, 1)),
        *(won(strong, weak, 8) for strong in "YZ" for weak in "AB"),
        won("A", "B", 8, 0.5),
    ]
    fit = bradley_terry(list("ABYZ"), played)
    assert finite(fit)
    assert fit.unbound == {"A", "B"}
    assert fit.margin("Y") is not None
    assert fit.difference("A", "B")[1] is None
    assert max(fit.strength("A"), fit.strength("B")) < min(fit.strength("Y"), fit.strength("Z"))


@pytest.mark.parametrize("fitted", [bradley_terry, point_difference])
def test_drawn_partners_who_cannot_be_told_apart_have_finite_figures(fitted):
    """Too few meetings for six strengths; and with A and B together somebody has always won."""
    chance = random.Random(1)
    few = [*merged([block(chance, ("A", "B"), ("C", "D"), 0.0), block(chance, ("C", "D"), ("E", "F"), 0.0)])]
    fit = fitted(list("ABCDEF"), few)
    assert finite(fit)
    assert all(fit.margin(name) is None for name in "ABCDEF")


def test_partners_among_whom_the_stronger_two_always_win_are_a_guess():
    """Everybody has won and lost, and yet nothing bounds how much stronger they are."""
    chance = random.Random(4)
    strength = dict(zip("ABCDEFGH", (3.1, 2.2, 2.0, 1.7, 1.1, 0.6, 0.2, 0.0), strict=True))
    played = []
    for _ in range(60):
        a, b, c, d = chance.sample("ABCDEFGH", 4)
        won = float(strength[a] + strength[b] > strength[c] + strength[d])
        played.append(Tally((a, b), (c, d), (won, won), (1 - won, 1 - won)))
    fit = bradley_terry(list("ABCDEFGH"), played)
    assert finite(fit)
    assert fit.unbound == set("ABCDEFGH")
    assert fit.margin("A") is None
    assert max(strength, key=fit.strength) == "A"


def test_blocks_that_all_ended_alike_measure_nothing():
    """Two copies of one deterministic bot: each block is drawn, whatever the cards."""
    fit = bradley_terry(["A", "B"], [won("A", "B", 100, 0.5)])
    assert fit.strengths == pytest.approx([0, 0])
    assert fit.margin("A") is None
    assert fit.superiority("A", "B") is None


@pytest.mark.parametrize(("blocks", "determined"), [(6, False), (7, True)])
def test_under_six_degrees_of_freedom_nothing_is_determined(blocks, determined):
    fit = bradley_terry(["A", "B"], merged(round_robin(["A", "B"], blocks, 3)))
    assert fit.freedom == blocks - 1
    assert (fit.margin("A") is not None) == determined


def test_a_match_that_both_lost_favours_nobody():
    both_lost = Tally(("A",), ("B",), (0.0, 0.0), (0.0, 0.0), 50)
    played = list(merged(round_robin(["A", "B"], 10, 3)))
    assert abs(bradley_terry(["A", "B"], [*played, both_lost]).strength("A")) < abs(
        bradley_terry(["A", "B"], played).strength("A")
    )


# -- by simulation --------------------------------------------------------------------------------------------


def coverage(fitted, teams: list[str], blocks: int, runs: int) -> float:
    """How often the interval of a difference of two holds the true one, of all pairs and so many tournaments.

    The truth is what the same luck gives in very many blocks: a model of scores is not the one that made the points.
    """
    many = fitted(teams, merged(round_robin(teams, 40_000 // len(teams), 10**6, spread=0.2)))
    held = count = 0
    for seed in range(runs):
        fit = fitted(teams, merged(round_robin(teams, blocks, seed, spread=0.2)))
        for one, other in itertools.combinations(teams, 2):
            value, margin = fit.difference(one, other)
            if margin is not None:
                count += 1
                held += abs(value - many.difference(one, other)[0]) <= margin
    return held / count


@pytest.mark.slow
@pytest.mark.parametrize("fitted", [bradley_terry, point_difference])
@pytest.mark.parametrize(
    ("teams", "runs"), [(TEAMS[:2], 3000), (list("ABCDEFGH"), 200)], ids=["two", "eight"]
)
@pytest.mark.parametrize("blocks", [10, 20])
def test_intervals_hold_the_truth_as_often_as_they_say(fitted, teams, runs, blocks):
    """94 to 96 %, and two standard deviations of so many tournaments of two teams."""
    assert 0.932 <= coverage(fitted, teams, blocks, runs) <= 0.968


def test_a_short_simulation_of_the_same():
    """400 tournaments of two teams: 95 % and three standard deviations are 91.7 to 98.3."""
    assert 0.917 <= coverage(point_difference, TEAMS[:2], 12, 400) <= 0.983


def test_ten_players_of_known_strength_come_out_in_order():
    teams = list("ABCDEFGHIJ")
    played = list(merged(round_robin(teams, 60, 5, spread=0.4)))
    for fitted in (bradley_terry, point_difference):
        fit = fitted(teams, played)
        assert sorted(teams, key=fit.strength) == teams
        assert all(fit.superiority(other, one) > 0.5 for one, other in itertools.pairwise(teams))
