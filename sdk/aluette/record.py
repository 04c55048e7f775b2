"""The record of a match: everything that happened, as plain JSON values, and back.

`record_of(match)` gives a dict of lists, strings and numbers (cards `3D`, seats `N`), `to_bytes` its one
canonical byte form, `digest` the SHA-256 of that. `replay(record)` plays it through the rulebook again
and returns the match; it raises `RecordError`, with the exact place, when the record does not hold.
Nothing in a record depends on time or on who played.

    {"format": 1, "rules": "standard/1", "first_dealer": "N", "draw": null,
     "result": {"NS": 3, "EW": 2, "winner": "NS", "fault": null}, "deals": [{...}, ...]}

docs/record.schema.json says it all. A match that a fault ended has the deals up to there, and the points
that the forfeit gives; a `fault` is passed in, since faults are the referee's.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from reprlib import repr as short
from typing import Any, cast

from aluette.cards import PACK_SIZE, TEXT, Card
from aluette.errors import AluetteError, IllegalAction, RecordError
from aluette.record_shape import check_shape
from aluette.rules.actions import Action, Ask, Chant, Cut, Discard, Look, Play
from aluette.rules.deal import Deal, Luck, MadeSignal, cut_pack
from aluette.rules.draw import Draw
from aluette.rules.match import Match
from aluette.rules.ruleset import NOTICE_SCALE, RuleSet
from aluette.rules.signals import Sign, Signal
from aluette.seats import SEATS, Seat, Side
from aluette.version import RECORD_FORMAT

__all__ = ["Record", "digest", "forfeited", "record_of", "replay", "result_of", "to_bytes"]

Record = dict[str, Any]
"""A match record, as `json.loads` gives it."""


def record_of(match: Match, result: Mapping[str, Any] | None = None) -> Record:
    """The record of a match, over or not; `result` is passed when a fault decided it."""
    return {
        "format": RECORD_FORMAT,
        "rules": match.rules.identity,
        "first_dealer": match.first_dealer.name,
        "draw": None if match.draw is None else _draw_record(match.draw),
        "result": dict(result) if result is not None else result_of(match),
        "deals": [_deal_record(deal) for deal in match.deals],
    }


def result_of(match: Match) -> dict[str, Any]:
    """The result of a match without a fault: points of both sides and the winner, None at a draw."""
    return {
        **{side.name: match.totals[side] for side in Side},
        "winner": match.winner.name if match.winner is not None else None,
        "fault": None,
    }


def forfeited(match: Match, winner: Side | None, fault: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a match that a fault decided: `deals` to 0, or 0 to 0 when both sides lost."""
    return {
        **{side.name: match.rules.deals if side is winner else 0 for side in Side},
        "winner": None if winner is None else winner.name,
        "fault": dict(fault),
    }


def to_bytes(record: Mapping[str, Any]) -> bytes:
    """The canonical form: JSON in UTF-8, no white space, keys in the order given above."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def digest(record: Mapping[str, Any] | bytes) -> str:
    """SHA-256 of the canonical form, hexadecimal; where that form is at hand, pass it instead of the record."""
    return hashlib.sha256(record if isinstance(record, bytes) else to_bytes(record)).hexdigest()


Watch = Callable[[Match, Seat, Action | None], None]
"""Is called before a seat does what it did: the match as it stood, and what; None where the record ends."""


def replay(
    record: Mapping[str, Any], luck: Luck | None = None, *, watch: Watch = lambda _match, _seat, _action: None
) -> Match:
    """Play a record through the rulebook; the match it returns has that very record.

    With a `luck`, such as a block's key, every pack, cut and noticed signal must be what that gives; without,
    they are taken as recorded. Raises `RecordError` naming the first place where the record does not hold.
    """
    check_shape(record)
    return _Replay(record, luck, watch).run()


# -- writing ------------------------------------------------------------------------------------------


def _deal_record(deal: Deal) -> dict[str, Any]:
    tricks = [deal.played[start : start + 4] for start in range(0, len(deal.played), 4)]
    score = deal.score
    return {
        "dealer": deal.dealer.name,
        "cut": deal.cut,
        "pack": _cards(deal.pack),
        "votes": [[seat.name, yes] for seat, yes in deal.votes],
        "received": {seat.name: _cards(deal.received.get(seat, ())) for seat in SEATS},
        "discards": {seat.name: _cards(deal.discards.get(seat, ())) for seat in SEATS},
        "signals": [_signal_record(made) for made in deal.signals],
        "leaders": [leader.name for leader in deal.leaders],
        "tricks": [_cards(trick) for trick in tricks],
        "winners": "".join("X" if winner is None else winner.name for winner in deal.winners),
        "score": {
            "side": None if score.side is None else score.side.name,
            "points": score.points,
            "player": None if score.player is None else score.player.name,
            "kind": score.kind.value,
        },
    }


def _signal_record(made: MadeSignal) -> dict[str, Any]:
    return {
        "when": _when(made.ask, made.played),
        "seat": made.seat.name,
        "signal": made.sign.signal.name,
        "count": made.sign.count,
        "noticed": [seat.name for seat in made.noticed],
        "dropped": None if made.dropped is None else made.dropped.name.lower(),
    }


def _draw_record(draw: Draw) -> dict[str, Any]:
    return {
        "first": draw.first.name,
        "cards": _cards(draw.cards),
        "chairs": {seat.name: chair.name for seat, chair in sorted(draw.chairs.items())},
    }


def _when(asked: Ask, played: int) -> str:
    """`look`, `chant`, `discard`, `cut`, or at a play `trick.card`, both from 1."""
    return f"{played // 4 + 1}.{played % 4 + 1}" if asked is Ask.PLAY else str(asked)


def _cards(cards: Sequence[Card]) -> list[str]:
    return [TEXT[card] for card in cards]


# -- reading ------------------------------------------------------------------------------------------


class _Replay:
    """One record being played again. It is the match's luck: what was drawn is what the record says."""

    def __init__(self, record: Mapping[str, Any], luck: Luck | None, watch: Watch) -> None:
        self._record = record
        self._luck: Luck = luck or self
        self._watch = watch
        self._deals: list[dict[str, Any]] = record["deals"]

    def run(self) -> Match:
        record = self._record
        if not self._deals:
            raise RecordError("the record has no deals")
        try:
            rules = RuleSet.parse(record["rules"])
            if rules.seating == "draw" and record["draw"] is None:
                raise RecordError("draw is None, but by the rules the partners are drawn")
            first = record["draw"]["first"] if rules.seating == "draw" else record["first_dealer"]
            match = Match(rules, self._luck, first_dealer=Seat[first])
        except RecordError:
            raise
        except AluetteError as error:
            raise RecordError(str(error)) from None
        for number in range(1, len(self._deals) + 1):
            if len(match.deals) < number:
                raise RecordError(f"deal {number}: the match was over after deal {number - 1}")
            self._play_deal(match, number)
        fault = record["result"]["fault"]
        if fault is None and not match.over:
            raise RecordError(f"deal {len(match.deals)}: the record stops, but the match is not over")
        _compare(record_of(match, None if fault is None else self._forfeit(match, fault)), record)
        return match

    def _forfeit(self, match: Match, fault: Mapping[str, Any]) -> dict[str, Any]:
        """The result that a fault gives at the place where the match stopped."""
        if match.over:
            raise RecordError("result.fault is there, but the match was played to its end")
        stopped = {(len(match.deals), len(match.deal.leaders))}
        if len(match.deals) == 1 and not _anything_done(match.deal):
            stopped.add((0, 0))
        if (fault["deal"], fault["trick"]) not in stopped:
            deal, trick = max(stopped)
            raise RecordError(f"result.fault is not where the match stopped: deal {deal}, trick {trick}")
        said = self._record["result"]["winner"]
        winner = None if said is None else Side[said]
        if winner is Seat[fault["seat"]].side:
            raise RecordError(f"result.winner is {winner}, the side of {fault['seat']}, who was at fault")
        return forfeited(match, winner, fault)

    def _play_deal(self, match: Match, number: int) -> None:
        deal, said = match.deals[number - 1], self._deals[number - 1]
        signs = {
            (entry["when"], entry["seat"]): Sign(Signal[entry["signal"]], entry["count"])
            for entry in said["signals"]
        }
        while match.deal is deal and (asked := match.ask) is not None:
            when = _when(asked, len(deal.played))
            if deal.pack and not deal.played:
                _compare(_cards(deal.pack), said["pack"], f"deal {number}: pack")
            # At the look a record keeps signals only: who looked without one is not told apart.
            for seat in match.asked:
                action = self._action(deal, said, asked, seat, signs.get((when, seat.name)))
                if action is None:
                    for awaited in match.asked:
                        self._watch(match, awaited, None)
                    return
                self._watch(match, seat, action)
                try:
                    match.do(seat, action)
                except IllegalAction as error:
                    raise RecordError(f"deal {number}, {when}, {seat}: {error}") from None
                except RecordError:
                    raise
                except AluetteError as error:
                    raise RecordError(f"deal {number}: {error}") from None

    def _action(
        self, deal: Deal, said: dict[str, Any], asked: Ask, seat: Seat, sign: Sign | None
    ) -> Action | None:
        """What the record says that the seat did, or None where the record ends."""
        match asked:
            case Ask.CUT:
                return Cut(said["cut"], sign) if said["cut"] else None
            case Ask.LOOK:
                looked = any(entry["when"] == str(asked) for entry in said["signals"])
                after = said["votes"] or said["leaders"] or any(said["received"].values())
                return Look(sign) if looked or after else None
            case Ask.CHANT:
                votes = said["votes"]
                return Chant(votes[len(deal.votes)][1], sign) if len(deal.votes) < len(votes) else None
            case Ask.DISCARD:
                cards = said["discards"][seat.name]
                return Discard(_read_cards(cards), sign) if cards else None
            case Ask.PLAY:
                played = [card for trick in said["tricks"] for card in trick]
                place = len(deal.played)
                return Play(Card.parse(played[place]), sign) if place < len(played) else None

    # -- aluette.rules.Luck ------------------------------------------------------------------------------

    def draw_pack(self) -> tuple[Card, ...]:
        cards = _read_cards(self._record["draw"]["cards"])
        if len(set(cards)) != len(cards):
            raise RecordError("draw.cards names a card twice")
        return cards

    def pack(self, deal: int) -> tuple[Card, ...]:
        if deal > len(self._deals):
            raise RecordError(f"deal {deal}: it is missing from the record")
        said = self._deals[deal - 1]
        pack = _read_cards(said["pack"])
        return cut_pack(pack, len(pack) - said["cut"])

    def cut(self, deal: int) -> int:
        cut = self._deals[deal - 1]["cut"] if deal <= len(self._deals) else 1
        if not 1 <= cut < PACK_SIZE:
            raise RecordError(f"deal {deal}: a cut is from 1 to {PACK_SIZE - 1}, not {short(cut)}")
        return cast("int", cut)

    def notice(self, deal: int, sender: Seat, accepted: int, observer: Seat) -> int:
        made = [
            entry
            for entry in self._deals[deal - 1]["signals"]
            if entry["seat"] == sender.name and entry["dropped"] is None
        ]
        noticed = accepted < len(made) and observer.name in made[accepted]["noticed"]
        return 0 if noticed else NOTICE_SCALE - 1


def _anything_done(deal: Deal) -> bool:
    cut = deal.rules.cut == "player" and deal.pack
    return bool(cut or deal.signals or deal.votes or deal.discards or deal.played)


def _read_cards(words: Sequence[str]) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in words)


def _compare(derived: object, said: object, place: str = "record") -> None:
    """Raise `RecordError` at the first place where what the rules give differs from what is recorded."""
    # Both have the form of a record: what is equal is of the same type and has its fields in the same order.
    if derived == said:
        return
    ours, theirs = _parts(derived), _parts(said)
    if ours is None or theirs is None:
        raise RecordError(f"{place} is {short(said)}; by the rules it is {short(derived)}")
    for name, value in ours.items():
        if name in theirs:
            _compare(value, theirs[name], name if place == "record" else f"{place}.{name}")
    if list(ours) != list(theirs):
        raise RecordError(
            f"{place} has {', '.join(theirs) or 'nothing'}; by the rules {', '.join(ours) or 'nothing'}"
        )


def _parts(value: object) -> dict[str, object] | None:
    """The entries of an object, or of a list counted from 1; None for a plain value."""
    if isinstance(value, dict):
        return cast("dict[str, object]", value)
    if isinstance(value, list):
        return {str(number): item for number, item in enumerate(cast("list[object]", value), start=1)}
    return None
