"""From a bot as written in a tournament file to how it is started, and what its content is.

    careful                 a built-in bot (entry points `aluette.bots`)
    mybot.py:MyBot          a class or function in a file
    package.module:MyBot    the same in an importable module
    mybot.py --level 3      a Python file that calls `aluette.run`
    ./mybot --level 3       a command line
    external                the referee prints address and token, and waits

Paths are relative to the folder of the file. Nothing of the bot is run here.
"""

import hashlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, Final

from aluette.errors import Misuse
from aluette.loading import built_in_bots, load_bot
from aluette_referee.contest.contest import BotSpec
from aluette_referee.play.grounds import Grounds, itself
from aluette_referee.play.processes import Command
from aluette_referee.play.sources import files_inside, python_files, with_neighbours

__all__ = ["EXTERNAL", "Launch", "resolve"]

EXTERNAL: Final = "external"
_EXTERNAL_SPEC: Final = BotSpec(EXTERNAL)
_LARGEST: Final = 50_000_000_000
"""Bytes of one file that are read to notice a change of it."""
_PYTHON: Final = re.compile(r"python(3(\.\d+)?)?")
_FILE: Final = re.compile(r"[^:]+\.py:\w+")
_MODULE: Final = re.compile(r"[A-Za-z_][\w.]*:\w+")


@dataclass(frozen=True, slots=True)
class Launch:
    """How a bot is started. `command` is None for an external one.

    `label` is what people call it, `content` a digest of all that makes it the bot it is; `untimed`
    says that no clock runs for it (a person); `loadable` is the name for playing it in this process;
    `hint` is what was probably forgotten, if its process ends before it has said anything; `spec` is the bot as written.

    `programs` are the files that its `run` names, and `neighbours` those that it imports from beside them, which
    nobody named; by their real paths.
    """

    label: str
    command: Command | None
    content: str
    untimed: bool = False
    loadable: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    hint: str = ""
    programs: frozenset[Path] = frozenset()
    neighbours: tuple[Path, ...] = ()
    spec: BotSpec = _EXTERNAL_SPEC

    @property
    def folders(self) -> frozenset[Path]:
        """Those that are its own (`Grounds`)."""
        grounds = self.command.grounds if self.command else None
        return grounds.folders if grounds else frozenset()


def resolve(spec: BotSpec, base: Path) -> Launch:
    """Find a bot, with paths relative to the folder `base`; raises `Misuse` with a sentence."""
    try:
        return _resolved(spec, base)
    except (
        OSError,
        RuntimeError,
    ) as error:  # a file that may not be read, a loop of links, names without end
        raise Misuse(f"{spec.run}: its files cannot be read: {error}") from None


def _resolved(spec: BotSpec, base: Path) -> Launch:
    run = spec.run.strip()
    spec = replace(spec, run=run)
    extra = _files(spec, base)
    if run == EXTERNAL:
        return Launch(run, None, _digest(spec, [], extra), spec=spec)
    untimed = False
    sources: list[Path] = []
    written: list[Path] = []
    loadable: str | None = run
    if (built_in := built_in_bots().get(run)) is not None:
        _, sources = _module_sources(built_in.module, base)
        untimed = bool(getattr(load_bot(run), "untimed", False))
    elif _FILE.fullmatch(run):
        name, _, attribute = run.rpartition(":")
        path = base / name
        if not path.is_file():
            raise Misuse(_no_bot_file(name, base))
        written, sources, loadable = [path], _script_sources(path), f"{path.resolve()}:{attribute}"
    elif _MODULE.fullmatch(run):
        origin, sources = _module_sources(run.partition(":")[0], base)
        written = [origin]
    else:
        loadable = None
    if loadable is not None:
        argv: tuple[str, ...] = (
            sys.executable,
            "-P",
            "-m",
            "aluette",
            loadable,
        )  # no file beside it may hide Python's own
    else:
        argv, written, sources = _command_line(run, base)
    env = {"ALUETTE_OPTIONS": json.dumps(dict(spec.options), sort_keys=True), **spec.env}
    named = [base / name for name in spec.files]
    grounds = Grounds.of(base, written, named)
    # Where a link leads that is not its own, nothing is.
    elsewhere = [path.resolve() for path in sources if path.is_dir() and grounds.real(path) is None]
    shown = [path for path in sources if not any(path.is_relative_to(folder) for folder in elsewhere)]
    files = tuple(dict.fromkeys((*written, *shown, *named)))
    command = Command(argv, base, env, terminal=untimed, files=files, grounds=grounds)
    known = {path.resolve() for path in (*written, *(path for _, path in extra))}
    return Launch(
        run,
        command,
        _digest(spec, sources, extra),
        untimed,
        loadable,
        spec.options,
        _hint(run, argv),
        programs=frozenset(path.resolve() for path in written),
        neighbours=tuple(
            real for path in shown if (real := grounds.real(path)) is not None and real not in known
        ),
        spec=spec,
    )


def _hint(run: str, argv: tuple[str, ...]) -> str:
    """What to say of a Python file alone, which may define a bot without running it; "" of anything else."""
    if argv != (sys.executable, run):
        return ""
    return (
        f"{run} says no bot: name the class or function in it, {run}:NAME, or end it with aluette.run(NAME)"
    )


def _command_line(run: str, base: Path) -> tuple[tuple[str, ...], list[Path], list[Path]]:
    """The words, which of them are files as they are written, and the sources of these."""
    try:
        words = shlex.split(run)
    except ValueError as error:
        raise Misuse(f"{run!r} is no command line: {error}") from None
    if not words:
        raise Misuse("a bot is empty: write a built-in name, file.py:Class, a command line, or external")
    program = words[0]
    written = [base / word for word in words if (base / word).is_file()]
    sources = [
        source for path in written for source in (_script_sources(path) if path.suffix == ".py" else [path])
    ]
    if program.endswith(".py"):
        if not (base / program).is_file():
            raise Misuse(_no_bot_file(program, base))
        words.insert(0, sys.executable)
    elif _PYTHON.fullmatch(program):
        words[0] = sys.executable  # the one that has the SDK
    elif "/" in program:
        if not (base / program).is_file():
            near = _near_bot(program, base) or _near_file(base / program)
            raise Misuse(f"{run!r}: there is no program {program}{near}")
        # Not resolved: a virtual environment's Python is a link, and knows its packages by where that lies.
        words[0] = os.path.abspath(base / program)  # noqa: PTH100 - which keeps `..`
    elif (found := shutil.which(program)) is not None:
        words[0] = found
    else:
        near = _near_bot(program, base) or _near_name(program)
        raise Misuse(f"{run!r} is neither a built-in bot nor a program that can be found{near}")
    return tuple(words), written, sources


def _near_bot(program: str, base: Path) -> str:
    """A guess for `mybot`, `mybot.MyBot`, `mybot.py:` or `mybot.py:MyBot()` when that file is there."""
    name = program.partition(":")[0].removesuffix(".py")
    for stem in (name, name.rpartition(".")[0]):
        if stem and (base / f"{stem}.py").is_file():
            return f"; did you mean {stem}.py:NAME?"
    return ""


def _near_name(name: str) -> str:
    known = list(built_in_bots())
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; built in are {', '.join(known)}"


def _no_bot_file(name: str, base: Path) -> str:
    return f"there is no bot file {name}{_near_file(base / name)}"


def _near_file(path: Path) -> str:
    names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    near = get_close_matches(path.name, names, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _script_sources(path: Path) -> list[Path]:
    """A Python file and what it imports from its folder, which is where a link to it leads."""
    path = path.resolve()
    return with_neighbours([path], path.parent)


def _module_sources(module: str, base: Path) -> tuple[Path, list[Path]]:
    """A module's file; and with it, in a package all Python files of its folder, and what these import from beside it."""
    found = _find_module(module, base)
    if found is None or not found.has_location or found.origin is None:
        raise Misuse(f"there is no Python module {module!r} for a bot")
    origin = Path(found.origin)
    depth = module.count(".") + bool(found.submodule_search_locations)
    own = python_files(origin.parent) if depth else [origin]
    folder = origin.parents[depth]
    return origin, with_neighbours(own, folder)


def _find_module(module: str, base: Path) -> ModuleSpec | None:
    """Find a module as the bot's process will, from the folder `base` on, without running its packages."""
    places = [str(base), *sys.path]
    found: ModuleSpec | None = None
    for level, part in enumerate(module.split(".")):
        found = PathFinder.find_spec(part, places)
        if found is None and level == 0:  # some packages are installed in ways that only their own hooks know
            with suppress(ImportError, ValueError):
                found = importlib.util.find_spec(part)
        if found is None:
            return None
        # Of a folder without `__init__.py` the spec would ask for a package that was imported.
        inner = [str(Path(place) / part) for place in places if (Path(place) / part).is_dir()]
        places = list(found.submodule_search_locations or ()) if found.origin else inner
    return found


def _files(spec: BotSpec, base: Path) -> list[tuple[str, Path]]:
    """The further files of a bot, by name; of a folder all but what tools leave there."""
    found: list[tuple[str, Path]] = []
    for name in sorted(spec.files):
        path = base / name
        if path.exists() and itself(path, base) is None:
            raise Misuse(
                f"{spec.run}: {name} is a link out of its folder: write where it leads, {path.resolve()}"
            )
        if path.is_dir():
            found.extend(
                (f"{name}/{inner.relative_to(path).as_posix()}", inner) for inner in files_inside(path)
            )
        elif path.is_file():
            found.append((name, path))
        else:
            raise Misuse(f"{spec.run}: there is no file {name}{_near_file(path)}")
    return found


def _digest(spec: BotSpec, sources: Iterable[Path], extra: Iterable[tuple[str, Path]]) -> str:
    """SHA-256 over the bot as written and the bytes of its files, wherever the folder lies."""
    parts = [
        spec.run,
        dict(spec.options),
        dict(spec.env),
        [_bytes_of(source) for source in sources],
        [(name, _bytes_of(path)) for name, path in extra],
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _bytes_of(path: Path) -> str:
    """A digest of a file; of a link to a folder, of where it leads."""
    if path.is_dir():
        return hashlib.sha256(os.fsencode(path.readlink())).hexdigest()
    if path.stat().st_size > _LARGEST:
        raise Misuse(f"{path} has more than {_LARGEST / 1e9:g} GB")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
