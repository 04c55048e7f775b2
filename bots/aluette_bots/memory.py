"""What a seat can work out from its view: the cards still out, and who has shown which of them.

Only counting: what is out above a card, which named cards a signal has placed, how likely a player holds
something better. What that is worth is `aluette_bots.outlook`'s business.
"""

from typing import Final

from aluette import CARDS, SEATS, Seat, View
from aluette.cards import STRENGTH

__all__ = ["LAST_COMMON", "Memory"]

LAST_COMMON: Final = 11
"""The strength of the aces: up to here cards tie, above stand the eight named ones."""

_STRONGEST: Final = 19
_PACK: Final = tuple(sum(card.strength == strength for card in CARDS) for strength in range(_STRONGEST + 1))


class Memory:
    """The cards as one seat knows them, made anew from each view.

    `out[s]` is how many cards of strength `s` are out and placed nowhere, `above[s]` how many such cards
    beat `s`, `shown[seat]` the strengths that a player has shown and not played yet. `free[seat]` counts
    its other cards, and `share` is how much of what is out lies in hands: the rest is in the stock.
    """

    __slots__ = ("above", "free", "out", "share", "shown", "unseen")

    def __init__(self, view: View, *, trusting: bool) -> None:
        """Count. Opponents' signals are believed only if `trusting`, the partner's always."""
        out = list(_PACK)
        for card in (*view.hand, *view.discards, *view.deal.cards):
            out[STRENGTH[card]] -= 1
        held = _cards_held(view)
        shown: list[list[int]] = [[] for _ in range(len(SEATS) + 1)]
        for seen in view.seen:
            card, seat = seen.signal.card, seen.seat
            if card is None or not (trusting or seat is view.partner):
                continue
            strength = STRENGTH[card]
            # A card that is played, or in the own hand, is placed already, whatever was shown.
            if out[strength] and len(shown[seat]) < held[seat]:
                out[strength] = 0
                shown[seat].append(strength)
        self.out = out
        self.shown = shown
        self.free = [cards - len(placed) for cards, placed in zip(held, shown, strict=True)]
        in_hands = sum(self.free)
        # After a chant no card that matters is out of play: the six put aside are the weakest.
        self.unseen = in_hands if view.deal.stock_dealt else sum(out)
        self.share = in_hands / self.unseen if self.unseen else 0.0
        above = [0] * (_STRONGEST + 1)
        for strength in range(_STRONGEST - 1, -1, -1):
            above[strength] = above[strength + 1] + out[strength + 1]
        self.above = above

    def can_beat(self, seat: Seat, strength: int) -> float:
        """The chance that `seat` holds a card that beats `strength`."""
        higher = self.above[strength] + any(shown > strength for shown in self.shown[seat])
        if not higher or not self.free[seat]:
            return 1.0 if higher > self.above[strength] else 0.0
        return 1 - (1 - min(1.0, self.free[seat] / self.unseen)) ** higher

    def next_above(self, strength: int) -> int:
        """The strength of the card that most likely beats `strength`: not the cheapest, nor the dearest."""
        wanted = 0.35 * self.above[strength]
        passed = 0
        for higher in range(strength + 1, _STRONGEST + 1):
            passed += self.out[higher]
            if self.out[higher] and passed >= wanted:
                return higher
        return _STRONGEST


def _cards_held(view: View) -> list[int]:
    """How many cards each other player holds now, by seat number."""
    held = [0] * (len(SEATS) + 1)
    for step in range(1, len(SEATS)):
        seat = view.seat.after(step)
        # Of the others, those before us in this trick have played.
        held[seat] = view.deal.tricks_left - (step >= len(SEATS) - view.position)
    return held
