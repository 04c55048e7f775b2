"""Plays matches: seats four players at a table, sees the match through, plays a void one again.

`play_match` is one match; `Runner` plays many, so many at once as it is told. What to play comes in as
`MatchPlan`s of any contest, and each match that is over goes to `deliver`, in the order in which they end.
"""

import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

import trio

from aluette.codec import TurnWriter
from aluette.errors import Misuse
from aluette.packs import BlockKey
from aluette.record import record_of
from aluette.rules import Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette_referee.clock import Limits
from aluette_referee.faults import FORFEIT, Fault, FaultType, Policy
from aluette_referee.play.game import LiveGame
from aluette_referee.play.gate import Gate
from aluette_referee.play.launch import Launch
from aluette_referee.play.output import Log
from aluette_referee.play.pacer import Pacer
from aluette_referee.play.player import Player
from aluette_referee.play.pool import NotPlaying, Post
from aluette_referee.table import Outcome, Table, forfeit

__all__ = ["Chair", "MatchPlan", "MatchPlayed", "Roster", "Runner", "hear_last_words"]

VOID_TRIES: Final = 3
"""A void match is played again this often at most; then it is reported, and counts for nobody."""
READY_TRIES: Final = 2
"""So is one in which a process does not get ready: this often at most, then it loses."""
_TRIED: Final = {FaultType.NOT_STARTED, FaultType.NOT_CONNECTED, FaultType.REFUSED}
"""What the pool has tried often enough."""
_LAST_WORDS: Final = 0.1
"""Seconds in which what a bot prints at the end of a match is still taken for that match's."""


class Chair(NamedTuple):
    """Who is to sit on a chair: the post that its process plays for, how it is started, its team's name."""

    post: Post
    launch: Launch
    name: str


@dataclass(frozen=True)
class MatchPlan:
    """A match to be played. `names` tells the bots who sits where."""

    id: str
    rules: RuleSet
    key: BlockKey
    first_dealer: Seat
    chairs: Mapping[Seat, Chair]
    names: bool = False


@dataclass
class MatchPlayed:
    """A match that is over. `outcome.record` is None if it stayed void; `voids` says why it was, each time.

    `take_logs` gives what its processes printed, once. `written` is the record as text, if that is at hand.
    """

    plan: MatchPlan
    outcome: Outcome
    timing: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])
    voids: list[str] = field(default_factory=list[str])
    take_logs: Callable[[], dict[Seat, Log]] = dict
    logs: dict[Seat, Log] = field(default_factory=dict[Seat, Log])
    written: str = ""


class Roster(Protocol):
    """Who plays: a `Pool`, or whoever else finds a player for a post."""

    def hold(self, posts: Collection[Post]) -> AbstractAsyncContextManager[None]:
        """Have room for the processes of all these posts while the block runs."""
        ...

    async def player(self, post: Post, launch: Launch) -> Player:
        """The live player of a post; raises `NotPlaying`."""
        ...

    async def dismiss_post(self, post: Post) -> None:
        """A post is not needed any more."""
        ...


class Runner:
    """Plays matches with the players of a roster."""

    def __init__(
        self,
        roster: Roster,
        limits: Limits,
        policy: Policy = FORFEIT,
        *,
        void_tries: int = VOID_TRIES,
        begins: Callable[[str, Match], None] | None = None,
    ) -> None:
        """Take the roster, the limits that hold for every seat with a clock, and what faults cost.

        A void match is played again `void_tries` times at most. `begins` is shown each as its first card is near.
        """
        self._begins = begins
        self._pool = roster
        self._void_tries = void_tries
        self._limits = limits
        self._untimed = limits.untimed
        self._policy = policy
        self._pacer = Pacer(limits.pace) if limits.pace else None

    async def play_all(
        self,
        plans: Iterable[MatchPlan],
        deliver: Callable[[MatchPlayed], Awaitable[object]],
        gate: Gate,
    ) -> None:
        """Play all plans in order, as many at once as the gate lets in."""

        async def play(plan: MatchPlan) -> None:
            try:
                played = await self.play_match(plan)
            finally:
                gate.leave()
            gate.learn(played.timing)
            await hear_last_words(played)  # the next match has begun meanwhile
            await deliver(played)
            gate.taken()

        async with trio.open_nursery() as pacing:
            pacing.start_soon(self.keep_pace)
            async with trio.open_nursery() as nursery:
                for plan in plans:
                    if not await gate.enter():
                        break
                    nursery.start_soon(play, plan)
            pacing.cancel_scope.cancel()

    async def keep_pace(self) -> None:
        """Send turns on ticks, if the limits say so: to be run beside the matches."""
        if self._pacer is not None:
            await self._pacer.run()

    async def play_match(self, plan: MatchPlan) -> MatchPlayed:
        """Play one match to a result, again with fresh processes a few times: a void one, and one not begun."""
        played = MatchPlayed(plan, Outcome(None))
        unready = 0
        for attempt in range(self._void_tries + READY_TRIES + 1):
            never_ready = await self._play_once(played, f"{plan.id}#{attempt}" if attempt else "")
            if never_ready and unready < READY_TRIES:
                unready += 1
                played.take_logs()  # nobody will ask for them, and once is all they can be taken
                played.take_logs = dict
            elif played.outcome.record is not None or len(played.voids) > self._void_tries:
                break
        return played

    async def _play_once(self, played: MatchPlayed, attempt: str) -> bool:
        """Returns whether it did not begin, since processes of ours did not get ready."""
        plan = played.plan
        match = Match(plan.rules, plan.key, first_dealer=plan.first_dealer)
        chairs = {match.chairs[seat]: plan.chairs[seat] for seat in SEATS}
        if attempt:
            # An external bot is one process that a person started: it plays on.
            chairs = {
                seat: chair._replace(post=chair.post._replace(attempt=attempt))
                if chair.launch.command is not None
                else chair
                for seat, chair in chairs.items()
            }
        own = {chair.post for chair in chairs.values() if chair.launch.command is not None}
        try:
            async with self._pool.hold(own):
                await self._play_at(played, match, chairs)
        finally:
            if attempt:
                with trio.CancelScope(shield=True):
                    for chair in chairs.values():
                        if chair.post.attempt:
                            await self._pool.dismiss_post(chair.post)
        faults = played.outcome.faults
        return bool(faults) and all(
            not fault.deal and fault.type not in _TRIED and chairs[fault.seat].launch.command is not None
            for fault in faults
        )

    async def _play_at(self, played: MatchPlayed, match: Match, chairs: Mapping[Seat, Chair]) -> None:
        players, absent = await self._seat(chairs)
        if absent:
            result = forfeit(match, absent)
            played.outcome = Outcome(record_of(match, result), tuple(absent))
            return
        game = self._game(played.plan, match, chairs, players)
        if self._begins is not None:
            self._begins(played.plan.id, match)
        try:
            game.begin()
            await game.over.wait()
        finally:
            _release(players)
        played.outcome, played.timing = _with_output(game.outcome, players), game.timing()
        if game.outcome.record is None:
            played.voids.append(game.why_void)
            game.logs()  # nobody will ask for them
        else:
            played.take_logs = game.logs

    async def _seat(self, chairs: Mapping[Seat, Chair]) -> tuple[dict[Seat, Player], list[Fault]]:
        """A live player with a reserved place for each chair, or the faults of those that there is none for.

        Processes are reserved in one order everywhere, each with all the places that the match needs in it,
        so that two matches never wait for each other.
        """
        posts: dict[Post, list[Seat]] = {}
        for seat, chair in chairs.items():
            posts.setdefault(chair.post, []).append(seat)
        while True:
            players: dict[Seat, Player] = {}
            absent: list[Fault] = []
            found = await self._find({post: chairs[seats[0]].launch for post, seats in posts.items()})
            for post, seats in sorted(posts.items()):
                player, launch = found[post], chairs[seats[0]].launch
                if isinstance(player, NotPlaying):
                    absent.extend(
                        Fault(player.kind, seat, 0, 0, player.evidence, output=player.output)
                        for seat in seats
                    )
                    continue
                if player.capacity < len(seats):
                    raise Misuse(
                        f"the bot {launch.label} has a capacity of {player.capacity}, and {len(seats)} of a match "
                        'would play in one process: use isolation = "full"'
                    )
                if await player.reserve(len(seats)):
                    players |= dict.fromkeys(seats, player)
            if absent or (
                len(players) == len(SEATS) and all(player.takes_tables for player in players.values())
            ):
                if absent:
                    _release(players)
                return players, sorted(absent, key=lambda fault: fault.seat)
            # One was lost while another was awaited.
            _release(players)

    async def _find(self, launches: Mapping[Post, Launch]) -> dict[Post, Player | NotPlaying]:
        """The players of these posts, all started at once: who is waited for by a person hears of it now."""
        found: dict[Post, Player | NotPlaying] = {}

        async def find(post: Post, launch: Launch) -> None:
            try:
                found[post] = await self._pool.player(post, launch)
            except NotPlaying as error:
                found[post] = error

        async with trio.open_nursery() as nursery:
            for post, launch in sorted(launches.items(), key=lambda item: item[0]):
                nursery.start_soon(find, post, launch)
        return found

    def _game(
        self, plan: MatchPlan, match: Match, chairs: Mapping[Seat, Chair], players: Mapping[Seat, Player]
    ) -> LiveGame:
        handles = {seat: secrets.randbits(63) + 1 for seat in SEATS}
        limits = {seat: self._untimed if chairs[seat].launch.untimed else self._limits for seat in SEATS}
        names = [chairs[seat].name for seat in SEATS] if plan.names else []
        table = Table(
            match, plan.key, handles, limits, names, policy=self._policy, show=TurnWriter(match).write
        )
        return LiveGame(table, players, handles, self._pacer)


async def hear_last_words(played: MatchPlayed) -> None:
    """Give the processes of a match that is over a moment for what they still print, and take what they printed."""
    await trio.sleep(_LAST_WORDS)
    played.logs = played.take_logs()


def _with_output(outcome: Outcome, players: Mapping[Seat, Player]) -> Outcome:
    """With the end of what the processes at fault had printed."""

    def shown(faults: Iterable[Fault]) -> tuple[Fault, ...]:
        return tuple(fault._replace(output=players[fault.seat].output) for fault in faults)

    return outcome._replace(faults=shown(outcome.faults), strikes=shown(outcome.strikes))


def _release(players: Mapping[Seat, Player]) -> None:
    for player in players.values():
        player.release(1)
