"""Which files are the content of a Python bot: its own, and what it imports from beside it.

Decided by reading the imports, wherever they stand in a file, without running anything. What is found in
the folder counts, and what that imports from there in turn: of a module its file, of a package all Python
files. What lies elsewhere does not, nor does what is imported by a name that is made while the bot runs.
Where packages are installed, a bot's own package alone is looked into. Links that lead out of the folder are not followed.

Whoever wrote these files may have meant harm: only regular files are opened, and there is an end to all that is read.
"""

import ast
import os
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from aluette.errors import Misuse

__all__ = ["files_inside", "python_files", "with_neighbours"]

_INSTALLED: Final = {"site-packages", "dist-packages"}
MOST_FILES: Final = 10_000
_READ_BYTES: Final = 1_000_000
"""A larger file is content, and its imports are not looked for: the parser takes hundreds of times as much."""


def with_neighbours(own: Sequence[Path], folder: Path) -> list[Path]:
    """The bot's `own` files, then what they import from `folder`, in the order of their paths.

    That is files, and links to folders by which they are found; each folder is looked into once. Raises `Misuse`
    when there is no end to them.
    """
    installed = folder.name in _INSTALLED  # what lies beside it there was never part of it
    within = folder / own[0].relative_to(folder).parts[0] if installed else folder
    found = set(own)
    waiting = list(own)
    while waiting:
        new = {file for file in _imported(waiting.pop(), folder) if _is_in(file, within)} - found
        found |= new
        waiting += new
        _bounded(len(found), folder)
    return [*own, *sorted(found - set(own))]


def files_inside(folder: Path) -> list[Path]:
    """The files below a folder in order, but none that are hidden or that Python compiled."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not _is_left_out(name)]
        found += (
            path for name in names if not _is_left_out(name) and _is_file(path := Path(place) / name, folder)
        )
        _bounded(len(found), folder)
    return sorted(found)


def python_files(folder: Path) -> list[Path]:
    """The Python files of a folder itself, in order."""
    return sorted(
        path for path in folder.glob("*.py") if not path.name.startswith(".") and _is_file(path, folder)
    )


def _bounded(count: int, folder: Path) -> None:
    if count > MOST_FILES:
        raise Misuse(f"more than {MOST_FILES} files would belong to one bot: see what lies in {folder}")


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name == "__pycache__"


def _is_in(path: Path, folder: Path) -> bool:
    """Whether a path leads to something in a folder, also when links are followed."""
    return path.is_relative_to(folder) and Path(os.path.realpath(path)).is_relative_to(
        os.path.realpath(folder)
    )


def _is_file(path: Path, folder: Path) -> bool:
    """Whether it is a regular file in a folder, or a link to one there: nothing that could be waited for."""
    try:
        return _is_in(path, folder) and path.is_file()
    except OSError:
        return False  # a name that is too long, a folder that is closed


def _imported(path: Path, folder: Path) -> Iterator[Path]:
    if path.is_dir():
        return
    for level, name in _names(path):
        place = folder if level == 0 else path.parents[min(level, len(path.parents)) - 1]
        if place.is_relative_to(folder) and _is_in(place / name, folder):
            yield from _module(place / name, folder)


def _names(path: Path) -> Iterator[tuple[int, str]]:
    """What a file imports: the first part of each name, and how many dots stand before it."""
    for node in ast.walk(_parsed(path)):
        match node:
            case ast.Import(names=aliases):
                yield from ((0, alias.name.partition(".")[0]) for alias in aliases)
            case ast.ImportFrom(module=str(module), level=level):
                yield level, module.partition(".")[0]
            case ast.ImportFrom(names=aliases, level=level):
                yield from ((level, alias.name) for alias in aliases)
            case _:
                pass


def _parsed(path: Path) -> ast.AST:
    """The tree of a file, an empty one if it is no Python, or too long: then it counts by its bytes alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own process shows them
        try:
            return ast.parse(path.read_bytes()) if path.stat().st_size <= _READ_BYTES else ast.Module([], [])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module([], [])


def _module(path: Path, folder: Path) -> list[Path]:
    """The files of the module at a path without suffix, where Python would look first."""
    file = path.with_name(f"{path.name}.py")
    if _is_file(file, folder) and not _is_file(path / "__init__.py", folder):
        return [file]
    try:
        is_link, is_folder = path.is_symlink(), path.is_dir()
    except OSError:
        return []
    if not is_folder:
        return []
    # Through a link the same folder could be come upon without end: it is looked into by its own name.
    there = Path(os.path.realpath(path)) if is_link else path
    inner = [file for file in files_inside(there) if file.suffix == ".py"]
    return [path, *inner] if is_link else inner
