"""Between the model and the wire: views, events and answers to and from `aluette.v1` messages.

Nothing is decided here. `read_*` of what a *referee* sent trusts it; `read_move` reads what a *bot*
sent, trusts nothing, and raises `Malformed`. Both ends use this one file, so that they cannot differ.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from aluette.cards import CARDS, PACK_SIZE, Card
from aluette.errors import AluetteError
from aluette.events import DealEnded, Event, MatchBegun, MatchEnded, Reason, SeatFaulted
from aluette.rules.actions import Ask, Chant, Cut, Discard, Look, Play
from aluette.rules.ruleset import RuleSet
from aluette.rules.scoring import DealScore, Kind
from aluette.rules.signals import Drop, Sign, Signal
from aluette.seats import Seat, Side
from aluette.session import Answer, Failed, Ready, Reply, Turn
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points, PublicDeal, SeenSignal, SentSignal, View, Vote

__all__ = [
    "FAILED_SIZE", "DealWriter", "Malformed", "read_event", "read_move", "read_turn", "write_answer",
    "write_event", "write_turn",
]  # fmt: skip

FAILED_SIZE: Final = 8_000
"""How many characters of a `Failed` message are kept."""


class Malformed(AluetteError):  # noqa: N818 - a state of a message, named as the fault it makes
    """A bot's answer is not what was asked, or names a card that does not exist."""


# The generated types take enum numbers of their own kind only, our `IntEnum`s are those very numbers:
# hence Any where a message is built.

# -- tables from number to value: an index is quicker than calling an enum -----------------------------

_CARDS: Final = cast("tuple[Card, ...]", (None, *CARDS))
_SEATS: Final = (None, *Seat)
_SIDES: Final = (None, *Side)
_ASKS: Final = (None, *Ask)
_DROPS: Final = (None, *Drop)
_SIGNALS: Final = {int(signal): signal for signal in Signal}
_KINDS: Final = (Kind.UNFINISHED, Kind.PLAIN, Kind.MORDIENNE, Kind.VOID)
_REASONS: Final = (None, Reason.PLAYED, Reason.FAULT, Reason.VOID)
_GROWING: Final = PublicDeal._fields.index("cards")
"""From here on the fields of a `PublicDeal` grow within a deal, or follow from those before."""


# -- turns ---------------------------------------------------------------------------------------------


class DealWriter:
    """Writes the public deals of one table, in the order they come about.

    Each is mostly the one before and a card more, so only that is added to the message that is kept.
    """

    __slots__ = ("_last", "_message")

    def __init__(self) -> None:
        """Nothing was written yet."""
        self._message: Any = game.PublicDeal()
        self._last: PublicDeal | None = None

    def write(self, deal: PublicDeal, message: game.PublicDeal) -> None:
        """Write `deal` into an empty message."""
        last = self._last
        if last is None or deal[:_GROWING] != last[:_GROWING]:
            self._message = game.PublicDeal()
            _write_public(deal, self._message)
        else:
            self._message.cards.extend(deal.cards[len(last.cards) :])
            if len(deal.winners) > len(last.winners):
                self._message.winners.extend([winner or 0 for winner in deal.winners[len(last.winners) :]])
        self._last = deal
        message.CopyFrom(self._message)


def write_turn(
    turn: Turn,
    message: wire.Turn | None = None,
    write_deal: Callable[[PublicDeal, game.PublicDeal], None] | None = None,
) -> wire.Turn:
    """A turn as sent, written into an empty `message` if one is passed: copying costs as much again.

    `write_deal` is that of the table's `DealWriter`, if it has one.
    """
    message = wire.Turn() if message is None else message
    written: Any = message
    written.table, written.number, view = turn
    if view is None:
        written.asked = game.ASK_READY
        return message
    written.asked = view.asked
    written.hand.extend(view.hand)
    if view.discards:
        written.discards.extend(view.discards)
    (write_deal or _write_public)(view.deal, written.deal)
    for sent in view.sent:
        said = written.sent.add(asked=sent.ask, played=sent.played, dropped=sent.dropped)
        said.sign.signal, said.sign.count = sent.sign.signal, sent.sign.count
    for seen in view.seen:
        said = written.seen.add(seat=seen.seat, asked=seen.ask, played=seen.played)
        said.sign.signal, said.sign.count = seen.sign.signal, seen.sign.count
    if view.time_left is not None:
        written.time_left_ms = max(0, int(view.time_left * 1000))
    return message


def _write_public(deal: PublicDeal, message: Any) -> None:
    message.number = deal.number
    message.dealer = deal.dealer
    message.stock_dealt = deal.stock_dealt
    message.votes.extend([vote.yes for vote in deal.votes])
    message.cards.extend(deal.cards)
    message.winners.extend([winner or 0 for winner in deal.winners])
    message.points_ns, message.points_ew = deal.points


def read_turn(message: wire.Turn, seat: Seat | None) -> Turn:
    """A turn as received by the bot at `seat` (None when no match has begun at that table)."""
    if message.asked == game.ASK_READY or seat is None:
        return Turn(message.table, message.number, None)
    view = View(
        seat,
        _ASKS[message.asked],
        _read_cards(message.hand),
        _read_cards(message.discards) if message.deal.stock_dealt else (),
        tuple(map(_read_sent, message.sent)) if message.sent else (),
        tuple(map(_read_seen, message.seen)) if message.seen else (),
        _read_public(message.deal),
        message.time_left_ms / 1000 if message.HasField("time_left_ms") else None,
    )
    return Turn(message.table, message.number, view)


def _read_public(message: game.PublicDeal) -> PublicDeal:
    dealer = _SEATS[message.dealer]
    assert dealer is not None
    return PublicDeal(
        message.number,
        dealer,
        message.stock_dealt,
        _votes(dealer, tuple(message.votes[:])),
        _read_cards(message.cards),
        tuple([_SEATS[number] for number in message.winners[:]]),
        Points(message.points_ns, message.points_ew),
    )


@functools.lru_cache(maxsize=128)  # there are 124: four dealers, and 31 ways in which the asking may stand
def _votes(dealer: Seat, answers: tuple[bool, ...]) -> tuple[Vote, ...]:
    return tuple(Vote(dealer.after(place), yes) for place, yes in enumerate(answers, start=1))


def _read_cards(numbers: Sequence[int]) -> tuple[Card, ...]:
    # The slice is a list made in one go; going through the message's own sequence takes five times as long.
    return tuple([_CARDS[number] for number in numbers[:]])


def _read_sent(message: game.SentSignal) -> SentSignal:
    return SentSignal(Ask(message.asked), message.played, _read_sign(message.sign), _DROPS[message.dropped])


def _read_seen(message: game.SeenSignal) -> SeenSignal:
    return SeenSignal(Ask(message.asked), message.played, Seat(message.seat), _read_sign(message.sign))


def _write_sign(sign: Sign) -> game.Sign:
    return game.Sign(signal=cast("Any", sign.signal), count=sign.count)


def _read_sign(message: game.Sign) -> Sign:
    # A signal that this side does not know is the zero one: the rulebook drops it as malformed.
    return Sign(_SIGNALS.get(message.signal, Signal.UNKNOWN), message.count)


# -- answers -------------------------------------------------------------------------------------------


def write_answer(answer: Answer) -> wire.Move:
    """An answer as sent."""
    message = wire.Move()
    move: Any = message
    move.table, move.number, reply = answer
    match reply:
        case Play(card):
            move.play = card
        case Look():
            move.look.SetInParent()
        case Chant(yes):
            move.chant = yes
        case Discard(cards):
            move.discard.SetInParent()
            move.discard.cards.extend(cards[:PACK_SIZE])  # more are as wrong, and may be too many to send
        case Cut(n):
            # A number that the wire cannot carry is as illegal as any: 0 stands for it.
            move.cut = n if 0 <= n < 2**32 else 0
        case Ready():
            move.ready.SetInParent()
        case Failed(traceback):
            move.failed.message = traceback[-FAILED_SIZE:].encode(errors="replace").decode()
    if not isinstance(reply, (Ready, Failed)) and reply.sign is not None:
        move.sign.CopyFrom(_write_sign(reply.sign))
    return message


def read_move(move: wire.Move, asked: Ask | None) -> Reply:
    """A bot's answer to a turn that asked for `asked` (None: for readiness).

    Raises `Malformed` when it is not what was asked or names what does not exist. Whether it is legal
    is for the rulebook.
    """
    kind = move.WhichOneof("answer")
    if kind == "play" and asked is Ask.PLAY:
        return Play(_read_card(move.play), _sign_of(move))
    if kind == "look" and asked is Ask.LOOK:
        return Look(_sign_of(move))
    if kind == "ready" and asked is None:
        return Ready()
    if kind == "failed":
        return Failed(move.failed.message[-FAILED_SIZE:])
    if kind == "chant" and asked is Ask.CHANT:
        return Chant(move.chant, _sign_of(move))
    if kind == "discard" and asked is Ask.DISCARD:
        if len(move.discard.cards) > PACK_SIZE:  # a million of them would take the referee's time
            raise Malformed(f"{len(move.discard.cards)} cards are more than there are")
        return Discard(tuple(map(_read_card, move.discard.cards)), _sign_of(move))
    if kind == "cut" and asked is Ask.CUT:
        return Cut(move.cut, _sign_of(move))
    wanted = "readiness" if asked is None else f"a {asked}"
    raise Malformed(f"the answer is {'empty' if kind is None else f'a {kind}'}, but {wanted} was asked for")


def _sign_of(move: wire.Move) -> Sign | None:
    return _read_sign(move.sign) if move.HasField("sign") else None


def _read_card(number: int) -> Card:
    if not 1 <= number <= len(CARDS):
        raise Malformed(f"{number} is no card: cards are numbered 1 to {len(CARDS)}")
    return CARDS[number - 1]


# -- events --------------------------------------------------------------------------------------------


def write_event(table: int, event: Event, message: wire.Event | None = None) -> wire.Event:
    """An event as sent, written into an empty `message` if one is passed."""
    message = wire.Event() if message is None else message
    message.table = table
    match event:
        case MatchBegun(seat, rules, seed, names, move_limit, ready_limit, bank):
            begun: Any = message.match_begun
            begun.seat = seat
            begun.rules = rules.identity
            begun.seed = seed
            begun.names.extend(names)
            if move_limit is not None:
                begun.move_limit_ms = round(move_limit * 1000)
            if ready_limit is not None:
                begun.ready_limit_ms = round(ready_limit * 1000)
            begun.bank_ms = round(bank * 1000)
        case SeatFaulted(seat, fault):
            faulted: Any = message.seat_faulted
            faulted.seat, faulted.fault_type = seat, fault
        case DealEnded(deal, score, totals):
            ended = message.deal_ended
            _write_public(deal, ended.deal)
            ended.score.CopyFrom(
                game.DealScore(
                    side=cast("Any", score.side),
                    points=score.points,
                    seat=cast("Any", score.player),
                    kind=cast("Any", _KINDS.index(score.kind)),
                )
            )
            ended.points_ns, ended.points_ew = totals
        case MatchEnded(reason, winner, points, fault_seat, fault):
            message.match_ended.CopyFrom(
                wire.MatchEnded(
                    reason=cast("Any", _REASONS.index(reason)),
                    winner=cast("Any", winner),
                    points_ns=points.ns,
                    points_ew=points.ew,
                    fault_seat=cast("Any", fault_seat),
                    fault_type=fault,
                )
            )
    return message


def read_event(message: wire.Event) -> Event | None:
    """An event as received; None for a kind that this version does not know."""
    match message.WhichOneof("body"):
        case "match_begun":
            begun = message.match_begun
            return MatchBegun(
                Seat(begun.seat),
                RuleSet.parse(begun.rules),
                begun.seed,
                tuple(begun.names),
                begun.move_limit_ms / 1000 if begun.HasField("move_limit_ms") else None,
                begun.ready_limit_ms / 1000 if begun.HasField("ready_limit_ms") else None,
                begun.bank_ms / 1000,
            )
        case "seat_faulted":
            return SeatFaulted(Seat(message.seat_faulted.seat), message.seat_faulted.fault_type)
        case "deal_ended":
            ended = message.deal_ended
            score = ended.score
            return DealEnded(
                _read_public(ended.deal),
                DealScore(_SIDES[score.side], score.points, _SEATS[score.seat], _KINDS[score.kind]),
                Points(ended.points_ns, ended.points_ew),
            )
        case "match_ended":
            over = message.match_ended
            return MatchEnded(
                _REASONS[over.reason] or Reason.VOID,
                _SIDES[over.winner],
                Points(over.points_ns, over.points_ew),
                _SEATS[over.fault_seat],
                over.fault_type,
            )
        case None:
            return None
