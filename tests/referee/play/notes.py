"""A match in tests of players: it only notes what they say of it."""

import trio

from aluette.events import Event
from aluette.seats import Seat
from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType
from aluette_referee.play.player import Player

__all__ = ["Notes"]


class Notes:
    """A match that only notes what its player says of it, and never ends by itself."""

    def __init__(self, player: Player, *tables: int) -> None:
        self.answers: list[tuple[Seat, int, float | None]] = []
        self.faults: list[tuple[Seat, FaultType, str]] = []
        self.voids: list[str] = []
        self.at: list[float] = []
        self.told: list[Event] = []
        self.forgives = False
        for table, seat in zip(tables, Seat, strict=False):
            player.sit(table, self, seat)

    def answer(self, seat: Seat, move: wire.Move, charged: float | None) -> set[Player]:
        self.answers.append((seat, move.number, charged))
        return set()

    def mends(self, seat: Seat, kind: FaultType) -> bool:
        return self.forgives

    def fault(self, seat: Seat, kind: FaultType, evidence: str, elapsed: float | None = None) -> set[Player]:
        self.faults.append((seat, kind, evidence))
        self.at.append(trio.current_time())
        return set()

    def void(self, why: str) -> set[Player]:
        self.voids.append(why)
        return set()

    def events(self, seat: Seat) -> list[Event]:
        return self.told
