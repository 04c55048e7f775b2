"""Deals of the rulebook for the simulator to be compared with: played at random, with whatever options.

Nothing here asks the simulator anything.
"""

import random
from collections.abc import Iterator
from itertools import product

from aluette.cards import CARDS, STRENGTH, Card
from aluette.packs import BlockKey
from aluette.rules import (
    Ask,
    Chant,
    Deal,
    Discard,
    Match,
    Play,
    RuleSet,
    Sign,
    Signal,
    aces,
    score_deal,
    strongest,
    weakest,
)
from aluette.rules.actions import Action, Look
from aluette.seats import SEATS, Seat, Side

OPTIONS = [
    RuleSet(signals=False, chant=chant, chant_discard=discard, mordienne=mordienne)
    for chant, discard, mordienne in product(("ask", "off", "always"), ("free", "lowest"), (True, False))
]
"""Every rule that the simulator knows, with every value."""


class Pack:
    """The luck of one deal: its pack, as it is dealt after a cut in the middle."""

    def __init__(self, pack: tuple[Card, ...]) -> None:
        self._pack = pack

    def pack(self, deal: int) -> tuple[Card, ...]:
        return (*self._pack[24:], *self._pack[:24])

    def cut(self, deal: int) -> int:
        return 24


def new_deal(rules: RuleSet, rng: random.Random) -> Deal:
    return Deal(rules, 1, rng.choice(SEATS), Pack(tuple(rng.sample(CARDS, len(CARDS)))))


def choose(deal: Deal, rng: random.Random) -> Action:
    """One of the legal actions without a signal; the chant is mostly agreed."""
    hand = deal.hands[deal.asked[0]]
    match deal.phase:
        case Ask.PLAY:
            return Play(hand[int(rng.random() * len(hand))])
        case Ask.CHANT:
            return Chant(rng.random() < 0.9)
        case _:
            six = weakest(hand) if deal.rules.chant_discard == "lowest" else tuple(rng.sample(hand, 6))
            return Discard(six)


def played_to(deal: Deal, cards: int, rng: random.Random) -> Deal:
    """The deal with so many cards played."""
    while deal.phase is not None and len(deal.played) < cards:
        deal.do(deal.asked[0], choose(deal, rng))
    return deal


def ending(rules: RuleSet, left: int, rng: random.Random) -> Deal:
    """A deal with so many cards left to play."""
    return played_to(new_deal(rules, rng), 36 - left, rng)


def minimax(deal: Deal) -> tuple[int, tuple[int, ...]]:
    """The outcome for NS minus EW with open hands, and all strengths that bring it about: by trying everything."""
    known: dict[tuple[object, ...], int] = {}

    def value(hands: tuple[tuple[Card, ...], ...], trick: tuple[Card, ...], leader: Seat, winners) -> int:
        if len(winners) == 9:
            score = score_deal(winners, mordienne=deal.rules.mordienne)
            return score.points if score.side is Side.NS else -score.points
        key = (hands, trick, leader, winners)
        if key not in known:
            side = leader.after(len(trick)).side
            known[key] = (max if side is Side.NS else min)(after(*key).values())
        return known[key]

    def after(hands, trick, leader, winners) -> dict[int, int]:
        """The outcome after each card; one card of each strength stands for all of them."""
        seat = leader.after(len(trick))
        found: dict[int, int] = {}
        for card in hands[seat - 1]:
            if STRENGTH[card] not in found:
                rest = list(hands)
                rest[seat - 1] = tuple(other for other in rest[seat - 1] if other is not card)
                table = (*trick, card)
                if len(table) < 4:
                    found[STRENGTH[card]] = value(tuple(rest), table, leader, winners)
                    continue
                place = strongest(table)
                winner = None if place is None else leader.after(place)
                found[STRENGTH[card]] = value(tuple(rest), (), winner or leader, (*winners, winner))
        return found

    hands = tuple(tuple(deal.hands[seat]) for seat in SEATS)
    trick = tuple(deal.played[4 * len(deal.winners) :])
    options = after(hands, trick, deal.leaders[-1], tuple(deal.winners))
    best = (max if deal.asked[0].side is Side.NS else min)(options.values())
    return best, tuple(sorted((strength for strength in options if options[strength] == best), reverse=True))


def true_signs(hand: list[Card]) -> list[Sign]:
    """Whatever such a hand may truly say of its cards."""
    signs = [Sign(signal) for signal in Signal if signal.card in hand]
    held = sum(STRENGTH[card] == 11 for card in hand)
    return [*signs, aces(held), aces(held)] if held else signs


def signalled_match(rules: RuleSet, rng: random.Random) -> Iterator[Match]:
    """A match of random play in which true signals are made with many answers, at every point of it."""
    match = Match(rules, BlockKey(rng.randbytes(32)), first_dealer=rng.choice(SEATS))
    while not match.over:
        yield match
        seat = match.asked[0]
        signs = true_signs(match.deal.hands[seat])
        sign = rng.choice(signs) if signs and rng.random() < 0.4 else None
        action = Look() if match.ask is Ask.LOOK else choose(match.deal, rng)
        match.do(seat, action._replace(sign=sign))
