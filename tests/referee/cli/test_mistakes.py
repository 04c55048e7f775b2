"""A person's mistakes in a tournament's file and in the bots it names: all are told, and nothing is made."""

import re
from pathlib import Path

import pytest
from referee.cli.club import write_club
from referee.cli.shell import aluette, processes_in, refused

BROKEN = """
[tournament]
name = "Broken bots"

[clock]
connect = "60s"
ready = "60s"

[[team]]
name = "does not import"
bots = ["broken.py:Bot", "lowest"]

[[team]]
name = "class not there"
bots = ["clubbots.py:Livley", "lowest"]

[[team]]
name = "wrong arguments"
bots = [{ run = "clubbots.py:Lively", options = { agre = 0.5 } }, "lowest"]

[[team]]
name = "ends at once"
bots = ["python quitter.py --level 3", "lowest"]
"""


def run(folder: Path, text: str | bytes) -> str:
    """What is told of a tournament's file; nothing may be made because of it."""
    (folder / "club.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    before = sorted(folder.iterdir())
    told = refused("tournament", "run", "club.toml", cwd=folder)
    assert sorted(folder.iterdir()) == before
    return told


# -- the file -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("clubs.toml", "there is no tournament file clubs.toml"),
        ("nowhere/club.toml", "there is no tournament file nowhere/club.toml"),
        (".", ". cannot be read: Is a directory"),
        ("club.toml/club.toml", "club.toml/club.toml cannot be read: Not a directory"),
        ("x" * 300, f"{'x' * 300} cannot be read: File name too long"),
    ],
)
def test_a_file_that_cannot_be_read(name, sentence, tmp_path):
    write_club(tmp_path)
    assert refused("tournament", "run", name, cwd=tmp_path) == f"aluette: {sentence}\n"
    assert list(tmp_path.glob("*.db")) == []


@pytest.mark.parametrize("text", [b"\xff\xfe[\x00", "name = 'Soirée'".encode("latin-1"), b"\x00\xff"])
def test_a_file_that_is_not_utf_8(text, tmp_path):
    assert run(tmp_path, text) == "aluette: club.toml is not a text file in UTF-8\n"


def test_a_file_that_is_not_toml(tmp_path):
    assert run(tmp_path, "[tournament]\nname = Club\n") == (
        "aluette: club.toml has a mistake:\n"
        "  line 2, column 8: this is not TOML: invalid value (text stands in quotes)\n"
    )


def test_every_mistake_is_told_with_its_line_and_what_may_be_meant(tmp_path):
    write_club(tmp_path)
    text = (tmp_path / "club.toml").read_text(encoding="utf-8")
    text = text.replace("blocks", "block").replace("[[team]]", '[rules]\nchant = "aks"\n[[team]]', 1)
    text = text.replace('ready = "60s"', 'redy = "60s"')
    lines = [
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if line[:4] in ("bloc", "redy", "chan")
    ]
    assert run(tmp_path, text).splitlines() == [
        "aluette: club.toml has 3 mistakes:",
        f"  line {lines[0]}, tournament.block = 2: no such key (did you mean 'blocks'?)",
        f"  line {lines[1]}, clock.redy = \"60s\": no such key (did you mean 'ready'?)",
        f"  line {lines[2]}, rules.chant = \"aks\": must be one of ask, off, always (did you mean 'ask'?)",
    ]


# -- the bots -----------------------------------------------------------------------------------------------


def test_every_bot_that_is_not_found_is_told(tmp_path):
    write_club(tmp_path)
    text = (tmp_path / "club.toml").read_text(encoding="utf-8")
    text = text.replace("clubbots.py:Forgetful", "clubbot.py:Forgetful").replace(
        "clubbots.py:lowest", "lowst"
    )
    told = run(tmp_path, text)
    assert told == (
        "aluette: club.toml has 2 mistakes:\n"
        '  line 18, team[2].bots[2] = "lowst": is neither a built-in bot nor a program that can be found; '
        "did you mean 'lowest'?\n"
        '  line 22, team[3].bot = "clubbot.py:Forgetful": there is no bot file clubbot.py; did you mean clubbots.py?\n'
    )


def test_bots_that_cannot_play_are_told_with_their_own_words(tmp_path):
    write_club(tmp_path)
    (tmp_path / "club.toml").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "broken.py").write_text("import aluette\nBot = 1 / 0\n")
    (tmp_path / "quitter.py").write_text("print('I do not feel like it')\nraise SystemExit(7)\n")
    before = {path.name for path in tmp_path.iterdir()}
    result = aluette("tournament", "run", "club.toml", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    told = dict(
        re.findall(
            r"^(?:aluette: )?the bot (\S.*?) cannot play: (.*?)(?=^the bot |\Z)",
            result.stderr,
            re.DOTALL | re.MULTILINE,
        )
    )
    assert list(told) == sorted(told)
    assert set(told) == {
        "broken.py:Bot", "clubbots.py:Livley", "clubbots.py:Lively", "python quitter.py --level 3",
    }  # fmt: skip
    for word in ("not started", "exit code 2", 'broken.py", line 2, in <module>', "ZeroDivisionError"):
        assert word in told["broken.py:Bot"]
    assert "has no 'Livley'; did you mean 'Lively'?" in told["clubbots.py:Livley"]
    assert "unexpected keyword argument 'agre'" in told["clubbots.py:Lively"]
    assert "exit code 7\nI do not feel like it" in told["python quitter.py --level 3"]
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == before
    assert processes_in(tmp_path) == []
