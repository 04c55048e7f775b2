"""`aluette new` writes a bot that plays; `aluette bots` lists what is installed."""

import ast
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from referee.cli.shell import invoke, refused

from aluette.loading import built_in_bots
from aluette.testing import play_match
from aluette_referee.cli import bots, starter

EXAMPLE = Path(__file__).parents[3] / "examples/mybot.py"


def test_a_new_bot_is_written_and_the_next_step_is_told(tmp_path):
    result = invoke("new", "mybot.py", cwd=tmp_path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "Wrote mybot.py. Play it:  aluette match mybot.py:MyBot careful --blocks 10\n"
    written = (tmp_path / "mybot.py").read_text(encoding="utf-8")
    assert written == Path(starter.__file__).read_text(encoding="utf-8")
    record = play_match([f"{tmp_path}/mybot.py:MyBot", "lowest"] * 2)
    assert record["result"]["fault"] is None


def test_a_new_bot_plays_from_the_command_line(tmp_path):
    invoke("new", "first-try.py", cwd=tmp_path)
    text = (tmp_path / "first-try.py").read_text(encoding="utf-8")
    assert "aluette match first-try.py:MyBot careful --blocks 50" in text
    assert "mybot.py" not in text
    played = invoke("match", "first-try.py:MyBot", "lowest", "--in-process", cwd=tmp_path)
    assert (played.exit_code, played.stderr.count("Traceback")) == (0, 0)


def test_the_example_is_the_starter_but_for_its_first_line():
    first, *example = EXAMPLE.read_text(encoding="utf-8").splitlines()
    written, *rest = Path(starter.__file__).read_text(encoding="utf-8").splitlines()
    assert example == rest
    assert first.startswith('"""')
    assert written.startswith('"""')


def test_the_starter_shows_all_that_a_bot_may_decide():
    module = ast.parse(EXAMPLE.read_text(encoding="utf-8"))
    (bot,) = (node for node in module.body if isinstance(node, ast.ClassDef))
    methods = [node.name for node in bot.body if isinstance(node, ast.FunctionDef)]
    assert methods == ["play", "look", "chant", "discard", "on_deal_end"]


def test_a_file_that_is_there_is_left_alone(tmp_path):
    (tmp_path / "mybot.py").write_text("mine")
    assert refused("new", "mybot.py", cwd=tmp_path) == (
        "aluette: mybot.py is already there; choose another name\n"
    )
    assert (tmp_path / "mybot.py").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mybot", "a bot file ends in .py: aluette new mybot.py"),
        ("bots/mybot", "a bot file ends in .py: aluette new bots/mybot.py"),
        ("mybot.txt", "a bot file ends in .py: aluette new mybot.txt.py"),
        ("bots/mybot.py", "bots/mybot.py cannot be written: No such file or directory"),
        ("random.py", "random.py would hide Python's own module of that name; choose another name"),
        ("aluette.py", "aluette.py would hide the SDK; choose another name"),
        ("my\nbot.py", "'my\\nbot.py' cannot be the name of a bot file; choose another name"),
    ],
)
def test_a_name_that_a_bot_file_cannot_have(name, sentence, tmp_path):
    assert refused("new", name, cwd=tmp_path) == f"aluette: {sentence}\n"
    assert list(tmp_path.iterdir()) == []


def test_every_built_in_bot_is_listed_with_its_own_words(tmp_path):
    result = invoke("bots", cwd=tmp_path)
    lines = dict(line.split(maxsplit=1) for line in result.stdout.splitlines())
    assert list(lines) == list(built_in_bots())
    assert {"careful", "human", "lowest", "random"} <= set(lines)
    assert "cannot be loaded" not in result.stdout
    assert lines["lowest"] == "Always plays its weakest card: the shortest bot there is."
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_bot_that_does_not_load_hides_no_other(tmp_path, monkeypatch):
    points = {
        "broken": EntryPoint("broken", "nowhere.at_all:Bot", "aluette.bots"),
        "lowest": built_in_bots()["lowest"],
    }
    monkeypatch.setattr(bots, "built_in_bots", lambda: points)
    result = invoke("bots", cwd=tmp_path)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "broken  (cannot be loaded: ModuleNotFoundError: No module named 'nowhere')",
        "lowest  Always plays its weakest card: the shortest bot there is.",
    ]
