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
    """The prospects of both sides as one seat sees them before it plays: `worth` is all it is asked.

    Lists are indexed by seat number, so the first place is unused.
    """

    __slots__ = (
        "_counts", "_done", "_easing", "_expected", "_first", "_held", "_leader", "_left", "_memory", "_mordienne",
        "_power", "_seat", "_streak",
    )  # fmt: skip

    def __init__(self, view: View, memory: Memory, *, mordienne: bool = True) -> None:
        """Take the view and what is known of the cards; the hand must have two cards or more."""
        deal = view.deal
        self._memory = memory
        self._mordienne = mordienne
        self._seat = view.seat
        self._leader = deal.leader
        self._done = len(deal.winners) + 1
        self._left = deal.tricks_left - 1
        self._counts = [deal.winners.count(seat) for seat in range(5)]
        self._first = most_tricks(deal.winners)
        self._streak = 0
        for winner in reversed(deal.winners):
            if winner is not deal.winners[-1]:
                break
            self._streak += 1
        self._easing = 1 + EASING * (self._left - 1)
        self._held = [STRENGTH[card] for card in view.hand]
        self._power = {strength: self._power_of(strength) for strength in self._held}
        self._expected = self._expected_of_others()

    @property
    def hand_power(self) -> float:
        """How many tricks the hand may be expected to win."""
        return sum(self._power[strength] for strength in self._held)

    def worth(self, winner: Seat | None, strength: int) -> float:
        """The deal's worth to our side, about -2 to 2, if `winner` takes this trick and we play `strength`."""
        counts, first = self._counts.copy(), self._first
        if winner is not None:
            counts[winner] += 1
            if first is None or counts[winner] > counts[first]:
                first = winner
        hand = self.hand_power - self._power[strength]
        rest = max(0.0, WON * self._left - hand) / (sum(self._expected) or 1.0)
        expected = [min(float(self._left), rest * tricks) for tricks in self._expected]
        expected[self._seat] = min(float(self._left), hand)
        leader = self._leader if winner is None else winner
        worth = 2 * self._chance(counts, first, expected, leader) - 1
        if not self._mordienne:
            return worth
        worth += MORDIENNE * self._own_run(counts, winner, strength)
        if winner is not None and winner is not self._seat:
            run = MORDIENNE * THEIR_RUN * self._other_run(counts, winner, expected[winner])
            worth += run if winner.side is self._seat.side else -run
        return worth

    # -- what cards are worth --------------------------------------------------------------------

    def _power_of(self, strength: int) -> float:
        """The chance that a card of ours wins one of the tricks to come."""
        memory = self._memory
        better = memory.share * memory.above[strength] + self._shown_above(strength)
        if strength <= LAST_COMMON:
            better += TIED * memory.share * memory.out[strength]
        return exp(-better / self._easing)

    def _power_of_theirs(self, strength: int) -> float:
        """The same of a card that somebody else holds: ours may beat it, and two in three others."""
        memory = self._memory
        better = 0.67 * memory.share * memory.above[strength] + self._shown_above(strength)
        better += sum(held > strength for held in self._held)
        if strength <= LAST_COMMON and memory.out[strength] > 1:
            better += TIED * memory.share * (memory.out[strength] - 1)
        return exp(-better / self._easing)

    def _shown_above(self, strength: int) -> int:
        return sum(shown > strength for held in self._memory.shown for shown in held)

    def _expected_of_others(self) -> list[float]:
        """How many of the tricks to come each other player may win, before they are made to add up."""
        memory = self._memory
        total = sum(
            count * self._power_of_theirs(strength) for strength, count in enumerate(memory.out) if count
        )
        average = total / memory.unseen if memory.unseen else 0.0
        return [
            sum(map(self._power_of_theirs, shown)) + average * min(max(0, self._left - len(shown)), free)
            for shown, free in zip(memory.shown, memory.free, strict=True)
        ]

    # -- who wins the deal -----------------------------------------------------------------------

    def _chance(self, counts: list[int], first: Seat | None, expected: list[float], leader: Seat) -> float:
        """Our chance to win the deal."""
        me, left = self._seat, self._left
        we, they = (me, me.partner), (me.left, me.right)
        ahead = max(counts[seat] for seat in we) - max(counts[seat] for seat in they)
        # At equal most, whoever reached the number first wins: nobody behind can pass any more.
        if first is not None and abs(ahead) >= left:
            if ahead > left or (ahead == left and first in we):
                return 1.0
            if -ahead > left or (-ahead == left and first in they):
                return 0.0
        ours, theirs = (
            sum(exp(COLLECTING * (counts[seat] + expected[seat])) for seat in side) for side in (we, they)
        )
        lead = log(ours / theirs) / COLLECTING
        last = LAST_HAND[0] + LAST_HAND[1] * left
        lead += last if leader in they else -last
        return 1 / (1 + exp(-STEEPNESS * lead / sqrt(left + 1)))

    # -- the mordienne ---------------------------------------------------------------------------

    def _own_run(self, counts: list[int], winner: Seat | None, strength: int) -> float:
        """The chance that all our tricks will be one run to the end, and more than anybody else's."""
        me, left = self._seat, self._left
        others = max(counts[seat] for seat in (me.left, me.partner, me.right))
        run = self._run(counts, winner) if counts[me] else 0
        if (counts[me] and not run) or run + left <= others:
            return 0.0
        held = self._held.copy()
        held.remove(strength)
        wins, best = 1.0, 0.0
        for length, card in enumerate(held, start=1):
            wins *= self._power[card]
            if wins <= best:
                break
            if run:
                best = wins if length == left else 0.0
            elif length > max(others, 1):
                # Ducking until then, while nobody gets as many out of the tricks before.
                spare = length - others - 0.5 * (left - length) - 0.5
                best = max(best, wins / (1 + exp(-2 * spare)))
        return best

    def _other_run(self, counts: list[int], winner: Seat, expected: float) -> float:
        """The chance that `winner`, just begun or gone on with a run, wins all the tricks to come."""
        left = self._left
        others = max(counts[seat] for seat in Seat if seat is not winner)
        run = self._run(counts, winner)
        if not run or run + left <= others:
            return 0.0
        return min(1.0, expected / left) ** (left / 2)

    def _run(self, counts: list[int], winner: Seat | None) -> int:
        """The length of a run that `winner` has now, if it can be a mordienne: all its tricks, and not all."""
        if winner is None:
            return 0
        streak = 1 + (self._streak if self._leader is winner else 0)
        return streak if streak == counts[winner] and streak < self._done else 0
