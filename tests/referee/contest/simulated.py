"""Blocks that were not played: scores and deal points of sides of known strength, with luck that a block's legs share."""

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, count

from aluette_referee.contest.tally import Result, Tally, tallies

__all__ = ["block", "merged", "round_robin"]

_NAMES = count()


def block(chance: random.Random, one: tuple[str, ...], other: tuple[str, ...], gap: float) -> list[Result]:
    """Both legs: what is luck for a seat in one is luck for the other side in the second, as the cards stay."""
    luck = chance.gauss(0, 1)
    name = str(next(_NAMES))
    found = []
    for sign in (1, -1):
        difference = max(-5, min(5, round(1.5 * gap + sign * luck + chance.gauss(0, 1.5))))
        score = 0.5 + 0.5 * (difference > 0) - 0.5 * (difference < 0)
        points = max(0, difference), max(0, -difference)
        found.append(Result(name, one, other, *points, score, 1 - score, (0,) * len(one), (0,) * len(other)))
    return found


def round_robin(teams: list[str], blocks: int, seed: int, spread: float = 0.3) -> list[list[Result]]:
    """All pairings; each team is stronger than the one before by `spread`."""
    chance = random.Random(seed)
    return [
        block(chance, (one,), (other,), (teams.index(one) - teams.index(other)) * spread)
        for one, other in combinations(teams, 2)
        for _ in range(blocks)
    ]


def merged(blocks: Iterable[list[Result]]) -> Iterator[Tally]:
    """As tallies, one for each block."""
    return tallies(result for legs in blocks for result in legs)
