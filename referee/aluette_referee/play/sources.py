"""Which files are the content of a Python bot: its own, and what it imports from beside it.

Decided by reading the imports, wherever they stand in a file, without running anything. What is found in
the folder counts, and what that imports from there in turn: of a module its file, of a package all Python
files. What lies elsewhere does not, nor does what is imported by a name that is made while the bot runs.
Where packages are installed, a bot's own package alone is looked into. Links that lead out of the folder are not followed.
"""

import ast
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

__all__ = ["files_inside", "with_neighbours"]

_INSTALLED: Final = {"site-packages", "dist-packages"}


def with_neighbours(own: Sequence[Path], folder: Path) -> list[Path]:
    """The bot's `own` files, then the files of `folder` that they import, in the order of their paths."""
    installed = folder.name in _INSTALLED  # what lies beside it there was never part of it
    within = folder / own[0].relative_to(folder).parts[0] if installed else folder
    found = set(own)
    waiting = list(own)
    while waiting:
        new = {file for file in _imported(waiting.pop(), folder) if _is_in(file, within)} - found
        found |= new
        waiting += new
    return [*own, *sorted(found - set(own))]


def files_inside(folder: Path) -> list[Path]:
    """The files below a folder in order, but none that are hidden or that Python compiled."""
    return sorted(
        path
        for path in folder.rglob("*")
        if _is_in(path, folder)
        and path.is_file()
        and not any(part.startswith(".") or part == "__pycache__" for part in path.relative_to(folder).parts)
    )


def _is_in(path: Path, folder: Path) -> bool:
    """Whether a path leads to something in a folder, also when links are followed."""
    return path.is_relative_to(folder) and path.resolve().is_relative_to(folder.resolve())


def _imported(path: Path, folder: Path) -> Iterator[Path]:
    for level, name in _names(path):
        place = folder if level == 0 else path.parents[min(level, len(path.parents)) - 1]
        if place.is_relative_to(folder) and (place / name).resolve().is_relative_to(folder.resolve()):
            yield from _module(place / name)


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
    """The tree of a file, an empty one if it is no Python: then it counts by its bytes alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own process shows them
        try:
            return ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module([], [])


def _module(path: Path) -> list[Path]:
    """The files of the module at a path without suffix, where Python would look first."""
    file = path.with_name(f"{path.name}.py")
    if file.is_file() and not (path / "__init__.py").is_file():
        return [file]
    return [inner for inner in files_inside(path) if inner.suffix == ".py"]
