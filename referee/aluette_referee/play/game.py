"""A match being played live: a table, and the player on each of its four seats.

A bug of ours in a match voids that match: no bot pays for it, and no other match.
"""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import trio

from aluette.codec import Malformed, read_move
from aluette.events import Event
from aluette.seats import Seat
from aluette.v1 import referee_pb2 as wire
from aluette_referee.faults import FaultType
from aluette_referee.play.output import Log
from aluette_referee.play.pacer import Pacer
from aluette_referee.play.player import Player
from aluette_referee.table import Asked, Effect, Outcome, Table, Told

__all__ = ["LiveGame"]


@dataclass(slots=True)
class _Times:
    """How long a seat's answers took."""

    answers: int = 0
    seconds: float = 0.0
    longest: float = 0.0


class LiveGame:
    """Carries a table's effects out. `over` is set when `outcome` is there."""

    def __init__(
        self,
        table: Table,
        players: Mapping[Seat, Player],
        handles: Mapping[Seat, int],
        pacer: Pacer | None = None,
    ) -> None:
        """Seat the players; nothing is sent before `begin`."""
        self._table = table
        self._players = dict(players)
        self._handles = dict(handles)
        self._pacer = pacer
        self._times = {seat: _Times() for seat in self._players}
        self.dropped = dict.fromkeys(self._players, 0)
        """How many answers of each seat nobody had asked for."""
        self.over = trio.Event()
        self.outcome = Outcome(None)
        self.why_void = ""
        for seat, player in self._players.items():
            player.sit(self._handles[seat], self, seat)

    def begin(self) -> None:
        """Begin the match."""
        for player in self._carry_out(self._table.begin()):
            player.flush()

    def timing(self) -> dict[str, dict[str, Any]]:
        """For each seat: answers, seconds spent in all, seconds of the longest, answers that were dropped."""
        return {
            seat.name: {
                "answers": times.answers,
                "seconds": round(times.seconds, 6),
                "longest": round(times.longest, 6),
                "dropped": self.dropped[seat],
            }
            for seat, times in sorted(self._times.items())
        }

    def logs(self) -> dict[Seat, Log]:
        """What the processes printed for this match, and of their own meanwhile; to be asked for once."""
        taken = {seat: player.take_log(self._handles[seat]) for seat, player in self._players.items()}
        return {seat: log for seat, log in taken.items() if any(log)}

    # -- player.Game -----------------------------------------------------------------------------------

    def answer(self, seat: Seat, move: wire.Move, charged: float | None) -> set[Player]:
        """A seat answered; `charged` is what its clock says, None for an answer that nobody asked for."""
        try:
            return self._carry_out(self._answered(seat, move, charged))
        except Exception as bug:  # noqa: BLE001 - whatever it is, it is ours
            return self._broken(bug)

    def _answered(self, seat: Seat, move: wire.Move, charged: float | None) -> list[Effect]:
        if charged is None:
            self.dropped[seat] += 1
            dropped = f"dropped: an answer to turn {move.number}, which is not open"
            self._players[seat].note(self._handles[seat], dropped)
            return self._table.drop(seat)
        times = self._times[seat]
        times.answers += 1
        times.seconds += charged
        if charged > times.longest:  # noqa: PLR1730 - a call to max costs more
            times.longest = charged
        try:
            reply = read_move(move, self._table.asks)
        except Malformed as error:
            return self._table.fault(seat, FaultType.MALFORMED, str(error), charged)
        return self._table.answer(seat, move.number, reply, charged)

    def mends(self, seat: Seat, kind: FaultType) -> bool:
        """Whether the match would go on after such a fault of the seat at its open turn."""
        return self._table.mends(seat, kind)

    def fault(self, seat: Seat, kind: FaultType, evidence: str, elapsed: float | None = None) -> set[Player]:
        """A seat is at fault, after so many seconds of its open turn."""
        return self._carry_out(self._table.fault(seat, kind, evidence, elapsed))

    def void(self, why: str) -> set[Player]:
        """The match counts for nobody."""
        self.why_void = why
        return self._carry_out(self._table.void())

    def events(self, seat: Seat) -> list[Event]:
        """All that a seat was told so far."""
        return self._table.events(seat)

    def _broken(self, bug: Exception) -> set[Player]:
        """The traceback is for us, on stderr; the match is played again."""
        traceback.print_exception(bug)
        return self.void(f"an error of the referee's own: {bug!r}")

    def _carry_out(self, effects: list[Effect]) -> set[Player]:
        touched: set[Player] = set()
        for effect in effects:
            if isinstance(effect, Asked):
                seat, turn, limit = effect
                player = self._players[seat]
                if self._pacer is None:
                    player.ask(turn, limit)
                else:
                    self._pacer.hold(self.over, player, turn, limit)
            elif isinstance(effect, Told):
                seat, event = effect
                player = self._players[seat]
                player.tell(self._handles[seat], event)
            else:
                self.outcome = effect.outcome
                for seat, player in self._players.items():
                    player.leave(self._handles[seat])
                self.over.set()
                continue
            touched.add(player)
        return touched
