"""What a bot has to say, between the thread that thinks and the one that sends.

Whatever answers are ready when the sender comes by go out in one message, so quick answers share a message and a slow
one never holds back those before it.
"""

import threading
from collections import deque
from queue import SimpleQueue
from typing import Final

from aluette.codec import write_moves

__all__ = ["MOST_MOVES", "Outbox"]

MOST_MOVES: Final = 100
"""In one message: with a traceback in each it stays below the 4 MB that a gRPC server takes."""


class Outbox:
    """The iterator that gRPC's sending thread reads: `Hello`, then `Moves` with all that is ready.

    No lock is held: an answer is put in one step, and the sender is woken by the first that it may not
    have seen. It takes until nothing is left, so whoever finds others waiting need not wake it.
    """

    def __init__(self, hello: bytes) -> None:
        """Take the first message."""
        self._hello: bytes | None = hello
        self._moves: deque[bytes] = deque()
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._taken = threading.Event()
        self.closed = False

    def put(self, move: bytes) -> None:
        """An answer is ready."""
        self._moves.append(move)
        if len(self._moves) == 1:
            self._wake.put(None)

    def hand_over(self) -> None:
        """Wait until the sending thread has taken what is there."""
        self._taken.clear()
        if self._moves and not self.closed:
            self._taken.wait(1.0)

    def close(self) -> None:
        """Nobody takes answers any more."""
        self.closed = True
        self._wake.put(None)
        self._taken.set()

    def __iter__(self) -> "Outbox":
        return self

    def __next__(self) -> bytes:
        if (hello := self._hello) is not None:
            self._hello = None
            return hello
        while not self._moves:
            if self.closed:
                raise StopIteration
            self._wake.get()
        moves: list[bytes] = []
        while self._moves and len(moves) < MOST_MOVES:
            moves.append(self._moves.popleft())
        if not self._moves:
            self._taken.set()
        return write_moves(moves)
