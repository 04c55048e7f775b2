"""The ladder: who is how strong, by one fit over all rated matches of a season, in whatever order they were played.

Pure. Strengths and intervals are those of `contest.ratings` (Bradley and Terry's model, draws as half a win, Elo's scale), each
match of its own packs a block of one, each mirrored pair a block of two; the mean of the field is 1500. An entrant is *provisional*
until the interval of its rating is small enough, and has no rank until then.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from aluette_referee.contest.ratings import bradley_terry
from aluette_referee.contest.tally import Tally, from_both_sides

__all__ = ["MEAN", "Rating", "Rung", "climb", "rate"]

MEAN: Final = 1500.0
"""The rating of the middle of the field."""


class Rating(NamedTuple):
    """On Elo's scale; `margin` is half the width of the 95 % interval, None while there is none."""

    value: float
    margin: float | None


@dataclass(frozen=True, slots=True)
class Rung:
    """An entrant on the ladder. `rank` is None for who is provisional or away; draws count as half a win in `score`."""

    entrant: str
    rating: Rating
    provisional: bool
    rank: int | None
    matches: int
    won: int
    drawn: int
    lost: int
    points: int
    points_against: int

    @property
    def score(self) -> float | None:
        """Share of the matches that were won."""
        return (self.won + self.drawn / 2) / self.matches if self.matches else None


def rate(entrants: Sequence[str], played: Iterable[Tally]) -> dict[str, Rating]:
    """The rating of each entrant that has played; those of the others do not say anything, and are left out."""
    played = list(played)
    seen = {name for tally in played for name in (*tally.one, *tally.other)}
    field = [name for name in entrants if name in seen]
    if not field:
        return {}
    fit = bradley_terry(field, played)
    return {
        name: Rating(MEAN + float(strength), fit.margin(name))
        for name, strength in zip(fit.players, fit.strengths, strict=True)
    }


def climb(
    ratings: Mapping[str, Rating], played: Iterable[Tally], settled: float, away: frozenset[str] = frozenset()
) -> list[Rung]:
    """All who have a rating, the ranked ones first; `settled` is the widest margin of who is not provisional.

    Who is `away` (inactive, retired, benched) keeps its place among the others, but no rank.
    """
    counts = {name: [0] * 5 for name in ratings}
    for tally in from_both_sides(played):
        for name in tally.one:
            of_one = counts[name]
            for score, other in zip(tally.scores, tally.scores_other, strict=True):
                of_one[0 if score > other else 1 if score == other == 0.5 else 2] += tally.blocks
            of_one[3] += tally.points
            of_one[4] += tally.points_other

    def provisional(name: str) -> bool:
        margin = ratings[name].margin
        return margin is None or margin > settled

    rungs: list[Rung] = []
    rank = 0
    for name in sorted(ratings, key=lambda name: (provisional(name), -ratings[name].value, name)):
        won, drawn, lost, points, against = counts[name]
        ranked = not provisional(name) and name not in away
        rank += ranked
        rungs.append(
            Rung(
                name,
                ratings[name],
                provisional(name),
                rank if ranked else None,
                won + drawn + lost,
                won,
                drawn,
                lost,
                points,
                against,
            )
        )
    return rungs
