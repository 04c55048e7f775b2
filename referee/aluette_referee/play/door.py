"""Where streams come in: who is behind each, its way back when it breaks, and the end of its player.

A stream is *expected*, with a token that was made for it; or its token is a *guest's*, of a bot that comes by itself, in as
many streams as it likes. What a player is for, is for whoever takes it in.
"""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

import trio

from aluette.v1 import referee_pb2 as wire
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.lobby import Lobby, Refusal, nothing_to_resume
from aluette_referee.play.connection import Connection, Unreadable
from aluette_referee.play.player import Player
from aluette_referee.play.processes import Process

__all__ = ["Arrival", "Door", "FindGuest", "NotNow", "TakeIn", "nobody"]

_CRASH_SECONDS: Final = 1.0
"""How long after the end of its stream, at least, a process may still turn out to have crashed."""

TakeIn = Callable[[Player], None]
"""Whoever takes a new player in; it may raise `Refusal`."""
FindGuest = Callable[[str], Awaitable[TakeIn | None]]
"""Who takes in the players of a token, None for a token that is none; may raise `Refusal`, and `NotNow`."""


class NotNow(Exception):  # noqa: N818 - no error
    """Whose a token is cannot be told at present: the stream ends without a word, and its bot may come again."""


async def nobody(token: str) -> TakeIn | None:
    """There are no guests."""
    del token
    return None


def _nothing(player: Player) -> None:
    del player


@dataclass
class Arrival:
    """A stream that is expected: `settled` is set when it came, was refused, or its process ended."""

    process: Process | None = None
    takes: TakeIn = _nothing
    settled: trio.Event = field(default_factory=trio.Event)
    player: Player | None = None
    refusal: str = ""


class Door:
    """Takes in streams. A guest that loses this referee for good may come again with a new hello, and is told so."""

    def __init__(self, nursery: trio.Nursery, limits: Limits, find_guest: FindGuest = nobody) -> None:
        """Players live in the nursery."""
        self._nursery = nursery
        self._limits = limits
        self._find_guest = find_guest
        self._lobby: Lobby[Arrival] = Lobby()

    def expect(self, token: str, arrival: Arrival) -> None:
        """A stream with this token may come."""
        self._lobby.expect(token, arrival)

    def forget(self, token: str) -> None:
        """None with this token may come any more."""
        self._lobby.forget(token)

    async def receive(self, connections: trio.MemoryReceiveChannel[Connection]) -> None:
        """Take in streams as they are opened."""
        async for connection in connections:
            self._nursery.start_soon(self._greet, connection)

    async def _greet(self, connection: Connection) -> None:
        try:
            player = await self._admit(connection)
            if player is not None:
                await player.listen(connection)
        finally:
            connection.close()

    async def _admit(self, connection: Connection) -> Player | None:
        """The player behind a stream that was opened; None when it is refused."""
        arrival = self._lobby.place(connection.token)
        try:
            with trio.fail_after(self._limits.connect):
                first = await _first_message(connection)
                takes = None if arrival else await self._find_guest(connection.token)
            if takes is not None:
                return self._admit_guest(connection, first, takes)
            arrival = self._lobby.admit(connection.token, first)
            return self._seat(connection, connection.token, first.hello, arrival, secrets.token_hex(16))
        except (trio.EndOfChannel, NotNow):
            return None
        except trio.TooSlowError:
            late = Refusal(wire.Refused.REASON_HELLO, f"no Hello came within {self._limits.connect:g} s")
            connection.send(late.as_response().SerializeToString())
            return None
        except Refusal as refusal:
            connection.send(refusal.as_response().SerializeToString())
            # To who is there already, a second stream that is refused means nothing.
            if arrival is not None:
                arrival.refusal = refusal.message
                arrival.settled.set()
            return None

    def _admit_guest(self, connection: Connection, first: wire.PlayRequest, takes: TakeIn) -> Player:
        """A guest's stream is filed under its token and its own secret, with which it is taken up again."""
        secret = first.hello.resume or secrets.token_hex(16)
        name = f"{connection.token} {secret}"
        if not first.hello.resume:
            self._lobby.expect(name, Arrival(takes=takes))
        try:
            return self._seat(connection, name, first.hello, self._lobby.admit(name, first), secret)
        except Refusal:
            if not first.hello.resume:
                self._lobby.forget(name)
            raise

    def _seat(
        self, connection: Connection, name: str, hello: wire.Hello, arrival: Arrival, secret: str
    ) -> Player:
        """The player of a stream that was admitted: a new one, or the one that takes it up again."""
        player = arrival.player
        if player is not None and player.gone.is_set():
            raise nothing_to_resume()
        new = player is None
        if player is None:
            player = Player(connection, hello, arrival.process)
            arrival.takes(player)
            arrival.player = player
            self._nursery.start_soon(self._attend, player, name)
        lasting = name != connection.token
        welcome = self._lobby.welcome(name, self._limits, secret if new else "", lasting=lasting)
        connection.send(welcome.SerializeToString())
        if new:
            arrival.settled.set()
        else:
            player.resume(connection)
        return player

    async def _attend(self, player: Player, name: str) -> None:
        """Keep a player until it is gone, and wait for it when it is away."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.watch_clock)
            while not player.gone.is_set():
                if player.is_away:
                    await self._await_return(player)
                else:
                    await player.moved.wait()
            nursery.cancel_scope.cancel()
        self._lobby.forget(name)

    async def _await_return(self, player: Player) -> None:
        """Lose a player that is away when its process has ended, or when it does not come back in time."""
        process, moved = player.process, player.moved
        seconds = self._limits.grace if process is None else max(self._limits.grace, _CRASH_SECONDS)
        with trio.move_on_after(seconds):
            await _first_of(moved, *([process.ended] if process else []))
        if process is not None and process.ended.is_set():
            player.lose(process.kind, process.story)
        elif not moved.is_set():
            lives = ", but the process lives" if process else ""
            player.lose(FaultType.DISCONNECTED, f"the stream ended and was not taken up again{lives}")


async def _first_of(*events: trio.Event) -> None:
    """Wait until one of the events is set."""

    async def wait(event: trio.Event) -> None:
        await event.wait()
        nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        for event in events:
            nursery.start_soon(wait, event)


async def _first_message(connection: Connection) -> wire.PlayRequest:
    try:
        return await connection.receive()
    except Unreadable:
        return wire.PlayRequest()
