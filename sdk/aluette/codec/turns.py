"""What is asked of a seat: a turn, with all that the seat may know; and batches of turns and events."""

import functools
from collections.abc import Iterable
from typing import Any, Final, cast

from aluette.codec.fields import all_framed, fixed64, framed, packed, tag, varint
from aluette.codec.signs import read_sign, write_sign
from aluette.codec.tables import ASKS, DROPS, SEATS, cards
from aluette.rules.actions import Ask
from aluette.seats import Seat
from aluette.session import Turn
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points, PublicDeal, SeenSignal, SentSignal, View, Vote

__all__ = ["read_public", "read_turn", "write_batch", "write_public", "write_turn"]

_EVENTS, _TURNS = (tag(wire.Batch, name) for name in ("events", "turns"))
_BATCH: Final = tag(wire.PlayResponse, "batch")
_TABLE, _NUMBER, _HAND, _DISCARDS, _DEAL, _SENT, _SEEN, _TIME_LEFT = (
    tag(wire.Turn, name)
    for name in ("table", "number", "hand", "discards", "deal", "sent", "seen", "time_left_ms")
)
_ASKED: Final = {asked: tag(wire.Turn, "asked") + varint(asked) for asked in Ask}
_ASKED_READY: Final = tag(wire.Turn, "asked") + varint(game.ASK_READY)
_VOTES, _CARDS, _WINNERS = (tag(game.PublicDeal, name) for name in ("votes", "cards", "winners"))
_SENT_SIGN, _SEEN_SIGN = tag(game.SentSignal, "sign"), tag(game.SeenSignal, "sign")


def write_batch(events: Iterable[bytes], turns: Iterable[bytes]) -> bytes:
    """A `PlayResponse` with a batch of what `write_event` and `write_turn` wrote."""
    return framed(_BATCH, all_framed(_EVENTS, events) + all_framed(_TURNS, turns))


def write_turn(turn: Turn) -> bytes:
    """A `Turn`."""
    table, number, view = turn
    if view is None:
        return b"".join((_TABLE, fixed64(table), _NUMBER, varint(number), _ASKED_READY))
    _, asked, hand, discards, sent, seen, public, time_left = view
    assert asked is not None
    deal = write_public(public)
    parts = [
        _TABLE, fixed64(table), _NUMBER, varint(number), _ASKED[asked],
        _HAND, varint(len(hand)), bytes(hand), _DEAL, varint(len(deal)), deal,
    ]  # fmt: skip
    if discards:
        parts.append(packed(_DISCARDS, discards))
    if sent:
        parts += map(_write_sent, sent)
    if seen:
        parts += map(_write_seen, seen)
    if time_left is not None:
        parts.append(_write_time(time_left))
    return b"".join(parts)


def write_public(deal: PublicDeal) -> bytes:
    """A `PublicDeal`."""
    number, dealer, stock_dealt, votes, played, winners, points = deal
    head = _write_head(number, dealer, stock_dealt, votes, points)
    if not played:
        return head + _write_winners(winners)
    return b"".join((head, _CARDS, varint(len(played)), bytes(played), _write_winners(winners)))


@functools.lru_cache(maxsize=4096)
def _write_head(
    number: int, dealer: Seat, stock_dealt: bool, votes: tuple[Vote, ...], points: Points
) -> bytes:
    """What stays the same while cards are played."""
    head = game.PublicDeal(
        number=number,
        dealer=cast("Any", dealer),
        stock_dealt=stock_dealt,
        points_ns=points.ns,
        points_ew=points.ew,
    )
    return head.SerializeToString() + packed(_VOTES, [vote.yes for vote in votes])


@functools.lru_cache(maxsize=4096)  # mostly the limit of the contest
def _write_time(seconds: float) -> bytes:
    return _TIME_LEFT + varint(max(0, int(seconds * 1000)))


@functools.lru_cache(maxsize=4096)  # the same for four cards
def _write_winners(winners: tuple[Seat | None, ...]) -> bytes:
    return packed(_WINNERS, [winner or 0 for winner in winners])


@functools.lru_cache(maxsize=4096)
def _write_sent(sent: SentSignal) -> bytes:
    told: Any = game.SentSignal(
        asked=cast("Any", sent.ask), played=sent.played, dropped=cast("Any", sent.dropped)
    )
    return framed(_SENT, told.SerializeToString() + framed(_SENT_SIGN, write_sign(sent.sign)))


@functools.lru_cache(maxsize=4096)
def _write_seen(seen: SeenSignal) -> bytes:
    told = game.SeenSignal(seat=cast("Any", seen.seat), asked=cast("Any", seen.ask), played=seen.played)
    return framed(_SEEN, told.SerializeToString() + framed(_SEEN_SIGN, write_sign(seen.sign)))


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
