"""Shuts a bot's process off from the machine, by bubblewrap: what it may see, and how it is then started.

It sees the system read-only, Python and its packages, the bot's own files, and the referee's socket. It has
no network, its own process ids, and empty folders to write in where homes, temporary files and the contest lie:
no other bot's files, and not the database.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from aluette.errors import Misuse
from aluette_referee.bounds import Bounds
from aluette_referee.play.processes import BotProcess, Command, start_process

__all__ = ["require_sandbox", "start_sandboxed"]

_PRIVATE: Final = ("/home", "/root", "/tmp", "/var/tmp")  # noqa: S108 - to hide them


def require_sandbox() -> str:
    """The path of bubblewrap's program; raises `Misuse` with how to install it."""
    if (found := shutil.which("bwrap")) is None:
        raise Misuse(
            'sandbox = "bubblewrap" needs the program bwrap, which is not installed: '
            "apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora)"
        )
    return found


async def start_sandboxed(command: Command, address: str, token: str, bounds: Bounds) -> BotProcess:
    """Start a bot shut off; not a person at the terminal, who is trusted."""
    shut_off = command if command.terminal else replace(command, argv=_shut_off(command, address))
    return await start_process(shut_off, address, token, bounds)


def _shut_off(command: Command, address: str) -> tuple[str, ...]:
    argv = [require_sandbox(), "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/"]
    argv += ["--dev", "/dev", "--proc", "/proc"]
    for folder in _hidden(command.cwd):
        argv += ["--tmpfs", str(folder)]
    for path in _visible(command, address):
        argv += ["--ro-bind", str(path), str(path)]
    return (*argv, "--chdir", str(command.cwd.resolve()), "--", *command.argv)


def _hidden(base: Path) -> list[Path]:
    """Folders that are empty in there: outer ones first, since a mount hides what was mounted below it."""
    places = {base, Path.home(), Path(tempfile.gettempdir()), *map(Path, _PRIVATE)}
    return sorted({place.resolve() for place in places if place.is_dir()} - {Path("/")})


def _visible(command: Command, address: str) -> Iterator[Path]:
    hidden = _hidden(command.cwd)
    python = [sys.prefix, sys.base_prefix, *sys.path]
    # Not resolved: a virtual environment's Python is a link, and must be found where it is called.
    paths = [Path(place).absolute() for place in python if place]
    paths = [
        path for path in paths if path.is_dir() and not command.cwd.resolve().is_relative_to(path.resolve())
    ]
    paths += [path.absolute() for path in command.files]
    paths += [Path(command.argv[0]).absolute(), Path(address.removeprefix("unix:"))]
    shown: list[Path] = []
    for seen in dict.fromkeys(each for path in paths for each in (path, path.resolve())):
        covered = any(seen.is_relative_to(place) for place in shown)  # a link in there cannot be mounted upon
        if not covered and any(seen.is_relative_to(folder) for folder in hidden):
            shown.append(seen)
            yield seen
