"""The table: points, how ties are broken, faults, byes, and drawn partners."""

import itertools
import random

import pytest

from aluette_referee.contest.standings import standings
from aluette_referee.contest.tally import Result, faults_of, tallies

NUMBERS = itertools.count()


def match(team, other, points, points_other, block=None):
    """A match played to its end."""
    score = 0.5 if points == points_other else float(points > points_other)
    name = block or f"b{next(NUMBERS)}"
    return Result(name, (team,), (other,), points, points_other, score, 1 - score, (0,), (0,))


def table(teams, results, **more):
    return standings(teams, tallies(results), faults=faults_of(results), **more)


def ranks(teams, results):
    return [(row.rank, row.name) for row in table(teams, results)]


def test_a_table_of_three():
    results = [
        match("A", "B", 3, 2),
        match("B", "A", 4, 1),
        match("A", "C", 5, 0),
        match("C", "A", 2, 2),
        match("B", "C", 1, 4),
        match("C", "B", 3, 1),
    ]
    rows = table(["A", "B", "C"], results)
    lines = [
        (r.rank, r.name, r.played, r.won, r.drawn, r.lost, r.match_points, r.points_for, r.points_against)
        for r in rows
    ]
    assert lines == [
        (1, "A", 4, 2, 1, 1, 2.5, 11, 8),
        (2, "C", 4, 2, 1, 1, 2.5, 9, 9),
        (3, "B", 4, 1, 0, 3, 1.0, 8, 11),
    ]
    assert [row.difference for row in rows] == [3, 0, -3]
    assert {row.faults for row in rows} == {0}


def test_teams_without_a_match_stand_level():
    assert ranks(["B", "A"], []) == [(1, "A"), (1, "B")]
    assert table([], []) == []


def test_points_go_before_the_difference():
    results = [match("A", "C", 3, 2), match("A", "D", 3, 2), match("B", "C", 5, 0), match("B", "D", 2, 3)]
    assert ranks("ABCD", results)[:2] == [(1, "A"), (2, "B")]


def test_the_difference_goes_before_what_they_did_to_each_other():
    results = [match("A", "B", 3, 2), match("A", "C", 2, 3), match("B", "C", 5, 0)]
    assert ranks("ABC", results) == [(1, "B"), (2, "A"), (3, "C")]


def test_then_the_points_between_those_who_are_level():
    results = [match("A", "B", 2, 3), match("A", "C", 3, 2), match("B", "C", 2, 3)]
    results += [match("A", "D", 4, 3), match("B", "D", 4, 3), match("C", "D", 1, 4), match("C", "D", 0, 5)]
    # A and B have 2 points and +1 each; B beat A.
    assert ranks("ABCD", results)[1:3] == [(2, "B"), (3, "A")]


@pytest.mark.parametrize("order", list(itertools.permutations("ABC")))
def test_a_cycle_of_three_is_no_order(order):
    results = [match("A", "B", 3, 2), match("B", "C", 3, 2), match("C", "A", 3, 2)]
    assert ranks(order, results) == [(1, "A"), (1, "B"), (1, "C")]


def test_a_cycle_of_three_above_others_leaves_the_fourth_place():
    results = [match("A", "B", 3, 2), match("B", "C", 3, 2), match("C", "A", 3, 2)]
    results += [match(name, "D", 3, 2) for name in "ABC"]
    assert ranks("DCBA", results) == [(1, "A"), (1, "B"), (1, "C"), (4, "D")]


def level_with_others(results, matches):
    """Matches against D that make A, B and C level; D then loses to E, so as not to be level too."""
    results += [match(team, "D", points, points_other) for team, points, points_other in matches]
    results.append(match("E", "D", 5, 0))
    rows = table("EDCBA", results)
    assert len({(row.match_points, row.difference) for row in rows if row.name in "ABC"}) == 1
    return [(row.rank, row.name) for row in rows]


def test_three_who_are_level_can_be_told_apart_by_what_they_did_to_each_other():
    # Among the three A has 3 points, C 2, B 1.
    results = [match(*pair, 3, 2) for pair in ("AB", "AB", "AB", "BC", "CA", "CB")]
    against_d = [("A", 1, 3), ("B", 3, 1), ("B", 3, 2), ("C", 2, 2), ("C", 2, 2), ("C", 2, 3)]
    assert level_with_others(results, against_d) == [(1, "A"), (2, "C"), (3, "B"), (4, "D"), (5, "E")]


def test_whom_the_points_between_three_leave_level_has_an_equal_rank():
    # Among the three A has 2 points, B and C 1; that B beat C is in these points already.
    results = [match(*pair, 3, 2) for pair in ("AB", "AB", "BC", "CA")]
    against_d = [("A", 2, 3), ("B", 3, 2), ("C", 2, 2), ("C", 2, 2)]
    assert level_with_others(results, against_d) == [(1, "A"), (2, "B"), (2, "C"), (4, "D"), (5, "E")]


def test_a_forfeit_is_a_fault_of_the_loser():
    (a, b) = table("AB", [Result("b", ("A",), ("B",), 5, 0, 1.0, 0.0, (0,), (1,), True)])
    assert (a.name, a.won, a.match_points, a.faults) == ("A", 1, 1.0, 0)
    assert (b.name, b.lost, b.match_points, b.faults) == ("B", 1, 0.0, 1)


def test_two_faults_at_once_are_lost_by_both():
    rows = table("AB", [Result("b", ("A",), ("B",), 0, 0, 0.0, 0.0, (1,), (1,), True)])
    assert [(r.rank, r.lost, r.drawn, r.match_points, r.faults) for r in rows] == [(1, 1, 0, 0.0, 1)] * 2


def test_a_bye_is_points_without_a_match():
    rows = table("AB", [match("A", "B", 3, 2)], byes={"B": 2})
    assert [(r.name, r.match_points, r.byes, r.played, r.won) for r in rows] == [
        ("B", 2.0, 2, 1, 0),
        ("A", 1.0, 0, 1, 1),
    ]


def test_how_far_one_came_goes_before_all():
    results = [match("A", "B", 5, 0), match("A", "B", 5, 0), match("C", "A", 3, 2)]
    assert [row.name for row in table("ABC", results, reached={"C": 2, "A": 1, "B": 0})] == ["C", "A", "B"]


def test_drawn_partners_have_the_same_and_their_own_faults():
    won = Result("b", ("A", "B"), ("C", "D"), 5, 0, 1.0, 0.0, (0, 0), (0, 1), True)
    rows = {row.name: row for row in table("ABCD", [won])}
    assert {name: (row.match_points, row.points_for, row.faults) for name, row in rows.items()} == {
        "A": (1.0, 5, 0),
        "B": (1.0, 5, 0),
        "C": (0.0, 0, 0),
        "D": (0.0, 0, 1),
    }


def season(chance):
    """Teams and results, in blocks of one leg or two, with many ties."""
    teams = "ABCDE"[: chance.randint(2, 5)]
    results = []
    for team, other in itertools.combinations(teams, 2):
        for number in range(chance.choice([1, 2, 7])):
            block = f"{team}{other}{number}"
            for _ in range(chance.choice([1, 2, 2, 2])):
                points = chance.choice([2, 2, 3, 3, 4])
                result = match(team, other, points, chance.choice([5 - points, points]), block)
                results.append(result)
    return teams, results


SEEDS = pytest.mark.parametrize("seed", range(30))


@SEEDS
def test_the_order_of_results_and_of_teams_changes_nothing(seed):
    chance = random.Random(seed)
    teams, results = season(chance)
    rows = table(teams, results)
    shuffled = chance.sample(results, len(results))
    assert table(chance.sample(teams, len(teams)), shuffled) == rows
    assert sum(row.match_points for row in rows) == len(results)
    assert sum(row.difference for row in rows) == 0


@SEEDS
def test_names_decide_no_rank(seed):
    teams, results = season(random.Random(seed))
    renamed = dict(zip(teams, reversed(teams), strict=True))
    swapped = [
        result._replace(one=(renamed[result.one[0]],), other=(renamed[result.other[0]],))
        for result in results
    ]
    before = {row.name: row.rank for row in table(teams, results)}
    after = {row.name: row.rank for row in table(teams, swapped)}
    assert after == {renamed[name]: rank for name, rank in before.items()}
