"""How many matches are played at once, and none while their results are not taken."""

from collections.abc import Mapping
from typing import Final

import trio

__all__ = ["Gate"]


class Gate:
    """How many matches (or blocks) are played at once.

    With a `fixed` number, that many. Else the `least` at first, such as one for each core, doubled while bots answer
    quickly, up to the `most`: quick bots gain from batches, slow ones only get in each other's way. And none begin
    while `most_behind` have ended whose results nobody has taken yet: a slow disk does not cost memory.
    """

    QUICK: Final = 0.005
    MOST: Final = 64

    def __init__(
        self, least: int, fixed: int | None = None, *, most: int = MOST, most_behind: int = 500
    ) -> None:
        """Take how many at least and at most, and the number if it is fixed."""
        self._fixed = fixed
        self._least = least
        self._most = most
        self.tables = fixed or least
        self.closed = False
        self.turned_away = False
        """Whether a match was to be played when it was closed."""
        self._playing = 0
        self._behind = 0
        self._most_behind = most_behind
        self._room = trio.Event()

    async def enter(self) -> bool:
        """Wait for room for one more match; False when no more is to be played."""
        while (self._playing >= self.tables or self._behind >= self._most_behind) and not self.closed:
            if self._room.is_set():
                self._room = trio.Event()
            await self._room.wait()
        if self.closed:
            self.turned_away = True
            return False
        self._playing += 1
        return True

    def close(self) -> None:
        """Let no more in."""
        self.closed = True
        self._room.set()

    def leave(self) -> None:
        """A match is over."""
        self._playing -= 1
        self._behind += 1
        self._room.set()

    def taken(self) -> None:
        """The result of one was taken."""
        self._behind -= 1
        self._room.set()

    def learn(self, timing: Mapping[str, Mapping[str, float]]) -> None:
        """See how long the bots of a match took for their answers."""
        answers = sum(seat["answers"] for seat in timing.values())
        if self._fixed is not None or not answers:
            return
        mean = sum(seat["seconds"] for seat in timing.values()) / answers
        if mean < self.QUICK:
            self.tables = min(self._most, self.tables * 2)
        else:
            self.tables = max(self._least, self.tables // 2)
        self._room.set()
