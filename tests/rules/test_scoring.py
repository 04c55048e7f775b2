"""What nine tricks score: every result against an oracle that counts and matches text instead."""

import itertools
import re

import pytest

from aluette.rules import DealScore, Kind, most_tricks, score_deal
from aluette.rules.scoring import Points
from aluette.seats import Seat, Side

LETTERS = "NESWX"
SIDE = {"N": Side.NS, "S": Side.NS, "E": Side.EW, "W": Side.EW}


def winners(letters: str) -> list[Seat | None]:
    return [None if letter == "X" else Seat[letter] for letter in letters]


def oracle(letters: str, *, mordienne: bool) -> tuple[Side | None, int, str | None, str]:
    """The printed rule, word for word, on text."""
    counts = {player: letters.count(player) for player in "NESW"}
    most = max(counts.values())
    if most == 0:
        return None, 0, None, "void"

    def reached(player: str) -> int:
        return [number for number, letter in enumerate(letters) if letter == player][most - 1]

    player = min((player for player in counts if counts[player] == most), key=reached)
    if mordienne and re.fullmatch(f"[^{player}]+{player}{{2,}}", letters):
        return SIDE[player], 2, player, "mordienne"
    return SIDE[player], 1, player, "plain"


def disagreements(results: list[str]) -> list[str]:
    seats = {letter: None if letter == "X" else Seat[letter] for letter in LETTERS}
    names = {None: None, **{seat: seat.name for seat in Seat}}
    wrong = []
    for letters in results:
        for mordienne in (True, False):
            side, points, player, kind = score_deal(
                [seats[letter] for letter in letters], mordienne=mordienne
            )
            if (side, points, names[player], kind.value) != oracle(letters, mordienne=mordienne):
                wrong.append(letters)
    return wrong


def endings(opening: str) -> list[str]:
    rest = itertools.product(LETTERS, repeat=9 - len(opening))
    return [opening + "".join(letters) for letters in rest]


@pytest.mark.parametrize("opening", ["XXXX", "NNNN", "NESW", "NEES", "SXSX", "WWEE", "XNXE"])
def test_all_endings_of_an_opening_score_as_the_rule_says(opening):
    assert disagreements(endings(opening)) == []


@pytest.mark.slow
@pytest.mark.parametrize("opening", [one + other for one in LETTERS for other in LETTERS])
def test_all_results_score_as_the_rule_says(opening):
    assert disagreements(endings(opening)) == []


@pytest.mark.parametrize(
    ("letters", "points", "why"),
    [
        ("XXXXXXXWW", 2, "two are a run, and spoiled tricks came before"),
        ("NNNNXXXXX", 1, "the run does not end with trick nine"),
        ("XXXXXXXXN", 1, "one trick is no run"),
        ("NEEEEEEEE", 2, "one trick before is enough"),
        ("EEEEEEEEE", 1, "a sweep"),
        ("XEEEEEEEE", 2, "a spoiled trick came before"),
        ("ENWWEEEEE", 1, "a trick before the run"),
        ("NXEEEEEEX", 1, "spoiled after the run"),
        ("NSEEEXEEE", 1, "spoiled within the run"),
        ("WWWEEEEEE", 2, "the partner's early tricks do no harm"),
        ("NNNNSEEEE", 1, "N reached four first, and is no run at the end"),
        ("NNNSSSEEE", 1, "N reached three first"),
    ],
)
def test_mordienne(letters, points, why):
    assert score_deal(winners(letters)).points == points, why


@pytest.mark.parametrize("letters", ["NEESWWWWW", "XXXXXXXWW"])
def test_a_mordienne_scores_one_when_the_option_is_off(letters):
    assert score_deal(winners(letters), mordienne=False) == DealScore(Side.EW, 1, Seat.W, Kind.PLAIN)


@pytest.mark.parametrize("tricks", range(9))
def test_fewer_than_nine_tricks_score_nothing_yet(tricks):
    assert score_deal(winners("NNNNNNNN"[:tricks])) == DealScore(None, 0, None, Kind.UNFINISHED)


@pytest.mark.parametrize(
    ("letters", "player"), [("", None), ("XX", None), ("XE", "E"), ("EN", "E"), ("ENN", "N"), ("ENNE", "N")]
)
def test_who_is_ahead_before_the_end(letters, player):
    assert most_tricks(winners(letters)) == (None if player is None else Seat[player])


@pytest.mark.parametrize(
    ("score", "after"),
    [
        (DealScore(Side.NS, 2, Seat.S, Kind.MORDIENNE), Points(5, 1)),
        (DealScore(Side.EW, 1, Seat.E, Kind.PLAIN), Points(3, 2)),
        (DealScore(None, 0, None, Kind.VOID), Points(3, 1)),
    ],
)
def test_points_are_those_before_and_what_the_deal_scored(score, after):
    points = Points(3, 1).plus(score)
    assert points == after
    assert (points.of(Side.NS), points.of(Side.EW)) == after
