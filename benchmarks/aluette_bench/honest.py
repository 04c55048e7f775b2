"""What honest bots make of a match when nobody disturbs them: the yardstick of the benchmarks of faults."""

import functools

from aluette.packs import BlockKey
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import Seat
from aluette.testing import play_match
from aluette_referee.play.runner import MatchPlan

__all__ = ["undisturbed"]


def undisturbed(plan: MatchPlan) -> bytes:
    """The record of a match as four `lowest` play it in one process; remembered, as few packs are played often."""
    return _record(plan.key.secret, plan.rules, plan.first_dealer)


@functools.lru_cache(maxsize=1000)
def _record(secret: bytes, rules: RuleSet, first_dealer: Seat) -> bytes:
    """By the secret: two keys of one secret are not equal."""
    return to_bytes(play_match(["lowest"] * 4, key=BlockKey(secret), rules=rules, first_dealer=first_dealer))
