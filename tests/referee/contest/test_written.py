"""A contest written as a file is read again as it was."""

from dataclasses import replace

import pytest

from aluette.rules import RuleSet
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec, Contest, Format, Team
from aluette_referee.contest.file import read_contest
from aluette_referee.contest.written import as_file
from aluette_referee.faults import Policy

BOT = BotSpec("lowest")
TEAMS = (Team("Ana", (BOT, BOT)), Team('"Béa" \\ x', (BOT, BotSpec("careful"))))
ALONE = tuple(Team(name, (BOT,)) for name in "ABCD")


@pytest.mark.parametrize(
    "contest",
    [
        Contest("club", TEAMS),
        Contest('Soirée "club"', TEAMS, blocks=7, seed=5, names=True, isolation="shared"),
        Contest("club", TEAMS, seed="ouest", format=Format("gauntlet", challengers=1)),
        Contest("club", TEAMS, format=Format("swiss", rounds=3)),
        Contest("club", TEAMS, format=Format("knockout", extra_blocks=0)),
        Contest("club", ALONE, format=Format("individual"), blocks=2),
        Contest("club", TEAMS, rules=RuleSet(chant="off", notice=0.25, deals=3), policy=Policy(4)),
        Contest("club", TEAMS, limits=Limits(move=None, ready=0.25, bank=30.0, grace=0.0)),
        Contest("club", (Team("x", (BotSpec("lowest", {"depth": 3, "names": ["a"]}, {}, ("weights/",)), BOT)), TEAMS[0])),
    ],
)  # fmt: skip
def test_it_is_read_again_as_it_was(contest):
    text = as_file(contest)
    assert read_contest(text, built_in=["lowest", "careful"]) == contest


def test_defaults_are_left_out():
    assert as_file(Contest("club", (replace(TEAMS[0], name="A"),))).split() == [
        "[tournament]", "name", "=", '"club"', "[[team]]", "name", "=", '"A"', "bots", "=", "[", '"lowest",', '"lowest",', "]",
    ]  # fmt: skip


def test_values_of_the_environment_are_withheld():
    secret = Team("A", (BotSpec("lowest", env={"TOKEN": "hunter2"}), BOT))
    text = as_file(Contest("club", (secret,)))
    assert "hunter2" not in text
    assert 'TOKEN = "..."' in text
