"""Shuts a bot's process off from the machine, by bubblewrap: what it may see, and how it is then started.

Nothing is there but what is listed here. To read: the system's programs and libraries, a small part of /etc,
this Python with the packages of bots, the bot's program, its own files; and the referee's socket. To write: folders
that are empty, small and its own, where homes, temporary files and the contest lie. It has no network, its own
process ids, no privileges, and of the referee's environment only what makes programs start.
"""

import shutil
import site
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from aluette.errors import Misuse
from aluette_referee.bounds import Bounds
from aluette_referee.play import syscalls
from aluette_referee.play.grounds import Grounds, lexical
from aluette_referee.play.processes import BotProcess, Command, start_process

__all__ = ["require_sandbox", "start_sandboxed"]

_FOLDER_BYTES: Final = "64000000"
_EMPTY: Final = ("/home", "/root", "/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - to have its own
_SHARED: Final = ("/opt", "/srv", "/mnt", "/media")
"""Like homes: `/opt/bin` does not make all of `/opt` one program's installation."""
_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
)  # fmt: skip
_ETC: Final = (
    "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "passwd", "group", "nsswitch.conf", "localtime",
    "ssl/certs", "ssl/openssl.cnf", "pki/tls/certs", "pki/tls/openssl.cnf", "pki/ca-trust/extracted",
    "crypto-policies", "java-*", "python3*", "perl", "R", "julia",
)  # fmt: skip
"""What libraries and languages look up; of certificates only the public part."""
_INSTALLED: Final = ("bin", "lib", "lib64", "pyvenv.cfg")
_ENVIRONMENT: Final = frozenset({
    "PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH",
    "PYTHONHASHSEED", "PYTHONUNBUFFERED", "PYTHONPATH", "PYTHONHOME",
})  # fmt: skip
# The first one alone goes without a user namespace when it is run by root.
_LIMITS: Final = ("--unshare-all", "--unshare-user", "--cap-drop", "ALL", "--die-with-parent")
_WORLD: Final = ("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev")


def require_sandbox() -> tuple[str, ...]:
    """How bubblewrap is called; raises `Misuse` with how to install it, or why it does not work here."""
    if (found := shutil.which("bwrap")) is None:
        raise Misuse(
            'sandbox = "bubblewrap" needs the program bwrap, which is not installed: '
            "apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora)"
        )
    return _tried(found)


@cache
def _tried(program: str) -> tuple[str, ...]:
    """The limits that work with this version and this kernel."""
    said = ""
    # Without the second, a bot can have a namespace of its own, where the kernel still keeps what is mounted as it is.
    for limits in ((*_LIMITS, "--disable-userns"), _LIMITS):
        start = (program, *limits)
        world = (*_WORLD, "--size", "4096", "--tmpfs", _EMPTY[-1])
        done = subprocess.run((*start, *world, "--", "true"), capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return start
        said = done.stderr.strip() or f"exit code {done.returncode}"
    raise Misuse(
        f'sandbox = "bubblewrap" does not work here, {program} says: {said}. It has to be version 0.7 or later, and the '
        "kernel, or the container around, has to allow user namespaces: see kernel.unprivileged_userns_clone, "
        "kernel.apparmor_restrict_unprivileged_userns and user.max_user_namespaces (sysctl)"
    )


async def start_sandboxed(command: Command, address: str, token: str, bounds: Bounds) -> BotProcess:
    """Start a bot shut off; not a person at the terminal, who is trusted."""
    shut_off = command if command.terminal else _shut_off(command, address, _filter_beside(address))
    return await start_process(shut_off, address, token, bounds)


@dataclass(frozen=True, slots=True)
class _ShutOff(Command):
    """A command that takes little of the referee's environment along.

    Not by `--setenv`: everyone on the machine can read a command line, and the token is in the environment.
    """

    def environment(self) -> dict[str, str]:
        every = Command.environment(self)
        ours = {name: value for name, value in every.items() if name in _ENVIRONMENT}
        if site.getusersitepackages() in sys.path:
            ours["PYTHONUSERBASE"] = site.getuserbase()  # else it is looked for in the home
        return {**ours, "HOME": "/tmp", **self.env}  # noqa: S108


def _filter_beside(address: str) -> Path | None:
    """The file of the filter of calls, in the referee's own folder."""
    path = Path(address.removeprefix("unix:")).with_name("calls.bpf")
    filtered = syscalls.program()
    if filtered is not None and not path.exists():
        path.write_bytes(filtered)
    return path if filtered is not None else None


def _shut_off(command: Command, address: str, calls: Path | None) -> Command:
    argv = [*require_sandbox(), "--proc", "/proc", "--dev", "/dev", *_mounts(command, address)]
    # What bubblewrap itself makes there, for folders between, is as large as half of the memory. And root's files
    # in /proc/sys are root's in there too, also without privileges: core_pattern would be a way out.
    argv += [word for place in ("/dev", "/proc", "/") for word in ("--remount-ro", place)]
    argv += ["--chdir", str(command.cwd.resolve()), "--", *command.argv]
    if calls:
        # Bubblewrap reads the filter from a descriptor that is open when it starts.
        open_it = 'calls="$1"; shift; exec "$0" --seccomp 9 "$@" 9<"$calls"'
        argv = ["/bin/sh", "-c", open_it, argv[0], str(calls), *argv[1:]]
    return _ShutOff(tuple(argv), command.cwd, command.env)


def _mounts(command: Command, address: str) -> Iterator[str]:
    """Outer ones first, since a mount hides what was mounted below it."""
    view = _View(command)
    socket = Path(address.removeprefix("unix:"))
    shown = {**view.shown, socket: socket}
    empty = _empty(command.cwd)
    done: dict[Path, str] = {}
    for place in sorted({*view.links, *shown, *empty}):
        around = next((done[outer] for outer in place.parents if outer in done), "")
        if place in empty:
            done[place] = "empty"
            yield from ("--dir",) if around == "empty" else ("--size", _FOLDER_BYTES, "--tmpfs")
            yield str(place)
        elif around not in {"shown", "link"}:  # a link in there cannot be mounted upon
            is_link = place in view.links
            done[place] = "link" if is_link else "shown"
            yield from ("--symlink", str(view.links[place])) if is_link else ("--ro-bind", str(shown[place]))
            yield str(place)


class _View:
    """What a program sees: `shown` are real files and folders by where they are seen, `links` what are links there, too.

    Of the system and of programs that the organiser calls, links are followed; of what lies where bots do (`Grounds`),
    only those that stay on the bot's own ground, or lead to what everybody sees.
    """

    def __init__(self, command: Command) -> None:
        """Look at the machine as it is now."""
        self._base = command.cwd
        self._grounds = command.grounds or Grounds.of(command.cwd, command.files)
        self.shown: dict[Path, Path] = {}
        self.links: dict[Path, Path] = {}
        for path in _common(command.cwd):
            self._show(path)
        self._everybodys = set(self.shown.values())
        for path in map(Path, _SYSTEM):
            if path.is_symlink():
                self.links[path] = path.readlink()
        for file in command.files:
            self._show_own(file)
            for initializer in _initializers(file):
                self._show_own(initializer)
        self._show_programs(command.argv[0])

    def _show(self, path: Path) -> None:
        """Something that is trusted, where it says it is and where it is."""
        for place in (lexical(path), path.resolve()):
            self.shown[place] = path.resolve()

    def _show_own(self, path: Path) -> None:
        """Something of the bot's, unless it leads elsewhere."""
        if (real := self._grounds.real(path)) is not None and real.exists():
            if path.is_symlink() and real.is_dir():
                self.links[lexical(path)] = real  # what is seen in there is shown by its own name
            else:
                self.shown[lexical(path)] = self.shown[real] = real
        elif path.is_symlink() and any(path.resolve().is_relative_to(place) for place in self._everybodys):
            self.links[lexical(path)] = path.resolve()

    def _show_programs(self, called: str) -> None:
        """The program, and each link on the way to it; not what its first line names, which nobody else said."""
        pending = [(called, True)]
        done: set[Path] = set()
        while pending:
            name, said = pending.pop()
            path = lexical(self._base / (shutil.which(name) or ""))  # a link is a step
            if path in done or not path.is_file():
                continue
            done.add(path)
            # Where a bot's own link leads, nobody said.
            said = said and not self._grounds.surround(path)
            self._show_program(path, said=said)
            if path.is_symlink():
                pending += [(str(path.resolve()), said), (str(path.parent / path.readlink()), said)]

    def _show_program(self, program: Path, *, said: bool) -> None:
        """A program with the folder that it was installed in, if it is one's own: else the file alone."""
        prefix = program.parent.parent
        in_bin = program.parent.name == "bin"
        parts = [prefix / name for name in _INSTALLED] if in_bin and (prefix / "pyvenv.cfg").is_file() else []
        if not said:
            # Of an environment of a bot's, too: the Python that it was made with must be there for everybody.
            for part in (program, *parts):
                self._show_own(part)
            return
        installed = in_bin and any((prefix / name).is_dir() for name in ("lib", "lib64", "libexec"))
        if program.is_symlink():
            self.links[program] = program.resolve()
        elif installed and not _is_shared(prefix, self._base):
            parts = [prefix]
        for part in (program.resolve() if program.is_symlink() else program, *parts):
            if part.exists():
                self._show(part)


def _common(base: Path) -> Iterator[Path]:
    """What everybody sees."""
    yield from (path for path in map(Path, _SYSTEM) if path.is_dir())
    yield from (path for name in _ETC for path in Path("/etc").glob(name) if path.exists())
    for prefix in dict.fromkeys((sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)):
        yield from _installation(Path(prefix), base)
    yield from _packages()


def _empty(base: Path) -> set[Path]:
    places = {base, Path.home(), Path(tempfile.gettempdir()), *map(Path, _EMPTY)}
    return {place.resolve() for place in places if place.is_dir()} - {Path("/")}


def _installation(prefix: Path, base: Path) -> Iterator[Path]:
    """A Python's folder, or of one that holds more than that, its parts."""
    if _is_shared(prefix, base):
        yield from (prefix / name for name in _INSTALLED if (prefix / name).exists())
    else:
        yield prefix


def _is_shared(prefix: Path, base: Path) -> bool:
    """Whether a folder with programs has other things in it: the contest, a home, `.local` in a home."""
    others = {*_empty(base), *map(Path, _SHARED)}
    return prefix.name == ".local" or any(
        other.is_relative_to(place) for other in others for place in (lexical(prefix), prefix.resolve())
    )


def _packages() -> Iterator[Path]:
    """What lies outside of Python's folder: where pip put packages, and the bots' ones that are being worked on."""
    for place in map(Path, filter(None, sys.path)):
        if place.is_dir() and next(place.glob("*.dist-info"), None) is not None:
            yield place
    for name in ("aluette", "aluette_bots"):
        if (found := find_spec(name)) is not None:
            yield from map(Path, found.submodule_search_locations or ())


def _initializers(file: Path) -> Iterator[Path]:
    """The `__init__.py` of the packages that a Python file is in, without which it cannot be imported."""
    if file.suffix == ".py":
        for folder in file.parents:
            if not (folder / "__init__.py").is_file():
                return
            yield folder / "__init__.py"
