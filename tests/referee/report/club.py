"""One block of a small contest and a match of it, as a store would hand them over."""

from typing import Any

from aluette.record import Record, digest, to_bytes
from aluette.rules import RuleSet
from aluette.testing import play_match
from aluette_referee.contest.contest import BotSpec, Contest, Entrant, Team
from aluette_referee.contest.schedule import Block, Fixture, Meeting, Partnership
from aluette_referee.contest.summary import Counted
from aluette_referee.report.audit import Evidence

__all__ = ["BLOCK", "CONTEST", "FIXTURE", "KEY", "RECORD", "RULES", "as_stored"]

RULES = RuleSet(deals=2, tie="extra_deals")
_ENTRANTS = [
    Entrant(Team("Les Chênes", (BotSpec("random"), BotSpec("./bot --level 3"))), ("a", "b")),
    Entrant(
        Team("Ana \U0001f0a1", (BotSpec("mybot.py:MyBot", {"depth": 3}), BotSpec("external"))), ("c", "d")
    ),
]
CONTEST = Contest("club", tuple(entrant.team for entrant in _ENTRANTS), blocks=4, rules=RULES)
BLOCK = Block(Meeting.of(*map(Partnership.of, _ENTRANTS)), 2)
FIXTURE = Fixture(BLOCK, 2)
KEY = BLOCK.key(bytes(range(32)))
RECORD: Record = play_match(["random"] * 4, key=KEY, rules=RULES, first_dealer=BLOCK.first_dealer)


def as_stored(record: Record = RECORD, **otherwise: Any) -> Evidence:
    """The record with what a store puts beside it; `otherwise` says what else stands there."""
    result = record["result"]
    points = (result["NS"], result["EW"], result["winner"])
    honest = Evidence(
        to_bytes(record).decode(), digest(record), KEY.commitment, points, Counted.of(record), ()
    )
    return honest._replace(**otherwise)
