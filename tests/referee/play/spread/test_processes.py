"""Worker processes: calls are answered, a worker that dies costs its calls alone, and none is left."""

import os
import signal
import subprocess
import sys
from concurrent.futures import wait
from pathlib import Path

import pytest
from referee.play.proc import until
from referee.play.spread.calls import die, fail, hang, leave, shout, who

from aluette_referee.play.spread import processes
from aluette_referee.play.spread.engine import WorkerLost
from aluette_referee.play.spread.processes import CALLS, Processes

SECONDS = 60.0
TESTS = str(Path(__file__).parents[3])


@pytest.fixture(autouse=True)
def _find_calls(monkeypatch):
    """Workers find the functions of the tests, too."""
    monkeypatch.setenv("PYTHONPATH", TESTS)


@pytest.fixture
def two():
    workers = Processes(2)
    try:
        yield workers
    finally:
        workers.close()


@pytest.fixture
def one():
    workers = Processes(1)
    try:
        yield workers
    finally:
        workers.close()


def is_there(pid: bytes) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    return True


def test_calls_are_answered_by_processes_of_their_own(two):
    assert two.slots == 2 * CALLS
    assert two.sees_files
    calls = [two.submit(who, b"") for _ in range(10)]
    pids = {call.result(SECONDS) for call in calls}
    assert len(pids) == 2
    assert str(os.getpid()).encode() not in pids
    assert two.submit(shout, b"hello").result(SECONDS) == b"HELLO"


def test_what_a_function_raises_is_told_with_its_traceback(one):
    with pytest.raises(RuntimeError, match=r"(?s)in a worker:\nTraceback .*, in fail\n.*ValueError: oh no"):
        one.submit(fail, b"oh no").result(SECONDS)
    assert one.submit(shout, b"on").result(SECONDS) == b"ON"


def test_a_function_that_ends_its_thread_is_told(one):
    with pytest.raises(RuntimeError, match="SystemExit"):
        one.submit(leave, b"").result(SECONDS)


def test_a_worker_that_does_not_listen_keeps_nobody_waiting(monkeypatch):
    monkeypatch.setattr(processes, "_FAREWELL_SECONDS", 0.5)
    workers = Processes(1)
    pid = int(workers.submit(who, b"").result(SECONDS))
    os.kill(pid, signal.SIGSTOP)
    calls = [workers.submit(shout, bytes(1_000_000)) for _ in range(5)]
    workers.close()
    assert len(wait(calls, SECONDS).done) == 5


def test_a_worker_that_dies_costs_what_it_had_under_way_and_another_takes_its_place(one):
    before = one.submit(who, b"").result(SECONDS)
    calls = [one.submit(die, b"") for _ in range(3)]
    assert len(wait(calls, SECONDS).done) == 3
    for call in calls:
        with pytest.raises(WorkerLost, match=rf"worker process {before.decode()} is gone \(exit code 3\)"):
            call.result()
    assert one.submit(who, b"").result(SECONDS) not in {before, b""}


def test_a_worker_that_was_killed_while_idle_is_replaced(one):
    pid = one.submit(who, b"").result(SECONDS)
    os.kill(int(pid), signal.SIGKILL)
    until(lambda: one._workers[0].is_lost)
    assert one.submit(who, b"").result(SECONDS) != pid


def test_a_worker_that_gives_no_sign_of_life_is_ended(monkeypatch):
    monkeypatch.setattr(processes, "_PING_SECONDS", 0.05)
    workers = Processes(1)
    try:
        pid = int(workers.submit(who, b"").result(SECONDS))
        # Who works for long, and answers meanwhile, is left alone.
        heard = workers._workers[0]._heard
        call = workers.submit(hang, b"")
        until(lambda: workers._workers[0]._heard > heard)
        assert not call.done()
        monkeypatch.setattr(processes, "_SILENT_SECONDS", 2.0)
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(WorkerLost, match=r"is gone \(exit code -9\)"):
            call.result(SECONDS)
    finally:
        workers.close()


def test_at_the_end_none_is_left_whatever_it_does(monkeypatch):
    monkeypatch.setattr(processes, "_FAREWELL_SECONDS", 2.0)
    workers = Processes(1)
    pid = workers.submit(who, b"").result(SECONDS)
    call = workers.submit(hang, b"")
    workers.submit(who, b"").result(SECONDS)
    workers.close()
    assert not is_there(pid)
    assert len(wait([call], SECONDS).done) == 1
    assert isinstance(call.exception(), WorkerLost)


def test_workers_end_with_whoever_began_them():
    script = (
        "import time\n"
        "from referee.play.spread.calls import who\n"
        "from aluette_referee.play.spread.processes import Processes\n"
        "workers = Processes(1)\n"
        "print(workers.submit(who, b'').result().decode(), flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as begun:
        assert begun.stdout is not None
        pid = begun.stdout.readline()
        assert is_there(pid)
        begun.kill()
    until(lambda: not is_there(pid))
