"""The rounds of a stored contest that are known by now: of formats that go by results, from the results."""

from collections import Counter
from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from aluette_referee.contest import formats
from aluette_referee.contest.contest import Contest, Entrant
from aluette_referee.contest.formats.knockout import ties
from aluette_referee.contest.formats.scores import Score
from aluette_referee.contest.formats.swiss import BYE
from aluette_referee.contest.schedule import LEGS, Round
from aluette_referee.contest.tally import scores_of
from aluette_referee.store.schema import match

__all__ = ["beside_play", "known_rounds"]


def known_rounds(connection: sa.Connection, contest: Contest, entrants: Sequence[Entrant]) -> Iterator[Round]:
    """In the order of play. The database is asked at once, and not while the rounds are gone through."""
    scores = _scores(connection) if contest.format.goes_by_results else {}
    return formats.rounds(contest, entrants, lambda block: scores.get(block.id))


def _scores(connection: sa.Connection) -> dict[str, Score]:
    """Of the blocks whose legs are both stored, by the blocks' ids."""
    legs: dict[str, list[Score]] = {}
    asked = sa.select(match.c.block, match.c.leg, match.c.winner, match.c.forfeit)
    for row in connection.execute(asked):
        ns, ew = scores_of(row.winner, forfeit=row.forfeit)
        legs.setdefault(row.block, []).append(Score(ns, ew) if row.leg == 1 else Score(ew, ns))
    return {block: scores[0].plus(scores[1]) for block, scores in legs.items() if len(scores) == LEGS}


def beside_play(
    connection: sa.Connection, contest: Contest, entrants: Sequence[Entrant]
) -> tuple[dict[str, int], dict[str, int]]:
    """What counts without a match, by names: a swiss's points for byes, and how far each came in a knockout."""
    kind = contest.format.kind
    if kind == "swiss":
        played = known_rounds(connection, contest, entrants)
        byes = Counter(out.name for each in played for out in each.sits_out)
        return {name: int(BYE.one) * count for name, count in byes.items()}, {}
    if kind == "knockout":
        scores = _scores(connection)
        drawn = ties(
            entrants, contest.blocks, contest.format.extra_blocks, lambda block: scores.get(block.id)
        )
        return {}, Counter(tie.winner.name for each in drawn for tie in each if tie.winner is not None)
    return {}, {}
