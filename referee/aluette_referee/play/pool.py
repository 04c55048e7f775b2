"""The bots' processes: started when first needed, one for each post, ended when the contest is over.

A *post* says for what a process plays: with full isolation a (team, slot, leg), so that partners share none
and none plays both legs. A process that was lost, or left, is started anew when its post is needed again.
"""

import functools
import os
import secrets
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final, NamedTuple

import trio

from aluette_referee.bounds import UNBOUNDED, Bounds
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.play.bridge import Server, open_server
from aluette_referee.play.door import Arrival, Door, FindGuest, nobody
from aluette_referee.play.endpoint import LOOPBACK, Endpoint
from aluette_referee.play.launch import Launch
from aluette_referee.play.places import Places
from aluette_referee.play.player import Player
from aluette_referee.play.processes import Process, Start, start_process
from aluette_referee.play.sandbox import start_sandboxed

__all__ = ["NotPlaying", "Pool", "Post", "open_pool"]

START_TRIES: Final = 3
"""So many processes in a row that come to nothing are a fault."""
_EXTERNAL_SECONDS: Final = 600.0


class Post(NamedTuple):
    """What a process plays for; any values that tell the posts of a contest apart."""

    entrant: str
    slot: int
    leg: int
    attempt: str = ""


class NotPlaying(Exception):  # noqa: N818 - a state of a bot, which its caller turns into a fault
    """A bot does not get as far as its `Hello`: the type of fault, the evidence, and what it printed."""

    def __init__(self, kind: FaultType, evidence: str, output: str = "") -> None:
        """Take what it is and what is known of it."""
        super().__init__(evidence)
        self.kind = kind
        self.evidence = evidence
        self.output = output


class Pool:
    """Use `open_pool`. `announce` gets a sentence for each thing that a person must do or know."""

    def __init__(
        self,
        nursery: trio.Nursery,
        door: Door,
        addresses: tuple[str, str],
        limits: Limits,
        announce: Callable[[str], None],
        *,
        start: Start = start_process,
        max_bots: int = UNBOUNDED.max_bots,
    ) -> None:
        """Take the address for own processes, and the environment that leads external ones here."""
        self._nursery = nursery
        self._door = door
        self._own_address, self.way_here = addresses
        self._limits = limits
        self._announce = announce
        self.server: Server | None = None
        """Over which they come, if it is gRPC."""
        self._start_process = start
        self._players: dict[Post, Player] = {}
        self._unused: dict[Post, int] = {}
        self._alone: set[Post] = set()
        """Whose process was lost once with nobody to pay for it: it does not happen twice."""
        self._with_process: set[Player] = set()
        self._starting: dict[Post, trio.Lock] = {}
        self._starters = trio.Semaphore(os.cpu_count() or 1)
        self._max_bots = max_bots
        self._places: Places[Post] = Places(max_bots, self.dismiss_post)

    def hold(self, posts: Collection[Post]) -> AbstractAsyncContextManager[None]:
        """Have room for the processes of all these posts while the block runs: idle ones may have to go."""
        return self._places.hold(posts)

    async def player(self, post: Post, launch: Launch) -> Player:
        """The live player of a post, started if need be; raises `NotPlaying` after a few tries."""
        async with self._starting.setdefault(post, trio.Lock()):
            player = self._players.get(post)
            if player is not None and player.takes_tables:
                return player
            if player is not None:
                await self._count_unused(post, player)
                if player.lost_unsure:
                    self._alone.add(post)
                if len(self._with_process) >= self._max_bots:
                    await player.gone.wait()  # it has left, and plays its last matches
            for tries_left in reversed(range(START_TRIES)):
                try:
                    player = await self._start(launch)
                except NotPlaying:
                    if not tries_left:
                        raise
                else:
                    self._players[post] = player
                    player.plays_alone = post in self._alone
                    return player
            raise AssertionError("unreachable")

    async def _count_unused(self, post: Post, lost: Player) -> None:
        """Who says hello and is gone before its first match is not started anew for ever."""
        self._unused[post] = 0 if lost.has_sat else self._unused.get(post, 0) + 1
        if self._unused[post] >= START_TRIES:
            await lost.gone.wait()
            del self._players[post], self._unused[post]
            left = (FaultType.DISCONNECTED, "it left before its first match")
            raise NotPlaying(*(lost.lost or left), lost.output)

    async def start_once(self, launch: Launch) -> Player:
        """A player of its own, with a single try; for checking a bot before the contest."""
        return await self._start(launch)

    async def dismiss(self, player: Player) -> None:
        """Say goodbye to a player and see its process end."""
        if not player.gone.is_set():
            player.goodbye("that was all, thank you for playing")
        if player.process is not None:
            await player.process.ended.wait()

    async def dismiss_all(self) -> None:
        """Say goodbye to everybody."""
        async with trio.open_nursery() as nursery:
            for player in {*self._players.values(), *self._with_process}:
                nursery.start_soon(self.dismiss, player)

    async def dismiss_post(self, post: Post) -> None:
        """A post is not needed any more."""
        player = self._players.pop(post, None)
        self._starting.pop(post, None)
        if player is not None:
            await self.dismiss(player)

    # -- starting and ending ---------------------------------------------------------------------------

    def _take_in(self, process: Process, player: Player) -> None:
        """The player of one of our processes has come."""
        self._with_process.add(player)
        self._nursery.start_soon(self._see_off, player, process)

    async def _see_off(self, player: Player, process: Process) -> None:
        """A process ends with its player: at once when that was lost, else it has a moment for itself."""
        await player.gone.wait()
        if player.ended_by_us:
            with trio.move_on_after(self._limits.goodbye):
                await process.ended.wait()
        process.kill()
        await process.ended.wait()
        self._with_process.discard(player)

    async def _start(self, launch: Launch) -> Player:
        token = secrets.token_hex(16)  # no dash first: it goes on a command line
        arrival = Arrival()
        self._door.expect(token, arrival)
        if launch.command is None:
            return await self._await_external(launch, token, arrival)
        async with self._starters:
            process = arrival.process = await self._start_process(launch.command, self._own_address, token)
            arrival.takes = functools.partial(self._take_in, process)
            self._nursery.start_soon(self._watch, process, arrival)
            with trio.move_on_after(self._limits.connect):
                await arrival.settled.wait()
        if arrival.player is not None:
            return arrival.player
        self._door.forget(token)
        ended = process.ended.is_set()
        process.kill()
        if arrival.refusal:
            raise NotPlaying(FaultType.REFUSED, arrival.refusal, process.output)
        if ended:
            raise NotPlaying(FaultType.NOT_STARTED, process.story, process.output)
        waited = f"no hello came within {self._limits.connect:g} s"
        raise NotPlaying(FaultType.NOT_CONNECTED, waited, process.output)

    async def _watch(self, process: Process, arrival: Arrival) -> None:
        await process.watch()
        arrival.settled.set()

    async def _await_external(self, launch: Launch, token: str, arrival: Arrival) -> Player:
        self._announce(
            f"Waiting for an external bot ({launch.label}). Start it with\n"
            f"  {self.way_here} ALUETTE_TOKEN={token} python mybot.py"
        )
        with trio.move_on_after(_EXTERNAL_SECONDS):
            await arrival.settled.wait()
        if arrival.player is None:
            self._door.forget(token)
            if arrival.refusal:
                self._announce(f"A bot came for {launch.label}, and was refused: {arrival.refusal}.")
            kind = FaultType.REFUSED if arrival.refusal else FaultType.NOT_CONNECTED
            raise NotPlaying(kind, arrival.refusal or f"no external bot came within {_EXTERNAL_SECONDS:g} s")
        return arrival.player


@asynccontextmanager
async def open_pool(
    socket: str,
    limits: Limits,
    announce: Callable[[str], None],
    bounds: Bounds = UNBOUNDED,
    endpoint: Endpoint = LOOPBACK,
    *,
    find_guest: FindGuest = nobody,
) -> AsyncGenerator[Pool]:
    """A server and a pool while the block runs; at its end everybody is said goodbye and every process ended.

    `socket` is where to put a Unix socket for our own processes; external bots and guests come to `endpoint`.
    """
    own_endpoint = Endpoint(f"unix:{socket}")
    async with open_server([own_endpoint, endpoint]) as server, trio.open_nursery() as nursery:
        own, external = server.addresses
        how = start_sandboxed if bounds.sandbox == "bubblewrap" else start_process
        start = functools.partial(how, bounds=bounds)
        told = endpoint.as_told(external)
        door = Door(nursery, limits, find_guest)
        pool = Pool(nursery, door, (own, told), limits, announce, start=start, max_bots=bounds.max_bots)
        pool.server = server
        nursery.start_soon(door.receive, server.connections)
        try:
            yield pool
            await pool.dismiss_all()
        finally:
            nursery.cancel_scope.cancel()
