"""Whole runs with real processes: what a run promises whatever happens to it, and however it is played."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from referee.cli.club import Club, write_club
from referee.cli.shell import ENVIRONMENT, SECONDS, aluette, invoke, processes_in, refused, started, until

pytestmark = pytest.mark.slow

SPY = '''
import os
import aluette


class Spy(aluette.Bot):
    """Writes down which process it is in, where it sits, and who it is told sits at the table."""

    def on_match_start(self, match):
        with open("seen.txt", "a") as seen:
            seen.write(f"{os.getpid()} {match.seat} {'/'.join(match.names)}\\n")

    def play(self, view):
        return view.hand[-1]


if __name__ == "__main__":
    aluette.run(Spy)
'''

SPIES = """
[tournament]
name = "Spies"
seed = 1
{settings}

[clock]
connect = "60s"
ready = "60s"
move = "60s"

[[team]]
name = "Ana"
bot = "spy.py:Spy"

[[team]]
name = "Béa"
bot = "spy.py:Spy"
"""


def stored(database: Path) -> int:
    """How many matches are stored; a look that does not wait for anybody."""
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=0)) as connection:
            return int(connection.execute("SELECT count(*) FROM match").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def spies(folder: Path, settings: str = "") -> list[list[str]]:
    """A run of two teams of spies; what each wrote down at each match."""
    (folder / "spy.py").write_text(SPY, encoding="utf-8")
    (folder / "spies.toml").write_text(SPIES.format(settings=settings), encoding="utf-8")
    result = aluette("tournament", "run", "spies.toml", cwd=folder)
    assert result.returncode == 0, result.stderr
    lines = (folder / "seen.txt").read_text(encoding="utf-8").splitlines()
    # The first line is of the look whether the bot gets ready.
    return [line.split(" ") for line in lines[1:]]


# -- however many at once -----------------------------------------------------------------------------------


@pytest.mark.parametrize("tables", [1, 64])
def test_the_export_does_not_depend_on_how_many_play_at_once(played, tables, tmp_path):
    write_club(tmp_path)
    result = aluette("tournament", "run", "club.toml", "--tables", tables, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert invoke("export", "club.db", cwd=tmp_path).stdout_bytes == played.exported
    assert result.stdout == played.printed


# -- interrupted --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "whom"), [(signal.SIGINT, os.killpg), (signal.SIGTERM, os.kill), (signal.SIGHUP, os.killpg)]
)
def test_a_run_that_is_interrupted_goes_on_where_it_stopped(number, whom, tmp_path):
    folder = tmp_path / "the club's"
    folder.mkdir()
    write_club(folder)
    club = Club(folder, "", "", b"")
    club.edit("blocks = 2", "blocks = 6")
    with started("tournament", "run", "club.toml", "--tables", 2, "--db", "the club.db", cwd=folder) as run:
        until(lambda: stored(folder / "the club.db") >= 3, run)
        whom(run.pid, number)
        out, err = run.communicate(timeout=SECONDS)
    assert (run.returncode, out) == (130, "")
    assert err.splitlines()[-1] == (
        "aluette: interrupted; what was played is stored. "
        "Go on with: aluette tournament run club.toml --db 'the club.db'"
    )
    assert "Traceback (most recent call last)" not in err
    until(lambda: not processes_in(folder))
    kept = stored(folder / "the club.db")
    assert 3 <= kept < 36
    shown = invoke("tournament", "show", "the club.db", cwd=folder).stdout
    assert f"\n{kept} matches played, 0 void, {36 - kept} still to be played.\n" in shown
    assert invoke("verify", "the club.db", cwd=folder).exit_code == 0

    result = aluette("tournament", "run", "club.toml", "--db", "the club.db", cwd=folder)
    assert result.returncode == 0, result.stderr
    assert "36 of 36 matches played" in result.stderr
    assert invoke("tournament", "run", "club.toml", "--in-process", cwd=folder).exit_code == 0
    whole, again = (invoke("export", name, cwd=folder).stdout_bytes for name in ("club.db", "the club.db"))
    assert len(whole.splitlines()) == 36
    assert whole == again


def test_a_run_without_a_network_can_be_interrupted_too(tmp_path):
    write_club(tmp_path)
    Club(tmp_path, "", "", b"").edit("blocks = 2", "blocks = 2000")
    with started("tournament", "run", "club.toml", "--in-process", cwd=tmp_path) as run:
        until(lambda: stored(tmp_path / "club.db") >= 3, run)
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=SECONDS)
    assert (run.returncode, out) == (130, "")
    assert err.splitlines()[-1] == (
        "aluette: interrupted; what was played is stored. Go on with: aluette tournament run club.toml"
    )
    assert stored(tmp_path / "club.db") >= 3


def test_a_match_can_be_interrupted(tmp_path):
    write_club(tmp_path)
    with started("match", "lowest", "clubbots.py:Lively", "--blocks", 5000, cwd=tmp_path) as run:
        until(lambda: len(processes_in(tmp_path)) > 3, run)
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=SECONDS)
    assert (run.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "aluette: interrupted"
    until(lambda: not processes_in(tmp_path))


# -- looked at meanwhile ------------------------------------------------------------------------------------


def test_a_run_can_be_looked_at_and_nobody_else_can_run_it(tmp_path):
    write_club(tmp_path)
    Club(tmp_path, "", "", b"").edit("blocks = 2", "blocks = 500")
    with started("tournament", "run", "club.toml", cwd=tmp_path) as run:
        until(lambda: stored(tmp_path / "club.db") >= 4, run)
        shown = invoke("tournament", "show", "club.db", cwd=tmp_path)
        assert shown.exit_code == 0
        found = re.search(
            r"^(\d+) matches played, 0 void, (\d+) still to be played\.$", shown.stdout, re.MULTILINE
        )
        assert found is not None
        assert int(found[1]) >= 4
        exported = invoke("export", "club.db", cwd=tmp_path).stdout.splitlines()
        assert len(exported) >= 2
        assert len(exported) % 2 == 0
        told = refused("tournament", "run", "club.toml", cwd=tmp_path)
        assert told == "aluette: club.db is in use by another run\n"
        assert run.poll() is None
        os.killpg(run.pid, signal.SIGINT)
        run.communicate(timeout=SECONDS)
    assert run.returncode == 130


# -- who plays ----------------------------------------------------------------------------------------------


def test_each_bot_has_a_process_for_each_leg_and_is_told_no_names(tmp_path):
    seen = spies(tmp_path)
    assert len(seen) == 8
    assert len({process for process, _, _ in seen}) == 8
    assert {names for _, _, names in seen} == {""}
    assert sorted(seat for _, seat, _ in seen) == sorted(2 * "NESW")


def test_bots_that_share_a_process_and_are_told_the_names(tmp_path):
    seen = spies(tmp_path, 'isolation = "shared"\nnames = true')
    assert len(seen) == 8
    assert len({process for process, _, _ in seen}) == 1
    assert {names for _, _, names in seen} == {"Ana/Béa/Ana/Béa", "Béa/Ana/Béa/Ana"}


def test_an_external_bot_is_waited_for_with_an_address_and_a_token(tmp_path):
    (tmp_path / "spy.py").write_text(SPY, encoding="utf-8")
    text = SPIES.format(settings="").replace('bot = "spy.py:Spy"', 'bots = ["external", "lowest"]', 1)
    (tmp_path / "spies.toml").write_text(text, encoding="utf-8")
    with started("tournament", "run", "spies.toml", cwd=tmp_path) as run:
        assert run.stderr is not None
        line = next(line for line in run.stderr if "ALUETTE_TOKEN=" in line)
        told = dict(re.findall(r"(ALUETTE_\w+)=(\S+)", line))
        assert re.fullmatch(r"127\.0\.0\.1:\d+", told["ALUETTE_SERVER"])
        bot = subprocess.run(
            [sys.executable, "spy.py"],
            cwd=tmp_path,
            env=ENVIRONMENT | told,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        out, err = run.communicate(timeout=SECONDS)
    assert (bot.returncode, bot.stderr) == (0, "")
    assert run.returncode == 0, err
    assert "\n2 matches played, 0 void.\n" in out
    assert told["ALUETTE_TOKEN"] not in out
    # The same moves, wherever the bot was started.
    (tmp_path / "spies.toml").write_text(text.replace('"external"', '"spy.py:Spy"'), encoding="utf-8")
    assert (
        aluette("tournament", "run", "spies.toml", "--db", "own.db", "--in-process", cwd=tmp_path).returncode
        == 0
    )
    one, other = (invoke("export", name, cwd=tmp_path).stdout for name in ("spies.db", "own.db"))
    assert re.findall('"deals":.*', one) == re.findall('"deals":.*', other)
