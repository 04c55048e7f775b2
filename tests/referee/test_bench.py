"""`aluette bench`: what it says of figures, and that the referee can be measured."""

import json

import pytest

from aluette_bench.command import Goal, goals, lines
from aluette_bench.crowd import measure_idle, measure_thinkers
from aluette_bench.game import measure_game
from aluette_bench.rulebook import measure_rulebook
from aluette_bench.workers import measure_workers

GAME = {"decisions_per_s": 12_000.0, "mean_batch": 10.0, "referee_cpu_us": 50.0, "referee_mb": 90.0}
FIGURES = {
    "pingpong_per_s": 2_000.0,
    "pingpong_median_us": 300.0,
    "games": {
        "1": {**GAME, "median_decision_us": 660.0},
        "64": {**GAME, "decisions_per_s": 5_000.0},
        "256": GAME,
        "1000": GAME,
    },
    "echo": {"batch": 10, "decisions_per_s": 20_000.0},
    "thinkers": {"late": 0, "own_ms": 26.0},
    "idle_share": 0.01,
    "rulebook_matches_per_s": 999.0,
    "simulator": {"decisions_per_s": 2e7, "times_rulebook": 100.0},
    "workers": [
        {"workers": 1, "matches_per_s": 20.0, "feeding_ms": 1.25},
        {"workers": 2, "matches_per_s": 37.0, "feeding_ms": 1.0},
    ],
    "help_s": 0.2,
    "first_card_s": 1.5,
}


def test_each_goal_is_a_figure_and_its_bound():
    said = {goal.what: (round(goal.figure, 2), goal.met) for goal in goals(FIGURES)}
    assert said == {
        "decisions/s at 64 tables, in ping-pongs": (2.5, False),
        "decisions/s at 256 tables, in ping-pongs": (6.0, True),
        "decisions/s at 1000 tables, in ping-pongs": (6.0, False),
        "decisions/s at 1000 tables, in echoes of as large batches": (0.6, True),
        "median time of a decision at one table, in round trips": (2.2, False),
        "memory of the referee at 1000 tables, MB": (90.0, True),
        "late at 1000 tables, bots thinking 50 ms at 16 tables each, limit 1 s": (0, True),
        "the same: 99th percentile of the referee's share of an answer, ms": (26.0, False),
        "share of a core that 1000 idle bots take": (0.01, True),
        "matches/s of the rulebook alone, on one core": (999.0, False),
        "random playouts of the simulator, decisions/s on one core": (2e7, True),
        "the same, in decisions of the rulebook": (100.0, True),
        "matches/s of two worker processes, in those of one": (1.85, True),
        "`aluette --help`, seconds": (0.2, True),
        "from `aluette tournament run` to the first card, seconds": (1.5, False),
    }


def test_a_person_reads_every_figure_and_what_is_met():
    said = {**FIGURES, "goals": [{**goal._asdict(), "met": goal.met} for goal in goals(FIGURES)]}
    text = lines(json.loads(json.dumps(said)))
    assert text[0].split() == ["tables", "decisions/s", "batch", "referee,", "us", "MB"]
    assert text[2].split() == ["64", "5,000", "10.0", "50", "90"]
    assert text[8] == "1 worker process, bots within: 20.0 matches/s; feeding takes 1.2 ms a match"
    assert text[9] == "2 worker processes, bots within: 37.0 matches/s; feeding takes 1.0 ms a match"
    assert [line.split()[0] for line in text[-15:]].count("not") == 6
    assert text[-1].split(maxsplit=6)[:6] == ["not", "met", "1.50", "at", "most", "1"]


@pytest.mark.parametrize(
    ("figure", "at_least", "met"), [(3.0, True, True), (2.9, True, False), (3.1, False, False)]
)
def test_a_bound_is_within(figure, at_least, met):
    assert Goal("what", figure, 3.0, at_least).met is met


@pytest.mark.parametrize("tables", [1, 8])
def test_the_referee_is_measured_while_it_plays(tables):
    figures = measure_game(tables, 0.3)
    assert figures.decisions_per_s > 0
    assert 0 < figures.referee_cpu_us < 1e6 / figures.decisions_per_s * 2
    # At the edges of so short a time some batches are counted whose answers are not, or the other way round.
    assert 0.9 <= figures.mean_batch <= 1.1 * tables
    assert figures.referee_mb > 20
    assert (figures.median_decision_us is not None) == (tables == 1)


def test_a_crowd_is_measured():
    found = measure_thinkers(4, 0.5)
    assert (found["bots"], found["late"]) == (4, 0)
    assert 0 < found["own_ms"] <= found["longest_ms"] < 1000
    assert 0 <= measure_idle(2, 0.1) < 1


def test_the_rulebook_is_measured():
    assert measure_rulebook(0.01) > 0


def test_workers_are_measured():
    found = measure_workers(1, 0.5)
    assert found.workers == 1
    assert found.matches_per_s > 0
    assert found.feeding_ms > 0
