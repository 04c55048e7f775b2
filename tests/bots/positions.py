"""Small positions to ask a bot about: a view made from what lies on the table and what is in the hand."""

import random
from collections.abc import Sequence

from aluette import (
    CARDS,
    Ask,
    MatchBegun,
    MatchState,
    Points,
    PublicDeal,
    RuleSet,
    Seat,
    SeenSignal,
    Sign,
    Signal,
    View,
)
from aluette.notation import read_cards, read_results

__all__ = ["seat_at", "view"]


def view(
    hand: str,
    *,
    table: str = "",
    won: str = "",
    asked: Ask = Ask.PLAY,
    seen: Sequence[tuple[Seat, Signal]] = (),
    gone: str = "",
) -> View:
    """N's view after the tricks `won` (letters), with `table` lying there in playing order; N is next.

    `gone` are the cards of the earlier tricks, four for each letter; left out, any that fit are taken.
    """
    held, lying = read_cards(hand), read_cards(table)
    winners = read_results(won)
    leader = Seat.N.after(-len(lying) % 4)
    # The last trick was won by who leads now, so that the position is one that can come about.
    if winners:
        winners = (*winners[:-1], leader)

    spare = [card for card in reversed(CARDS) if card.strength < 8 and card not in (*held, *lying)]
    earlier = read_cards(gone) if gone else tuple(spare[: 4 * len(winners)])
    dealer = leader.right if not winners else Seat.W
    public = PublicDeal(1, dealer, False, (), (*earlier, *lying), winners, Points(0, 0))
    signals = tuple(SeenSignal(Ask.LOOK, 0, seat, Sign(signal)) for seat, signal in seen)
    return View(Seat.N, asked, tuple(sorted(held, key=lambda card: -card.strength)), (), (), signals, public)


def seat_at(bot: type, rules: RuleSet | None = None):
    """A bot that sits at N in a match."""
    made = object.__new__(bot)
    made.match = MatchState(MatchBegun(Seat.N, rules or RuleSet(), 1), random.Random(1))
    made.rng = made.match.rng
    made.__init__()
    return made
