"""Round-robin and gauntlet: pairings that are known from the beginning."""

from collections.abc import Iterator, Sequence

from aluette_referee.contest.contest import Entrant
from aluette_referee.contest.schedule import Block, Meeting, Partnership, Round

__all__ = ["circle", "gauntlet", "round_robin"]

Pairs = list[tuple[int, int]]


def circle(count: int) -> list[Pairs]:
    """The circle method: every two of `count` meet once, and nobody plays twice in a round.

    With an odd count one sits out each round (a bye).
    """
    around = list(range(count + count % 2))
    half = len(around) // 2
    found: list[Pairs] = []
    for _ in range(len(around) - 1):
        pairs = zip(around[:half], reversed(around[half:]), strict=True)
        found.append([pair for pair in pairs if max(pair) < count])
        around.insert(1, around.pop())
    return found


def against(challengers: int, others: int) -> list[Pairs]:
    """Every one of the first against every one of the others, once; nobody plays twice in a round."""
    many, few = max(challengers, others), min(challengers, others)
    drawn = [[(place, (turn + place) % many) for place in range(few)] for turn in range(many)]
    return drawn if challengers == few else [[(other, one) for one, other in pairs] for pairs in drawn]


def round_robin(entrants: Sequence[Entrant], blocks: int) -> Iterator[Round]:
    """All meet all: every pairing has played block 0 before any plays block 1."""
    return _drawn(entrants, circle(len(entrants)), blocks)


def gauntlet(entrants: Sequence[Entrant], blocks: int, challengers: int) -> Iterator[Round]:
    """The first so many against all others, and not against each other."""
    pairs = against(challengers, len(entrants) - challengers)
    return _drawn(entrants, [[(one, challengers + other) for one, other in some] for some in pairs], blocks)


def _drawn(entrants: Sequence[Entrant], drawn: Sequence[Pairs], blocks: int) -> Iterator[Round]:
    sides = [Partnership.of(entrant) for entrant in entrants]
    met = [[Meeting.of(sides[one], sides[other]) for one, other in pairs] for pairs in drawn]
    return (
        Round.of((Block(meeting, index) for meeting in meetings), entrants)
        for index in range(blocks)
        for meetings in met
        if meetings
    )
