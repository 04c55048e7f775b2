"""Whole matches as text: before every action the table as all see it, and what each seat may know.

The players choose by a hash, not by `random`, whose numbers a new Python may change.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from aluette.notation import write_cards, write_deal
from aluette.record import Record, digest, record_of
from aluette.rules import (
    Action,
    Ask,
    Chant,
    Cut,
    Discard,
    Look,
    Match,
    Play,
    RuleSet,
    Sign,
    Signal,
    aces,
    weakest,
)
from aluette.rules.signals import SHOWN_CARD
from aluette.seats import SEATS, Seat, Side
from aluette.testing import match_key
from aluette.view import SeenSignal, SentSignal, View, view_of

__all__ = ["PLAYTHROUGHS", "Playthrough"]

T = TypeVar("T")


class Playthrough(NamedTuple):
    """One match, all of which follows from its seed and its rules."""

    name: str
    seed: int
    rules: str

    def run(self) -> tuple[str, Record]:
        """Its text and its record."""
        match = Match(RuleSet.parse(self.rules), match_key(self.seed))
        lines = [line.rstrip() for line in _told(match, _Chance(f"{self.name}/{self.seed}"))]
        record = record_of(match)
        return "\n".join([*lines, f"digest {digest(record)}", ""]), record


PLAYTHROUGHS = (
    Playthrough("standard", 1, "standard/1+deals=2"),
    Playthrough("extra_deals", 0, "standard/1+cut=player,deals=2,signals_per_deal=1,tie=extra_deals"),
    Playthrough("drawn", 1, "standard/1+chant=always,chant_discard=lowest,deals=2,notice=1,seating=draw"),
)


class _Chance:
    def __init__(self, label: str) -> None:
        self._label = label
        self._drawn = 0

    def choose(self, options: Sequence[T]) -> T:
        self._drawn += 1
        number = hashlib.sha256(f"{self._label}/{self._drawn}".encode()).digest()
        return options[int.from_bytes(number) % len(options)]


def _action(match: Match, seat: Seat, chance: _Chance) -> Action:
    """Legal, and often with a signal, mostly a true one; the chant is agreed in every other deal."""
    deal, hand = match.deal, match.deal.hands[seat]
    shown = [Sign(signal) for signal, card in SHOWN_CARD.items() if card in hand]
    others = [Sign(Signal.USELESS_HAND), Sign(Signal.VACHE), aces(1), Sign(Signal.MADAME, 1), *[None] * 3]
    sign = chance.choose([*shown, *others]) if len(deal.played) < 20 else None
    match match.ask:
        case Ask.CUT:
            return Cut(chance.choose(range(1, 48)), sign)
        case Ask.LOOK:
            return Look(sign)
        case Ask.CHANT:
            return Chant(deal.number % 2 == 1 or seat is not deal.dealer.partner, sign)
        case Ask.DISCARD:
            return Discard(weakest(hand), sign)
        case _:
            return Play(chance.choose(hand), sign)


def _told(match: Match, chance: _Chance) -> Iterator[str]:
    yield f"rules {match.rules}"
    if match.draw is not None:
        yield f"draw from {match.draw.first}: {write_cards(match.draw.cards)}"
        yield " ".join(f"{seat}->{chair}" for seat, chair in sorted(match.draw.chairs.items()))
    turns = 0
    while not match.over:
        turns += 1
        yield ""
        views = [view_of(match, seat) for seat in SEATS]
        (deal,) = {view.deal for view in views}
        votes = " ".join(f"{vote.seat}{'+' if vote.yes else '-'}" for vote in deal.votes)
        stock = " stock dealt" if deal.stock_dealt else ""
        yield f"turn {turns}: deal {deal.number}, NS {deal.points.ns} EW {deal.points.ew}, votes {votes}{stock}"
        yield write_deal(deal)
        yield from map(_view, views)
        # Who looks first is of no account; the seats in the order of their names bring that out.
        seat = min(match.asked)
        action = _action(match, seat, chance)
        yield f"{seat}: {_told_action(action)}"
        match.do(seat, action)
    yield ""
    yield f"NS {match.totals[Side.NS]} EW {match.totals[Side.EW]} after {len(match.deals)} deals"


def _view(view: View) -> str:
    parts = [f"{view.seat} {'-' if view.asked is None else str(view.asked):7} {write_cards(view.hand)}"]
    if view.discards:
        parts.append(f"discards {write_cards(view.discards)}")
    if view.sent:
        parts.append(f"sent {', '.join(map(_sent, view.sent))}")
    if view.seen:
        parts.append(f"seen {', '.join(map(_seen, view.seen))}")
    return " | ".join(parts)


def _sent(sent: SentSignal) -> str:
    dropped = "" if sent.dropped is None else f" dropped {sent.dropped.name}"
    return f"{sent.ask}/{sent.played} {sent.sign}{dropped}"


def _seen(seen: SeenSignal) -> str:
    return f"{seen.ask}/{seen.played} {seen.seat} {seen.sign}"


def _told_action(action: Action) -> str:
    sign = "" if action.sign is None else f" + {action.sign}"
    match action:
        case Cut(n):
            return f"cut {n}{sign}"
        case Look():
            return f"look{sign}"
        case Chant(yes):
            return f"chant {'yes' if yes else 'no'}{sign}"
        case Discard(cards):
            return f"discard {write_cards(cards)}{sign}"
        case Play(card):
            return f"play {card}{sign}"
