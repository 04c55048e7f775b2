"""A match as text, trick by trick: all of it, or only what one seat saw.

Made from a record alone, so it serves a match just played and one from a store. The seat's view leaves
out other hands, the stock, others' discards and signals that it did not notice.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from aluette.cards import Card
from aluette.notation import write_cards
from aluette.record import replay
from aluette.rules import Ask, Deal, MadeSignal, RuleSet, Trick
from aluette.rules.deal import deal_hands
from aluette.rules.signals import Drop
from aluette.seats import SEATS, Seat, Side

__all__ = ["knows", "result_line", "score_line", "strongest_first", "transcript", "when", "why_dropped"]


def transcript(
    record: Mapping[str, Any], seats: Mapping[Seat, str] | None = None, seat: Seat | None = None
) -> Iterator[str]:
    """The lines of a match; `seats` names who sits where, `seat` limits it to what that seat saw."""
    match = replay(record)
    yield f"Rules {record['rules']}" + ("" if seat is None else f", as seen from {seat}")
    if seats:
        yield "   ".join(f"{chair} {seats[chair]}" for chair in SEATS)
    if match.draw is not None:
        draw = match.draw
        yield f"Partner draw from {draw.first}: {write_cards(draw.cards)}"
        chairs = draw.chairs
        yield "   ".join(
            f"{holder} drew {card.title}, sits {chairs[holder]}" for card, holder in draw.holders.items()
        )
    totals = dict.fromkeys(Side, 0)
    for deal in match.deals:
        yield ""
        yield from _deal(deal, seat)
        if deal.score.side is not None:
            totals[deal.score.side] += deal.score.points
        if deal.phase is None:
            yield f"  Score        NS {totals[Side.NS]}, EW {totals[Side.EW]}"
    yield ""
    yield result_line(record["result"])


def when(deal: int, trick: int) -> str:
    """The moment of a fault: in which deal and trick, both from 1; 0 is before the first."""
    if not deal:
        return "before the first deal"
    return f"in deal {deal}, trick {trick}" if trick else f"in deal {deal}, before its first trick"


def _deal(deal: Deal, seat: Seat | None) -> Iterator[str]:
    yield f"Deal {deal.number}, {deal.dealer} deals" + (
        f", cut at {deal.cut}" if seat is None and deal.cut else ""
    )
    yield from _signals(deal, seat, "cut", 0)
    hands, stock = deal_hands(deal.pack, deal.dealer) if deal.pack else ({}, ())
    for chair, hand in sorted(hands.items()):
        if seat in (None, chair):
            yield f"  {chair} holds      {write_cards(sorted(hand, key=strongest_first))}"
    if seat is None and stock:
        yield f"  Stock        {write_cards(stock)}"
    yield from _signals(deal, seat, "look", 0)
    if deal.votes:
        votes = ", ".join(f"{seat} {'yes' if yes else 'no'}" for seat, yes in deal.votes)
        yield f"  Chant        {votes}"
        yield from _signals(deal, seat, "chant", 0)
    for chair, cards in deal.received.items():
        if seat in (None, chair):
            yield f"  {chair} receives   {write_cards(cards)}"
            if chair in deal.discards:
                yield f"  {chair} discards   {write_cards(deal.discards[chair])}"
    yield from _signals(deal, seat, "discard", 0)
    for number, trick in enumerate(deal.tricks(), start=1):
        yield f"  {number}  {_trick(trick)}"
        for place in range(len(trick.cards)):
            yield from _signals(deal, seat, "play", 4 * (number - 1) + place)
    if deal.phase is None:
        yield f"  {score_line(deal)}"


def _trick(trick: Trick) -> str:
    plays = "   ".join(f"{seat} {card}{_mark(card)}" for seat, card in trick.plays)
    if not trick.complete:
        return f"{plays}   ..."
    return f"{plays}   {'spoiled' if trick.winner is None else f'{trick.winner} wins'}"


def _mark(card: Card) -> str:
    return f" ({card.title})" if card.title else ""


def _signals(deal: Deal, seat: Seat | None, asked: str, played: int) -> Iterator[str]:
    for made in deal.signals:
        if str(made.ask) == asked and made.played == played and (seat is None or knows(seat, made)):
            yield f"       {_signal(made, seat, deal.rules)}"


def _signal(made: MadeSignal, seat: Seat | None, rules: RuleSet) -> str:
    line = f"{made.seat} {made.sign.signal.gesture}: {made.sign}"
    if made.dropped is not None:
        return f"{line}, dropped: {why_dropped(made.ask, made.dropped, rules)}"
    if seat is None and made.noticed:
        line += f", noticed by {' and '.join(map(str, made.noticed))}"
    return line


def why_dropped(asked: Ask, drop: Drop, rules: RuleSet) -> str:
    """Why a signal that came with this action had no effect."""
    match drop:
        case Drop.OFF:
            return "no signal goes with the cut" if asked is Ask.CUT else "the rules have no signals"
        case Drop.MALFORMED:
            return "it is no signal"
        case Drop.UNTRUE:
            return "not true"
        case Drop.BOUND:
            return f"more than {rules.signals_per_deal} in this deal"


def knows(seat: Seat, made: MadeSignal) -> bool:
    """Whether a seat knows of a signal: it made it, or it saw it."""
    if made.seat is seat:
        return True
    return made.dropped is None and (made.seat.partner is seat or seat in made.noticed)


def score_line(deal: Deal) -> str:
    """What a finished deal scores, and how many tricks each player took."""
    score = deal.score
    counts = ", ".join(f"{seat} {deal.winners.count(seat)}" for seat in SEATS)
    spoiled = f", {deal.winners.count(None)} spoiled" if None in deal.winners else ""
    if score.side is None:
        return f"Nobody scores ({counts}{spoiled})"
    how = " by a mordienne" if score.points == 2 else ""
    return f"{score.player} scores {score.points} for {score.side}{how} ({counts}{spoiled})"


def result_line(result: Mapping[str, Any]) -> str:
    """Who won a match, by how much, and through what fault."""
    points = f"NS {result['NS']}, EW {result['EW']}"
    if (fault := result["fault"]) is not None:
        loser = f"{result['winner']} wins {points}" if result["winner"] else "both sides lose"
        return f"Fault: {fault['seat']} {fault['type']} {when(fault['deal'], fault['trick'])}; {loser}"
    return f"{result['winner']} wins, {points}" if result["winner"] else f"A draw, {points}"


def strongest_first(card: Card) -> tuple[int, int]:
    """The order of a hand, as a key to sort by."""
    return (-card.strength, card)
