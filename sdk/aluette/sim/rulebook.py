"""From the rulebook to the simulator and back, so that each can be tested against the other.

The simulator knows strengths, the rulebook cards: on the way back every strength is given cards in the order of their
numbers. Of a receiver's fifteen cards the simulator forgets which nine came first, so they are given as they come.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from aluette.cards import CARDS, STRENGTH, Card
from aluette.errors import Misuse
from aluette.rules.actions import Ask, Chant, Discard, Play
from aluette.rules.deal import Deal, cut_pack
from aluette.seats import SEATS, Seat
from aluette.sim import state
from aluette.sim.arguments import items, require
from aluette.sim.deals import Deals, played_row
from aluette.sim.kernel import Ints, run, zeros

__all__ = ["KnownPack", "from_rulebook", "to_rulebook"]


def from_rulebook(deals: Sequence[Deal]) -> Deals:
    """Deals of the rulebook, all under the rules of the first, each at its chant, discards or play, or over.

    Raises `Misuse` for a deal that awaits the cut or a look, or is of other rules; no deals at all are refused too.
    """
    if not (deals := items("deals", deals, "deals of the rulebook")):
        raise Misuse("there is no deal to take the rules from")
    for deal in deals:
        require("one of deals", deal, Deal, "a Deal of the rulebook")
    rules = deals[0].rules
    rows = zeros(len(deals) * state.ROW)
    for index, deal in enumerate(deals):
        if deal.rules != rules:
            raise Misuse("these deals are of different rules: take them apart")
        if deal.phase in (Ask.CUT, Ask.LOOK):
            raise Misuse(f"deal {index} of these awaits the {deal.phase}, which the simulator does not have")
        run(state.copy, _row_of(deal), 0, rows, index * state.ROW, state.ROW)
    return Deals(rows, rules)


def _row_of(deal: Deal) -> Ints:
    agreed = sum(vote.yes for vote in deal.votes)
    row = played_row(deal.rules, deal.dealer, agreed, [STRENGTH[card] for card in deal.played])
    for seat in SEATS:
        hand, discards = deal.hands[seat], deal.discards.get(seat, ())
        row[state.SIZE + seat - 1] = len(hand)
        for slot, card in enumerate(hand):
            row[state.HANDS + 15 * (seat - 1) + slot] = STRENGTH[card]
        for slot, card in enumerate(discards):
            row[state.DISCARDS + 6 * (seat - 1) + slot] = STRENGTH[card]
    for slot, card in enumerate(() if deal.received else deal.stock):
        row[state.STOCK + slot] = STRENGTH[card]
    row[state.PHASE] = deal.phase or 0
    if deal.asked:
        row[state.TURN] = deal.asked[0] - 1
    return row


def to_rulebook(deals: Deals, index: int) -> Deal:
    """One of the deals as the rulebook would have it, under the same rules without signals.

    Of discards that are half made, the rulebook knows nothing yet.
    """
    require("deals", deals, Deals, "the Deals that one is taken of")
    at = deals.place(index)
    row = [int(deals.rows[at + place]) for place in range(state.ROW)]
    dealer = SEATS[row[state.DEALER]]
    dealt = row[state.ASKING] == 2 or row[state.VOTES] == 4
    # A hand as it was at first, by what has become of its cards: in hand, put aside, played.
    held: dict[Seat, list[Card]] = {}
    aside: dict[Seat, list[Card]] = {}
    played: dict[Seat, list[Card]] = {seat: [] for seat in SEATS}
    left = {strength: [card for card in CARDS if STRENGTH[card] == strength] for strength in range(1, 20)}

    def take(start: int, size: int) -> list[Card]:
        return [left[strength].pop() for strength in row[start : start + size] if strength]

    for seat in SEATS:
        held[seat] = take(state.HANDS + 15 * (seat - 1), 15)
        aside[seat] = take(state.DISCARDS + 6 * (seat - 1), 6)
    order = take(state.PLAYED, 36)
    for card, seat in zip(order, _players(row), strict=False):
        played[seat].append(card)
    stock = take(state.STOCK, 12)
    pack: list[Card] = [Card.D3] * len(CARDS)
    for place in range(4):
        seat = dealer.after(place + 1)
        cards = [*held[seat], *aside[seat], *played[seat]]
        for number in range(9):
            pack[12 * (number // 3) + 3 * place + number % 3] = cards[number]
        if dealt and place in (0, 3):
            pack[36 + place // 3 :: 2] = cards[9:]
    if not dealt:
        pack[36:] = stock
    deal = Deal(replace(deals.rules, signals=False, cut="referee"), 1, dealer, KnownPack(tuple(pack)))
    for _ in range(row[state.VOTES]):
        deal.do(deal.asked[0], Chant(True))
    if deal.phase is Ask.CHANT and row[state.PHASE] != Ask.CHANT:
        deal.do(deal.asked[0], Chant(False))
    for seat in (dealer.left, dealer):
        if dealt and len(aside[seat]) == 6:
            deal.do(seat, Discard(tuple(aside[seat])))
    for card in order:
        deal.do(deal.asked[0], Play(card))
    return deal


def _players(row: Sequence[int]) -> Iterator[Seat]:
    """Who played each card so far."""
    leader = SEATS[row[state.DEALER]].left
    for trick in range(row[state.TRICKS] + 1):
        yield from (leader.after(place) for place in range(4))
        winner = row[state.WINNERS + trick] if trick < row[state.TRICKS] else state.NOBODY
        leader = leader if winner == state.NOBODY else SEATS[winner]


class KnownPack:
    """The luck of a deal whose pack is known."""

    def __init__(self, pack: tuple[Card, ...]) -> None:
        self._pack = pack

    def draw_pack(self) -> tuple[Card, ...]:
        """The same."""
        return self._pack

    def pack(self, deal: int) -> tuple[Card, ...]:
        """What becomes the pack when it is cut."""
        del deal
        return cut_pack(self._pack, self.cut(0))

    def cut(self, deal: int) -> int:
        """Half the pack: cut twice, it is as it was."""
        del deal
        return len(CARDS) // 2

    def notice(self, deal: int, sender: Seat, accepted: int, observer: Seat) -> int:
        """Everybody notices."""
        del deal, sender, accepted, observer
        return 0
