"""Clients that mean harm cost a fault, or nothing, but never the referee: its memory, its files, its honest tables."""

import json
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from referee import besieged
from referee.hostile import PROGRAMS, STRANGERS
from referee.play.proc import open_files, until
from referee.sinners import PRELUDE

from aluette_bench.disconnects import memory_of

DEADLINE = 240.0
TESTS = Path(__file__).parents[1]
MEGABYTES = 60
"""By so much at most may the referee's memory have grown in the end."""

FILES = 8
"""What one bot needs: `names_a_million_cards` lost its match, and is there for the next one."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the referee's memory is looked at in /proc")


class Siege(NamedTuple):
    """What came of it: which faults, and the memory (bytes) and open files before and after."""

    made: dict[str, list[list[str]]]
    honest: int
    changed: int
    memory: tuple[int, int]
    files: tuple[int, int]
    stderr: str


@pytest.fixture(scope="module")
def siege(tmp_path_factory) -> Siege:
    folder = tmp_path_factory.mktemp("siege")
    for name, (_, program) in PROGRAMS.items():
        filled = program.replace("{tests!r}", repr(str(TESTS)))
        (folder / f"{name}.py").write_text(PRELUDE + filled, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, besieged.__file__, str(folder), str(port)]
    pipe, quiet = subprocess.PIPE, os.environ | {"GRPC_VERBOSITY": "NONE"}  # as the command line has it
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=quiet) as referee:
        try:
            assert referee.stdout is not None
            assert referee.stdout.readline() == "warm\n"
            memory, files = memory_of(referee.pid), len(open_files(referee.pid))
            with ThreadPoolExecutor() as crowd:
                coming = [crowd.submit(stranger, f"127.0.0.1:{port}") for stranger in STRANGERS]
            for stranger in coming:
                stranger.result()
            assert referee.stdout.readline() == "tried\n"
            with suppress(AssertionError):
                until(lambda: len(open_files(referee.pid)) <= files + FILES)
            memory_after, files_after = memory_of(referee.pid), len(open_files(referee.pid))
            out, err = referee.communicate(timeout=DEADLINE)
        finally:
            referee.kill()
    return Siege(**json.loads(out), memory=(memory, memory_after), files=(files, files_after), stderr=err)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_costs_the_fault_that_it_is(siege, name):
    kind, _ = PROGRAMS[name]
    assert siege.made[name] == [[kind, "S"]]


def test_honest_tables_do_not_notice(siege):
    assert siege.honest > 2 * besieged.WARM
    assert siege.changed == 0


def test_memory_stays_bounded(siege):
    before, after = siege.memory
    assert after - before < MEGABYTES * 1_000_000


def test_no_file_stays_open(siege):
    before, after = siege.files
    assert after <= before + FILES


def test_the_referee_has_nothing_to_complain_of(siege):
    assert siege.stderr == ""
