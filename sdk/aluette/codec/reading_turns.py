"""What is asked of a seat, as a bot receives it: a turn, with all that the seat may know."""

import functools

from aluette.codec.signs import read_sign
from aluette.codec.tables import ASKS, DROPS, SEATS, cards
from aluette.rules.actions import Ask
from aluette.seats import Seat
from aluette.session import Turn
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points, PublicDeal, SeenSignal, SentSignal, View, Vote

__all__ = ["read_public", "read_turn"]


def read_turn(message: wire.Turn, seat: Seat | None, before: PublicDeal | None = None) -> Turn:
    """A turn as received by the bot at `seat` (None when no match has begun at that table).

    `before` is the public deal of an earlier turn of the same match, if it is known: of one and the same deal only
    the cards since then are read.
    """
    asked = message.asked
    if asked == game.ASK_READY or seat is None:
        return Turn(message.table, message.number, None)
    deal = _read_on(message.deal, before) if before else read_public(message.deal)
    sent, seen = message.sent, message.seen
    view = View(
        seat,
        ASKS[asked],
        cards(message.hand),
        cards(message.discards) if deal.stock_dealt else (),
        tuple(map(_read_sent, sent)) if sent else (),
        tuple(map(_read_seen, seen)) if seen else (),
        deal,
        message.time_left_ms / 1000 if message.HasField("time_left_ms") else None,
    )
    return Turn(message.table, message.number, view)


def read_public(message: game.PublicDeal) -> PublicDeal:
    """A public deal, as received."""
    dealer = SEATS[message.dealer]
    assert dealer is not None
    return PublicDeal(
        message.number,
        dealer,
        message.stock_dealt,
        _votes(dealer, tuple(message.votes[:])),
        cards(message.cards),
        tuple([SEATS[number] for number in message.winners[:]]),
        Points(message.points_ns, message.points_ew),
    )


def _read_on(message: game.PublicDeal, before: PublicDeal) -> PublicDeal:
    """A public deal; what was fixed when the first card was played, and what lies on the table, is known from `before`."""
    number, dealer, stock_dealt, votes, played, winners, points = before
    numbers, known = message.cards, len(played)
    if not known or number != message.number or known > len(numbers):
        return read_public(message)
    played += cards(numbers[known:])
    if len(played) // 4 > len(winners):
        winners += tuple([SEATS[number] for number in message.winners[len(winners) :]])
    return PublicDeal(number, dealer, stock_dealt, votes, played, winners, points)


@functools.lru_cache(maxsize=128)  # there are 124: four dealers, and 31 ways in which the asking may stand
def _votes(dealer: Seat, answers: tuple[bool, ...]) -> tuple[Vote, ...]:
    return tuple(Vote(dealer.after(place), yes) for place, yes in enumerate(answers, start=1))


def _read_sent(message: game.SentSignal) -> SentSignal:
    return SentSignal(Ask(message.asked), message.played, read_sign(message.sign), DROPS[message.dropped])


def _read_seen(message: game.SeenSignal) -> SeenSignal:
    return SeenSignal(Ask(message.asked), message.played, Seat(message.seat), read_sign(message.sign))
