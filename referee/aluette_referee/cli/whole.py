"""A file that a command writes: as a whole or not at all, and never over the database that it reads."""

import secrets
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from aluette.errors import Misuse

__all__ = ["written_whole"]


@contextmanager
def written_whole(output: Path, database: str) -> Generator[TextIO]:
    """Write beside the file and put it there when all is written; `Misuse` where that cannot be done."""
    if output.is_dir():
        raise Misuse(f"{output} is a folder; give the name of a file")
    if output.exists() and Path(database).exists() and output.samefile(database):
        raise Misuse(f"{output} is the database itself; write into another file")
    beside = output.with_name(f".{output.name}.{secrets.token_hex(4)}")
    try:
        # Not `tempfile`, whose files nobody else may read: a page is there to be shown.
        with beside.open("x", encoding="utf-8") as out:
            try:
                yield out
                out.close()
                beside.replace(output)
            except BaseException:
                beside.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise Misuse(f"{output} cannot be written: {error.strerror}") from None
