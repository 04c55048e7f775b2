"""Chance at the table: whatever the rules allow, each answer as likely as the next.

All of it comes from `self.rng`, which the referee seeds: the same match is played the same way again.
"""

from collections.abc import Iterable

import aluette
from aluette import Sign, Signal, aces
from aluette.rules.signals import SHOWN_CARD

__all__ = ["Random"]

_CUTS = range(1, 48)
_DISCARDS = 6


class Random(aluette.Bot):
    """Any legal answer, each as likely as the next: cards, votes, discards, cuts and signals."""

    def play(self, view: aluette.View) -> tuple[aluette.Card, Sign | None]:
        """Any card of the hand."""
        return self.rng.choice(view.hand), self._sign(view)

    def look(self, view: aluette.View) -> Sign | None:
        """Any signal that is true of the hand, or none."""
        return self._sign(view)

    def chant(self, view: aluette.View) -> tuple[bool, Sign | None]:
        """Yes or no."""
        return self.rng.random() < 0.5, self._sign(view)

    def discard(self, view: aluette.View) -> tuple[Iterable[aluette.Card], Sign | None]:
        """Any six cards, or any six of the weakest where the rules ask for those."""
        cards = self.rng.sample(view.hand, len(view.hand))
        if self.match.rules.chant_discard == "lowest":
            # The sort keeps the shuffled order among equal strengths, which are free to choose from.
            cards.sort(key=lambda card: card.strength)
        return cards[:_DISCARDS], self._sign(view)

    def cut(self, view: aluette.View) -> int:
        """Anywhere in the pack."""
        del view
        return self.rng.choice(_CUTS)

    def _sign(self, view: aluette.View) -> Sign | None:
        rules = self.match.rules
        accepted = sum(sent.dropped is None for sent in view.sent)
        if not rules.signals or accepted >= rules.signals_per_deal:
            return None
        return self.rng.choice((None, *_signs(view.hand, truthful=rules.truthful)))


def _signs(hand: tuple[aluette.Card, ...], *, truthful: bool) -> list[Sign]:
    """Every signal that may be made with this hand."""
    held = sum(card.rank is aluette.Rank.ACE for card in hand)
    shown = [Sign(signal) for signal, card in SHOWN_CARD.items() if card in hand or not truthful]
    counts = [count for count in range(1, 5) if count == held or not truthful]
    return [*shown, *map(aces, counts), Sign(Signal.USELESS_HAND), Sign(Signal.GOING_FOR_MORDIENNE)]
