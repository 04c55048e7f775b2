"""Matches that end, matches that a fault cuts short, and the records of both."""

import random

from hypothesis import strategies as st
from rules.play import keys, rule_sets, seeds, steps

from aluette.packs import BlockKey
from aluette.record import Record, forfeited, record_of
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS, Seat

__all__ = ["played", "record_cut_short", "some_matches", "stopped_matches"]


def played(rules: RuleSet, seed: int = 0, stop: int | None = None, first: Seat = Seat.N) -> Match:
    """A match of random legal play, to its end or for `stop` actions."""
    rng = random.Random(seed)
    match = Match(rules, BlockKey(rng.randbytes(32)), first_dealer=first)
    _play_on(match, rng, stop)
    return match


def record_cut_short(match: Match, seat: Seat, *, both: bool = False, before: bool = False) -> Record:
    """The record when `seat` was at fault where the match stands (`before` the first turn of all)."""
    deal, trick = (0, 0) if before else (len(match.deals), len(match.deal.leaders))
    fault = {"type": "late", "seat": seat.name, "deal": deal, "trick": trick}
    return record_of(match, forfeited(match, None if both else seat.side.other, fault))


@st.composite
def some_matches(draw: st.DrawFn, max_deals: int = 3) -> Match:
    """Matches played to the end, under any rules."""
    match = Match(draw(rule_sets(max_deals)), draw(keys), first_dealer=draw(st.sampled_from(SEATS)))
    _play_on(match, random.Random(draw(seeds)))
    return match


@st.composite
def stopped_matches(draw: st.DrawFn, max_deals: int = 2) -> Match:
    """Matches that are not over, under any rules, stopped after any number of actions."""
    match = Match(draw(rule_sets(max_deals)), draw(keys), first_dealer=draw(st.sampled_from(SEATS)))
    _play_on(match, random.Random(draw(seeds)), draw(st.integers(0, 35 * match.rules.deals)))
    return match


def _play_on(match: Match, rng: random.Random, stop: int | None = None) -> None:
    moves = steps(match, rng)
    while stop is None or stop > 0:
        if next(moves, None) is None:
            break
        stop = None if stop is None else stop - 1
