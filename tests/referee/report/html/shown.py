"""Matches as a page shows them, with names that a team may think of."""

import random

from rules.play import play_out

from aluette.packs import BlockKey
from aluette.record import Record, record_of
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS
from aluette_referee.report.html.pages import Chair, Shown

__all__ = ["SCRIPT", "at_random", "shown"]

SCRIPT = "<script>alert(1)</script>"


def shown(record: Record, match: str = "0123abcd-1", *teams: str, **more: object) -> Shown:
    """A record under an id; the teams are `Ana` and `Béa` unless they are given."""
    ns, ew = teams or ("Ana", "Béa")
    seats = {
        seat: Chair(f"{(ns, ew)[place % 2]} {place // 2 + 1}", "random") for place, seat in enumerate(SEATS)
    }
    return Shown(match, record, (ns, ew), seats, **more)


def at_random(seed: int, **options: object) -> Record:
    """A match of random play."""
    match = Match(RuleSet(**options), BlockKey(bytes([seed]) * 32))
    play_out(match, random.Random(seed))
    return record_of(match)
