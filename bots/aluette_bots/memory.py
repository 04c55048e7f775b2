"""What a seat can work out from its view: the cards still out, who is known to hold what, and chances.

All chances are estimates that treat the cards out as spread evenly; signals seen are taken at their word.
"""

from typing import Final

import aluette

__all__ = ["Memory"]

CAUTION: Final = 0.4
"""How readily a player after us beats the best card, if it can."""
PARTNER_CAUTION: Final = 0.6


class Memory:
    """Made anew from each view."""

    def __init__(self, view: aluette.View) -> None:
        """Take the view; nothing else is remembered."""
        self._view = view
        gone = {*view.hand, *view.discards, *view.deal.cards}
        self._out = sorted(card.strength for card in aluette.CARDS if card not in gone)
        self._held: dict[aluette.Seat, set[aluette.Card]] = {}
        trusted = view.seen
        for seen in trusted:
            card = seen.signal.card
            if card is not None and card not in gone:
                self._held.setdefault(seen.seat, set()).add(card)
        cards_left = view.deal.tricks_left
        played = {seat for seat, _ in view.trick.plays}
        self._hand_size = {
            seat: cards_left - (seat in played) for seat in aluette.SEATS if seat is not view.seat
        }
        self._yet_to_play = [view.seat.after(step) for step in range(1, 4 - view.position)]

    def above(self, strength: int) -> float:
        """How many cards still out beat `strength`; equal ones count half."""
        return sum(1.0 if out > strength else 0.5 for out in self._out if out >= strength)

    def power(self, card: aluette.Card) -> float:
        """The chance that the card, led or played later, wins a trick."""
        if not self._out:
            return 1.0
        clear = 1 - self.above(card.strength) / len(self._out)
        return clear**3

    def chances(self, card: aluette.Card) -> dict[aluette.Seat | None, float]:
        """Who wins the trick if `card` is played now, with what chance; None for a spoiled one."""
        view = self._view
        plays = [*view.trick.plays, (view.seat, card)]
        strengths = [played.strength for _, played in plays]
        best = max(strengths)
        holder = plays[strengths.index(best)][0] if strengths.count(best) == 1 else None
        chances: dict[aluette.Seat | None, float] = {}
        left = 1.0
        for seat in self._yet_to_play:
            beats = left * self._beats(seat, best, holder)
            chances[seat] = chances.get(seat, 0.0) + beats
            left -= beats
        chances[holder] = chances.get(holder, 0.0) + left
        return chances

    def _beats(self, seat: aluette.Seat, best: int, holder: aluette.Seat | None) -> float:
        """The chance that `seat`, still to play, beats the best card."""
        ours = holder is not None and holder.side is seat.side
        if ours and len(self._yet_to_play) == 1:
            return 0.0
        can = 1.0 if any(card.strength > best for card in self._held.get(seat, ())) else self._can(seat, best)
        willing = 0.2 if ours else (PARTNER_CAUTION if seat is self._view.partner else CAUTION)
        return can * willing

    def _can(self, seat: aluette.Seat, best: int) -> float:
        if not self._out:
            return 0.0
        higher = sum(out > best for out in self._out) / len(self._out)
        return 1 - (1 - higher) ** self._hand_size[seat]
