"""Two worlds that one seat cannot tell apart: a match, and a twin that differs in all that it may not know.

In the twin the cards that the seat never held and nobody played have changed places with each other, the
others and the stock got their cards in another order, what the two receivers of the stock took from it may
be what they held before, the referee cut elsewhere, and the signals that the seat did not see were not
made; who else noticed a signal is decided anew.
"""

import random
from collections.abc import Sequence
from itertools import islice

from referee.report.scenes import fault_record
from rules.play import steps

from aluette.cards import CARDS, Card
from aluette.packs import BlockKey
from aluette.record import Record, record_of
from aluette.rules import Action, Deal, Discard, Match, RuleSet
from aluette.rules.deal import deal_hands
from aluette.seats import SEATS, Seat

__all__ = ["records_of_twins", "twin_of"]


def records_of_twins(
    rules: RuleSet, key: BlockKey, seed: int, seat: Seat, stop: int | None
) -> tuple[Match, Record, Record]:
    """A match of random moves, so many at most, with its record and its twin's, which have one result."""
    rng = random.Random(seed)
    match = Match(rules, key, first_dealer=rng.choice(SEATS))
    moves = list(islice(steps(match, rng), stop))
    twin = twin_of(match, moves, seat, rng)
    if match.over:
        return match, record_of(match), record_of(twin)
    one, other = (fault_record(each, rng.choice(match.asked)) for each in (match, twin))
    other["result"] = one["result"]
    return match, one, other


def twin_of(match: Match, moves: Sequence[tuple[Seat, Action]], seat: Seat, rng: random.Random) -> Match:
    """The twin of the match that these moves made; its rules must allow untrue signals and any discards."""
    luck = _Luck(match, seat, rng)
    twin = Match(match.rules, luck, first_dealer=match.draw.first if match.draw else match.first_dealer)
    seen = {
        (deal.number, made.ask, made.played, made.seat)
        for deal in match.deals
        for made in deal.signals
        if made.seat is seat or (made.dropped is None and (made.seat is seat.partner or seat in made.noticed))
    }
    for mover, made in moves:
        deal = twin.deal
        was_seen = (deal.number, twin.ask, len(deal.played), mover) in seen
        action = made if was_seen else made._replace(sign=None)
        if isinstance(action, Discard):
            other = [luck.renamed[deal.number][card] for card in action.cards]
            action = action._replace(cards=tuple(other if mover is seat else rng.sample(other, 6)))
        twin.do(mover, action)
    return twin


class _Luck:
    def __init__(self, match: Match, seat: Seat, rng: random.Random) -> None:
        self._match, self._seat, self._rng = match, seat, rng
        self.renamed: dict[int, dict[Card, Card]] = {}
        self._packs = {deal.number: self._pack(deal) for deal in match.deals}
        self._cuts = {
            deal.number: rng.randint(1, 47) if deal.rules.cut == "referee" else deal.cut
            for deal in match.deals
        }

    def draw_pack(self) -> tuple[Card, ...]:
        assert self._match.draw is not None
        drawn = self._match.draw.cards
        return (*drawn, *self._rng.sample([card for card in CARDS if card not in drawn], 48 - len(drawn)))

    def pack(self, deal: int) -> tuple[Card, ...]:
        pack, cut = self._packs[deal], self._cuts[deal]
        return (*pack[-cut:], *pack[:-cut])

    def cut(self, deal: int) -> int:
        return self._cuts[deal]

    def notice(self, deal: int, sender: Seat, accepted: int, observer: Seat) -> int:
        # Of the other side's signals only those are made again that the seat noticed.
        return 0 if observer is self._seat else self._rng.choice((0, 9999))

    def _pack(self, deal: Deal) -> tuple[Card, ...]:
        """The pack of a deal as the twin deals it; unshuffled where a player is still to cut it."""
        if not deal.pack:
            return CARDS
        hands, stock = deal_hands(deal.pack, deal.dealer)
        held = {chair: {*hands[chair], *deal.received.get(chair, ())} for chair in SEATS}
        hidden = [card for card in CARDS if card not in held[self._seat] and card not in deal.played]
        renamed = self.renamed[deal.number] = {card: card for card in CARDS}
        renamed.update(zip(hidden, self._rng.sample(hidden, len(hidden)), strict=True))
        pack = list(deal.pack)
        groups = [held[chair] for chair in SEATS if chair is not self._seat]
        for group in [*groups, set(stock).difference(*held.values())]:
            places = [place for place, card in enumerate(deal.pack) if card in group]
            for place, other in zip(places, self._rng.sample(places, len(places)), strict=True):
                pack[place] = renamed[deal.pack[other]]
        return tuple(pack)
