"""From a bot as written in a tournament file to how it is started, and what its content is.

    careful                 a built-in bot (entry points `aluette.bots`)
    mybot.py:MyBot          a class or function in a file
    package.module:MyBot    the same in an importable module
    ./mybot --level 3       a command line, or a Python file that calls `aluette.run`
    external                the referee prints address and token, and waits

Paths are relative to the folder of the file. Nothing of the bot is run here.
"""

import hashlib
import importlib.util
import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from aluette.errors import Misuse
from aluette.loading import built_in_bots
from aluette_referee.contest.contest import BotSpec
from aluette_referee.play.processes import Command

__all__ = ["EXTERNAL", "Launch", "resolve"]

EXTERNAL: Final = "external"
_PYTHON: Final = re.compile(r"python(3(\.\d+)?)?")
_FILE: Final = re.compile(r"[^:]+\.py:\w+")
_MODULE: Final = re.compile(r"[A-Za-z_][\w.]*:\w+")


@dataclass(frozen=True, slots=True)
class Launch:
    """How a bot is started. `command` is None for an external one.

    `label` is what people call it, `content` a digest of all that makes it the bot it is; `untimed`
    says that no clock runs for it (a person); `loadable` is the name for playing it in this process.
    """

    label: str
    command: Command | None
    content: str
    untimed: bool = False
    loadable: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


def resolve(spec: BotSpec, base: Path) -> Launch:
    """Find a bot, with paths relative to the folder `base`; raises `Misuse` with a sentence."""
    run = spec.run.strip()
    extra = _files(spec, base)
    if run == EXTERNAL:
        return Launch(run, None, _digest(spec, []))
    untimed = False
    sources: list[Path] = []
    loadable: str | None = run
    if (built_in := built_in_bots().get(run)) is not None:
        sources = _module_sources(built_in.module)
        untimed = bool(getattr(built_in.load(), "untimed", False))
    elif _FILE.fullmatch(run):
        name, _, attribute = run.rpartition(":")
        path = base / name
        if not path.is_file():
            raise Misuse(f"there is no bot file {name}{_near_file(path)}")
        sources, loadable = [path], f"{path.resolve()}:{attribute}"
    elif _MODULE.fullmatch(run):
        sources = _module_sources(run.partition(":")[0])
    else:
        loadable = None
    if loadable is not None:
        argv: tuple[str, ...] = (sys.executable, "-m", "aluette", loadable)
    else:
        argv, sources = _command_line(run, base)
    env = {"ALUETTE_OPTIONS": json.dumps(dict(spec.options), sort_keys=True), **spec.env}
    command = Command(argv, base, env, terminal=untimed)
    return Launch(run, command, _digest(spec, sources + extra), untimed, loadable, spec.options)


def _command_line(run: str, base: Path) -> tuple[tuple[str, ...], list[Path]]:
    try:
        words = shlex.split(run)
    except ValueError as error:
        raise Misuse(f"{run!r} is no command line: {error}") from None
    if not words:
        raise Misuse("a bot is empty: write a built-in name, file.py:Class, a command line, or external")
    program = words[0]
    if len(words) == 1 and program.endswith(".py") and (base / program).is_file():
        words = [sys.executable, program]
    elif _PYTHON.fullmatch(program):
        words[0] = sys.executable  # the one that has the SDK
    elif "/" in program:
        if not (base / program).is_file():
            raise Misuse(f"{run!r}: there is no program {program}{_near_file(base / program)}")
        words[0] = str((base / program).resolve())
    elif (found := shutil.which(program)) is not None:
        words[0] = found
    else:
        raise Misuse(
            f"{run!r} is neither a built-in bot nor a program that can be found{_near_name(program)}"
        )
    return tuple(words), [path for word in words[1:] if (path := base / word).is_file()]


def _near_name(name: str) -> str:
    known = list(built_in_bots())
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; built in are {', '.join(known)}"


def _near_file(path: Path) -> str:
    names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    near = get_close_matches(path.name, names, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _module_sources(module: str) -> list[Path]:
    """A module's file and its neighbours in the same folder: what a change of the bot would touch."""
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        found = None
    if found is None or found.origin is None:
        raise Misuse(f"there is no Python module {module!r} for a bot")
    origin = Path(found.origin)
    return sorted(origin.parent.glob("*.py")) if "." in module else [origin]


def _files(spec: BotSpec, base: Path) -> list[Path]:
    paths: list[Path] = []
    for name in spec.files:
        path = base / name
        if path.is_dir():
            paths.extend(sorted(entry for entry in path.rglob("*") if entry.is_file()))
        elif path.is_file():
            paths.append(path)
        else:
            raise Misuse(f"{spec.run}: there is no file {name}{_near_file(path)}")
    return paths


def _digest(spec: BotSpec, sources: Iterable[Path]) -> str:
    """SHA-256 over the bot as written and the bytes of its files, wherever they lie."""
    digest = hashlib.sha256(
        json.dumps([spec.run, dict(spec.options), dict(spec.env)], sort_keys=True).encode()
    )
    for source in sources:
        digest.update(hashlib.sha256(source.read_bytes()).digest())
    return digest.hexdigest()
