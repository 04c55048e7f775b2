"""The chant: whether the stock is dealt, to whom, and which discards bring a hand back to nine.

Each seat in turn from the dealer's left says yes or no; the first refusal ends it. If all agree, the
twelve cards of the stock go one at a time, alternately, to the dealer's left and the dealer, and each
discards six of fifteen.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from aluette.cards import STRENGTH, Card
from aluette.errors import IllegalAction
from aluette.rules.ruleset import RuleSet
from aluette.seats import Seat

__all__ = ["DISCARDS", "Vote", "deal_stock", "is_agreed", "is_settled", "verify_discards", "weakest"]

DISCARDS: Final = 6


class Vote(NamedTuple):
    """One seat's answer in the chant."""

    seat: Seat
    yes: bool


def is_settled(votes: Sequence[Vote]) -> bool:
    """Whether the votes so far end the asking: a refusal, or four agreed."""
    return len(votes) == 4 or not votes[-1].yes


def is_agreed(votes: Sequence[Vote]) -> bool:
    """Whether all four agreed."""
    return len(votes) == 4 and votes[-1].yes


def deal_stock(stock: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """What the dealer's left and the dealer receive from a stock of twelve, in the order they get it."""
    return tuple(stock[0::2]), tuple(stock[1::2])


def weakest(hand: Sequence[Card], count: int = DISCARDS) -> tuple[Card, ...]:
    """The `count` weakest cards of a hand, weakest first; equal strengths by card number."""
    return tuple(sorted(hand, key=lambda card: (card.strength, card))[:count])


def verify_discards(rules: RuleSet, hand: Sequence[Card], cards: Sequence[Card]) -> None:
    """Raise `IllegalAction` unless `cards` may be discarded from a `hand` of fifteen."""
    if len(cards) != DISCARDS:
        raise IllegalAction(f"{DISCARDS} cards are to be discarded, not {len(cards)}")
    if len(set(cards)) != len(cards):
        raise IllegalAction("a card is named twice among the discards")
    for card in cards:
        if card not in hand:
            raise IllegalAction(f"{card} cannot be discarded: it is not in the hand")
    if rules.chant_discard == "lowest":
        lowest = sorted(STRENGTH[card] for card in hand)[:DISCARDS]
        if sorted(STRENGTH[card] for card in cards) != lowest:
            raise IllegalAction("only the six weakest cards may be discarded (chant_discard = lowest)")
