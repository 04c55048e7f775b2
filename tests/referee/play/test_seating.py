"""Who would see another team's bot in a sandbox."""

import pytest

from aluette.errors import Misuse
from aluette_referee.bounds import UNBOUNDED, Bounds
from aluette_referee.contest.contest import BotSpec, Team
from aluette_referee.play.seating import prepare

SHUT_OFF = Bounds(sandbox="bubblewrap")
BOT = "def play(view):\n    return view.hand[0]\n"


@pytest.fixture
def folder(tmp_path):
    for name, text in {"ana.py": BOT, "common.py": "", "ben.py": f"import common, ana\n{BOT}"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "zoe").mkdir()
    (tmp_path / "zoe" / "bot.py").write_text(BOT, encoding="utf-8")
    (tmp_path / "zoe" / "helper.py").write_text("", encoding="utf-8")
    (tmp_path / "eve.py").write_text(f"import zoe.helper\n{BOT}", encoding="utf-8")
    return tmp_path


def team(name: str, run: str, *files: str) -> Team:
    return Team(name, (BotSpec(run, files=files), BotSpec(run, files=files)))


def test_a_bot_that_imports_another_teams_bot_is_refused_a_sandbox(folder):
    teams = [team("Ana", "ana.py:play"), team("Ben", "ben.py:play")]
    with pytest.raises(Misuse) as refused:
        prepare(teams, folder, SHUT_OFF)
    assert str(refused.value) == (
        "team 'Ben': ben.py:play imports ana.py, which is Ana's, and would see it in its sandbox: "
        "if it may, name it in files; else give each team a folder"
    )
    assert len(prepare(teams, folder, UNBOUNDED).entrants) == 2


def test_a_bot_that_imports_from_another_teams_folder_is_refused_a_sandbox(folder):
    with pytest.raises(Misuse, match=r"eve\.py:play imports helper\.py, which is Zoé's"):
        prepare([team("Zoé", "zoe/bot.py:play"), team("Eve", "eve.py:play")], folder, SHUT_OFF)


def test_two_teams_in_a_folder_each_are_accepted_whatever_they_import(folder):
    (folder / "ada").mkdir()
    (folder / "ada" / "bot.py").write_text(f"import zoe\n{BOT}", encoding="utf-8")
    teams = [team("Zoé", "zoe/bot.py:play"), team("Ada", "ada.bot:play")]
    assert len(prepare(teams, folder, SHUT_OFF).entrants) == 2


@pytest.mark.parametrize(
    "teams",
    [
        [team("Ana", "ana.py:play"), team("Ben", "ben.py:play", "ana.py")],
        [team("Ana", "ben.py:play"), team("Ben", "ben.py:play")],
        [team("Ana", "lowest"), team("Ben", "careful")],
        [team("Ana", "common.py:play"), team("Ben", "ana.py:play")],
    ],
    ids=["it was named", "one bot of both", "built-in ones", "nobody imports it"],
)
def test_others_are_not(folder, teams):
    assert len(prepare(teams, folder, SHUT_OFF).entrants) == 2
