"""What formats that go by results are told of a block that was played, and a sum of that."""

from collections.abc import Callable
from typing import NamedTuple

from aluette_referee.contest.schedule import Block

__all__ = ["Lookup", "Score"]


class Score(NamedTuple):
    """Match points of both sides over a block's two legs: a win is 1, a draw a half."""

    one: float = 0.0
    other: float = 0.0

    def plus(self, more: "Score") -> "Score":
        """Both together."""
        return Score(self.one + more.one, self.other + more.other)


Lookup = Callable[[Block], Score | None]
"""The score of a block, None while a leg of it is still to be played."""
