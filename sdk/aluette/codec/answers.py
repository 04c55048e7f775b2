"""What a seat answers. The referee reads here what a stranger wrote: nothing in it is trusted."""

from collections.abc import Iterable
from typing import Final

from aluette.cards import CARDS, PACK_SIZE, Card
from aluette.codec.fields import all_framed, fixed64, framed, packed, tag, varint
from aluette.codec.signs import read_sign, write_sign
from aluette.errors import AluetteError
from aluette.rules.actions import PLAYS, Ask, Chant, Cut, Discard, Look, Play
from aluette.rules.signals import Sign
from aluette.session import Answer, Failed, Ready, Reply
from aluette.v1 import referee_pb2 as wire

__all__ = ["FAILED_SIZE", "Malformed", "read_move", "write_answer", "write_moves"]

FAILED_SIZE: Final = 8_000
"""How many characters of a `Failed` message are kept."""


class Malformed(AluetteError):  # noqa: N818 - a state of a message, named as the fault it makes
    """A bot's answer is not what was asked, or names a card that does not exist."""


_PLAYED, _LOOKED, _CUT, _CHANT, _DISCARDED, _READY, _FAILED, _SIGN = (
    tag(wire.Move, name) for name in ("play", "look", "cut", "chant", "discard", "ready", "failed", "sign")
)
_TABLE, _NUMBER = tag(wire.Move, "table"), tag(wire.Move, "number")
_MOVES, _MOVE = tag(wire.PlayRequest, "moves"), tag(wire.Moves, "moves")
_PLAYS: Final = {card: _PLAYED + varint(card) for card in CARDS}
_CARDS: Final = tag(wire.Discards, "cards")
_PLAY, _LOOK_ASKED = Ask.PLAY, Ask.LOOK  # before Python 3.12 an enum's member is slow to look up


def write_moves(moves: Iterable[bytes]) -> bytes:
    """A `PlayRequest` with what `write_answer` wrote."""
    return framed(_MOVES, all_framed(_MOVE, moves))


def write_answer(answer: Answer) -> bytes:
    """A `Move`."""
    table, number, reply = answer
    if isinstance(reply, Play) and reply.sign is None:  # most of all
        return b"".join((_TABLE, fixed64(table), _NUMBER, varint(number), _PLAYS[reply.card]))
    written = b"".join((_TABLE, fixed64(table), _NUMBER, varint(number), _write_reply(reply)))
    if isinstance(reply, (Ready, Failed)) or reply.sign is None:
        return written
    return written + framed(_SIGN, write_sign(reply.sign))


def _write_reply(reply: Reply) -> bytes:
    if isinstance(reply, Play):
        return _PLAYS[reply.card]
    match reply:
        case Look():
            return _LOOKED + varint(0)
        case Chant(yes):
            return _CHANT + varint(yes)
        case Discard(cards):
            # More than a pack are as wrong, and may be too many to send.
            return framed(_DISCARDED, packed(_CARDS, cards[:PACK_SIZE]))
        case Cut(n):
            # A number that the wire cannot carry is as illegal as any: 0 stands for it.
            return _CUT + varint(n if 0 <= n < 2**32 else 0)
        case Ready():
            return _READY + varint(0)
        case Failed(traceback):
            message = traceback[-FAILED_SIZE:].encode(errors="replace").decode()
            return framed(_FAILED, wire.Failed(message=message).SerializeToString())


def read_move(move: wire.Move, asked: Ask | None) -> Reply:
    """A bot's answer to a turn that asked for `asked` (None: for readiness).

    Raises `Malformed` when it is not what was asked or names what does not exist. Whether it is legal
    is for the rulebook.
    """
    kind = move.WhichOneof("answer")
    if kind == "play" and asked is _PLAY:
        if not move.HasField("sign"):
            return PLAYS[_read_card(move.play)]
        return Play(_read_card(move.play), read_sign(move.sign))
    if kind == "look" and asked is _LOOK_ASKED:
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
    return read_sign(move.sign) if move.HasField("sign") else None


def _read_card(number: int) -> Card:
    if not 1 <= number <= len(CARDS):
        raise Malformed(f"{number} is no card: cards are numbered 1 to {len(CARDS)}")
    return CARDS[number - 1]
