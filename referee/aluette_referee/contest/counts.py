"""What was counted while bots played, beside who won: sums of match summaries, and of deal points a deal."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from aluette.seats import Seat
from aluette_referee.contest.ratio import Ratio
from aluette_referee.contest.summary import Summary

__all__ = ["Counts", "PerDeal", "Play", "play_of", "total_of"]


class Counts(NamedTuple):
    """The summaries of so many matches of one meeting, all of the same leg, added up."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    leg: int
    matches: int
    summary: Summary


class PerDeal(NamedTuple):
    """Of one meeting, over the deals that were played to their end."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    difference: Ratio
    """The first side's deal points less the other's."""
    dealers: Ratio
    """Deals that the dealer's side won."""


@dataclass(slots=True)
class Play:
    """What was counted in all matches of a player, or of everybody."""

    matches: int = 0
    deals: int = 0
    tricks: int = 0
    spoiled: int = 0
    chants: int = 0
    mordiennes: int = 0
    """By its own side."""
    mordiennes_against: int = 0
    per_deal: Ratio = field(default_factory=Ratio)
    """Its side's deal points less the other's, over deals."""
    dealers: Ratio = field(default_factory=Ratio)
    """Deals that the dealer's side won, over deals."""
    sat: dict[Seat, int] = field(default_factory=lambda: defaultdict(int))
    """Deals played to their end on each chair: a team sits on two at a time."""
    won: dict[Seat, int] = field(default_factory=lambda: defaultdict(int))
    """Deals that it won for its side as the player on this chair."""

    def add(self, counts: Counts, *, ns: bool, seats: Iterable[Seat]) -> None:
        """Count matches in which it sat on one side, or for everybody on both, on these chairs."""
        summary = counts.summary
        of_sides = (summary.mordiennes_ns, summary.mordiennes_ew)
        self.matches += counts.matches
        self.deals += summary.deals
        self.tricks += summary.tricks
        self.spoiled += summary.spoiled
        self.chants += summary.chants
        self.mordiennes += of_sides[not ns]
        self.mordiennes_against += of_sides[ns]
        won = dict(zip(Seat, (summary.won_n, summary.won_e, summary.won_s, summary.won_w), strict=True))
        for seat in seats:
            self.sat[seat] += summary.deals
            self.won[seat] += won[seat]


def play_of(names: Iterable[str], counts: Iterable[Counts], per_deal: Iterable[PerDeal]) -> dict[str, Play]:
    """Of each player; nobody else may have played."""
    found = {name: Play() for name in names}
    for each in counts:
        for side, ns in ((each.one, each.leg == 1), (each.other, each.leg == 2)):
            chairs = (Seat.N, Seat.S) if ns else (Seat.E, Seat.W)
            for place, name in enumerate(side):
                found[name].add(each, ns=ns, seats=chairs if len(side) == 1 else chairs[place : place + 1])
    for sums in per_deal:
        for side, sign in ((sums.one, 1), (sums.other, -1)):
            for name in side:
                found[name].per_deal.add(sums.difference, sign)
                found[name].dealers.add(sums.dealers)
    return found


def total_of(counts: Iterable[Counts], per_deal: Iterable[PerDeal]) -> Play:
    """Of everybody; its `mordiennes` are those of NS, and each match counts once."""
    found = Play()
    for each in counts:
        found.add(each, ns=True, seats=Seat)
    for sums in per_deal:
        found.dealers.add(sums.dealers)
    return found
