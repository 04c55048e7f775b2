"""Which files are a bot's own, when nothing that lies among them is believed: not a link, nor what a file says.

What the organiser wrote decides alone. A bot in a folder of the contest's folder, `alice/bot.py` or `alice/src/bot.py`,
has that folder, `alice`, as its ground: what leads out of it is not its own. Of bots that lie in the contest's folder
itself, each file is what it is, and no link. Elsewhere a path must be the real one. What is named as a bot's further
`files` is its own by itself, under the same conditions.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Grounds", "itself", "lexical"]


def lexical(path: Path) -> Path:
    """An absolute path as it is written, links and all."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolving would follow links


def _real(path: Path) -> Path:
    """Where it leads; of a loop of links, some place in it."""
    return Path(os.path.realpath(path))


@dataclass(frozen=True, slots=True)
class Grounds:
    """The folders and the single files that are a bot's own, by their real paths."""

    base: Path
    """The contest's folder, by its real path."""
    folders: frozenset[Path] = frozenset()
    files: frozenset[Path] = frozenset()
    flat: frozenset[Path] = frozenset()
    """Folders in which it lies beside others: each file there is what it is, and no link."""

    @classmethod
    def of(cls, base: Path, run: Iterable[Path], files: Iterable[Path] = ()) -> "Grounds":
        """From the paths that are written in a bot's `run`, and in its `files`."""
        real_base = _real(base)
        folders: set[Path] = set()
        single: set[Path] = set()
        flat: set[Path] = set()
        for path in run:
            inner = _inside(path, base)
            if inner is None:
                real = itself(path, base)
                if real is not None and path.suffix == ".py":
                    flat.add(real.parent)
                elif real is None or path.is_relative_to(base):
                    # Only what is called by its real, absolute path is a program of the organiser's.
                    single.add(lexical(path))
            elif len(inner.parts) == 1:
                flat |= {real_base} if itself(path, base) is not None else set()
            elif (ground := _ground(real_base, inner)) is not None:
                folders.add(ground)
        for path in files:
            if (there := itself(path, base)) is not None:
                (folders if there.is_dir() else single).add(there)
        return cls(real_base, frozenset(folders), frozenset(single), frozenset(flat))

    def real(self, path: Path) -> Path | None:
        """Where a path really leads, if that is the bot's own; else None."""
        real = _real(lexical(path))
        if real in self.files or any(real.is_relative_to(folder) for folder in self.folders):
            return real
        for folder in self.flat:
            inner = _inside(path, folder)
            if inner is not None and real == folder / inner:
                return real
        return None

    def surround(self, path: Path) -> bool:
        """Whether a path lies where bots do, whatever it leads to: nothing there is believed."""
        places = {self.base, *self.folders, *self.files, *self.flat}
        return any(_inside(path, place) is not None for place in places)


def _inside(path: Path, base: Path) -> Path | None:
    """A path as it is written from a folder on, however that is spelled; None for one elsewhere."""
    written, real = lexical(path), _real(base)
    # The first on the way: a link may lead back to it.
    around = next((folder for folder in (*reversed(written.parents), written) if _real(folder) == real), None)
    return None if around is None else written.relative_to(around)


def _ground(base: Path, inner: Path) -> Path | None:
    """The first folder on the way; a link from one to another in the contest's folder is one of the organiser's."""
    ground = _real(base / inner.parts[0])
    return ground if ground.is_relative_to(base) and ground != base else None


def itself(path: Path, base: Path) -> Path | None:
    """Where a path among `files` really leads, if it does not lead out of its first folder."""
    real = _real(lexical(path))
    inner = _inside(path, base)
    if inner is None:
        return real if real == lexical(path) else None
    if len(inner.parts) < 2:
        return real if real == _real(base) / inner and inner.parts else None
    ground = _ground(_real(base), inner)
    return real if ground is not None and real.is_relative_to(ground) else None
