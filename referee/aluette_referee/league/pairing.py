"""Who plays whom next in a league, among those who are there and have a table free.

Pure: time and chance come in. Three things are weighed, and two are law.

*Shares.* Whoever is uncertain is due more often, and nobody starves: that is stride scheduling (Waldspurger and Weihl
1995). Each entrant has a *pass*, which each of its matches moves on by 1 / weight; the one with the least is due next. The
weight is from 1 to `EAGER`, by how little is known of its rating. Who comes, or comes back, begins where the others are: being
away is made up for by nothing.

*Opponents.* Of all it may meet, whoever is due gets one that is near in strength, most due itself, and not one of its last. All within
`_NEAR` are near alike, and chance has its say. Were always the nearest taken, two whose gap is overestimated by luck would not
meet again, and the gap would stay: in simulated leagues of 50 with 150 matches each, 30 of 50 intervals held the truth then (strengths spread by
1.45), with this 47 (1.04), and the intervals were narrower, too.

*Law.* Two bots of one owner never sit at one rated table, and a pair that has met rests for the spacing. Of two teams that have just met
each waits for somebody else who is there to have finished, for a minute at most: else of four the same pairs would meet for ever.
"""

import itertools
import math
import random
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

__all__ = ["Candidate", "Drawn", "Mode", "Pairing"]

Mode = Literal["teams", "individual"]
"""`teams`: an entrant plays with itself as its partner. `individual`: four entrants, partners drawn."""

EAGER: Final = 3.0
"""The share of an entrant of whom nothing is known, of whose rating is settled the share is 1."""
_UNKNOWN: Final = 400.0
"""Half the width of the interval of who has none yet, in points of Elo."""
_NEAR: Final = 250.0
"""Points of Elo between two entrants that cost nothing."""
_REACH: Final = 200.0
"""So many more cost 1."""
_CHANCE: Final = 1.0
"""The mean of what chance costs."""
_WAIT: Final = 60.0
"""Seconds for which somebody else is waited for."""
_REMEMBERED: Final = 8
"""The last opponents of each that count as repeats."""
_LOOKED_AT: Final = 200
"""So many of those who are most due are looked at for an opponent, and all others only if there is none among them."""
_TRIES: Final = 50
"""So many of those who are most due are looked at; behind them others wait for the same."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entrant who is there and can take one more table. `strength` and `margin` are in points of Elo, about a mean of 0."""

    id: int
    owner: int
    strength: float = 0.0
    margin: float | None = None
    """Half the width of its interval; None when it has none."""

    @property
    def doubt(self) -> float:
        """From 0 to 1."""
        return 1.0 if self.margin is None else min(1.0, self.margin / _UNKNOWN)

    @property
    def weight(self) -> float:
        """Its share of the matches."""
        return 1.0 + (EAGER - 1.0) * self.doubt


class Drawn(NamedTuple):
    """Two sides that are to meet: each an entrant with itself as its partner, or two."""

    one: tuple[int, ...]
    other: tuple[int, ...]

    @property
    def entrants(self) -> tuple[int, ...]:
        """All of them."""
        return (*self.one, *self.other)


class Pairing:
    """What it remembers: the pass of each entrant, whom it last met, and when a pair last did."""

    def __init__(self, mode: Mode, spacing: float) -> None:
        """`spacing`: seconds from the beginning of a match to the next one in which two of its opponents meet."""
        self._mode: Final = mode
        self._spacing = spacing
        self._passes: dict[int, float] = {}
        self._present: frozenset[int] = frozenset()
        self._last: dict[int, deque[int]] = {}
        self._met: dict[frozenset[int], float] = {}
        self._owners: dict[int, int] = {}
        self._free_since: dict[int, float] = {}

    def present(self, entrants: Iterable[int]) -> None:
        """Who is there now, whether it has a table free or not."""
        now = frozenset(entrants)
        floor = min((self._passes[one] for one in now & self._present), default=0.0)
        for new in now - self._present:
            self._passes[new] = max(floor, self._passes.get(new, 0.0))
        for gone in self._present - now:
            self._free_since.pop(gone, None)
        self._present = now

    def draw(self, candidates: Sequence[Candidate], now: float, rng: random.Random) -> Drawn | None:
        """The next match among those with a table free, which is taken to begin now; None when none may.

        All of them must be present.
        """
        self._forget(now)
        for one in candidates:
            self._owners[one.id] = one.owner
            self._free_since.setdefault(one.id, now)
        due = sorted(candidates, key=lambda one: (self._passes[one.id], one.id))
        for anchor in due[:_TRIES]:
            table = self._table_of(anchor, due[:_LOOKED_AT], now, rng)
            if table is None and len(due) > _LOOKED_AT:
                table = self._table_of(anchor, due, now, rng)
            if table is not None:
                return self._begin(table, now, rng)
        return None

    def wakes_at(self, now: float) -> float:
        """When a pair that may not meet now may again, at the earliest; infinity if there is none."""
        rested = next(
            (met + self._spacing for met in self._met.values() if met + self._spacing > now), math.inf
        )
        return min([rested, *(since + _WAIT for since in self._free_since.values() if since + _WAIT > now)])

    def _table_of(
        self, anchor: Candidate, candidates: Iterable[Candidate], now: float, rng: random.Random
    ) -> list[Candidate] | None:
        seats = 2 if self._mode == "teams" else 4
        costs = {
            one.id: self._cost(anchor, one) + rng.expovariate(1.0) * _CHANCE
            for one in candidates
            if one.id != anchor.id
        }
        table = [anchor]
        for one in sorted(
            (one for one in candidates if one.id in costs), key=lambda one: (costs[one.id], one.id)
        ):
            if self._may_join(one, table, now):
                table.append(one)
                if len(table) == seats:
                    return table
        return None

    def _may_join(self, one: Candidate, table: Collection[Candidate], now: float) -> bool:
        return all(
            one.owner != seated.owner
            and frozenset((one.id, seated.id)) not in self._met
            and not self._waits(one, seated, now)
            for seated in table
        )

    def _waits(self, one: Candidate, other: Candidate, now: float) -> bool:
        """Whether two teams have just met, and somebody else is there who may come free."""
        if self._mode != "teams" or now - min(self._free_since[each.id] for each in (one, other)) >= _WAIT:
            return False
        lasts = [self._last.get(each.id, ()) for each in (one, other)]
        if [last[-1] if last else None for last in lasts] != [other.id, one.id]:
            return False
        return any(
            self._owners.get(each, one.owner) not in (one.owner, other.owner) for each in self._present
        )

    def _cost(self, anchor: Candidate, one: Candidate) -> float:
        apart = max(0.0, abs(anchor.strength - one.strength) - _NEAR) / _REACH
        ahead = self._passes[one.id] - self._passes[anchor.id]
        repeats = sum(
            1 / age
            for age, met in enumerate(reversed(self._last.get(anchor.id, ())), start=1)
            if met == one.id
        )
        return apart + ahead + repeats

    def _begin(self, table: list[Candidate], now: float, rng: random.Random) -> Drawn:
        for one in table:
            self._free_since.pop(one.id, None)
            self._passes[one.id] += 1 / one.weight
            last = self._last.setdefault(one.id, deque(maxlen=_REMEMBERED))
            for other in table:
                if other.id != one.id:
                    last.append(other.id)
                    self._met[frozenset((one.id, other.id))] = now
        ids = [one.id for one in table]
        rng.shuffle(ids)
        half = len(ids) // 2
        return Drawn(tuple(ids[:half]), tuple(ids[half:]))

    def _forget(self, now: float) -> None:
        """Drop the pairs that have rested; they are kept in the order in which they met."""
        rested = itertools.takewhile(lambda item: item[1] + self._spacing <= now, self._met.items())
        for pair, _ in list(rested):
            del self._met[pair]
