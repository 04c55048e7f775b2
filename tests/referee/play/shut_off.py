"""Programs that are shut off by bubblewrap, in tests: what they print, and how they end."""

import json
import os
import socket
import sys
import tempfile
from pathlib import Path

import trio

from aluette_referee.bounds import Bounds
from aluette_referee.play import sandbox
from aluette_referee.play.processes import Command

__all__ = ["held", "host_folders", "run_command", "run_shut_off", "tool"]

HELD = """
import ctypes, json, os, socket, sys
from pathlib import Path

def attempt(what, *given):
    try:
        return what(*given)
    except OSError as error:
        return "refused: " + error.strerror

def system(name, *given):
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*given):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "done"

def connect(path):
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(path)
        return "connected"

def fill(folder):
    with open(folder + "/filling", "wb", buffering=0) as file:
        try:
            return sum(file.write(bytes(1_000_000)) for _ in range(100))
        finally:
            os.unlink(folder + "/filling")

def sizes():
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, place, kind, options, *_ = line.split()
        if kind == "tmpfs" and "rw" in options.split(","):
            room = os.statvfs(place)
            yield place, room.f_frsize * room.f_blocks

"""


def host_folders() -> list[str]:
    """Where a folder can be that is neither in a home nor among temporary files."""
    known = ["/srv", "/opt", "/var/lib", "/run/lock", str(Path(__file__).parent)]
    return [place for place in known if os.access(place, os.W_OK)]


def run_shut_off(argv, cwd: Path, env=None, files=()) -> tuple[str, str]:
    """What a program prints that is shut off, and how it ends."""
    return run_command(Command(tuple(argv), cwd, env or {}, files=tuple(files)))


def run_command(command: Command) -> tuple[str, str]:
    """The same of a command."""

    async def run() -> tuple[str, str]:
        process = await sandbox.start_sandboxed(
            command, f"unix:{address}", "the token", Bounds(sandbox="bubblewrap")
        )
        await process.watch()
        return process.output.strip(), process.how

    with tempfile.TemporaryDirectory() as place, socket.socket(socket.AF_UNIX) as server:
        address = Path(place) / "referee"
        server.bind(str(address))
        server.listen()
        return trio.run(run)


def held(cwd: Path, expression: str, env=None):
    """The value of an expression in a Python that is shut off."""
    said, how = run_shut_off([sys.executable, "-c", f"{HELD}\nprint(json.dumps({expression}))"], cwd, env)
    assert how == "exit 0", said
    return json.loads(said)


def tool(place: Path, body: str, first: str = "#!/bin/sh") -> Path:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"{first}\n{body}\n")
    place.chmod(0o755)
    return place
