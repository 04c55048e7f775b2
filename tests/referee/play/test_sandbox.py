"""A bot that is shut off plays as well as any, and sees nothing else; with real processes and bubblewrap."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from aluette.errors import Misuse
from aluette.packs import block_key
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette.testing import play_match
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import Policy
from aluette_referee.play import sandbox
from aluette_referee.play.launch import resolve
from aluette_referee.play.live import Settings, play_plans
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed

RULES = RuleSet(deals=1)
LIMITS = Limits(connect=30.0, ready=20.0, move=20.0)

CURIOUS = """
import os, socket, subprocess
from pathlib import Path
import aluette
import helper

def attempt(name, what):
    try:
        print(name, "->", what())
    except Exception as error:
        print(name, "-> refused", type(error).__name__)

def connect():
    with socket.create_connection(("127.0.0.1", {port}), timeout=5):
        return "connected"

class Curious(aluette.Bot):
    def play(self, view):
        if not view.deal.cards:
            attempt("network", connect)
            attempt("rival", lambda: Path("rival.py").read_text())
            attempt("database", lambda: Path("club.db").read_bytes())
            attempt("home", lambda: os.listdir(Path.home()))
            attempt("system", lambda: open("/etc/passwd", "a").close())
            attempt("python", lambda: Path(aluette.__file__).touch() or open(aluette.__file__, "a"))
            attempt("processes", lambda: sorted(int(name) for name in os.listdir("/proc") if name.isdigit())[-1] < 50)
            attempt("temporary", lambda: Path("/tmp/mine").write_text("x"))
            attempt("own file", lambda: "import aluette" in Path("curious.py").read_text())
            attempt("data", lambda: Path("weights.txt").read_text())
        return min(view.hand, key=lambda card: card.strength)
"""


@pytest.fixture
def folder(tmp_path):
    if shutil.which("bwrap") is None:
        assert "CI" not in os.environ, "the gate installs bubblewrap"
        pytest.skip("bubblewrap is not installed")
    probe = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("this kernel, or the container around, does not let bubblewrap make namespaces")
    with socket.create_server(("127.0.0.1", 0)) as server:
        (tmp_path / "curious.py").write_text(CURIOUS.format(port=server.getsockname()[1]))
        (tmp_path / "helper.py").write_text("")
        (tmp_path / "rival.py").write_text("secret")
        (tmp_path / "club.db").write_text("secret")
        (tmp_path / "weights.txt").write_text("0.5")
        yield tmp_path


def played(folder: Path, bounds: Bounds) -> MatchPlayed:
    curious = BotSpec("curious.py:Curious", files=("weights.txt",))
    chairs = {
        seat: Chair(
            Post(str(seat), 1, 1), resolve(curious if seat is Seat.N else BotSpec("lowest"), folder), ""
        )
        for seat in SEATS
    }
    plan = MatchPlan("shut off", RULES, block_key(bytes(32), "sandbox", 0), Seat.W, chairs)
    ended: list[MatchPlayed] = []
    play_plans([plan], Settings(LIMITS, Policy(), cores=2, bounds=bounds), ended.extend)
    return ended[0]


def test_a_bot_that_is_shut_off_plays_the_same_and_sees_its_own_alone(folder):
    match = played(folder, Bounds(sandbox="bubblewrap"))
    assert match.outcome.faults == ()
    expected = play_match(["lowest"] * 4, key=match.plan.key, rules=RULES, first_dealer=Seat.W)
    assert to_bytes(match.outcome.record) == to_bytes(expected)
    said = dict(line[11:].split(" -> ") for line in match.logs[Seat.N].of_match.splitlines())
    assert {name: said[name].startswith("refused") for name in ("network", "rival", "database", "system", "python")} == {
        "network": True, "rival": True, "database": True, "system": True, "python": True,
    }  # fmt: skip
    assert (said["processes"], said["temporary"], said["own file"], said["data"]) == (
        "True",
        "1",
        "True",
        "0.5",
    )
    assert not Path("/tmp/mine").exists()


def test_without_a_sandbox_a_bot_can_do_what_its_user_can(folder):
    match = played(folder, Bounds())
    said = dict(line[11:].split(" -> ") for line in match.logs[Seat.N].of_match.splitlines())
    Path("/tmp/mine").unlink(missing_ok=True)
    assert (said["network"], said["rival"], said["database"]) == ("connected", "secret", "b'secret'")


def test_where_bubblewrap_is_not_installed_it_is_said_how_to(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(Misuse, match=r"^sandbox = .* apt install bubblewrap"):
        sandbox.require_sandbox()
