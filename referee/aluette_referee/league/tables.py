"""Plays league matches: from a fixture and its chairs to how it ended, and who was lost in it.

A match whose chairs were not all taken is called off, and counts for nobody. A void one is played again only where all its bots are
hosted: somebody else's process has seen the packs.
"""

import traceback
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import trio

from aluette.rules import Match
from aluette.seats import Seat
from aluette_referee.faults import Fault, FaultType
from aluette_referee.league.fixture import LeagueFixture
from aluette_referee.league.hall import Hall
from aluette_referee.league.ledger import BROKEN_OFF, Ended, Lost
from aluette_referee.league.settings import Settings
from aluette_referee.league.watching import Live
from aluette_referee.league.writer import Writer
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed, Runner, hear_last_words
from aluette_referee.table import Outcome

__all__ = ["Tables"]

_ABSENT: Final = {FaultType.NOT_CONNECTED, FaultType.NOT_STARTED, FaultType.REFUSED}
"""Before the first card: the chair was not taken."""
_LOST: Final = {
    FaultType.CRASHED,
    FaultType.DISCONNECTED,
    FaultType.FAILED,
    FaultType.FLOODING,
    FaultType.OUT_OF_MEMORY,
}
"""With absent hosted bots, what counts towards being benched."""


class Tables:
    """The matches that are being played."""

    def __init__(
        self, settings: Settings, hall: Hall, writer: Writer, heard: Callable[[LeagueFixture, Ended], None]
    ) -> None:
        """How matches ended goes to the writer, and whoever else hears of it."""
        self._heard = heard
        self._settings = settings
        self._hall = hall
        self._writer = writer
        self._once = Runner(hall, settings.limits, settings.policy, void_tries=0, begins=self._begin)
        self._again = Runner(hall, settings.limits, settings.policy, begins=self._begin)
        self.playing: dict[str, LeagueFixture] = {}
        """By id."""
        self.live: dict[str, Live] = {}
        """Those of them whose first card is near, or was played."""
        self.empty = trio.Event()
        """Set while nothing is played."""
        self.empty.set()

    async def keep_pace(self) -> None:
        """To be run beside the matches."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._once.keep_pace)
            nursery.start_soon(self._again.keep_pace)

    def take(self, fixture: LeagueFixture) -> Mapping[Seat, Chair]:
        """Keep its chairs for a match that is about to be played."""
        if not self.playing:
            self.empty = trio.Event()
        self.playing[fixture.id] = fixture
        return self._hall.sit(fixture)

    def _begin(self, name: str, match: Match) -> None:
        self._leave(name)  # a void one is begun again
        self.live[name] = Live(match)

    def _leave(self, name: str) -> None:
        live = self.live.pop(name, None)
        if live is not None:
            live.over.set()

    async def play(self, fixture: LeagueFixture, chairs: Mapping[Seat, Chair]) -> None:
        """Play a match whose chairs were taken, and which has been committed to."""
        ended = Ended(fixture.id, Outcome(None), BROKEN_OFF)
        try:
            played = await self._play(fixture, chairs)
            ended = _ended(played)
            if losses := {loss.version: loss for loss in _losses(fixture, played)}:
                self._writer.lost(list(losses.values()))  # two seats of one bot are lost together
        except Exception as bug:  # noqa: BLE001 - whatever it is, it is ours
            traceback.print_exception(bug)
            ended = Ended(fixture.id, Outcome(None), f"an error of the referee's own: {bug!r}")
        finally:
            self._end(fixture, chairs, ended)

    def give_up(self, fixture: LeagueFixture, chairs: Mapping[Seat, Chair]) -> None:
        """A match whose chairs were taken is not played after all."""
        self._end(fixture, chairs, Ended(fixture.id, Outcome(None), BROKEN_OFF))

    def _end(self, fixture: LeagueFixture, chairs: Mapping[Seat, Chair], ended: Ended) -> None:
        self._hall.rise(chairs, fixture)
        self._writer.ended(ended)
        self._heard(fixture, ended)
        del self.playing[fixture.id]
        self._leave(fixture.id)
        if not self.playing:
            self.empty.set()

    async def _play(self, fixture: LeagueFixture, chairs: Mapping[Seat, Chair]) -> MatchPlayed:
        settings = self._settings
        plan = MatchPlan(
            fixture.id, settings.rules, fixture.key, fixture.first_dealer, chairs, settings.names
        )
        hosted = [chair.launch.command is not None for chair in chairs.values()]
        played = await (self._again if all(hosted) else self._once).play_match(plan)
        if any(hosted):
            await hear_last_words(played)
        else:
            played.take_logs()  # of processes that are not ours there are none; it lets go of the match
        return played


def _ended(played: MatchPlayed) -> Ended:
    name, outcome = played.plan.id, played.outcome
    if absent := [fault for fault in outcome.faults if fault.type in _ABSENT]:
        who = ", ".join(f"{played.plan.chairs[fault.seat].name}: {fault.evidence}" for fault in absent)
        return Ended(name, Outcome(None), f"called off: {who}")
    if outcome.record is None:
        return Ended(name, outcome, played.voids[-1])
    return Ended(name, outcome, "", played.timing, played.logs, played.written)


def _losses(fixture: LeagueFixture, played: MatchPlayed) -> Iterator[Lost]:
    def counts(fault: Fault) -> bool:
        hosted = played.plan.chairs[fault.seat].launch.command is not None
        return fault.type in _LOST or (hosted and fault.type in _ABSENT)

    for fault in filter(counts, played.outcome.faults):
        yield Lost(fixture.seats[fault.seat], fault.type, fault.evidence)
