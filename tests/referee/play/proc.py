"""Real processes in tests: what they write down, whether they live, and waiting with a deadline."""

import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from aluette_referee.bounds import UNBOUNDED, Bounds
from aluette_referee.play.processes import BotProcess, Command, start_process

__all__ = ["DEADLINE", "FAMILY", "alive", "family", "open_files", "python", "run", "running", "until"]

DEADLINE = 60.0
"""Seconds that anything may take on a machine that is busy with other things."""

FAMILY = """
import os, signal, sys, time
folder = sys.argv[1]
def note(name):
    with open(f"{folder}/{name}.part", "w") as file:
        file.write(str(os.getpid()))
    os.rename(f"{folder}/{name}.part", f"{folder}/{name}")
if os.fork() == 0:
    os.setsid()
    for deaf in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(deaf, signal.SIG_IGN)
    if os.fork() == 0:
        note("grandchild")
        while True:
            time.sleep(1000)
    note("child")
    while True:
        time.sleep(1000)
note("bot")
while len(os.listdir(folder)) < 3 or any(name.endswith(".part") for name in os.listdir(folder)):
    time.sleep(0.01)
"""
"""A bot that starts a child, and that a grandchild, which leave its session and are deaf to signals; it waits for both."""


def family(folder: Path, then: str = "time.sleep(1000)") -> tuple[str, ...]:
    """The command of such a bot: it writes the three process ids into `folder`, and goes on with `then`."""
    return (sys.executable, "-I", "-S", "-c", FAMILY + then, str(folder))


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and only not collected by its parent does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    return stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X")


def open_files(pid: int | str = "self") -> set[str]:
    """The numbers of a process's open files, with that of the looking itself if it is ours."""
    return {file.name for file in Path(f"/proc/{pid}/fd").iterdir()}


def until(condition: Callable[[], bool], seconds: float = DEADLINE) -> None:
    """Wait for a condition; fails when it does not come."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.005)


@asynccontextmanager
async def running(
    *argv: str, cwd: Path = Path("/"), bounds: Bounds = UNBOUNDED, **more: object
) -> AsyncIterator[BotProcess]:
    with trio.fail_after(DEADLINE):
        process = await start_process(Command(argv, cwd, **more), "unix:/somewhere", "t0ken", bounds)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.watch)
            yield process
            await process.ended.wait()


async def run(*argv: str, cwd: Path = Path("/"), **more: object) -> BotProcess:
    async with running(*argv, cwd=cwd, **more) as process:
        pass
    return process


async def python(program: str, *arguments: str, **more: object) -> BotProcess:
    return await run(sys.executable, "-I", "-S", "-c", program, *arguments, **more)
