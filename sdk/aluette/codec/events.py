"""What a seat is told besides its turns."""

import functools
from typing import Any, Final, cast

from aluette.codec.fields import fixed64, framed, tag
from aluette.codec.reading_turns import read_public
from aluette.codec.tables import KINDS, REASONS, SEATS, SIDES
from aluette.codec.writing_turns import write_public
from aluette.events import DealEnded, Event, MatchBegun, MatchEnded, Reason, SeatFaulted
from aluette.rules.ruleset import RuleSet
from aluette.rules.scoring import DealScore
from aluette.seats import Seat
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points

__all__ = ["read_event", "write_event"]

_TABLE: Final = tag(wire.Event, "table")
_BODIES: Final = {
    kind: tag(wire.Event, name)
    for kind, name in (
        (MatchBegun, "match_begun"), (DealEnded, "deal_ended"), (MatchEnded, "match_ended"), (SeatFaulted, "seat_faulted"),
    )
}  # fmt: skip
_DEAL: Final = tag(wire.DealEnded, "deal")

# The generated types take enum numbers of their own kind only, our `IntEnum`s are those very numbers:
# hence Any where a message is built.


def write_event(table: int, event: Event) -> bytes:
    """An `Event`."""
    return b"".join((_TABLE, fixed64(table), _write_body(event)))


@functools.lru_cache(maxsize=64, typed=True)  # all four seats are told the same
def _write_body(event: Event) -> bytes:
    return framed(_BODIES[type(event)], _write_event(event))


def _write_event(event: Event) -> bytes:
    match event:
        case MatchBegun(seat, rules, seed, names, move_limit, ready_limit, bank):
            begun = wire.MatchBegun(
                seat=cast("Any", seat),
                rules=rules.identity,
                seed=seed,
                names=names,
                bank_ms=round(bank * 1000),
            )
            if move_limit is not None:
                begun.move_limit_ms = round(move_limit * 1000)
            if ready_limit is not None:
                begun.ready_limit_ms = round(ready_limit * 1000)
            return begun.SerializeToString()
        case SeatFaulted(seat, fault):
            return wire.SeatFaulted(seat=cast("Any", seat), fault_type=fault).SerializeToString()
        case DealEnded(deal, score, totals):
            told = wire.DealEnded(
                score=game.DealScore(
                    side=cast("Any", score.side),
                    points=score.points,
                    seat=cast("Any", score.player),
                    kind=cast("Any", KINDS.index(score.kind)),
                ),
                points_ns=totals.ns,
                points_ew=totals.ew,
            )
            return framed(_DEAL, write_public(deal)) + told.SerializeToString()
        case MatchEnded(reason, winner, points, fault_seat, fault):
            return wire.MatchEnded(
                reason=cast("Any", REASONS.index(reason)),
                winner=cast("Any", winner),
                points_ns=points.ns,
                points_ew=points.ew,
                fault_seat=cast("Any", fault_seat),
                fault_type=fault,
            ).SerializeToString()


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
                read_public(ended.deal),
                DealScore(SIDES[score.side], score.points, SEATS[score.seat], KINDS[score.kind]),
                Points(ended.points_ns, ended.points_ew),
            )
        case "match_ended":
            over = message.match_ended
            return MatchEnded(
                REASONS[over.reason] or Reason.VOID,
                SIDES[over.winner],
                Points(over.points_ns, over.points_ew),
                SEATS[over.fault_seat],
                over.fault_type,
            )
        case None:
            return None
