"""What happens at one table: a match, four seats, and what each is asked and told.

A `Table` is a value without I/O. Each method takes what happened and returns *effects*, in order: ask
this seat, tell that seat, the match is over. It enforces the rules and the seat order: an answer from
a seat that is not asked, or to a turn that is not open, changes nothing, and an illegal one is a fault.

Turns of a match that are asked together (getting ready, the first look) are all awaited before a fault
among them ends the match, so that the result does not depend on who was quicker.

A fault that the policy mends is a *strike*: the dullest legal action is done for the seat, all are told,
and the match goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from aluette.cards import PACK_SIZE
from aluette.codec import Written
from aluette.errors import IllegalAction
from aluette.events import Event, MatchBegun, MatchEnded, Reason, SeatFaulted
from aluette.notation import write_cards
from aluette.packs import BlockKey
from aluette.record import Record, forfeited, record_of
from aluette.rules.actions import Action, Ask, Chant, Cut, Discard, Look, Play
from aluette.rules.chant import weakest
from aluette.rules.match import Match
from aluette.seats import SEATS, Seat, Side
from aluette.session import Failed, Ready, Reply, Turn
from aluette.view import Points, deal_ended, points_of, view_of
from aluette_referee.clock import Limits
from aluette_referee.faults import FORFEIT, Fault, FaultType, Policy

__all__ = ["Asked", "Effect", "Ended", "Outcome", "Table", "Told", "forfeit"]

FLOODING: Final = 100
"""So many answers that nobody asked for, in one match, are a fault."""


class Asked(NamedTuple):
    """Ask a seat, and await the answer for `limit` seconds."""

    seat: Seat
    turn: Turn | Written
    limit: float


class Told(NamedTuple):
    """Tell a seat."""

    seat: Seat
    event: Event


class Outcome(NamedTuple):
    """How a match ended: its record, the faults if they decided it, and those that were mended.

    `record` is None when it is void.
    """

    record: Record | None
    faults: tuple[Fault, ...] = ()
    strikes: tuple[Fault, ...] = ()


class Ended(NamedTuple):
    """The match is over; nothing more comes of this table."""

    outcome: Outcome


Effect = Asked | Told | Ended

Show = Callable[[Seat, int, int, float | None], Turn | Written]
"""What a seat is shown when it is asked: from its table number, the number of the turn, and the seconds left."""


class Table:
    """One match being played. `handles` are the table numbers, a different one for each seat."""

    def __init__(
        self,
        match: Match,
        key: BlockKey,
        handles: Mapping[Seat, int],
        limits: Mapping[Seat, Limits],
        names: Sequence[str] = (),
        *,
        policy: Policy = FORFEIT,
        show: Show | None = None,
    ) -> None:
        """Nothing happens until `begin`. Turns are views unless `show` makes them."""
        self._match = match
        self._show: Show = show or self._turn
        self._key = key
        self._handles = dict(handles)
        self._limits = dict(limits)
        self._names = tuple(names)
        self._numbers = dict.fromkeys(SEATS, -1)
        self._open: dict[Seat, float] = {}  # how long each has
        self._banks = {seat: self._limits[seat].bank for seat in SEATS}
        self._policy = policy
        self._dropped = dict.fromkeys(SEATS, 0)
        self._faults: list[Fault] = []
        self._strikes: list[Fault] = []
        self._begun = False
        self._told = 0
        self.over = False

    def begin(self) -> list[Effect]:
        """Tell the four seats that a match begins, and ask whether they are ready."""
        effects: list[Effect] = []
        for seat in SEATS:
            effects.append(Told(seat, self._begun_of(seat)))
            effects.append(self._asked(seat, None, self._limits[seat].until_ready))
        return effects

    def events(self, seat: Seat) -> list[Event]:
        """All that a seat was told so far, for a bot that has come back."""
        deals = [deal_ended(self._match, deal) for deal in self._match.deals[: self._told]]
        return [self._begun_of(seat), *deals]

    @property
    def asks(self) -> Ask | None:
        """What the open turns ask, all the same; None for readiness, and when the match is over."""
        return self._match.ask if self._begun else None

    def answer(self, seat: Seat, number: int, reply: Reply, elapsed: float = 0.0) -> list[Effect]:
        """A seat answered after so many seconds. An answer to a turn that is not open is dropped."""
        if self.over or seat not in self._open or number != self._numbers[seat]:
            return self.drop(seat)
        if isinstance(reply, Failed):
            return self.fault(seat, FaultType.FAILED, reply.message, elapsed)
        if isinstance(reply, Ready):
            if self._begun:
                return self.fault(
                    seat, FaultType.MALFORMED, "it answered that it is ready, in mid-match", elapsed
                )
        elif not self._begun:
            return self.fault(seat, FaultType.MALFORMED, "it was asked whether it is ready", elapsed)
        else:
            try:
                self._do(seat, reply)
            except IllegalAction as error:
                return self.fault(seat, FaultType.ILLEGAL, str(error), elapsed)
            self._charge(seat, elapsed)
        del self._open[seat]
        return [] if self._open else self._go_on()

    def drop(self, seat: Seat) -> list[Effect]:
        """An answer that nobody asked for: a warning, until there are too many."""
        self._dropped[seat] += 1
        if self.over or self._dropped[seat] < FLOODING:
            return []
        return self.fault(seat, FaultType.FLOODING, f"{FLOODING} answers came to turns that were not open")

    def mends(self, seat: Seat, kind: FaultType) -> bool:
        """Whether a fault of the seat at its open turn would only be a strike."""
        made = sum(strike.seat is seat for strike in self._strikes)
        return self._begun and not self.over and seat in self._open and self._policy.mends(kind, made)

    def fault(
        self, seat: Seat, kind: FaultType, evidence: str = "", elapsed: float | None = None
    ) -> list[Effect]:
        """A seat is at fault: its side loses the match, once nobody else is still being asked, or it is mended.

        `elapsed` are the seconds that its open turn took. A second fault of a seat that has lost changes nothing.
        """
        if self.over or any(fault.seat is seat for fault in self._faults):
            return []
        mends = self.mends(seat, kind)
        deal, trick = (self._match.deal.number, len(self._match.deal.leaders)) if self._begun else (0, 0)
        limit = self._open.pop(seat, None)
        legal = "" if limit is None or not self._begun else _legal(self._match, seat)
        fault = Fault(kind, seat, deal, trick, evidence, None if limit is None else elapsed, limit, legal)
        effects: list[Effect] = []
        if mends:
            self._strikes.append(fault)
            self._charge(seat, elapsed or 0.0)
            self._do(seat, _dullest(self._match, seat))
            effects.extend(Told(each, SeatFaulted(seat, kind.value)) for each in SEATS)
        else:
            self._faults.append(fault)
        return effects if self._open else effects + self._go_on()

    def void(self) -> list[Effect]:
        """The match counts for nobody."""
        if self.over:
            return []
        return self._end(MatchEnded(Reason.VOID, None, Points(0, 0)), Outcome(None))

    def _begun_of(self, seat: Seat) -> MatchBegun:
        seed, limits = self._key.bot_seed(seat), self._limits[seat]
        return MatchBegun(
            seat,
            self._match.rules,
            seed,
            self._names,
            limits.move,
            limits.ready,
            limits.bank if limits.move else 0.0,
        )

    def _asked(self, seat: Seat, time_left: float | None, limit: float) -> Asked:
        number = self._numbers[seat] = self._numbers[seat] + 1
        self._open[seat] = limit
        return Asked(seat, self._show(seat, self._handles[seat], number, time_left), limit)

    def _turn(self, seat: Seat, table: int, number: int, time_left: float | None) -> Turn:
        view = view_of(self._match, seat, time_left=time_left) if self._begun else None
        return Turn(table, number, view)

    def _do(self, seat: Seat, action: Action) -> None:
        # Once the match is lost nothing is done any more, but who is still awaited is judged as before.
        (self._match.verify if self._faults else self._match.do)(seat, action)

    def _charge(self, seat: Seat, elapsed: float) -> None:
        move = self._limits[seat].move
        if move is not None and elapsed > move:
            self._banks[seat] = max(0.0, self._banks[seat] - (elapsed - move))

    # -- how it goes on --------------------------------------------------------------------------------

    def _go_on(self) -> list[Effect]:
        """All that were asked have answered."""
        if self._faults:
            return self._end_by_fault()
        self._begun = True
        match = self._match
        effects: list[Effect] = []
        if self._told < len(match.running) - 1:
            event = deal_ended(match, match.deals[self._told])
            effects += [Told(seat, event) for seat in SEATS]
            self._told += 1
            if match.over:
                ended = MatchEnded(Reason.PLAYED, match.winner, points_of(match))
                return effects + self._end(ended, Outcome(record_of(match), (), tuple(self._strikes)))
        for seat in match.deal.asked:
            limits = self._limits[seat]
            time_left = None if limits.move is None else limits.move + self._banks[seat]
            effects.append(self._asked(seat, time_left, limits.ceiling if time_left is None else time_left))
        return effects

    def _end_by_fault(self) -> list[Effect]:
        # In seat order, so that the record does not depend on which fault came first.
        faults = sorted(self._faults, key=lambda fault: fault.seat)
        result = forfeit(self._match, faults)
        points = Points(result["NS"], result["EW"])
        winner = Side[result["winner"]] if result["winner"] else None
        ended = MatchEnded(Reason.FAULT, winner, points, faults[0].seat, faults[0].type.value)
        return self._end(ended, Outcome(record_of(self._match, result), tuple(faults), tuple(self._strikes)))

    def _end(self, event: MatchEnded, outcome: Outcome) -> list[Effect]:
        self.over = True
        return [*(Told(seat, event) for seat in SEATS), Ended(outcome)]


def forfeit(match: Match, faults: Sequence[Fault]) -> dict[str, Any]:
    """The result of a match lost by these faults; the first stands in the record. Both sides may have lost."""
    losers = {fault.seat.side for fault in faults}
    winner = None if len(losers) > 1 else faults[0].seat.side.other
    return forfeited(match, winner, faults[0].as_record())


def _dullest(match: Match, seat: Seat) -> Action:
    """What is done for a seat that does nothing right: its weakest card, a no, no signal."""
    hand = match.deal.hands[seat]
    match match.ask:
        case Ask.LOOK:
            return Look()
        case Ask.CHANT:
            return Chant(yes=False)
        case Ask.DISCARD:
            return Discard(weakest(hand))
        case Ask.CUT:
            return Cut(PACK_SIZE // 2)
        case _:
            return Play(weakest(hand, 1)[0])


def _legal(match: Match, seat: Seat) -> str:
    """What the seat may do now, in words."""
    cards = write_cards(match.deal.hands[seat])
    match match.ask:
        case Ask.CUT:
            return f"a cut from 1 to {PACK_SIZE - 1}"
        case Ask.LOOK:
            return "a signal, or none"
        case Ask.CHANT:
            return "yes or no"
        case Ask.DISCARD:
            return f"six of {cards}"
        case _:
            return f"one of {cards}"
