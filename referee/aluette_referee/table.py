"""What happens at one table: a match, four seats, and what each is asked and told.

A `Table` is a value without I/O. Each method takes what happened and returns *effects*, in order: ask
this seat, tell that seat, the match is over. It enforces the rules and the seat order: an answer from
a seat that is not asked, or to a turn that is not open, changes nothing, and an illegal one is a fault.

Turns of a match that are asked together (getting ready, the first look) are all awaited before a fault
among them ends the match, so that the result does not depend on who was quicker.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from aluette.errors import IllegalAction
from aluette.events import Event, MatchBegun, MatchEnded, Reason
from aluette.packs import BlockKey
from aluette.record import Record, forfeited, record_of
from aluette.rules.actions import Ask
from aluette.rules.match import Match
from aluette.seats import SEATS, Seat, Side
from aluette.session import Failed, Ready, Reply, Turn
from aluette.view import Points, deal_ended, points_of, public_deal, view_of
from aluette_referee.clock import Limits
from aluette_referee.faults import Fault, FaultType

__all__ = ["Asked", "Effect", "Ended", "Outcome", "Table", "Told", "forfeit"]

FLOODING: Final = 100
"""So many answers that nobody asked for, in one match, are a fault."""


class Asked(NamedTuple):
    """Ask a seat; `limit` is in seconds, None for no clock."""

    seat: Seat
    turn: Turn
    limit: float | None


class Told(NamedTuple):
    """Tell a seat."""

    seat: Seat
    event: Event


class Outcome(NamedTuple):
    """How a match ended: its record, and the faults if they decided it; `record` is None when void."""

    record: Record | None
    faults: tuple[Fault, ...] = ()


class Ended(NamedTuple):
    """The match is over; nothing more comes of this table."""

    outcome: Outcome


Effect = Asked | Told | Ended


class Table:
    """One match being played. `handles` are the table numbers, a different one for each seat."""

    def __init__(
        self,
        match: Match,
        key: BlockKey,
        handles: Mapping[Seat, int],
        limits: Mapping[Seat, Limits],
        names: Sequence[str] = (),
    ) -> None:
        """Nothing happens until `begin`."""
        self._match = match
        self._key = key
        self._handles = dict(handles)
        self._limits = dict(limits)
        self._names = tuple(names)
        self._numbers = dict.fromkeys(SEATS, -1)
        self._open: set[Seat] = set()
        self._dropped = dict.fromkeys(SEATS, 0)
        self._faults: list[Fault] = []
        self._begun = False
        self._told = 0
        self.over = False

    def begin(self) -> list[Effect]:
        """Tell the four seats that a match begins, and ask whether they are ready."""
        effects: list[Effect] = []
        for seat in SEATS:
            effects.append(Told(seat, self._begun_of(seat)))
            self._numbers[seat] = 0
            self._open.add(seat)
            effects.append(Asked(seat, Turn(self._handles[seat], 0, None), self._limits[seat].ready))
        return effects

    def events(self, seat: Seat) -> list[Event]:
        """All that a seat was told so far, for a bot that has come back."""
        deals = [deal_ended(self._match, deal) for deal in self._match.deals[: self._told]]
        return [self._begun_of(seat), *deals]

    @property
    def asks(self) -> Ask | None:
        """What the open turns ask, all the same; None for readiness, and when the match is over."""
        return self._match.ask if self._begun else None

    def answer(self, seat: Seat, number: int, reply: Reply) -> list[Effect]:
        """A seat answered. An answer to a turn that is not open is dropped."""
        if self.over or seat not in self._open or number != self._numbers[seat]:
            return self.drop(seat)
        if isinstance(reply, Failed):
            return self.fault(seat, FaultType.FAILED, reply.message)
        if isinstance(reply, Ready):
            if self._begun:
                return self.fault(seat, FaultType.MALFORMED, "it answered that it is ready, in mid-match")
        elif not self._begun:
            return self.fault(seat, FaultType.MALFORMED, "it was asked whether it is ready")
        else:
            try:
                # Once the match is lost nothing is done any more, but who is still awaited is judged as before.
                (self._match.verify if self._faults else self._match.do)(seat, reply)
            except IllegalAction as error:
                return self.fault(seat, FaultType.ILLEGAL, str(error))
        self._open.discard(seat)
        return [] if self._open else self._go_on()

    def drop(self, seat: Seat) -> list[Effect]:
        """An answer that nobody asked for: a warning, until there are too many."""
        self._dropped[seat] += 1
        if self.over or self._dropped[seat] < FLOODING:
            return []
        return self.fault(seat, FaultType.FLOODING, f"{FLOODING} answers came to turns that were not open")

    def fault(self, seat: Seat, kind: FaultType, evidence: str = "") -> list[Effect]:
        """A seat is at fault: its side loses the match, once nobody else is still being asked.

        A second fault of the same seat changes nothing.
        """
        if self.over or any(fault.seat is seat for fault in self._faults):
            return []
        deal, trick = (self._match.deal.number, len(self._match.deal.leaders)) if self._begun else (0, 0)
        self._faults.append(Fault(kind, seat, deal, trick, evidence))
        self._open.discard(seat)
        return [] if self._open else self._end_by_fault()

    def void(self) -> list[Effect]:
        """The match counts for nobody."""
        if self.over:
            return []
        return self._end(MatchEnded(Reason.VOID, None, Points(0, 0)), Outcome(None))

    def _begun_of(self, seat: Seat) -> MatchBegun:
        seed = self._key.bot_seed(seat)
        return MatchBegun(seat, self._match.rules, seed, self._names, self._limits[seat].move)

    # -- how it goes on --------------------------------------------------------------------------------

    def _go_on(self) -> list[Effect]:
        """All that were asked have answered."""
        if self._faults:
            return self._end_by_fault()
        self._begun = True
        match = self._match
        effects: list[Effect] = []
        over = match.over
        finished = len(match.deals) - (not over)
        if finished > self._told:
            for deal in match.deals[self._told : finished]:
                effects.extend(Told(seat, deal_ended(match, deal)) for seat in SEATS)
            self._told = finished
        if over:
            ended = MatchEnded(Reason.PLAYED, match.winner, points_of(match))
            return effects + self._end(ended, Outcome(record_of(match)))
        public = public_deal(match)
        for seat in match.asked:
            self._numbers[seat] += 1
            self._open.add(seat)
            limit = self._limits[seat].move
            view = view_of(match, seat, public, limit)
            effects.append(Asked(seat, Turn(self._handles[seat], self._numbers[seat], view), limit))
        return effects

    def _end_by_fault(self) -> list[Effect]:
        # In seat order, so that the record does not depend on which fault came first.
        faults = sorted(self._faults, key=lambda fault: fault.seat)
        result = forfeit(self._match, faults)
        points = Points(result["NS"], result["EW"])
        winner = Side[result["winner"]] if result["winner"] else None
        ended = MatchEnded(Reason.FAULT, winner, points, faults[0].seat, faults[0].type.value)
        return self._end(ended, Outcome(record_of(self._match, result), tuple(faults)))

    def _end(self, event: MatchEnded, outcome: Outcome) -> list[Effect]:
        self.over = True
        return [*(Told(seat, event) for seat in SEATS), Ended(outcome)]


def forfeit(match: Match, faults: Sequence[Fault]) -> dict[str, Any]:
    """The result of a match lost by these faults; the first stands in the record. Both sides may have lost."""
    losers = {fault.seat.side for fault in faults}
    winner = None if len(losers) > 1 else faults[0].seat.side.other
    return forfeited(match, winner, faults[0].as_record())
