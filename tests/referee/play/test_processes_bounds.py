"""What bots' processes may take, and that nobody gets out of it."""

import re
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from referee.play.proc import alive, python, running, until

from aluette_referee.bounds import UNBOUNDED, Bounds
from aluette_referee.faults import FaultType
from aluette_referee.play import warden

pytestmark = [
    pytest.mark.trio,
    pytest.mark.skipif(sys.platform != "linux", reason="a warden finds what to kill in /proc"),
]


# -- what it may take ------------------------------------------------------------------------------

HOG = "import time; held = [bytearray(1_000_000) for _ in range(%d)]; print('held', flush=True); time.sleep(1000)"


async def test_who_takes_too_much_memory_is_ended_for_that_and_said_to_be():
    process = await python(HOG % 80, bounds=replace(UNBOUNDED, memory=50_000_000))
    assert process.kind is FaultType.OUT_OF_MEMORY
    assert re.fullmatch(
        r"the referee ended the process: it took \d+ MB, more than memory in \[limits\]", process.story
    )


async def test_memory_of_all_that_a_bot_started_counts_and_what_is_shared_counts_once():
    forks = "import os, time; held = bytearray(30_000_000); [os.fork() or time.sleep(1000) for _ in range(%d)]; %s"
    dirty = "import os, time\nfor _ in range(3):\n  if not os.fork():\n    held = bytearray(30_000_000)\n    time.sleep(1000)\ntime.sleep(1000)"
    process = await python(dirty, bounds=replace(UNBOUNDED, memory=70_000_000))
    assert process.kind is FaultType.OUT_OF_MEMORY
    process = await python(forks % (3, "time.sleep(0.5)"), bounds=replace(UNBOUNDED, memory=90_000_000))
    assert process.story == "the process ended with exit code 0"


async def test_who_computes_for_too_long_is_ended():
    process = await python("while True: pass", bounds=replace(UNBOUNDED, cpu=1.0))
    assert process.kind is FaultType.CRASHED
    assert (
        process.story == "the referee ended the process: it had computed for 2 s, more than cpu in [limits]"
    )


def boxes() -> set[str]:
    return {box.name for parent, _, _ in warden.parents() for box in Path(parent).glob("aluette-*")}


@pytest.mark.skipif(not warden.parents(), reason="the kernel keeps control of memory to itself here")
async def test_files_of_memory_count_where_there_are_control_groups():
    """They are no process's: who looks at processes does not see them."""
    hog = """
import os, time
file = os.memfd_create("held")
for _ in range(300):
    os.write(file, bytes(1_000_000))
print("held", flush=True)
time.sleep(1000)
"""
    process = await python(hog, bounds=replace(UNBOUNDED, memory=100_000_000))
    assert process.kind is FaultType.OUT_OF_MEMORY
    assert process.story == "the referee ended the process: it took 100 MB, more than memory in [limits]"
    assert process.output == ""
    assert f"aluette-{process._process.pid}" not in boxes()


async def test_who_starts_too_many_processes_is_ended():
    start = "import os, time\nfor _ in range(8):\n  if not os.fork(): time.sleep(1000)\ntime.sleep(1000)"
    process = await python(start, bounds=replace(UNBOUNDED, processes=5))
    assert (
        process.story
        == "the referee ended the process: with all that it started it was 9, more than processes in [limits]"
    )


async def test_only_so_many_files_can_be_opened():
    opened = "import sys; held = [open('/dev/null') for _ in range(40)]"
    process = await python(opened, bounds=replace(UNBOUNDED, files=30))
    assert process.story == "the process ended with exit code 1"
    assert "Too many open files" in process.output


async def test_within_its_bounds_a_process_is_left_alone():
    process = await python("import time; time.sleep(0.4)", bounds=Bounds())
    assert process.story == "the process ended with exit code 0"


# -- a bot that has it in for its warden -----------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
async def test_who_ends_or_stops_its_warden_does_not_outlive_it(number, tmp_path):
    """Nor what it started, which is in a session of its own."""
    program = f"""
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
open({str(tmp_path / "pids")!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
os.kill(os.getppid(), {int(number)})
print("done", flush=True)
time.sleep(1000)
"""
    pids = tmp_path / "pids"
    async with running(sys.executable, "-I", "-S", "-c", program) as process:
        if number == signal.SIGSTOP:
            await trio.to_thread.run_sync(until, lambda: "done" in process.output)
            process.kill()
    assert process.kind is FaultType.CRASHED
    assert process.story == "the process was ended with the one that watches over it"
    found = [int(pid) for pid in pids.read_text().split()]
    assert len(found) == 2
    until(lambda: not any(map(alive, found)))
