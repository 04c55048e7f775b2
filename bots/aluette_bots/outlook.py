"""How a deal stands, and how it would stand if this player took the trick under way.

Tricks count per *player*, so what matters is not how many tricks a side may still win but how many one of
its players may collect. Each player is given the tricks won so far and those still expected, by the
*power* of the cards held. The better-placed partner counts most, the other less, because either may turn
out to be the collector. All numbers here are estimates, tuned by playing some millions of deals.
"""

from math import exp, log, sqrt
from typing import Final, NamedTuple

from aluette import SEATS, Seat, View
from aluette.cards import STRENGTH
from aluette_bots.memory import LAST_COMMON, STRONGEST, Memory, cumulated

__all__ = ["Outlook"]

EASING: Final = 0.3
"""How much lighter a stronger card still out weighs for each trick to come: it may fall before."""
TIED: Final = 0.4
"""How much an equal card still out weighs, against a stronger one."""
OTHERS: Final = 2 / 3
"""How many of the cards out are in other hands than a given one."""
WON: Final = 0.85
"""How many of the tricks to come will be won by somebody, rather than spoiled."""
COLLECTING: Final = 0.3
"""How far a side's better-placed player counts before the other: 0 as much, large alone."""
STEEPNESS: Final = 1.8
"""How surely the side that is ahead in prospects wins the deal."""
LAST_HAND: Final = (0.12, 0.01)
"""What it is worth, in tricks, that the other side leads and ours plays last: now, and for each trick to come."""
MORDIENNE: Final = 1.4
"""What the second point is worth against the first."""
SPREAD: Final = 0.4
"""How many of the tricks before our run the best of the others may be expected to get."""
THEIR_RUN: Final = 0.1
"""How much of that a run of somebody else's is feared or hoped for."""


class _After(NamedTuple):
    """The deal after this trick, as far as it is the same whichever card we play for it."""

    counts: list[int]
    settled: float | None
    """1 or 0 if the deal can no longer be lost or won, else None."""
    last_hand: float
    """What it is worth, in tricks, who leads next."""
    run: int
    """The tricks of a run of the winner that may yet be a mordienne."""


class Outlook:
    """The prospects of both sides as one seat sees them before it plays: `worth` is all it is asked.

    Lists are indexed by seat number, so the first place is unused.
    """

    __slots__ = (
        "_after", "_counts", "_deal", "_easing", "_expected", "_held", "_leader", "_left", "_memory", "_mordienne",
        "_others", "_power", "_seat", "_steepness", "hand_power",
    )  # fmt: skip

    def __init__(self, view: View, memory: Memory, *, mordienne: bool = True) -> None:
        """Take the view and what is known of the cards."""
        self._memory = memory
        self._mordienne = mordienne
        self._seat = view.seat
        self._deal = view.deal
        self._leader = view.deal.leader
        self._left = view.deal.tricks_left - 1
        self._counts = [view.deal.winners.count(seat) for seat in range(5)]
        self._steepness = STEEPNESS / sqrt(self._left + 1)
        self._easing = 1 + EASING * (self._left - 1)
        self._held = [STRENGTH[card] for card in view.hand]
        self._power = {strength: self._power_of(strength) for strength in self._held}
        self.hand_power = sum([self._power[strength] for strength in self._held])
        """How many tricks the hand may be expected to win."""
        self._expected = self._expected_of_others()
        self._others = sum(self._expected) or 1.0
        self._after: dict[Seat | None, _After] = {}

    def worth(self, winner: Seat | None, strength: int) -> float:
        """The deal's worth to our side, about -2 to 2, if `winner` takes this trick and we play `strength`."""
        after = self._after.get(winner)
        if after is None:
            after = self._after[winner] = self._deal_after(winner)
        hand = self.hand_power - self._power[strength]
        # What we do not expect to win ourselves is for the others.
        share = max(0.0, WON * self._left - hand) / self._others
        worth = 2 * self._chance(after, hand, share) - 1
        if self._mordienne:
            worth += MORDIENNE * self._own_run(after, winner, strength)
            if after.run and winner is not None and winner is not self._seat:
                chance = min(1.0, share * self._expected[winner] / self._left) ** (self._left / 2)
                ours = winner is self._seat.partner
                worth += MORDIENNE * THEIR_RUN * (chance if ours else -chance)
        return worth

    # -- what cards are worth --------------------------------------------------------------------

    def _power_of(self, strength: int) -> float:
        """The chance that a card of ours wins one of the tricks to come."""
        memory = self._memory
        better = memory.share * memory.above[strength] + memory.shown_above[strength]
        if strength <= LAST_COMMON:
            better += TIED * memory.share * memory.out[strength]
        return exp(-better / self._easing)

    def _expected_of_others(self) -> list[float]:
        """How many of the tricks to come each other player may win, before all of them are made to add up."""
        memory = self._memory
        held = [0] * (STRONGEST + 1)
        for strength in self._held:
            held[strength] += 1
        ours_above = cumulated(held)

        def power(strength: int) -> float:
            """As `_power_of`, of a card in another hand: ours may beat it, and two in three of those out."""
            better = OTHERS * memory.share * memory.above[strength]
            better += memory.shown_above[strength] + ours_above[strength]
            if strength <= LAST_COMMON:
                better += TIED * memory.share * (memory.out[strength] - 1)
            return exp(-better / self._easing)

        total = sum([count * power(strength) for strength, count in enumerate(memory.out) if count])
        average = total / memory.unseen if memory.unseen else 0.0
        return [
            sum(map(power, shown)) + average * min(max(0, self._left - len(shown)), free)
            for shown, free in zip(memory.shown, memory.free, strict=True)
        ]

    # -- who wins the deal -----------------------------------------------------------------------

    def _deal_after(self, winner: Seat | None) -> _After:
        me, left = self._seat, self._left
        counts = self._counts.copy()
        if winner is not None:
            counts[winner] += 1
        ours = max(counts[me], counts[me.partner])
        theirs = max(counts[me.left], counts[me.right])
        # Behind by all that is left is too late: at equal most, whoever reached the number first wins.
        settled = None if abs(ours - theirs) < left else float(ours > theirs)
        leader = self._leader if winner is None else winner
        last_hand = LAST_HAND[0] + LAST_HAND[1] * left
        return _After(
            counts,
            settled,
            last_hand if leader.side is not me.side else -last_hand,
            self._run(counts, winner),
        )

    def _chance(self, after: _After, hand: float, share: float) -> float:
        """Our chance to win the deal."""
        if after.settled is not None:
            return after.settled
        me, left, counts, expected = self._seat, self._left, after.counts, self._expected
        partner, one, other = me.partner, me.left, me.right
        ours = exp(COLLECTING * (counts[me] + min(left, hand)))
        ours += exp(COLLECTING * (counts[partner] + min(left, share * expected[partner])))
        theirs = exp(COLLECTING * (counts[one] + min(left, share * expected[one])))
        theirs += exp(COLLECTING * (counts[other] + min(left, share * expected[other])))
        ahead = log(ours / theirs) / COLLECTING + after.last_hand
        return 1 / (1 + exp(-self._steepness * ahead))

    # -- the mordienne ---------------------------------------------------------------------------

    def _run(self, counts: list[int], winner: Seat | None) -> int:
        """The length of a run of `winner` that can be a mordienne: all its tricks, but not all nine."""
        if winner is None:
            return 0
        run = 1
        for earlier in reversed(self._deal.winners):
            if earlier is not winner:
                break
            run += 1
        enough = run + self._left > max([counts[seat] for seat in SEATS if seat is not winner])
        return run if run == counts[winner] and run <= len(self._deal.winners) and enough else 0

    def _own_run(self, after: _After, winner: Seat | None, strength: int) -> float:
        """The chance that all our tricks are one run to the end, and more than anybody else's."""
        me, left, counts = self._seat, self._left, after.counts
        wins = 1.0
        if counts[me]:
            if winner is not me or not after.run:
                return 0.0
            for card in self._held:
                wins *= self._power[card]
            return wins / self._power[strength]
        others = max(counts[me.left], counts[me.partner], counts[me.right])
        best = 0.0
        length = 0
        skipped = False
        for card in self._held:
            if card == strength and not skipped:
                skipped = True
                continue
            length += 1
            wins *= self._power[card]
            if wins <= best:
                break
            if length > max(others, 1):
                # We duck until then, and nobody may get as many of the tricks before.
                spare = length - others - SPREAD * (left - length) - 0.5
                best = max(best, wins / (1 + exp(-2.5 * spare)))
        return best
