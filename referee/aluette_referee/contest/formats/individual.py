"""Individual: bots are entered alone, and partners change from round to round.

A *cycle* is one movement: for 4n and 4n + 1 bots an exact one (`whist`), in which each has each as partner once and as
opponent twice. Other fields, and larger ones than are known there, have one that is searched for: as many rounds as
there are bots, in which all sit out equally often, and how often two are partners, or opponents, differs as
little as a search of some thousand exchanges can make it. In each further cycle they change places so that this evens
out. All of that is the same on every machine.
"""

import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from aluette_referee.contest.contest import Entrant, digest_of
from aluette_referee.contest.formats.whist import EXACT, Table, exact
from aluette_referee.contest.schedule import Block, Meeting, Partnership, Round

__all__ = ["FEWEST", "individual", "movement"]

Rounds = tuple[tuple[Table, ...], ...]

FEWEST: Final = 4
_EXCHANGES: Final = 10_000
"""About so many are tried, each more than once."""
_PARTNERS: Final = 4
"""How much heavier an uneven number of partnerships weighs than one of oppositions: there are half as many."""

_PARTNERED: Final = tuple((one + other) % 2 == 0 for one, other in combinations(range(4), 2))
"""Of each two at a table, whether they are partners."""


def individual(entrants: Sequence[Entrant], cycles: int) -> Iterator[Round]:
    """All rounds of all cycles."""
    played: Counter[tuple[str, str]] = Counter()
    first: Counter[int] = Counter()
    for rounds in itertools.islice(_cycles(len(entrants)), cycles):
        for tables in rounds:
            blocks: list[Block] = []
            for a, b, c, d in tables:
                meeting = Meeting.of(_side(entrants, first, a, c), _side(entrants, first, b, d))
                # The packs follow from the names: these four are not to have them again in another order.
                names = meeting.one.name, meeting.other.name
                blocks.append(Block(meeting, played[names]))
                played[names] += 1
            yield Round.of(blocks, entrants)


def _side(entrants: Sequence[Entrant], first: Counter[int], one: int, other: int) -> Partnership:
    """Two partners: who has sat on a side's first chair less often, and so has dealt first less often, sits there."""
    low, high = sorted((one, other), key=lambda place: (first[place], place))
    first[low] += 1
    return Partnership.of(entrants[low], entrants[high])


def _cycles(count: int) -> Iterator[Rounds]:
    """The movement again and again; one that is not exact with places exchanged, for those who have met least."""
    rounds = movement(count)
    if count in EXACT:
        yield from itertools.repeat(rounds)
    meetings = Counter(
        (one, other, partners)
        for tables in rounds
        for table in tables
        for (one, other), partners in zip(combinations(table, 2), _PARTNERED, strict=True)
    )
    met: Counter[tuple[frozenset[int], bool]] = Counter()

    def again(order: Sequence[int]) -> int:
        """How often those meet again who have met; the sum of all squares grows by twice that, and else by the same."""
        return sum(
            often * met[frozenset((order[one], order[other])), partners] * (_PARTNERS if partners else 1)
            for (one, other, partners), often in meetings.items()
        )

    for number in itertools.count():
        order = min(_orders(count, number), key=again)
        for (one, other, partners), often in meetings.items():
            met[frozenset((order[one], order[other])), partners] += often
        yield tuple(
            tuple((order[a], order[b], order[c], order[d]) for a, b, c, d in tables) for tables in rounds
        )


def _orders(count: int, cycle: int) -> Iterator[Sequence[int]]:
    """Some orders of the places, no two cycles' alike; in the first cycle the plain one."""
    if cycle == 0:
        yield range(count)
        return
    for number in range(max(10, _EXCHANGES // count**2)):
        by = {place: digest_of("order", str(cycle), str(number), str(place)) for place in range(count)}
        yield sorted(by, key=lambda place: by[place])


@functools.lru_cache(maxsize=16)
def movement(count: int) -> Rounds:
    """The rounds of a cycle for so many bots, at least `FEWEST`, by their places."""
    if count in EXACT:
        return tuple(map(tuple, exact(count)))
    seated = _search(count)
    return tuple(
        tuple(
            ((a + by) % count, (b + by) % count, (c + by) % count, (d + by) % count)
            for a, b, c, d in (seated[first : first + 4] for first in range(0, count - count % 4, 4))
        )
        for by in range(count)
    )


def _search(count: int) -> list[int]:
    """A first round, table by table, then who sits out; the others follow by adding 1, 2, ... to each place.

    So how often two meet depends on their distance alone, and all sit out equally often. Begun from orders that are far
    from each other (steps through the field, and their squares and cubes), exchanges are tried as long as they help.
    """
    best: tuple[int, list[int]] | None = None
    steps = [step for step in range(1, count) if math.gcd(step, count) == 1]
    begins = itertools.islice(itertools.product(steps, (1, 2, 3)), max(1, _EXCHANGES // count**2))
    for step, exponent in begins:
        order = {place: pow(step * place + 1, exponent, 2 * count + 1) for place in range(count)}
        seated = sorted(order, key=lambda place: (order[place], place))
        uneven = _Unevenness(seated)
        before = uneven.sum + 1
        while uneven.sum < before:
            before = uneven.sum
            for here, there in combinations(range(count), 2):
                uneven.try_exchange(here, there)
        if best is None or uneven.sum < best[0]:
            best = uneven.sum, seated
    assert best is not None
    return best[1]


class _Unevenness:
    """How unevenly often places meet when a first round goes around: a sum of squares, to be made small."""

    def __init__(self, seated: list[int]) -> None:
        self._seated = seated
        self._count = len(seated)
        self._playing = self._count - self._count % 4
        self._met: Counter[tuple[int, bool]] = Counter()
        self.sum = sum(self._add(table, 1) for table in range(self._playing // 4))

    def try_exchange(self, here: int, there: int) -> None:
        """Exchange two, and keep it so when the round has not become more uneven."""
        before = self.sum
        tables = {place // 4 for place in (here, there) if place < self._playing}
        self._exchange(here, there, tables)
        if self.sum > before:
            self._exchange(here, there, tables)

    def _exchange(self, here: int, there: int, tables: set[int]) -> None:
        self.sum += sum(self._add(table, -1) for table in tables)
        self._seated[here], self._seated[there] = self._seated[there], self._seated[here]
        self.sum += sum(self._add(table, 1) for table in tables)

    def _add(self, table: int, by: int) -> int:
        """Count a table, or take it away; returns by how much the sum of squares grows."""
        grown = 0
        for one, other in combinations(range(4 * table, 4 * table + 4), 2):
            apart = abs(self._seated[one] - self._seated[other])
            apart, partners = min(apart, self._count - apart), (one + other) % 2 == 0
            # Of places that are opposite each other there are half as many pairs, which meet twice as often.
            weight = (_PARTNERS if partners else 1) * (2 if 2 * apart == self._count else 1)
            before = self._met[apart, partners]
            self._met[apart, partners] = before + by
            grown += ((before + by) ** 2 - before**2) * weight
        return grown
