"""A bot that is shut off plays as well as any, and sees nothing else; with real processes and bubblewrap."""

import os
import socket
import sys
import venv
from pathlib import Path

import pytest
from referee.play.shut_off import held, run_shut_off, tool

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
def folder(bubblewrap, tmp_path):
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


def test_nothing_of_the_machine_is_there_that_is_not_needed(elsewhere):
    (contest := elsewhere / "club").mkdir()
    (elsewhere / "bots").mkdir()
    for name in ("bots/rival.py", "records.db", "club/club.db"):
        (elsewhere / name).write_text("secret")
    with socket.socket(socket.AF_UNIX) as daemon:
        daemon.bind(str(elsewhere / "docker.sock"))
        daemon.listen()
        seen = held(
            contest,
            "[attempt(connect, '../docker.sock'), os.path.exists('../bots/rival.py'), os.path.exists('../records.db'),"
            f" os.listdir(), os.listdir('..'), os.path.exists({__file__!r}), os.path.exists('/etc/shadow'),"
            " os.path.exists('/run'), attempt(connect, os.environ['ALUETTE_SERVER'][5:])]",
        )
    shown_run = str(elsewhere).startswith("/run")
    gone = "refused: No such file or directory"
    assert seen == [gone, False, False, [], ["club"], False, False, shown_run, "connected"]


def test_it_has_no_privileges_even_when_root_starts_it(folder):
    read_only = 0x1000 | 0x20  # MS_BIND, MS_REMOUNT; without MS_RDONLY
    said = held(
        folder,
        "[[line.split()[1] for line in open('/proc/self/status') if line.startswith('Cap')],"
        f" attempt(system, 'mount', None, b'/usr', None, {read_only}, None),"
        " attempt(system, 'mount', b'tmpfs', b'/tmp', b'tmpfs', 0, None),"
        " attempt(lambda: open('/proc/sys/kernel/core_pattern', 'a').close()),"
        " attempt(lambda: open('/mine', 'w').close()), attempt(lambda: open('/dev/mine', 'w').close()),"
        " attempt(system, 'unshare', 0x10000000)]",
    )
    assert said[0] == ["0" * 16] * 5
    assert said[1:3] == ["refused: Operation not permitted"] * 2
    assert all(each.startswith("refused: ") for each in said[3:6]), said
    assert said[6].startswith("refused: ") == ("--disable-userns" in sandbox.require_sandbox())


def test_the_referees_environment_stays_with_the_referee(folder, monkeypatch):
    monkeypatch.setenv("MY_SECRET", "secret")
    monkeypatch.setenv("PGPASSWORD", "secret")
    every, mother = held(
        folder,
        "[dict(os.environ), Path('/proc/1/environ').read_text() + Path('/proc/1/cmdline').read_text()]",
        {"LEVEL": "3", "LANG": "fr"},
    )
    assert "secret" not in str(every) + mother
    assert {name: every[name] for name in ("LEVEL", "LANG", "LC_ALL", "PYTHONHASHSEED", "HOME", "PATH")} == {
        "LEVEL": "3", "LANG": "fr", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "HOME": "/tmp", "PATH": os.environ["PATH"],
    }  # fmt: skip
    assert every["ALUETTE_TOKEN"] == "the token"
    ours = {"PWD", "LEVEL", "HOME", "PYTHONUSERBASE"}
    assert all(
        name in ours or name.startswith(("LC_", "LANG", "PATH", "PYTHON", "LD_", "ALUETTE_"))
        for name in every
    )


def test_what_it_writes_takes_little_memory(folder):
    rooms, full = held(
        folder, "[dict(sizes()), [attempt(fill, place) for place in ('/tmp', '/var/tmp', '/dev/shm', '.')]]"
    )
    assert {"/tmp", "/dev/shm"} <= set(rooms)
    assert max(rooms.values()) <= 64_000_000
    assert full == ["refused: No space left on device"] * 4


def test_a_program_is_there_with_what_it_was_installed_with(elsewhere, folder):
    program = tool(
        elsewhere / "tool-1" / "bin" / "tool", 'cat "$(dirname "$(readlink -f "$0")")/../lib/words"; ls ..'
    )
    (elsewhere / "tool-1" / "lib").mkdir()
    (elsewhere / "tool-1" / "lib" / "words").write_text("found\n")
    (elsewhere / "secret").write_text("secret")
    (elsewhere / "club").mkdir()
    (elsewhere / "current").symlink_to("tool-1")
    (link := elsewhere / "link").symlink_to("current/bin/tool")
    for called in (program, elsewhere / "current" / "bin" / "tool", link):
        said, how = run_shut_off([str(called)], elsewhere / "club")
        assert (said.split()[0], how, "secret" in said) == ("found", "exit 0", False)


def test_the_program_that_a_first_line_names_is_there_when_the_organiser_calls_it(elsewhere, monkeypatch):
    tool(elsewhere / "tool-1" / "bin" / "interpreter", 'echo "runs $1"')
    monkeypatch.setenv("PATH", f"{elsewhere}/tool-1/bin:{os.environ['PATH']}")
    (elsewhere / "club").mkdir()
    bot = tool(elsewhere / "club" / "bot", "", "#!/usr/bin/env interpreter")
    said, how = run_shut_off([str(bot)], bot.parent, files=[bot])
    assert ("No such file" in said, how) == (True, "exit 127")
    called = str(elsewhere / "tool-1" / "bin" / "interpreter")
    assert run_shut_off([called, str(bot)], bot.parent, files=[bot]) == (f"runs {bot}", "exit 0")
    said, how = run_shut_off([str(tool(bot, "echo ok", "#!/usr/bin/env sh"))], bot.parent, files=[bot])
    assert (said, how) == ("ok", "exit 0")


def test_a_program_of_ones_own_is_there_without_its_neighbours(elsewhere):
    (contest := elsewhere / "club").mkdir()
    mine = tool(elsewhere / "bots" / "bin" / "mine", "ls ../bots/bin . && ls -A ../bots")
    tool(elsewhere / "bots" / "bin" / "rival", "")
    (elsewhere / "bots" / "lib").mkdir()
    said, _ = run_shut_off([str(mine)], contest, files=[contest / ".." / "bots" / "bin" / "mine"])
    assert said.split() == [".:", "../bots/bin:", "mine", "bin"]


def test_a_virtual_environment_of_ones_own_runs(elsewhere):
    (contest := elsewhere / "club").mkdir()
    venv.create(contest / "env", symlinks=True)
    (contest / "club.db").write_text("secret")
    python = contest / "env" / "bin" / "python"
    said, how = run_shut_off(
        [str(python), "-c", "import os, sys, json; print(sys.prefix, os.listdir())"], contest, files=[python]
    )
    assert (said, how) == (f"{contest / 'env'} ['env']", "exit 0")


def test_a_file_in_a_package_can_be_imported(elsewhere):
    (inner := elsewhere / "team" / "bots").mkdir(parents=True)
    (elsewhere / "team" / "__init__.py").write_text("NAME = 'team'")
    (elsewhere / "team" / "rival.py").write_text("")
    (inner / "__init__.py").write_text("")
    (inner / "mine.py").write_text("import os, team; print(team.NAME, os.path.exists('team/rival.py'))")
    said = run_shut_off([sys.executable, "-c", "import team.bots.mine"], elsewhere, files=[inner / "mine.py"])
    assert said == ("team False", "exit 0")
