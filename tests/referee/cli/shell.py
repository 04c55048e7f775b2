"""The `aluette` command in tests: within this process where that is enough, else as a person starts it."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from click.testing import CliRunner, Result

from aluette_referee.cli.app import cli

__all__ = ["COMMAND", "ENVIRONMENT", "aluette", "invoke", "processes_in", "refused", "started", "until"]

COMMAND = str(Path(sys.executable).with_name("aluette"))
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("ALUETTE_")} | {
    "COLUMNS": "80"
}
SECONDS = 240.0
"""How long a command may take on a machine that is busy with other things."""


def invoke(*args: object, cwd: Path) -> Result:
    """Run a command in this process; an exception that is no exit of the command's is raised."""
    with contextlib.chdir(cwd), _no_bot_stays():
        return CliRunner(env={"COLUMNS": "80"}).invoke(cli, list(map(str, args)), catch_exceptions=False)


def refused(*args: object, cwd: Path) -> str:
    """What a person is told whose mistake it was: exit code 2, nothing on stdout, no traceback."""
    result = invoke(*args, cwd=cwd)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert "Traceback" not in result.stderr
    return result.stderr


def aluette(*args: object, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command as a process, to its end."""
    return subprocess.run(
        [COMMAND, *map(str, args)],
        cwd=cwd,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        check=False,
    )


@contextlib.contextmanager
def started(*args: object, cwd: Path) -> "Iterator[subprocess.Popen[str]]":
    """A command as a process with a group of its own, as in a terminal; it does not outlive the block."""
    process = subprocess.Popen(
        [COMMAND, *map(str, args)],
        cwd=cwd,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def until(condition: Callable[[], bool], process: "subprocess.Popen[str] | None" = None) -> None:
    """Wait for a condition; fails when it does not come, or when the process ends before."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        assert process is None or process.poll() is None, process.communicate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            if process is not None:
                process.wait(0.05)


def processes_in(folder: Path) -> list[str]:
    """The command lines of all processes whose working directory is this folder: bots and their wardens."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (entry / "cwd").resolve() == folder.resolve() and (line := (entry / "cmdline").read_bytes()):
                found.append(line.replace(b"\0", b" ").decode(errors="replace"))
    return found


@contextlib.contextmanager
def _no_bot_stays() -> Iterator[None]:
    """Bots that are loaded into this process leave no trace in it."""
    path, modules = sys.path[:], dict(sys.modules)
    try:
        yield
    finally:
        folders = {Path(place).resolve() for place in sys.path if place not in path}
        sys.path[:] = path
        for name, module in list(sys.modules.items()):
            if Path(getattr(module, "__file__", None) or "/").parent in folders:
                del sys.modules[name]
        sys.modules.update({name: module for name, module in modules.items() if name not in sys.modules})
