"""Which posts may have a live process, when not all can at once.

A match holds all its posts or none, in the order of asking, so that two never wait for each other. What no match
holds is idle, and gives way to others: least recently used first. Nothing is started or ended here.
"""

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

import trio

__all__ = ["Places"]

P = TypeVar("P")


class Places(Generic[P]):
    """So many places for posts `P`; `vacate` ends the process of a post that gives way."""

    def __init__(self, places: int, vacate: Callable[[P], Awaitable[None]]) -> None:
        """All are free."""
        self._places = places
        self._vacate = vacate
        self._held: Counter[P] = Counter()
        self._idle: dict[P, None] = {}  # in the order of their last use
        self._queue = trio.Lock()
        self._freed = trio.Event()

    @asynccontextmanager
    async def hold(self, posts: Collection[P]) -> AsyncGenerator[None]:
        """Hold places for all these posts while the block runs."""
        async with self._queue:
            while len(self._held.keys() | set(posts)) > self._places:
                self._freed = trio.Event()
                await self._freed.wait()
            self._held.update(posts)
            for post in posts:
                self._idle.pop(post, None)
            while self._idle and len(self._held) + len(self._idle) > self._places:
                oldest = next(iter(self._idle))
                del self._idle[oldest]
                await self._vacate(oldest)
        try:
            yield
        finally:
            for post in posts:
                self._held[post] -= 1
                if not self._held[post]:
                    del self._held[post]
                    self._idle[post] = None
            self._freed.set()
