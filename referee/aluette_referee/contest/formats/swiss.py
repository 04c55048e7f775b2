"""Swiss: in each round those meet who have done equally well, and nobody twice as long as that can be.

A round is drawn when the one before is over. Of all ways to pair the field the one is taken that has, in this order,
the fewest pairings that were there before, the fewest second byes, the smallest differences of match points (their
squares, so that one large one is worse than two small ones); and within a group of equals its upper half, by the
order of the file, against its lower. Finding it is a minimum-weight matching (networkx: Edmonds' blossoms).

Who sits out has a bye, which counts as a won block of all its blocks: the last of those who have had none.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from aluette_referee.contest.contest import Entrant
from aluette_referee.contest.formats.scores import Lookup, Score
from aluette_referee.contest.schedule import Block, Meeting, Partnership, Round

__all__ = ["BYE", "swiss", "usual_rounds"]

BYE = Score(2.0, 0.0)
"""Of each block that it stands for."""

_REPEAT, _BYE, _GAP, _FOLD, _CHANCE = (1 << bits for bits in (140, 110, 70, 40, 0))
"""Each outweighs all below it, for fields of up to a thousand."""


def usual_rounds(count: int) -> int:
    """As many as a knockout of that field would have: who won all is then alone."""
    return max(1, math.ceil(math.log2(max(count, 2))))


def swiss(entrants: Sequence[Entrant], blocks: int, rounds: int, score_of: Lookup) -> Iterator[Round]:
    """The rounds that can be drawn by now, each of `blocks` blocks a pairing: one more than are over."""
    points: dict[str, float] = dict.fromkeys((entrant.id for entrant in entrants), 0.0)
    byes: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    for number in range(rounds):
        pairs, bye = _draw(entrants, points, byes, met, number)
        meetings = [Meeting.of(Partnership.of(one), Partnership.of(other)) for one, other in pairs]
        played = [
            Round(
                tuple(
                    Block(meeting, met[meeting.one.name, meeting.other.name] * blocks + index)
                    for meeting in meetings
                ),
                (bye,) if bye else (),
            )
            for index in range(blocks)
        ]
        yield from played
        if bye:
            byes[bye.id] += 1
            points[bye.id] += BYE.one * blocks
        for block in (block for each in played for block in each.blocks):
            if (score := score_of(block)) is None:
                return
            (one,), (other,) = (side.entrants for side in block.meeting)
            points[one.id] += score.one
            points[other.id] += score.other
        met.update((meeting.one.name, meeting.other.name) for meeting in meetings)


def _draw(
    entrants: Sequence[Entrant],
    points: Mapping[str, float],
    byes: Counter[str],
    met: Counter[tuple[str, str]],
    number: int,
) -> tuple[list[tuple[Entrant, Entrant]], Entrant | None]:
    import networkx as nx  # noqa: PLC0415 - it takes long, and other formats do not need it

    ranked = sorted(range(len(entrants)), key=lambda place: (-points[entrants[place].id], place))
    field = [entrants[place] for place in ranked]
    groups = Counter(points[entrant.id] for entrant in field)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(field) + len(field) % 2))
    for low, other in enumerate(field):
        for high, one in enumerate(field[:low]):
            again = met[tuple(sorted((one.name, other.name)))]  # type: ignore[index]
            gap = int(2 * (points[one.id] - points[other.id]))
            fold = abs(low - high - groups[points[one.id]] // 2) if not gap else 0
            cost = again * _REPEAT + gap * gap * _GAP + fold * fold * _FOLD + _lot(one, other, number)
            graph.add_edge(high, low, weight=-cost)
        if len(field) % 2:
            cost = byes[other.id] * _BYE + (len(field) - low) * _BYE // len(field) // 2
            graph.add_edge(low, len(field), weight=-cost)
    matched = cast("set[tuple[int, int]]", nx.max_weight_matching(graph, maxcardinality=True))
    pairs = sorted((min(pair), max(pair)) for pair in matched)
    bye = next((field[high] for high, low in pairs if low == len(field)), None)
    return [(field[high], field[low]) for high, low in pairs if low < len(field)], bye


def _lot(one: Entrant, other: Entrant, number: int) -> int:
    """No two ways to pair a field are equally good: which is taken does not depend on how it is looked for."""
    text = f"{number}/{len(one.name)}/{one.name}/{other.name}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) * _CHANCE
