"""The judge of drawn worlds: all that fit a view, counted by brute force with the rulebook, and how well a draw agrees."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb

from scipy import stats

from aluette.cards import CARDS, STRENGTH, Card
from aluette.errors import IllegalAction
from aluette.rules import Ask, RuleSet, Sign
from aluette.rules.chant import verify_discards
from aluette.rules.signals import judge
from aluette.seats import SEATS, Seat
from aluette.sim import Deals
from aluette.view import View

Held = dict[Seat, tuple[Card, ...]]
World = tuple[Held, Held]
"""The hands and the discards of the other three."""


def plays(view: View) -> list[tuple[Seat, Card]]:
    return [play for trick in (*view.deal.tricks, view.deal.trick) for play in trick.plays]


def receivers(view: View) -> tuple[Seat, ...]:
    return (view.deal.dealer.left, view.deal.dealer) if view.deal.stock_dealt else ()


def ways(view: View, rules: RuleSet, world: World) -> int:
    """How likely a world is, as a whole number: in how many ways the pack may have dealt it, and how likely its discards.

    A pack is dealt in as many ways as each receiver's fifteen divide into the nine it had first and six more; of all
    discards that the rules allow it, every choice is as likely.
    """
    hands, discards = world
    found = 1
    for seat in SEATS:
        if seat is not view.seat:
            found *= ways_of(view, rules, seat, hands[seat], discards.get(seat, ()))
    return found


def ways_of(
    view: View, rules: RuleSet, seat: Seat, hand: tuple[Card, ...], discards: tuple[Card, ...]
) -> int:
    played = [(index, card) for index, (who, card) in enumerate(plays(view)) if who is seat]
    all_of = [*hand, *discards, *(card for _, card in played)]
    if rules.chant_discard == "lowest" and discards:
        try:
            verify_discards(rules, all_of, discards)
        except IllegalAction:
            return 0
    first: list[Sign] = []
    for seen in view.seen:
        if seen.seat is not seat:
            continue
        if seen.ask is Ask.PLAY:
            held = [*hand, *(card for index, card in played if index >= seen.played)]
        else:
            held = all_of
            if seat in receivers(view) and seen.ask is not Ask.DISCARD:
                first.append(seen.sign)
                continue
        if judge(rules, held, 0, seen.sign) is not None:
            return 0
    if seat not in receivers(view):
        return 1
    fifteen = tuple(sorted(STRENGTH[card] for card in all_of))
    return (divided(rules, fifteen, tuple(first)) if first else comb(15, 9)) * chance_of_choice(
        rules, fifteen
    )


def chance_of_choice(rules: RuleSet, fifteen: tuple[int, ...]) -> int:
    """The chance of every six that such a seat may put aside, times a number that makes it whole for all fifteens."""
    if rules.chant_discard == "free":
        return 1
    return 12 // comb(fifteen.count(fifteen[5]), fifteen[:6].count(fifteen[5]))


@cache
def divided(rules: RuleSet, fifteen: tuple[int, ...], first: tuple[Sign, ...]) -> int:
    """In how many ways fifteen cards of these strengths divide into six and a nine of which all that is true."""
    left = {strength: [card for card in CARDS if STRENGTH[card] == strength] for strength in fifteen}
    cards = [left[strength].pop() for strength in fifteen]
    return sum(all(judge(rules, nine, 0, sign) is None for sign in first) for nine in combinations(cards, 9))


def fitting(view: View, rules: RuleSet) -> dict[object, int]:
    """All worlds that fit, as strengths, with the number of ways for each."""
    known = {*view.hand, *view.discards, *view.deal.cards}
    hidden = tuple(card for card in CARDS if card not in known)
    sizes = []
    for seat in SEATS:
        if seat is not view.seat:
            late = view.asked is Ask.DISCARD and seat is view.deal.dealer
            if seat in receivers(view) and not late:
                sizes.append((seat, "discards", 6))
            played = sum(who is seat for who, _ in plays(view))
            sizes.append((seat, "hand", 9 - played + 6 * late))
    counted: dict[object, int] = {}
    judged: dict[object, int] = {}
    for hands, discards in dealt(hidden, sizes):
        key = told(hands, discards)
        if key not in judged:  # suits change nothing: what one world of these strengths is, all are
            judged[key] = ways(view, rules, (hands, discards))
        if judged[key]:
            counted[key] = counted.get(key, 0) + judged[key]
    return counted


def dealt(hidden: tuple[Card, ...], sizes: list[tuple[Seat, str, int]]) -> Iterator[World]:
    if not sizes:
        yield {}, {}
        return
    seat, kind, size = sizes[0]
    for taken in combinations(hidden, size):
        for hands, discards in dealt(tuple(card for card in hidden if card not in taken), sizes[1:]):
            (hands if kind == "hand" else discards)[seat] = taken
            yield hands, discards


def told(hands: Held, discards: Held) -> object:
    return tuple(
        (
            seat,
            *(sorted(STRENGTH[card] for card in held.get(seat, ())) for held in (hands, discards)),
        ).__repr__()
        for seat in SEATS
    )


def drawn(worlds: Deals, seat: Seat) -> Counter[object]:
    """How often each world was drawn, with the own hand left out."""
    found: Counter[object] = Counter()
    for index in range(worlds.size):
        at = worlds.place(index)
        row = worlds.rows[at : at + 164].tolist()  # type: ignore[misc]
        found[
            tuple(
                (
                    other,
                    sorted(filter(None, row[23 + 15 * (other - 1) :][:15])) if other is not seat else [],
                    sorted(filter(None, row[83 + 6 * (other - 1) :][:6])) if other is not seat else [],
                ).__repr__()
                for other in SEATS
            )
        ] += 1
    return found


def agrees(expected: dict[object, int], found: Counter[object]) -> float:
    """The chance of as bad a fit, rare worlds being taken together; every world that was drawn must be possible."""
    assert set(found) <= set(expected)
    total, size = sum(expected.values()), sum(found.values())
    cells: list[list[float]] = []
    open_cell = [0.0, 0.0]
    for key, count in sorted(expected.items(), key=lambda item: item[1]):
        open_cell[0] += found[key]
        open_cell[1] += size * count / total
        if open_cell[1] >= 8:
            cells.append(open_cell)
            open_cell = [0.0, 0.0]
    if open_cell[1]:
        cells.append([a + b for a, b in zip(cells.pop() if cells else [0.0, 0.0], open_cell, strict=True)])
    return stats.chisquare(*zip(*cells, strict=True)).pvalue if len(cells) > 1 else 1.0
