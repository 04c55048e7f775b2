"""A copy of a database as it is at one moment, while others write into it."""

import os
import sqlite3
import tempfile
from pathlib import Path
from typing import cast

from aluette.errors import Misuse
from aluette_referee.store.database import Database
from aluette_referee.store.errors import plainly

__all__ = ["copy_database"]


def copy_database(database: Database, file: Path) -> None:
    """Copy an SQLite database into a new file, whole or not at all; raises `Misuse`, also for one of PostgreSQL."""
    if database.dialect != "sqlite":
        raise Misuse(
            f"{database.shown} is copied by PostgreSQL's own pg_dump, which is consistent while it is written"
        )
    if file.exists():
        raise Misuse(f"{file} is there already: give the copy another name")
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".new", dir=file.parent)
    except OSError as error:
        raise Misuse(f"{file} cannot be made: {error.strerror}") from None
    os.close(descriptor)
    try:
        with plainly(f"{file} cannot be made"), database.begin() as connection:
            source = cast("sqlite3.Connection", connection.connection.driver_connection)
            copy = sqlite3.connect(name)
            try:
                source.backup(copy)
            finally:
                copy.close()
        os.link(name, file)
    except (OSError, sqlite3.Error) as error:
        raise Misuse(f"{file} cannot be made: {error}") from error
    finally:
        Path(name).unlink(missing_ok=True)
