"""A file that a command writes: as a whole or not at all, and never over the database that it reads."""

import os
import secrets
import signal
import stat
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn, TextIO

from aluette.errors import Misuse

__all__ = ["written_whole"]


@contextmanager
def written_whole(output: Path, database: str) -> Generator[TextIO]:
    """Write beside the file and put it there when all is written; `Misuse` where that cannot be done.

    A link is followed; into what is no ordinary file, such as a pipe or a device, is written at once.
    """
    try:
        target = Path(os.path.realpath(output))
        kind = target.stat().st_mode if target.exists() else stat.S_IFREG
        if stat.S_ISDIR(kind):
            raise Misuse(f"{output} is a folder; give the name of a file")
        if not stat.S_ISREG(kind):
            with output.open("w", encoding="utf-8") as out:
                yield out
            return
        if target.exists() and Path(database).exists() and target.samefile(database):
            raise Misuse(f"{output} is the database itself; write into another file")
        # Not `tempfile`, whose files nobody else may read: a page is there to be shown.
        beside = target.with_name(f".{secrets.token_hex(8)}.part")
        with _ended_in_order(), beside.open("x", encoding="utf-8") as out:
            try:
                yield out
                out.close()
                beside.replace(target)
            except BaseException:
                beside.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise Misuse(f"{output} cannot be written: {error.strerror}") from None


@contextmanager
def _ended_in_order() -> Generator[None]:
    """SIGTERM, and a terminal that closes, are as Ctrl-C: nothing half written stays."""

    def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    heard = [
        number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_DFL
    ]
    if threading.current_thread() is not threading.main_thread():
        heard = []
    for number in heard:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, signal.SIG_DFL)
