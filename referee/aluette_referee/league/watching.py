"""Spectators: matches as they are played, told a moment later, for as long as somebody looks.

Nothing here touches the play: each spectator looks at the match a few times a second, and is told its `Story` alone.
"""

from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import trio

from aluette.rules import Match
from aluette.seats import Seat
from aluette_referee.league.fixture import LeagueFixture
from aluette_referee.league.story import Story

__all__ = ["Live", "Stage", "TableShown", "follow"]

_LOOK: Final = 0.2
"""Seconds between two looks."""


@dataclass(frozen=True, slots=True)
class Live:
    """A match that is being played: it holds hands, and nothing of it is shown but its story. `over` is set when it has ended."""

    match: Match
    over: trio.Event = field(default_factory=trio.Event)


class TableShown(NamedTuple):
    """A match that is being played, by names of versions."""

    id: str
    rated: bool
    seats: dict[Seat, str]


class Stage:
    """What there is to watch."""

    def __init__(
        self,
        playing: Mapping[str, LeagueFixture],
        live: Mapping[str, Live],
        name_of: Callable[[int], str],
        delay: float,
    ) -> None:
        """Look at these as they change; everything is told `delay` seconds later."""
        self._playing = playing
        self._live = live
        self._name_of = name_of
        self._delay = delay

    def tables(self) -> list[TableShown]:
        """All that is being played, in the order in which it began."""
        return [self._shown(self._playing[name]) for name in self._live if name in self._playing]

    def table(self, name: str) -> TableShown | None:
        """One of them; None when it is over, or there is none."""
        return self._shown(self._playing[name]) if name in self._live and name in self._playing else None

    def follow(self, name: str) -> AsyncGenerator[dict[str, Any] | None] | None:
        """What is told of a match, from its beginning; None when it is over, or there is none."""
        live = self._live.get(name)
        return None if live is None else follow(live, self._delay)

    def _shown(self, fixture: LeagueFixture) -> TableShown:
        seats = {seat: self._name_of(version) for seat, version in fixture.seats.items()}
        return TableShown(fixture.id, fixture.rated, seats)


async def follow(live: Live, delay: float) -> AsyncGenerator[dict[str, Any] | None]:
    """What is told of a match, each no sooner than `delay` seconds after it was seen; None after each look.

    It ends when the match is over and everything was told.
    """
    story = Story(live.match)
    waiting: deque[tuple[float, dict[str, Any]]] = deque()
    while True:
        ended, now = live.over.is_set(), trio.current_time()
        waiting.extend((now + delay, told) for told in story.more())
        while waiting and waiting[0][0] <= now:
            yield waiting.popleft()[1]
        if ended and not waiting:
            return
        yield None
        await trio.sleep(_LOOK)
