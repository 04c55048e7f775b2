"""The table: a fold over tallies, in whatever order they come.

Match points (1, a half, 0), then the difference of deal points, then the match points between those
still tied, then equal rank - never a coin. Where partners were drawn, each of the two has what its side has.
A knockout is ranked by how far each came, and a bye of a swiss counts as a won block.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aluette_referee.contest.tally import Tally, from_both_sides

__all__ = ["Row", "standings"]


@dataclass(slots=True)
class Row:
    """A line of the table, of a team or a bot that was entered alone."""

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
    byes: int = 0
    """Match points among those above that it had without playing, each of them one."""

    @property
    def difference(self) -> int:
        """Deal points for, less those against."""
        return self.points_for - self.points_against

    def add(self, seen: Tally) -> None:
        """Count blocks, seen from this one's side."""
        self.played += seen.blocks * seen.legs
        self.won += seen.blocks * seen.scores.count(1.0)
        self.drawn += seen.blocks * seen.scores.count(0.5)
        self.lost += seen.blocks * seen.scores.count(0.0)
        self.match_points += seen.blocks * sum(seen.scores)
        self.points_for += seen.points
        self.points_against += seen.points_other


def standings(
    names: Sequence[str],
    played: Iterable[Tally],
    *,
    faults: Mapping[str, int] | None = None,
    byes: Mapping[str, int] | None = None,
    reached: Mapping[str, int] | None = None,
) -> list[Row]:
    """The table of `names`, best first; nobody else may be in `played`.

    `faults` is how often each did wrong; `byes` are match points for not playing; `reached` is how far each came, more
    being better, and goes before all.
    """
    rows = {name: Row(name) for name in names}
    between: dict[tuple[str, str], float] = defaultdict(float)
    for seen in from_both_sides(played):
        for name in seen.one:
            rows[name].add(seen)
            for opponent in seen.other:
                between[name, opponent] += seen.blocks * sum(seen.scores)
    for name, made in (faults or {}).items():
        rows[name].faults = made
    for name, points in (byes or {}).items():
        rows[name].byes = points
        rows[name].match_points += points
    return _ranked(list(rows.values()), between, reached or Counter())


def _ranked(
    rows: list[Row], between: Mapping[tuple[str, str], float], reached: Mapping[str, int]
) -> list[Row]:
    def by_results(row: Row) -> tuple[int, float, int]:
        return (-reached.get(row.name, 0), -row.match_points, -row.difference)

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
