"""A person plays at a terminal: without one nothing begins, and whoever leaves is told of in a sentence."""

import contextlib
import os
import subprocess
import sys
import time

import pytest
from referee.cli.shell import COMMAND, ENVIRONMENT, SECONDS, invoke, processes_in, refused

from aluette.errors import Misuse
from aluette_referee.cli.playing import need_terminal
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import Policy
from aluette_referee.play.launch import resolve
from aluette_referee.play.live import Settings

TOURNAMENT = """
[tournament]
name = "With a person"

[[team]]
name = "Ana"
bots = ["lowest", "human"]

[[team]]
name = "Béa"
bot = "lowest"
"""
NO_TERMINAL = (
    "aluette: human is played by a person, but the standard input is not a terminal: "
    "run this in a terminal, or take another bot\n"
)
AT_A_TERMINAL = """
import os, sys
os.open(os.ttyname(0), os.O_RDWR)  # a session without a terminal makes it its own
os.execv(sys.argv[1], sys.argv[1:])
"""


def at_a_terminal(typed: bytes, *args: str, cwd: object) -> str:
    """All that a person sees of a command, whose keys these are."""
    screen, terminal = os.openpty()
    os.write(screen, typed)
    process = subprocess.Popen(
        [sys.executable, "-c", AT_A_TERMINAL, COMMAND, *args],
        cwd=str(cwd),
        env=ENVIRONMENT,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    seen = b""
    deadline = time.monotonic() + SECONDS
    with process:
        try:
            with contextlib.suppress(OSError):  # raised when nobody holds the terminal any more
                while chunk := os.read(screen, 4096):
                    seen += chunk
                    assert time.monotonic() < deadline, seen
        finally:
            process.kill()
            os.close(screen)
    return seen.decode()


@pytest.mark.parametrize("bots", [["human", "lowest"], ["lowest", "human", "lowest", "random"]])
def test_without_a_terminal_no_match_begins(bots, tmp_path):
    assert refused("match", *bots, cwd=tmp_path) == NO_TERMINAL


def test_without_a_terminal_no_tournament_begins(tmp_path):
    (tmp_path / "club.toml").write_text(TOURNAMENT, encoding="utf-8")
    assert refused("tournament", "run", "club.toml", cwd=tmp_path) == NO_TERMINAL
    assert [path.name for path in tmp_path.iterdir()] == ["club.toml"]


def test_without_a_standard_input_there_is_no_terminal_either(tmp_path, monkeypatch):
    monkeypatch.setattr("aluette_referee.cli.playing.sys.stdin", None)
    with pytest.raises(Misuse, match="is not a terminal"):
        need_terminal([resolve(BotSpec("human"), tmp_path)], Settings(Limits(), Policy(), 1))


def test_bots_need_no_terminal(tmp_path):
    assert invoke("match", *["lowest"] * 4, "--in-process", cwd=tmp_path).exit_code == 0


def test_a_person_who_leaves_is_told_of_in_a_sentence(tmp_path):
    seen = at_a_terminal(b"\x04", "match", "human", "lowest", "lowest", "random", cwd=tmp_path)
    assert "A signal to your partner, or Enter:" in seen
    lines = seen.splitlines()
    assert lines[lines.index("N (human): failed in deal 1, before its first trick") :][-1] == (
        "  the person at the terminal has left the match"
    )
    assert "Traceback" not in seen
    assert processes_in(tmp_path) == []
