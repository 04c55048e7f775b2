"""What a deal scores, from who won its nine tricks.

Tricks are counted per *player*, never added between partners. The side of the player with most
tricks scores 1; at equal most, the player who reached that number first. A *mordienne* scores 2.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from aluette.seats import SEATS, Seat, Side

__all__ = ["TRICKS", "DealScore", "Kind", "Points", "is_mordienne", "most_tricks", "score_deal"]

TRICKS: Final = 9


class Kind(StrEnum):
    """How a deal ended."""

    PLAIN = "plain"
    MORDIENNE = "mordienne"
    VOID = "void"
    UNFINISHED = "unfinished"


class DealScore(NamedTuple):
    """A deal's result. `side` and `player` are None, and `points` 0, when nobody scores."""

    side: Side | None
    points: int
    player: Seat | None
    kind: Kind


class Points(NamedTuple):
    """Deal points of both sides."""

    ns: int
    ew: int

    def of(self, side: Side) -> int:
        """The points of one side."""
        return self.ns if side is Side.NS else self.ew

    def plus(self, score: DealScore) -> "Points":
        """The points after another deal."""
        if score.side is None:
            return self
        return (
            Points(self.ns + score.points, self.ew)
            if score.side is Side.NS
            else Points(self.ns, self.ew + score.points)
        )


NOT_FINISHED: Final = DealScore(None, 0, None, Kind.UNFINISHED)


def most_tricks(winners: Sequence[Seat | None]) -> Seat | None:
    """The player with most tricks, at equal most the first to reach that number; None if all are spoiled."""
    counts = dict.fromkeys(SEATS, 0)
    best: Seat | None = None
    for winner in winners:
        if winner is not None:
            counts[winner] += 1
            # Strictly more: a later player who draws level has not passed the first to get there.
            if best is None or counts[winner] > counts[best]:
                best = winner
    return best


def is_mordienne(winners: Sequence[Seat | None], player: Seat) -> bool:
    """Whether all tricks of `player` are one unbroken run that ends with trick nine.

    The run is at least two tricks and at least one trick, anyone's or spoiled, came before it.
    """
    mine = [number for number, winner in enumerate(winners) if winner is player]
    return 2 <= len(mine) < TRICKS and mine == list(range(TRICKS - len(mine), TRICKS))


def score_deal(winners: Sequence[Seat | None], *, mordienne: bool = True) -> DealScore:
    """Score nine tricks, each its winner or None for a spoiled one; fewer tricks are `unfinished`."""
    if len(winners) < TRICKS:
        return NOT_FINISHED
    player = most_tricks(winners)
    if player is None:
        return DealScore(None, 0, None, Kind.VOID)
    if mordienne and is_mordienne(winners, player):
        return DealScore(player.side, 2, player, Kind.MORDIENNE)
    return DealScore(player.side, 1, player, Kind.PLAIN)
