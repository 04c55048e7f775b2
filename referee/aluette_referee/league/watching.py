"""Spectators: a match as it is played, told a moment later, for as long as somebody looks.

Nothing here touches the play: each spectator looks at the match a few times a second.
"""

from collections import deque
from collections.abc import AsyncGenerator
from typing import Any, Final

import trio

from aluette.rules import Match
from aluette_referee.league.story import Story

__all__ = ["follow"]

_LOOK: Final = 0.2
"""Seconds between two looks."""


async def follow(match: Match, over: trio.Event, delay: float) -> AsyncGenerator[dict[str, Any] | None]:
    """What is told of a match, each no sooner than `delay` seconds after it was seen; None now and then while there is nothing.

    It ends when `over` is set and everything was told.
    """
    story = Story(match)
    waiting: deque[tuple[float, dict[str, Any]]] = deque()
    while True:
        ended, now = over.is_set(), trio.current_time()
        waiting.extend((now + delay, told) for told in story.more())
        while waiting and waiting[0][0] <= now:
            yield waiting.popleft()[1]
        if ended and not waiting:
            return
        yield None
        await trio.sleep(_LOOK)
