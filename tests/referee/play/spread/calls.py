"""Functions that tests have called elsewhere."""

import os
import time
from pathlib import Path

from referee.play.proc import until

__all__ = ["die", "fail", "hang", "leave", "note", "shout", "who"]


def shout(data: bytes) -> bytes:
    return data.upper()


def who(_: bytes) -> bytes:
    return str(os.getpid()).encode()


def fail(data: bytes) -> bytes:
    raise ValueError(data.decode())


def die(_: bytes) -> bytes:
    os._exit(3)


def hang(_: bytes) -> bytes:
    while True:
        time.sleep(60)


def note(folder: bytes) -> bytes:
    """Note down that it was called, and wait until it may end."""
    place = Path(folder.decode())
    with (place / "notes").open("a") as notes:
        notes.write("called\n")
    until((place / "go").exists)
    return b"done"


def leave(_: bytes) -> bytes:
    raise SystemExit
