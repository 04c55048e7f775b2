"""What is asked of a seat, as bytes: turns, from a view or straight from a match; and batches of turns and events."""

import functools
from collections.abc import Iterable
from typing import Any, Final, NamedTuple, cast

from aluette.codec.fields import all_framed, fixed64, framed, packed, tag, varint
from aluette.codec.signs import write_sign
from aluette.rules.actions import Ask
from aluette.rules.deal import Deal
from aluette.rules.match import Match
from aluette.seats import Seat
from aluette.session import Turn
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points, PublicDeal, SeenSignal, SentSignal, Vote, signals_of, view_of

__all__ = ["TurnWriter", "Written", "write_batch", "write_public", "write_turn"]

_EVENTS, _TURNS = (tag(wire.Batch, name) for name in ("events", "turns"))
_BATCH: Final = tag(wire.PlayResponse, "batch")
_TABLE, _NUMBER, _HAND, _DISCARDS, _DEAL, _SENT, _SEEN, _TIME_LEFT = (
    tag(wire.Turn, name)
    for name in ("table", "number", "hand", "discards", "deal", "sent", "seen", "time_left_ms")
)
_ASKED: Final = {asked: tag(wire.Turn, "asked") + varint(asked) for asked in Ask}
_PLAY: Final = Ask.PLAY  # before Python 3.12 an enum's member is slow to look up
_ASKED_PLAY: Final = _ASKED[_PLAY]
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


class Written(NamedTuple):
    """A turn of that table and number, as the bytes of its message."""

    table: int
    number: int
    message: bytes


class TurnWriter:
    """Writes the turns of a match as it goes on: byte for byte what `write_turn` makes of the seat's view.

    While cards are played only the hand, the table and the winners change: the rest is kept for each deal, and no
    view is made. All other turns are few, and are written from their view.
    """

    __slots__ = ("_deal", "_discards", "_head", "_match", "_winners", "_won")

    def __init__(self, match: Match) -> None:
        """Nothing is written yet."""
        self._match = match
        self._deal: Deal | None = None
        """The deal of which the rest is known."""
        self._head = b""
        self._discards: dict[Seat, bytes] = {}
        self._winners = b""
        self._won = 0

    def write(self, seat: Seat, table: int, number: int, time_left: float | None) -> Written:
        """What the seat is asked now, at the table of that number; number 0 asks whether it is ready."""
        deal = self._match.deal
        if number == 0:
            return Written(table, number, write_turn(Turn(table, number, None)))
        if deal.phase is not _PLAY:
            view = view_of(self._match, seat, None, time_left)
            return Written(table, number, write_turn(Turn(table, number, view)))
        if deal is not self._deal:
            self._begin(deal)
        hand, played = deal.hands[seat], deal.played
        if len(deal.winners) != self._won:
            self._won = len(deal.winners)
            self._winners = _write_winners(tuple(deal.winners))
        head, winners = self._head, self._winners
        cards = b"".join((_CARDS, varint(len(played)), bytes(played))) if played else b""
        parts = [
            _TABLE, fixed64(table), _NUMBER, varint(number), _ASKED_PLAY, _HAND, varint(len(hand)), bytes(hand),
            _DEAL, varint(len(head) + len(cards) + len(winners)), head, cards, winners,
        ]  # fmt: skip
        if seat in self._discards:
            parts.append(self._discards[seat])
        if deal.signals:
            sent, seen = signals_of(deal, seat)
            parts += map(_write_sent, sent)
            parts += map(_write_seen, seen)
        if time_left is not None:
            parts.append(_write_time(time_left))
        return Written(table, number, b"".join(parts))

    def _begin(self, deal: Deal) -> None:
        """The first card is asked for: what is fixed from here on is written once."""
        before = self._match.running[deal.number - 1]
        self._deal = deal
        self._head = _write_head(deal.number, deal.dealer, bool(deal.received), deal.votes, before)
        self._discards = {seat: packed(_DISCARDS, cards) for seat, cards in deal.discards.items()}
        self._winners, self._won = b"", 0
