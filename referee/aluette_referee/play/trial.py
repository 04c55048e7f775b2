"""Plays two teams against each other, block after block, until a sequential test has decided.

Blocks are played side by side and end in any order; the test takes them in the order of the schedule. What has begun
when it decides is played to its end, and counts for nothing.
"""

from collections.abc import Callable, Iterator, Sequence

from aluette.rules import RuleSet
from aluette_referee.contest.formats.round_robin import round_robin
from aluette_referee.contest.schedule import Fixture, fixtures_of
from aluette_referee.contest.sprt import Sprt, value_of
from aluette_referee.contest.tally import Result
from aluette_referee.play.live import Settings, play_plans
from aluette_referee.play.runner import MatchPlan, MatchPlayed
from aluette_referee.play.seating import Prepared, plans_of

__all__ = ["play_trial"]


def play_trial(
    test: Sprt,
    prepared: Prepared,
    settings: Settings,
    *,
    most: int,
    rules: RuleSet,
    key: bytes,
    told: Callable[[Sequence[MatchPlayed]], object],
) -> None:
    """Play at most so many blocks of the two teams in `prepared`; `told` hears of matches as they end.

    Raises as `play_plans` does. A block that could not be played is left out, as one with a fault is.
    """
    begun: dict[str, Fixture] = {}
    legs: dict[int, list[Result | None]] = {}
    first = prepared.entrants[0].name

    def plans() -> Iterator[MatchPlan]:
        for fixture in fixtures_of(round_robin(prepared.entrants, most)):
            if test.decision is not None:
                return
            begun[fixture.id] = fixture
            yield from plans_of([fixture], prepared, rules, key)

    def save(ended: Sequence[MatchPlayed]) -> None:
        for played in ended:
            fixture = begun.pop(played.plan.id)
            of_block = legs.setdefault(fixture.block.index, [])
            record = played.outcome.record
            of_block.append(None if record is None else Result.of_record(fixture, record))
            if len(of_block) == len(fixture.block.legs):
                del legs[fixture.block.index]
                test.add(fixture.block.index, value_of(of_block, first, test.on))
        told(ended)

    play_plans(plans(), settings, save)
