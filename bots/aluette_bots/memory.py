"""What a seat can work out from its view: the cards still out, and who has shown which of them.

Only counting: what is out above a card, which named cards a signal has placed, how likely a player holds
something better. What that is worth is `aluette_bots.outlook`'s business.
"""

from collections.abc import Iterable
from typing import Final

from aluette import CARDS, SEATS, Seat, View
from aluette.cards import STRENGTH

__all__ = ["LAST_COMMON", "STRONGEST", "Memory", "cumulated"]

LAST_COMMON: Final = 11
"""The strength of the aces: up to here cards tie, above stand the eight named ones."""
STRONGEST: Final = 19

_PACK: Final = tuple(sum(card.strength == strength for card in CARDS) for strength in range(STRONGEST + 1))


class Memory:
    """The cards as one seat knows them, made anew from each view.

    `out[s]` is how many cards of strength `s` are out and placed nowhere, `shown[seat]` the strengths that
    a player has shown and not played yet; `above[s]` and `shown_above[s]` count those that beat `s`.
    `free[seat]` is how many other cards a player holds, `unseen` how many are out, and `share` how much
    of these lies in hands: the rest is in the stock. Lists by seat leave their first place unused.
    """

    __slots__ = ("above", "free", "out", "share", "shown", "shown_above", "unseen")

    def __init__(self, view: View, *, trusting: bool) -> None:
        """Count. Opponents' signals are believed only if `trusting`, the partner's always."""
        out = list(_PACK)
        for known in (view.hand, view.discards, view.deal.cards):
            for card in known:
                out[STRENGTH[card]] -= 1
        held = _cards_held(view)
        shown: list[list[int]] = [[] for _ in held]
        for seen in view.seen:
            named, seat = seen.signal.card, seen.seat
            if named is None or not (trusting or seat is view.partner):
                continue
            strength = STRENGTH[named]
            # What has been played, or is in the own hand, is placed already, whatever was shown.
            if out[strength] and len(shown[seat]) < held[seat]:
                out[strength] = 0
                shown[seat].append(strength)
        self.out = out
        self.shown = shown
        self.above = cumulated(out)
        placed = [0] * len(out)
        for strengths in shown:
            for strength in strengths:
                placed[strength] += 1
        self.shown_above = cumulated(placed)
        self.free = [cards - len(strengths) for cards, strengths in zip(held, shown, strict=True)]
        in_hands = sum(self.free)
        # After a chant no card that matters is out of play: what the receivers put aside is weak.
        self.unseen = in_hands if view.deal.stock_dealt else sum(out)
        self.share = in_hands / self.unseen if self.unseen else 0.0

    def can_beat(self, seat: Seat, strength: int) -> float:
        """The chance that `seat` can beat `strength`; a card shown counts as one of those still out.

        It is not taken for certain: whoever has shown a great card does not spend it on any trick.
        """
        higher = self.above[strength]
        if any(shown > strength for shown in self.shown[seat]):
            higher += 1
        if not higher:
            return 0.0
        if not self.free[seat]:
            return 1.0 if higher > self.above[strength] else 0.0
        return 1 - max(0.0, 1 - self.free[seat] / self.unseen) ** higher

    def next_above(self, strength: int) -> int:
        """What most likely beats `strength`: not the cheapest card that does, nor the dearest."""
        wanted = 0.35 * self.above[strength]
        passed = 0
        for higher in range(strength + 1, STRONGEST):
            passed += self.out[higher]
            if self.out[higher] and passed >= wanted:
                return higher
        return STRONGEST


def cumulated(counts: Iterable[int]) -> list[int]:
    """For each strength how many are above it, of so many of each."""
    above = [*counts]
    higher = 0
    for strength in range(len(above) - 1, -1, -1):
        here = above[strength]
        above[strength] = higher
        higher += here
    return above


def _cards_held(view: View) -> list[int]:
    """How many cards each other player holds now, by seat number."""
    held = [0] * (len(SEATS) + 1)
    for step in range(1, len(SEATS)):
        # Those before us in this trick have played their card.
        held[view.seat.after(step)] = view.deal.tricks_left - (step >= len(SEATS) - view.position)
    return held
