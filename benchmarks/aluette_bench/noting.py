"""A runner that is looked over its shoulder: each answer of a bot is noted before the referee takes it in."""

from collections.abc import Callable, Mapping

from aluette.rules import Match
from aluette.seats import Seat
from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.play.game import LiveGame
from aluette_referee.play.player import Player
from aluette_referee.play.pool import Pool
from aluette_referee.play.runner import Chair, MatchPlan, Runner

__all__ = ["NotingRunner"]

Note = Callable[[wire.Move, float | None], object]
"""What is told of each answer: the move, and the seconds it is charged (None where nobody asked)."""


class NotingRunner(Runner):
    """A runner whose games tell `note` of each answer."""

    def __init__(self, pool: Pool, limits: Limits, note: Note) -> None:
        super().__init__(pool, limits)
        self._note = note

    def _game(
        self, plan: MatchPlan, match: Match, chairs: Mapping[Seat, Chair], players: Mapping[Seat, Player]
    ) -> LiveGame:
        game = super()._game(plan, match, chairs, players)
        game.__class__ = _NotingGame
        game.note = self._note  # type: ignore[attr-defined]
        return game


class _NotingGame(LiveGame):
    note: Note

    def answer(self, seat: Seat, move: wire.Move, charged: float | None) -> set[Player]:
        self.note(move, charged)
        return super().answer(seat, move, charged)
