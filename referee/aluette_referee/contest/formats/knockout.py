"""Knockout: who loses a tie is out. Seeded by the order of the file, so that the first two can only meet at the end.

Where the field is no power of two the first ones have a bye in the first round. A tie is won by match points over
its blocks; while these are equal another block is played, at most so many, and then the better seed goes on.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from aluette_referee.contest.contest import Entrant
from aluette_referee.contest.formats.scores import Lookup, Score
from aluette_referee.contest.schedule import Block, Meeting, Partnership, Round

__all__ = ["Tie", "bracket", "knockout", "ties"]


class Tie(NamedTuple):
    """A tie of round `number` (from 1), the better seed first: what was played of it, and who won it, if it is over.

    `by` says how: on points, by a bye (there is no `other`), or as the better seed.
    """

    number: int
    one: Entrant
    other: Entrant | None
    blocks: tuple[Block, ...] = ()
    score: Score = Score()
    winner: Entrant | None = None
    by: Literal["points", "bye", "seed", ""] = ""


def bracket(size: int) -> list[int]:
    """Seeds (from 0) from top to bottom for a power of two: each round's favourites meet as late as can be."""
    order = [0]
    while len(order) < size:
        order = [seed for each in order for seed in (each, 2 * len(order) - 1 - each)]
    return order


def ties(entrants: Sequence[Entrant], blocks: int, extra: int, score_of: Lookup) -> list[list[Tie]]:
    """All ties by rounds, as far as they can be known."""
    size = 1
    while size < len(entrants):
        size *= 2
    seeds = {entrant.id: seed for seed, entrant in enumerate(entrants)}
    alive: list[Entrant | None] = [entrants[seed] if seed < len(entrants) else None for seed in bracket(size)]
    found: list[list[Tie]] = []
    while len(alive) > 1:
        drawn = [
            _tie(
                len(found) + 1,
                sorted((e for e in pair if e is not None), key=lambda e: seeds[e.id]),
                blocks,
                extra,
                score_of,
            )
            for pair in zip(alive[::2], alive[1::2], strict=True)
        ]
        found.append(drawn)
        if any(tie.winner is None for tie in drawn):
            break
        alive = [tie.winner for tie in drawn]
    return found


def knockout(entrants: Sequence[Entrant], blocks: int, extra: int, score_of: Lookup) -> Iterator[Round]:
    """The blocks that can be played by now: of each round its ties side by side, block by block."""
    for drawn in ties(entrants, blocks, extra, score_of):
        byes = tuple(tie.one for tie in drawn if tie.other is None)
        for index in range(blocks + extra):
            if side_by_side := tuple(tie.blocks[index] for tie in drawn if index < len(tie.blocks)):
                yield Round(side_by_side, byes)


def _tie(number: int, pair: Sequence[Entrant], blocks: int, extra: int, score_of: Lookup) -> Tie:
    one, *rest = pair
    if not rest:
        return Tie(number, one, None, winner=one, by="bye")
    other = rest[0]
    meeting = Meeting.of(Partnership.of(one), Partnership.of(other))
    known: list[Block] = []
    total = Score()
    for index in range(blocks + extra):
        if index >= blocks and total.one != total.other:
            break
        known.append(Block(meeting, index))
        if (score := score_of(known[-1])) is None:
            rest_of_it = (Block(meeting, later) for later in range(index + 1, blocks))
            return Tie(number, one, other, (*known, *rest_of_it), total)
        total = total.plus(score if meeting.one.entrants == (one,) else Score(score.other, score.one))
    if total.one == total.other:
        return Tie(number, one, other, tuple(known), total, one, "seed")
    return Tie(number, one, other, tuple(known), total, one if total.one > total.other else other, "points")
