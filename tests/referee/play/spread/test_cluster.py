"""A Dask cluster: a scheduler and workers as processes of this machine, which do not see the tournament's files."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from referee.cli.shell import SECONDS, invoke, refused, started, until
from referee.cli.test_killed import stored
from referee.play.spread.blocks import write_bot
from referee.play.spread.calls import die, fail, note, shout

from aluette.errors import Misuse
from aluette_referee.play.spread import cluster as cluster_module
from aluette_referee.play.spread.cluster import Cluster, find_cluster, open_cluster
from aluette_referee.play.spread.engine import WorkerLost

TESTS = str(Path(__file__).parents[3])
CLUB = """
[tournament]
name = "Far away"
seed = 3
blocks = {blocks}
[rules]
deals = 1
[clock]
connect = "60s"
ready = "60s"
move = "60s"
[[team]]
name = "Mine"
bot = {{ run = "mine.py:mine", files = ["data"] }}
[[team]]
name = "Random"
bot = "random"
"""


class Dask:
    """A scheduler, and workers that are somewhere else: each in an empty folder of its own."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(port))
        self.workers: list[subprocess.Popen[bytes]] = []
        until(lambda: _listens(port))

    def add_worker(self) -> None:
        place = self._folder / f"worker {len(self.workers)}"
        place.mkdir()
        more = ("--nthreads", "4", "--no-nanny", "--local-directory", str(place))
        self.workers.append(self._start("worker", self.address, *more, cwd=place))

    def _start(self, *words: str, cwd: Path | None = None) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words, "--no-dashboard"],
            cwd=cwd or self._folder,
            env={**os.environ, "PYTHONPATH": TESTS},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._processes.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as there:
        return there.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def dask(folder: Path, workers: int) -> Iterator[Dask]:
    folder.mkdir()
    cluster = Dask(folder)
    try:
        for _ in range(workers):
            cluster.add_worker()
        yield cluster
    finally:
        cluster.close()


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory) -> Iterator[Dask]:
    with dask(tmp_path_factory.mktemp("dask") / "cluster", 2) as cluster:
        yield cluster


@pytest.fixture
def connected(two_workers) -> Iterator[Cluster]:
    cluster = open_cluster(two_workers.address)
    try:
        yield cluster
    finally:
        cluster.close()


def test_calls_are_answered_and_the_same_work_is_one_task(connected, tmp_path):
    until(lambda: connected.slots == 2 * 2 * 4)
    calls = [connected.submit(note, bytes(tmp_path)) for _ in range(3)]
    (tmp_path / "go").touch()
    assert [call.result(SECONDS) for call in calls] == [b"done"] * 3
    assert (tmp_path / "notes").read_text() == "called\n"
    with pytest.raises(ValueError, match="oh no"):
        connected.submit(fail, b"oh no").result(SECONDS)


def test_a_worker_that_dies_in_the_middle_loses_nothing_and_nothing_is_twice(tmp_path):
    blocks = 24
    write_bot(tmp_path)
    (tmp_path / "club.toml").write_text(CLUB.format(blocks=blocks))
    with dask(tmp_path / "cluster", 2) as cluster:
        words = ("--engine", "dask", "--scheduler", cluster.address)
        with started("tournament", "run", "club.toml", *words, cwd=tmp_path) as run:
            until(lambda: stored(tmp_path / "club.db") >= blocks // 4, run)
            cluster.workers[0].kill()
            out, err = run.communicate(timeout=SECONDS)
    assert run.returncode == 0, err
    assert f"{2 * blocks} matches played, 0 void." in out
    one = invoke("tournament", "run", "club.toml", "--db", "one.db", "--in-process", cwd=tmp_path)
    assert out.replace("club.db", "one.db") == one.stdout
    exports = [invoke("export", name, cwd=tmp_path).stdout_bytes for name in ("club.db", "one.db")]
    assert exports[0] == exports[1]
    assert len(exports[0].splitlines()) == 2 * blocks
    assert invoke("verify", "club.db", cwd=tmp_path).exit_code == 0


@pytest.mark.slow
def test_a_task_that_ends_its_workers_is_given_up_and_a_scheduler_that_goes_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_module, "_CONNECT_SECONDS", 3.0)
    with dask(tmp_path / "cluster", 0) as cluster:
        connected = open_cluster(cluster.address)
        try:
            for _ in range(5):
                cluster.add_worker()
            with pytest.raises(WorkerLost, match="died while running it"):
                connected.submit(die, b"").result(SECONDS)
            call = connected.submit(shout, b"x")
            cluster.close()
            with pytest.raises(Misuse, match=f"the Dask scheduler at {cluster.address} has gone"):
                _after(call, connected).result(SECONDS)
            until(lambda: connected._client.status == "closed")
            with pytest.raises(Misuse, match="has gone"):
                _ = connected.slots
        finally:
            connected.close()


def _after(call, connected):
    """The call itself, or the next one if that was answered before the end."""
    try:
        call.result(1.0)
    except TimeoutError:
        return call
    except Misuse:
        return call
    return connected.submit(shout, b"y")


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9: Connection refused"),
        ("nonsense://x", "--scheduler nonsense://x: write tcp://HOST:PORT, or tls://HOST:PORT"),
        ("127.0.0.1", "--scheduler 127.0.0.1: write tcp://HOST:PORT"),
        ("127.0.0.1:99999", "--scheduler 127.0.0.1:99999: write tcp://HOST:PORT"),
    ],
)
def test_where_no_scheduler_is_a_sentence_says_so_before_anything_is_made(tmp_path, address, told):
    write_bot(tmp_path)
    (tmp_path / "club.toml").write_text(CLUB.format(blocks=1))
    words = ("--engine", "dask", "--scheduler", address)
    assert told in refused("tournament", "run", "club.toml", *words, cwd=tmp_path)
    assert not (tmp_path / "club.db").exists()


def test_without_dask_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Misuse, match="--engine dask needs Dask: install the extra dask"):
        find_cluster("tcp://127.0.0.1:9")


def test_ctrl_c_ends_a_run_whose_tasks_are_under_way(tmp_path):
    write_bot(tmp_path)
    (tmp_path / "club.toml").write_text(CLUB.format(blocks=300))
    with dask(tmp_path / "cluster", 1) as cluster:
        words = ("--engine", "dask", "--scheduler", cluster.address)
        with started("tournament", "run", "club.toml", *words, cwd=tmp_path) as run:
            until(lambda: stored(tmp_path / "club.db") >= 2, run)
            for _ in range(2):
                os.killpg(run.pid, signal.SIGINT)
            _, err = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "Traceback" not in err
    assert f"Go on with: aluette tournament run club.toml --engine dask --scheduler {cluster.address}" in err
