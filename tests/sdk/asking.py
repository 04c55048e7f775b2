"""A session's other side: begins matches at tables, and asks one thing or another."""

from rules.table import match_at
from sdk.matches import played

from aluette.events import MatchBegun
from aluette.rules import STANDARD, RuleSet
from aluette.seats import Seat
from aluette.session import Answer, Reply, Session, Turn
from aluette.view import DealEnded, View, deal_ended, view_of

__all__ = ["PHASES", "ask", "begin", "deal_end", "ready", "reply", "view_at"]

PHASES = ("cut", "look", "chant", "discard", "play")
_VIEWS = {phase: view_of(match, match.asked[0]) for phase in PHASES if (match := match_at(phase))}
_ENDED = played(STANDARD, seed=1)


def view_at(phase: str) -> View:
    """What a seat sees that is asked for this."""
    return _VIEWS[phase]


def deal_end(number: int = 1) -> DealEnded:
    """The end of a deal, 1 to 5."""
    return deal_ended(_ENDED, _ENDED.deals[number - 1])


def begin(session: Session, *tables: int, rules: RuleSet = STANDARD, seed: int = 5) -> None:
    """A match begins at each table."""
    for table in tables:
        session.tell(table, MatchBegun(Seat.N, rules, seed))


def ask(session: Session, *asked: tuple[int, int, str | None]) -> list[Answer]:
    """Ask all at once: table, number, and what (None: readiness)."""
    turns = [Turn(table, number, None if phase is None else _VIEWS[phase]) for table, number, phase in asked]
    return list(session.answer(turns))


def ready(session: Session, *tables: int, seed: int = 5) -> list[Reply]:
    """Begin a match at each table and get its bot ready."""
    begin(session, *tables, seed=seed)
    return [answer.reply for answer in ask(session, *((table, 0, None) for table in tables))]


def reply(session: Session, table: int, number: int, phase: str = "play") -> Reply:
    """The answer to one turn."""
    (answer,) = ask(session, (table, number, phase))
    return answer.reply
