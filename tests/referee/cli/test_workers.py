"""Matches in worker processes: the same results, whoever dies; and what does not go together with them."""

import os
import signal
from pathlib import Path

import pytest
from referee.cli.club import MATCHES, Club, write_club
from referee.cli.shell import SECONDS, aluette, invoke, processes_in, refused, started, until
from referee.cli.test_killed import stored

BOTS = "def high(view):\n    return view.hand[0]\n\n\ndef low(view):\n    return view.hand[-1]\n"


def same(folder: Path, out: str, played: Club) -> None:
    """The results are those of a run in one process."""
    assert out == played.printed
    assert invoke("export", "club.db", cwd=folder).stdout_bytes == played.exported


def workers_of(pid: int) -> list[int]:
    """The worker processes of a run."""
    children = [
        child
        for threads in Path(f"/proc/{pid}/task").iterdir()
        for child in (threads / "children").read_text().split()
    ]
    return [int(child) for child in children if b"serve(" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_results_are_those_of_one_process(played, tmp_path):
    write_club(tmp_path)
    result = aluette("tournament", "run", "club.toml", "--workers", 2, "--in-process", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    same(tmp_path, result.stdout, played)


def test_a_worker_that_is_killed_costs_only_what_it_was_playing(played, tmp_path):
    write_club(tmp_path)
    with started("tournament", "run", "club.toml", "--workers", 2, "--tables", 4, cwd=tmp_path) as run:
        until(lambda: 2 <= stored(tmp_path / "club.db") < MATCHES, run)
        killed = workers_of(run.pid)[0]
        os.kill(killed, signal.SIGKILL)
        out, err = run.communicate(timeout=SECONDS)
    assert run.returncode == 0, err
    assert f"the worker process {killed} is gone (exit code -9): what it was playing is played again" in err
    same(tmp_path, out, played)
    assert not processes_in(tmp_path)


@pytest.mark.slow
def test_ctrl_c_leaves_nobody_and_says_how_to_go_on(tmp_path):
    write_club(tmp_path)
    with started("tournament", "run", "club.toml", "--workers", 2, "--tables", 4, cwd=tmp_path) as run:
        until(lambda: stored(tmp_path / "club.db") >= 2, run)
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=SECONDS)
    assert (run.returncode, out) == (130, "")
    again = "aluette tournament run club.toml --tables 4 --workers 2\n"
    assert err.endswith(f"aluette: interrupted; what was played is stored. Go on with: {again}")
    assert "Traceback" not in err
    assert not processes_in(tmp_path)


def test_a_contest_and_a_test_of_two_bots_are_the_same_with_workers(tmp_path):
    (tmp_path / "bots.py").write_text(BOTS)
    for words in (
        ("match", "bots.py:high", "bots.py:low", "--blocks", 4, "--seed", 5, "--json"),
        ("sprt", "bots.py:high", "bots.py:low", "--max-blocks", 6, "--seed", 5, "--json"),
    ):
        one = invoke(*words, "--in-process", cwd=tmp_path)
        two = aluette(*words, "--in-process", "--workers", 2, cwd=tmp_path)
        assert one.exit_code == two.returncode == 0, two.stderr
        assert two.stdout == one.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--engine", "dask"), "--engine dask and --scheduler ADDRESS go together"),
        (("--scheduler", "tcp://127.0.0.1:9"), "--engine dask and --scheduler ADDRESS go together"),
        (
            ("--workers", 2, "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"),
            "leave out --workers or --engine",
        ),
        (("--workers", 2, "--listen", "127.0.0.1:0"), "--listen is for bots that a person starts"),
        (
            ("--in-process", "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"),
            "--in-process has no clock, and nothing to stop a bot that hangs",
        ),
    ],
)
def test_what_does_not_go_together_is_told(tmp_path, words, told):
    write_club(tmp_path)
    assert told in refused("tournament", "run", "club.toml", *words, cwd=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["club.toml", "clubbots.py"]


def test_a_bot_that_a_person_starts_does_not_play_in_a_worker(tmp_path):
    told = refused("match", "external", "lowest", "--workers", 2, cwd=tmp_path)
    assert told == (
        "aluette: external, bot 1: a person, or a bot that a person starts, plays where the run was begun: "
        "leave out --workers and --engine\n"
    )
