"""Results, seen from a block's first side, and blocks added up."""

import pytest

from aluette.seats import Seat
from aluette_referee.contest.contest import BotSpec, Entrant, Team
from aluette_referee.contest.schedule import Block, Fixture, Meeting, Partnership
from aluette_referee.contest.tally import Result, Tally, faults_of, tallies


def entrant(name: str, bots: int = 2) -> Entrant:
    return Entrant(Team(name, (BotSpec("lowest"),) * bots), ("x",) * bots)


TEAMS = Block(Meeting.of(Partnership.of(entrant("A")), Partnership.of(entrant("B"))), 0)
BOTS = Block(
    Meeting.of(
        Partnership.of(entrant("B", 1), entrant("A", 1)), Partnership.of(entrant("C", 1), entrant("D", 1))
    ),
    0,
)
FAULTS = {Seat.N: 1, Seat.E: 2, Seat.S: 4, Seat.W: 8}


@pytest.mark.parametrize(
    ("result", "forfeit", "scores"),
    [
        ((4, 1, "NS"), False, (1.0, 0.0)),
        ((1, 3, "EW"), False, (0.0, 1.0)),
        ((2, 2, None), False, (0.5, 0.5)),
        ((5, 0, "NS"), True, (1.0, 0.0)),
        ((0, 0, None), True, (0.0, 0.0)),
    ],
)
def test_leg_1_seats_the_first_side_ns_and_leg_2_ew(result, forfeit, scores):
    one, two = (Result.of(Fixture(TEAMS, leg), result, forfeit=forfeit) for leg in (1, 2))
    assert one == (TEAMS.id, ("A",), ("B",), *result[:2], *scores, (0,), (0,), forfeit)
    assert two == (TEAMS.id, ("A",), ("B",), *result[1::-1], *scores[::-1], (0,), (0,), forfeit)


def test_faults_are_those_of_a_team_or_of_each_bot():
    def faults(block, leg):
        seen = Result.of(Fixture(block, leg), (0, 0, None), forfeit=True, faults=FAULTS)
        return seen.faults, seen.faults_other

    assert faults(TEAMS, 1) == ((1 + 4,), (2 + 8,))
    assert faults(TEAMS, 2) == ((2 + 8,), (1 + 4,))
    assert BOTS.meeting.one.name == "A + B"
    assert faults(BOTS, 1) == ((1, 4), (2, 8))
    assert faults(BOTS, 2) == ((2, 8), (1, 4))


def test_the_legs_of_a_block_are_added_up():
    legs = [
        Result("b", ("A",), ("B",), 4, 1, 1.0, 0.0, (0,), (1,)),
        Result("b", ("A",), ("B",), 2, 2, 0.5, 0.5, (1,), (1,), True),
        Result("c", ("A",), ("B",), 1, 3, 0.0, 1.0, (0,), (0,)),
    ]
    both, half = tallies(legs)
    assert both == Tally(
        ("A",), ("B",), (1.0, 0.5), (0.0, 0.5), 1, points=6, points_other=3, squares=9, apart=9,
    )  # fmt: skip
    assert faults_of(legs) == {"A": 1, "B": 2}
    assert (half.legs, half.difference, half.squares) == (1, -2, 4)
    assert both.from_the_other_side().from_the_other_side() == both
    assert both.from_the_other_side().difference == -3
