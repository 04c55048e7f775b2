"""The table: a fold over results.

Match points (1, a half, 0), then the difference of deal points, then the match points between the teams
still tied, then equal rank - never a coin. The interval of match points is over blocks, the unit whose
luck cancels: mean of the block scores with Student's t, blank
under six blocks and where all scores are equal.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from aluette_referee.contest.student import t_quantile
from aluette_referee.faults import Fault

__all__ = ["Result", "Row", "standings"]

LEVEL: Final = 0.95
FEWEST_BLOCKS: Final = 6


class Result(NamedTuple):
    """One match between two teams, seen from the first: its deal points, and what it won.

    `score` is 1, 0.5 or 0 for `team`; `score_other` for `other`: both 0 when both were at fault.
    `faults` and `faults_other` count what each did wrong, whether it cost the match or was mended.
    """

    block: str
    team: str
    other: str
    points: int
    points_other: int
    score: float
    score_other: float
    faults: int = 0
    faults_other: int = 0

    @classmethod
    def of(
        cls, block: str, ns: str, ew: str, result: Mapping[str, Any], mended: Iterable[Fault] = ()
    ) -> "Result":
        """From a record's result, who sat NS and EW, and faults that did not decide it.

        A fault without a winner is one of both sides.
        """
        winner, fault = result["winner"], result["fault"] is not None
        drawn = 0.0 if fault else 0.5
        scores = [drawn if winner is None else float(winner == side) for side in ("NS", "EW")]
        strikes = Counter(strike.seat.side.name for strike in mended)
        faults = [strikes[side] + (fault and winner != side) for side in ("NS", "EW")]
        return cls(block, ns, ew, result["NS"], result["EW"], scores[0], scores[1], faults[0], faults[1])

    def from_the_other_side(self) -> "Result":
        """The same match, seen from the other team."""
        return Result(
            self.block,
            self.other,
            self.team,
            self.points_other,
            self.points,
            self.score_other,
            self.score,
            self.faults_other,
            self.faults,
        )


@dataclass(slots=True)
class Row:
    """A team's line of the table. `margin` is half the width of the 95 % interval of match points."""

    name: str
    rank: int = 0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    match_points: float = 0.0
    points_for: int = 0
    points_against: int = 0
    faults: int = 0
    margin: float | None = None
    blocks: dict[str, list[float]] = field(
        default_factory=lambda: defaultdict(list), compare=False, repr=False
    )
    """The match points of each leg, by block."""

    @property
    def difference(self) -> int:
        """Deal points for, less those against."""
        return self.points_for - self.points_against

    def add(self, block: str, points: int, against: int, score: float, faults: int) -> None:
        """Count one match."""
        self.played += 1
        self.won += score == 1
        self.drawn += score == 0.5
        self.lost += score == 0
        self.match_points += score
        self.points_for += points
        self.points_against += against
        self.faults += faults
        self.blocks[block].append(score)


def standings(teams: Sequence[str], results: Iterable[Result]) -> list[Row]:
    """The table of `teams`, best first; results of other teams must not be among `results`."""
    rows = {name: Row(name) for name in teams}
    between: dict[tuple[str, str], float] = defaultdict(float)
    for result in results:
        rows[result.team].add(result.block, result.points, result.points_other, result.score, result.faults)
        rows[result.other].add(
            result.block, result.points_other, result.points, result.score_other, result.faults_other
        )
        between[result.team, result.other] += result.score
        between[result.other, result.team] += result.score_other
    for row in rows.values():
        row.margin = _margin(row)
    return _ranked(list(rows.values()), between)


def _ranked(rows: list[Row], between: dict[tuple[str, str], float]) -> list[Row]:
    def by_results(row: Row) -> tuple[float, int]:
        return (-row.match_points, -row.difference)

    ranked: list[Row] = []
    for _, tied in itertools.groupby(sorted(rows, key=by_results), key=by_results):
        group = list(tied)
        mutual = {row.name: sum(between[row.name, other.name] for other in group) for row in group}
        # Names only settle the order in which equal ranks are printed.
        group.sort(key=lambda row: (-mutual[row.name], row.name))
        for place, row in enumerate(group):
            level = place > 0 and mutual[row.name] == mutual[group[place - 1].name]
            row.rank = ranked[-1].rank if level else len(ranked) + 1
            ranked.append(row)
    return ranked


def _margin(row: Row) -> float | None:
    """Half the 95 % interval of the match points, from the spread of the scores of complete blocks."""
    scores = [sum(legs) for legs in row.blocks.values() if len(legs) == 2]
    count = len(scores)
    if count < FEWEST_BLOCKS:
        return None
    # n (n - 1) times the variance. Scores are halves, so this is exact, in whatever order they come.
    spread = count * sum(score * score for score in scores) - sum(scores) ** 2
    # No spread is no measurement: two copies of one deterministic bot would claim certainty.
    return t_quantile(LEVEL, count - 1) * math.sqrt(spread / (count - 1)) if spread else None
