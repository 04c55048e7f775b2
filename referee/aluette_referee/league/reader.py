"""Questions to the database, from threads, a few at a time; each over a connection of its own that only reads."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import sqlalchemy as sa
import trio

from aluette.errors import Misuse
from aluette_referee.league.schema import LEAGUE
from aluette_referee.store.database import Database, open_for_reading

__all__ = ["Reader"]

T = TypeVar("T")
_SECONDS: Final = 10.0
"""For an answer; then it is given up."""


class Reader:
    """Connections are opened when they are needed, kept, and opened anew when they broke."""

    def __init__(self, place: str | Path, at_once: int) -> None:
        """So many questions at once."""
        self.place = str(place)
        self._idle: list[Database] = []
        self._threads = trio.CapacityLimiter(at_once)

    async def ask(self, question: Callable[[sa.Connection], T]) -> T:
        """The answer, within one transaction; raises `Misuse` when the database cannot be reached, or does not answer."""

        def answer() -> T:
            database = self._idle.pop() if self._idle else open_for_reading(self.place, LEAGUE)
            try:
                with database.begin() as connection:
                    found = question(connection)
            except BaseException:
                database.close()
                raise
            self._idle.append(database)
            return found

        try:
            with trio.fail_after(_SECONDS):
                return await trio.to_thread.run_sync(answer, limiter=self._threads, abandon_on_cancel=True)
        except trio.TooSlowError:
            raise Misuse(f"the database has not answered for {_SECONDS:g} s") from None

    def close(self) -> None:
        """Close what is open; nobody asks any more."""
        while self._idle:
            self._idle.pop().close()
