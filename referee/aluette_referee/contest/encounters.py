"""Who did how well against whom, in blocks of which score, with which partners, and what mirroring was worth.

All of it folds over tallies, in whatever order they come.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from aluette_referee.contest.ratio import Ratio
from aluette_referee.contest.schedule import LEGS
from aluette_referee.contest.tally import Tally, from_both_sides

__all__ = ["Encounter", "Mirroring", "block_scores", "encounters", "mirroring", "with_strangers"]

_NOTHING = 1e-9


@dataclass(slots=True)
class Encounter:
    """What one has of its matches against another."""

    matches: int = 0
    points: float = 0.0
    """Match points."""
    difference: int = 0
    """Deal points for, less those against."""

    def add(self, seen: Tally) -> None:
        """Count blocks, seen from this one's side."""
        self.matches += seen.blocks * seen.legs
        self.points += seen.blocks * sum(seen.scores)
        self.difference += seen.difference


def encounters(played: Iterable[Tally]) -> dict[tuple[str, str], Encounter]:
    """Of each two who have met as opponents, in both orders."""
    found: dict[tuple[str, str], Encounter] = {}
    for seen in from_both_sides(played):
        for name in seen.one:
            for opponent in seen.other:
                found.setdefault((name, opponent), Encounter()).add(seen)
    return found


def block_scores(played: Iterable[Tally]) -> dict[str, Counter[float]]:
    """How many blocks each had of each score: 0, 1/2, ... 2. Blocks of which a leg is missing are left out."""
    found: dict[str, Counter[float]] = {}
    for seen in from_both_sides(played):
        if seen.legs == LEGS:
            for name in seen.one:
                found.setdefault(name, Counter())[sum(seen.scores)] += seen.blocks
    return found


def with_strangers(
    programs: Mapping[str, str], played: Iterable[Tally]
) -> dict[str, tuple[Encounter, Ratio]]:
    """What each has of the matches with a partner of another program than its own, and its deal points a match in them.

    `programs` are digests of what was entered under each name.
    """
    found = {name: (Encounter(), Ratio()) for name in programs}
    for seen in from_both_sides(played):
        for name, partner in (seen.one, seen.one[::-1]) if len(seen.one) > 1 else ():
            if programs[name] != programs[partner]:
                met, ratio = found[name]
                met.add(seen)
                ratio.add(
                    Ratio(
                        seen.blocks,
                        seen.difference,
                        seen.blocks * seen.legs,
                        seen.squares,
                        seen.blocks * seen.legs**2,
                        seen.legs * seen.difference,
                    )
                )
    return found


class Mirroring(NamedTuple):
    """How many matches with packs of their own tell as much as one of a mirrored block, by results and by deal points.

    None where blocks came out alike, or no two have met for two blocks.
    """

    results: float | None
    points: float | None
    blocks: int


def mirroring(played: Iterable[Tally]) -> Mirroring:
    """The variance that the mean of two matches with different packs would have, over that of a block's mean.

    Both are estimated within meetings and pooled. With B blocks in each of P meetings, SSm the sum of the squares of block
    means and SSx that of matches, about the meeting's mean: var(block mean) = SSm / sum(B - 1), and since
    E SSx = 2 B var(match) - 2 var(block mean), var(match) = (SSx + 2 P var(block mean)) / (2 sum B).
    """
    points: dict[tuple[tuple[str, ...], ...], _Sums] = {}
    results: dict[tuple[tuple[str, ...], ...], _Sums] = {}
    for tally in played:
        if tally.legs < LEGS:
            continue
        meeting = (tally.one, tally.other)
        points.setdefault(meeting, _Sums()).add(tally.blocks, tally.difference, tally.squares, tally.apart)
        total = sum(tally.scores)
        apart = sum(score * score for score in tally.scores)
        results.setdefault(meeting, _Sums()).add(
            tally.blocks, tally.blocks * total, tally.blocks * total * total, tally.blocks * apart
        )
    blocks = sum(sums.blocks for sums in points.values())
    return Mirroring(_gain(results.values()), _gain(points.values()), blocks)


@dataclass(slots=True)
class _Sums:
    """Over the blocks of a meeting: of both legs' values, of the squares of that, and of the squares of each."""

    blocks: int = 0
    total: float = 0.0
    squares: float = 0.0
    apart: float = 0.0

    def add(self, blocks: int, total: float, squares: float, apart: float) -> None:
        self.blocks += blocks
        self.total += total
        self.squares += squares
        self.apart += apart


def _gain(meetings: Iterable[_Sums]) -> float | None:
    repeated = [sums for sums in meetings if sums.blocks > 1]
    blocks = sum(sums.blocks for sums in repeated)
    if not repeated:
        return None
    of_means = sum(sums.squares - sums.total**2 / sums.blocks for sums in repeated) / 4
    of_matches = sum(sums.apart - sums.total**2 / (2 * sums.blocks) for sums in repeated)
    of_mean = of_means / (blocks - len(repeated))
    if of_mean < _NOTHING:
        return None
    of_match = (of_matches + 2 * len(repeated) * of_mean) / (2 * blocks)
    return of_match / 2 / of_mean
