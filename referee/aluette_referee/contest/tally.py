"""What was played, added up for tables and statistics: a million matches in as many lines as have different ends.

A block is the unit: its matches were played with the same cards. Blocks of one meeting that ended alike - who won each leg
- are one `Tally`. All sums are exact, of whole numbers or halves: neither the order of the blocks nor how they were
added up changes a bit of what is computed from them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from aluette.seats import Seat
from aluette_referee.contest.schedule import Fixture
from aluette_referee.faults import Fault

__all__ = ["Result", "Tally", "faults_of", "from_both_sides", "scores_of", "tallies"]


def scores_of(winner: str | None, *, forfeit: bool) -> tuple[float, float]:
    """What NS and EW have of a match: 1, a half or 0 each; without a winner both lose what a fault decided."""
    drawn = 0.0 if forfeit else 0.5
    return (drawn, drawn) if winner is None else (float(winner == "NS"), float(winner == "EW"))


class Result(NamedTuple):
    """One match, seen from the block's first side: who met, its deal points, and what it won.

    `score` is 1, a half or 0 for `one`; `score_other` for `other`: both 0 when both were at fault.
    `faults` and `faults_other` count what each of `one` and `other` did wrong, whether it cost the match or was mended.
    """

    block: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    points: int
    points_other: int
    score: float
    score_other: float
    faults: tuple[int, ...] = ()
    faults_other: tuple[int, ...] = ()
    forfeit: bool = False

    @classmethod
    def of(
        cls,
        fixture: Fixture,
        result: tuple[int, int, str | None],
        *,
        forfeit: bool,
        faults: Mapping[Seat, int] = MappingProxyType({}),
    ) -> "Result":
        """From points of NS and EW and the winner, whether a fault decided it, and how many each seat made.

        Leg 1 seats the block's first side NS, leg 2 EW.
        """
        points_ns, points_ew, winner = result
        made = [fixture.sum_up(faults, side) for side in fixture.sides]
        seen = list(zip((points_ns, points_ew), scores_of(winner, forfeit=forfeit), made, strict=True))
        (points, score, by), (points_other, score_other, by_other) = seen if fixture.leg == 1 else seen[::-1]
        one, other = (tuple(entrant.name for entrant in side.entrants) for side in fixture.block.meeting)
        return cls(
            fixture.block.id, one, other, points, points_other, score, score_other, by, by_other, forfeit
        )

    @classmethod
    def of_record(cls, fixture: Fixture, record: Mapping[str, Any], faults: Iterable[Fault] = ()) -> "Result":
        """From a match's record, and the faults that decided it or were mended."""
        result = record["result"]
        return cls.of(
            fixture,
            (result["NS"], result["EW"], result["winner"]),
            forfeit=result["fault"] is not None,
            faults=Counter(fault.seat for fault in faults),
        )


class Tally(NamedTuple):
    """So many blocks of one meeting, each with the same scores; the rest are sums over them.

    `scores` and `scores_other` are of one block, for each leg that was played, one or two. `squares` is the sum of the
    squares of the blocks' differences of deal points, `apart` that of the squares of the matches' differences.
    """

    one: tuple[str, ...]
    other: tuple[str, ...]
    scores: tuple[float, ...]
    scores_other: tuple[float, ...]
    blocks: int = 1
    points: int = 0
    points_other: int = 0
    squares: int = 0
    apart: int = 0

    @property
    def legs(self) -> int:
        """Matches of each block that were played."""
        return len(self.scores)

    @property
    def difference(self) -> int:
        """Sum of the differences of deal points."""
        return self.points - self.points_other

    def from_the_other_side(self) -> "Tally":
        """The same, seen from the other side."""
        return Tally(
            self.other,
            self.one,
            self.scores_other,
            self.scores,
            self.blocks,
            self.points_other,
            self.points,
            self.squares,
            self.apart,
        )


def from_both_sides(played: Iterable[Tally]) -> Iterator[Tally]:
    """Each tally as it is, and seen from the other side."""
    for tally in played:
        yield tally
        yield tally.from_the_other_side()


def tallies(results: Iterable[Result]) -> Iterator[Tally]:
    """Each block of the results as a tally of its own."""
    blocks: dict[str, list[Result]] = {}
    for result in results:
        blocks.setdefault(result.block, []).append(result)
    for legs in blocks.values():
        apart = [leg.points - leg.points_other for leg in legs]
        yield Tally(
            legs[0].one,
            legs[0].other,
            tuple(leg.score for leg in legs),
            tuple(leg.score_other for leg in legs),
            points=sum(leg.points for leg in legs),
            points_other=sum(leg.points_other for leg in legs),
            squares=sum(apart) ** 2,
            apart=sum(each * each for each in apart),
        )


def faults_of(results: Iterable[Result]) -> Counter[str]:
    """How many faults each player made, by names."""
    found: Counter[str] = Counter()
    for result in results:
        found.update(dict(zip(result.one, result.faults, strict=True)))
        found.update(dict(zip(result.other, result.faults_other, strict=True)))
    return found
