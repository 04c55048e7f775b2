"""A bot's files as bytes, for a machine that does not have them: those below its tournament's folder, as they lie there.

What lies elsewhere - an installed package, a program of the system - does not travel: the other machine has the same, or
the digest of the bot's content says that it has not.
"""

import io
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

from aluette.errors import Misuse
from aluette_referee.play.launch import Launch
from aluette_referee.play.sources import files_inside

__all__ = ["pack", "unpack"]


def pack(launch: Launch) -> bytes:
    """The files of a bot, the same bytes for the same files; raises `Misuse` when one cannot be read, or travel."""
    try:
        return _packed(launch)
    except OSError as error:
        raise Misuse(f"{launch.label}: its files cannot be read: {error}") from None


def _packed(launch: Launch) -> bytes:
    command = launch.command
    assert command is not None
    base = Path(os.path.abspath(command.cwd))  # noqa: PTH100 - which leaves links as they are
    places: set[Path] = set()
    for path in command.files:
        inside = Path(os.path.abspath(path))  # noqa: PTH100
        if not inside.is_relative_to(base):
            continue
        for file in [inside, *(files_inside(inside) if inside.is_dir() else [])]:
            places.update(_on_the_way(file.relative_to(base), base, launch))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", preset=1) as archive:
        for place in sorted(places):
            archive.add(
                base / place, str(place), recursive=False, filter=lambda entry: _of_nobody(entry, base)
            )
    return packed.getvalue()


def unpack(bundle: bytes, folder: Path) -> None:
    """Lay the files of a bundle into a folder; raises `Misuse` when they would not stay in it."""
    try:
        with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
            # Who sends work may do anything here; an early Python 3.11 does not have the filter.
            archive.extraction_filter = getattr(tarfile, "data_filter", lambda entry, _: entry)
            archive.extractall(folder)  # noqa: S202
    except (tarfile.TarError, OSError) as error:
        raise Misuse(f"a bot's files cannot be unpacked: {error}") from None


def _on_the_way(inside: Path, base: Path, launch: Launch) -> Iterator[Path]:
    """A path, and the links by which it is found, each from the base folder on."""
    place = Path()
    for depth, part in enumerate(inside.parts, start=1):
        place /= part
        if (base / place).is_symlink():
            real = Path(os.path.realpath(base / place))
            if not real.is_relative_to(os.path.realpath(base)):
                raise Misuse(
                    f"{launch.label}: {place} leads out of its folder to {real}, and only what is in the folder travels"
                )
            yield place
            rest = inside.parts[depth:]
            yield from _on_the_way(real.relative_to(os.path.realpath(base)).joinpath(*rest), base, launch)
            return
    yield place


def _of_nobody(entry: tarfile.TarInfo, base: Path) -> tarfile.TarInfo:
    """Whose a file is, and when it was written, is not its content; nor is where the folder lies."""
    if entry.issym() and Path(entry.linkname).is_absolute():
        place = Path(entry.name)
        entry.linkname = os.path.relpath(
            os.path.realpath(base / place), os.path.realpath((base / place).parent)
        )
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    return entry
