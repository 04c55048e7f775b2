"""How a deal stands, and how it would stand if this player took the trick under way.

Tricks count per *player*, so what matters is not how many tricks a side may still win but how many one of
its players may collect. Each player gets the tricks won so far and those still expected: the *power*
of the cards held. A side's prospects are those of its better-placed player; the other one's help a little,
because either may turn out to be the collector. All numbers are estimates, tuned by playing.
"""

from math import exp, log, sqrt
from typing import Final

from aluette import Seat, View
from aluette.cards import STRENGTH
from aluette.rules.scoring import most_tricks
from aluette_bots.memory import LAST_COMMON, Memory

__all__ = ["Outlook"]

EASING: Final = 0.25
"""How much lighter a stronger card still out weighs for each trick to come: it may fall before."""
TIED: Final = 0.5
"""How much an equal card still out weighs, against a stronger one."""
WON: Final = 0.87
"""How many of the tricks to come will be won by somebody, rather than spoiled."""
COLLECTING: Final = 0.3
"""How far a side's better-placed player counts before the other: 0 as much, large alone."""
STEEPNESS: Final = 1.8
"""How surely the side that is ahead in prospects wins the deal."""
LAST_HAND: Final = (0.12, 0.011)
"""What it is worth, in tricks, that the other side leads and ours plays last: now, and for each trick to come."""
MORDIENNE: Final = 1.3
"""What the second point is worth against the first."""
THEIR_RUN: Final = 0.1
"""How much of that a run of somebody else's is feared or hoped for."""


class Outlook:
    """The prospects of both sides as one seat sees them, before it plays a card."""

    __slots__ = ("_counts", "_expected", "_first", "_left", "_mordienne", "_power", "_run", "_seat", "_total", "_view")

    def __init__(self, view: View, memory: Memory, *, mordienne: bool = True) -> None:
        """Take the view and what is known of the cards."""
        deal = view.deal
        self._view = view
        self._seat = view.seat
        self._mordienne = mordienne
        self._left = deal.tricks_left - 1
        self._counts = [deal.winners.count(seat) for seat in range(5)]
        self._first = most_tricks(deal.winners)
