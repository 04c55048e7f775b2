"""Four honest bots at a `Table`, driven by hand: for tests that then do something else.

`open` holds the turns that are under way and `honest` what each bot would answer to its own; nothing is
answered until the test says so.
"""

from collections.abc import Iterable, Mapping

from hypothesis import settings

from aluette.bot import BotFactory
from aluette.events import Event
from aluette.loading import load_bot
from aluette.packs import BlockKey
from aluette.record import to_bytes
from aluette.rules import STANDARD, Ask, Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette.session import Reply, Session, Turn
from aluette.testing import play_match
from aluette_referee.clock import Limits
from aluette_referee.faults import FORFEIT, FaultType, Policy
from aluette_referee.table import Asked, Effect, Ended, Outcome, Table, Told

__all__ = [
    "HANDLES",
    "KEY",
    "ONE_DEAL",
    "QUICK",
    "TOGETHER",
    "Seating",
    "at_look",
    "at_play",
    "finish",
    "honest_record",
]

KEY = BlockKey(bytes(range(32)))
HANDLES = {Seat.N: 71, Seat.E: 72, Seat.S: 73, Seat.W: 74}
QUICK = settings(max_examples=25, deadline=None, derandomize=True)
TOGETHER = [None, Ask.LOOK]  # getting ready, and the first look
ONE_DEAL = RuleSet(deals=1)


class Seating:
    """A table that has begun."""

    def __init__(
        self,
        rules: RuleSet = STANDARD,
        key: BlockKey = KEY,
        *,
        limits: Mapping[Seat, Limits] | None = None,
        bot: str = "random",
        first_dealer: Seat = Seat.N,
        names: Iterable[str] = (),
        policy: Policy = FORFEIT,
    ) -> None:
        match = Match(rules, key, first_dealer=first_dealer)
        factory: BotFactory = load_bot(bot)
        self.table = Table(
            match, key, HANDLES, limits or dict.fromkeys(SEATS, Limits()), tuple(names), policy=policy
        )
        self.open: dict[Seat, Turn] = {}
        self.honest: dict[Seat, Reply] = {}
        self.asked: dict[Seat, list[Asked]] = {seat: [] for seat in SEATS}
        self.told: dict[Seat, list[Event]] = {seat: [] for seat in SEATS}
        self.outcome: Outcome | None = None
        self._sessions = {seat: Session(factory) for seat in SEATS}
        self.take(self.table.begin())

    def take(self, effects: Iterable[Effect]) -> None:
        """Carry effects out."""
        for effect in effects:
            match effect:
                case Told(seat, event):
                    self.told[seat].append(event)
                    self._sessions[seat].tell(HANDLES[seat], event)
                case Asked(seat, turn, _):
                    self.asked[seat].append(effect)
                    self.open[seat] = turn
                    (answer,) = self._sessions[seat].answer([turn])
                    self.honest[seat] = answer.reply
                case Ended(outcome):
                    assert self.outcome is None, "a match ends once"
                    self.outcome = outcome

    def answer(self, seat: Seat, reply: Reply | None = None, elapsed: float = 0.0) -> None:
        """The seat answers its open turn, honestly unless told otherwise."""
        turn, honest = self.open.pop(seat), self.honest.pop(seat)
        self.take(self.table.answer(seat, turn.number, honest if reply is None else reply, elapsed))

    def fault(self, seat: Seat, kind: FaultType, evidence: str = "") -> None:
        """The seat is at fault, whether it is asked or not."""
        self.open.pop(seat, None)
        self.take(self.table.fault(seat, kind, evidence))

    def play(self, asked: Ask | None = None, deal: int = 1, played: int = 0) -> None:
        """Play honestly up to that ask in that deal, with so many cards played; without an ask, to the end."""
        while self.open:
            seat, turn = next(iter(self.open.items()))
            view = turn.view
            if (
                view is not None
                and asked is view.asked
                and (view.deal.number, len(view.deal.cards)) == (deal, played)
            ):
                return
            self.answer(seat)
        assert asked is None, "no such moment came"


def honest_record(rules: RuleSet = ONE_DEAL, key: BlockKey = KEY, bot: str = "random") -> bytes:
    return to_bytes(play_match([bot] * 4, key=key, rules=rules))


def at_look(rules: RuleSet = ONE_DEAL) -> Seating:
    found = Seating(rules)
    found.play(Ask.LOOK)
    return found


def at_play(played: int, rules: RuleSet = ONE_DEAL, deal: int = 1) -> tuple[Seating, Seat]:
    """A table with so many cards played, and the one seat that is asked."""
    found = Seating(rules)
    found.play(Ask.PLAY, deal, played)
    (seat,) = found.open
    return found, seat


def finish(seating: Seating) -> Outcome:
    seating.play()
    assert seating.outcome is not None
    return seating.outcome
