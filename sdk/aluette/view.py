"""What a seat may know, and nothing else: the only thing that a bot ever gets of the game.

A `View` holds the seat's own hand, its discards and signals, and a `PublicDeal`: everything face up,
the same for all four. `view_of` makes it from a match; a test proves that two states which differ
only in what the seat may not know give equal views. Everything else here is derived from those.
"""

from typing import NamedTuple

from aluette.cards import Card
from aluette.rules.actions import Ask
from aluette.rules.chant import Vote
from aluette.rules.deal import Deal, MadeSignal
from aluette.rules.match import Match
from aluette.rules.scoring import DealScore, Points
from aluette.rules.signals import Drop, Sign, Signal
from aluette.rules.trick import Trick
from aluette.seats import SEATS, Seat, Side

__all__ = [
    "DealEnded", "Points", "PublicDeal", "SeenSignal", "SentSignal", "View", "Vote", "deal_ended",
    "points_of", "public_deal", "signals_of", "view_of",
]  # fmt: skip


class SentSignal(NamedTuple):
    """A signal that the seat itself made: `dropped` is None when it was accepted.

    Whether an opponent noticed is never told. `ask` and `played` say when: with which answer, and
    how many cards had been played in the deal before it.
    """

    ask: Ask
    played: int
    sign: Sign
    dropped: Drop | None = None


class SeenSignal(NamedTuple):
    """A signal that the seat saw: its partner's, or an opponent's that it noticed."""

    ask: Ask
    played: int
    seat: Seat
    sign: Sign

    @property
    def signal(self) -> Signal:
        """Which signal."""
        return self.sign.signal


class PublicDeal(NamedTuple):
    """A deal as everybody at the table sees it.

    `number` counts from 1. `votes` are in asking order, from the dealer's left. `cards` are all cards
    played so far in playing order, and `winners` the winner of each complete trick, None if spoiled.
    `stock_dealt` says whether the chant was agreed, `points` the match score *before* this deal.
    """

    number: int
    dealer: Seat
    stock_dealt: bool
    votes: tuple[Vote, ...]
    cards: tuple[Card, ...]
    winners: tuple[Seat | None, ...]
    points: Points

    @property
    def leader(self) -> Seat:
        """Who leads, or led, the trick under way (or the next one, between two)."""
        leader = self.dealer.left
        for winner in self.winners:
            leader = winner or leader
        return leader

    @property
    def trick(self) -> Trick:
        """The trick under way; empty when its leader is still to play."""
        return Trick(self.leader, self.cards[4 * len(self.winners) :])

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The complete tricks."""
        leader = self.dealer.left
        tricks: list[Trick] = []
        for number, winner in enumerate(self.winners):
            tricks.append(Trick(leader, self.cards[4 * number : 4 * number + 4], winner))
            leader = winner or leader
        return tuple(tricks)

    @property
    def counts(self) -> dict[Seat, int]:
        """How many tricks each *player* has won; never add partners together."""
        return {seat: self.winners.count(seat) for seat in SEATS}

    @property
    def tricks_left(self) -> int:
        """Tricks still to be completed, the one under way included."""
        return 9 - len(self.winners)


class View(NamedTuple):
    """All that your seat may know at the moment it is asked.

    What it holds:
    seat: your `Seat`, N, E, S or W.
    asked: what you are to answer, an `Ask`: CUT, LOOK, CHANT, DISCARD or PLAY; None when it is not your turn.
    hand: your cards, strongest first: nine down to one, fifteen before you discard, none before the cut.
    discards: the six cards you put aside, if you received the stock.
    sent: your own signals in this deal, dropped ones too, as `SentSignal` (ask, played, sign, dropped).
    seen: the others' signals that you saw in it, as `SeenSignal` (ask, played, seat, sign, signal).
    deal: what all see, a `PublicDeal`: number, dealer, votes, cards, winners, tricks, tricks_left and more.
    time_left: seconds for this answer, what the bank holds included; None when no clock runs.

    What follows from it:
    partner, side: the `Seat` opposite, and your `Side`, NS or EW.
    trick: the `Trick` under way; `trick.cards` is empty when you lead, `trick.plays` says who played what.
    position: how many cards lie before yours, 0 (you lead) to 3 (you play last).
    counts: how many tricks each player has won in this deal, a dict of all four by `Seat`, 0 to 9 each.
    points: the match score before this deal as (yours, theirs); `view.deal.points` is `Points(ns, ew)`.
    receives_stock: whether you get six cards of the stock if the chant is agreed.
    """

    seat: Seat
    asked: Ask | None
    hand: tuple[Card, ...]
    discards: tuple[Card, ...]
    sent: tuple[SentSignal, ...]
    seen: tuple[SeenSignal, ...]
    deal: PublicDeal
    time_left: float | None = None

    @property
    def partner(self) -> Seat:
        """The seat opposite."""
        return self.seat.partner

    @property
    def side(self) -> Side:
        """Your side."""
        return self.seat.side

    @property
    def trick(self) -> Trick:
        """The trick under way, `trick.cards` being empty when you lead."""
        return self.deal.trick

    @property
    def position(self) -> int:
        """How many cards lie on the table before yours: 0 when you lead, 3 when you play last."""
        return len(self.deal.cards) % 4

    @property
    def counts(self) -> dict[Seat, int]:
        """How many tricks each player has won in this deal."""
        return self.deal.counts

    @property
    def points(self) -> tuple[int, int]:
        """Match points of your side and of the others, before this deal."""
        points = self.deal.points
        return points.of(self.side), points.of(self.side.other)

    @property
    def receives_stock(self) -> bool:
        """Whether your seat gets six cards of the stock if the chant is agreed."""
        return self.seat in (self.deal.dealer, self.deal.dealer.left)


class DealEnded(NamedTuple):
    """A deal played to the end, as everybody saw it: its cards and votes, its score, the new totals."""

    deal: PublicDeal
    score: DealScore
    totals: Points


def public_deal(match: Match) -> PublicDeal:
    """What everybody sees of the deal under way, or of the last one."""
    return _public(match.deal, match.running[match.deal.number - 1])


def view_of(
    match: Match, seat: Seat, public: PublicDeal | None = None, time_left: float | None = None
) -> View:
    """What `seat` may know now. Pass `public_deal(match)` when several seats are asked at once."""
    deal = match.deal
    sent, seen = signals_of(deal, seat) if deal.signals else ((), ())
    asked = deal.phase if seat in deal.asked else None
    hand, discards = tuple(deal.hands[seat]), deal.discards.get(seat, ())
    return View(seat, asked, hand, discards, sent, seen, public or public_deal(match), time_left)


def signals_of(deal: Deal, seat: Seat) -> tuple[tuple[SentSignal, ...], tuple[SeenSignal, ...]]:
    """The signals that `seat` made in a deal, and those of others that it saw."""
    sent = tuple(_sent(made) for made in deal.signals if made.seat is seat)
    return sent, tuple(_seen(made) for made in deal.signals if _sees(seat, made))


def deal_ended(match: Match, deal: Deal) -> DealEnded:
    """The public account of a finished deal of the match."""
    before, after = match.running[deal.number - 1 : deal.number + 1]
    return DealEnded(_public(deal, before), deal.score, after)


def _sees(seat: Seat, made: MadeSignal) -> bool:
    return made.dropped is None and (made.seat.partner is seat or seat in made.noticed)


def _sent(made: MadeSignal) -> SentSignal:
    return SentSignal(made.ask, made.played, made.sign, made.dropped)


def _seen(made: MadeSignal) -> SeenSignal:
    return SeenSignal(made.ask, made.played, made.seat, made.sign)


def _public(deal: Deal, before: Points) -> PublicDeal:
    stock_dealt = bool(deal.received)
    played, winners = tuple(deal.played), tuple(deal.winners)
    return PublicDeal(deal.number, deal.dealer, stock_dealt, deal.votes, played, winners, before)


def points_of(match: Match) -> Points:
    """The match score now."""
    return match.running[-1]
