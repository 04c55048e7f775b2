"""Holds turns back until the next tick, so that how long a partner thought says little to who plays next."""

import math
from typing import NamedTuple

import trio

from aluette.codec import Written
from aluette.session import Turn
from aluette_referee.play.player import Player

__all__ = ["Pacer"]


class _Held(NamedTuple):
    over: trio.Event
    player: Player
    turn: Turn | Written
    limit: float


class Pacer:
    """One for all tables of a run: their turns go out together, every so many seconds."""

    def __init__(self, seconds: float) -> None:
        """Nothing is held before `run` runs."""
        self._seconds = seconds
        self._held: list[_Held] = []
        self._something = trio.Event()

    def hold(self, over: trio.Event, player: Player, turn: Turn | Written, limit: float) -> None:
        """Ask at the next tick, unless the match is `over` by then."""
        self._held.append(_Held(over, player, turn, limit))
        self._something.set()

    async def run(self) -> None:
        """Release what is held, tick by tick; runs until it is cancelled."""
        began = trio.current_time()
        while True:
            await self._something.wait()
            ticks = math.floor((trio.current_time() - began) / self._seconds) + 1
            await trio.sleep_until(began + ticks * self._seconds)
            held, self._held, self._something = self._held, [], trio.Event()
            players: set[Player] = set()
            for over, player, turn, limit in held:
                if not over.is_set():
                    player.ask(turn, limit)
                    players.add(player)
            for player in players:
                player.flush()
