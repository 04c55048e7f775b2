"""`aluette check`: every step passes for a good bot, and the first that fails says what to do."""

import pytest
from referee import sinners
from referee.cli.shell import invoke, refused

from aluette_referee.play.conformance import STEPS

BOTS = """
import os
import aluette

class Moody(aluette.Bot):
    def play(self, view):
        return view.hand[os.getpid() % 7 if len(view.hand) > 7 else 0]

class Wrong(aluette.Bot):
    def discard(self, view):
        return view.hand[:5]
    def play(self, view):
        return view.hand[0]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("check")
    sinners.write(folder)
    (folder / "odd.py").write_text(BOTS)
    return folder


def test_a_good_bot_passes_every_step(folder):
    result = invoke("check", "lowest", cwd=folder)
    assert result.exit_code == 0, result.stdout
    said = result.stdout.splitlines()
    assert [line[6:].partition(" (")[0] for line in said] == [step.name for step in STEPS]
    assert all(line.startswith("ok    ") for line in said)


@pytest.mark.parametrize(
    ("bot", "passed", "what", "todo"),
    [
        ("sinners.py:RaisesInInit", 1, "failed while getting ready", "mend the exception"),
        ("odd.py:Wrong", 2, "illegal in deal 1, before its first trick", "six of "),
        ("python honest.py", 7, "crashed in deal", "the process must live until the goodbye"),
        ("sh -c 'exit 3'", 0, "not started: the process ended with exit code 3", "aluette.run(MyBot)"),
    ],
)
def test_the_first_step_that_fails_says_what_and_what_to_do(folder, bot, passed, what, todo):
    result = invoke("check", bot, cwd=folder)
    assert result.exit_code == 1
    said = result.stdout.splitlines()
    assert [line[:4] for line in said[: passed + 1]] == ["ok  "] * passed + ["FAIL"]
    assert what in result.stdout
    assert todo in result.stdout
    assert sum(line.startswith(("ok  ", "FAIL")) for line in said) == passed + 1


@pytest.mark.slow
def test_a_bot_that_plays_by_its_mood_is_found_out(folder):
    results = [invoke("check", "odd.py:Moody", cwd=folder).stdout for _ in range(4)]
    assert any("the same match was played differently the second time" in said for said in results)


@pytest.mark.parametrize("bot", ["external", "human"])
def test_who_cannot_be_started_cannot_be_tried(folder, bot):
    assert "cannot be tried" in refused("check", bot, cwd=folder)
