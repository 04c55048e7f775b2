"""The only file that sees both event loops: gRPC's asyncio is the host, trio runs as its guest.

Both run in one thread, so crossing over is a plain call: asyncio puts a message into a trio channel, trio
puts one into an asyncio queue. Everything else in live play is plain trio.
"""

import asyncio
import contextlib
import gc
import math
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from typing import Any, Final, TypeVar

import outcome
import trio

from aluette.v1 import referee_pb2 as wire
from aluette_referee.play.connection import Unreadable
from aluette_referee.play.endpoint import Endpoint
from aluette_referee.play.service import Listening, make_server, say_serving, stop_server

__all__ = ["GrpcConnection", "Server", "open_server", "run"]

T = TypeVar("T")
_MAILBOX: Final = 64
"""Messages of one bot that may wait for the referee; then its stream is not read until there is room."""
_GARBAGE: Final = 20_000
"""So many new objects have Python look for cycles among them, of which play makes hardly any; every 700 took a tenth of its time."""
_UNREAD: Final = 256
"""Messages that may wait for a bot to read them; then its stream ends. Of turns never more than one waits."""


def run(main: Callable[[], Awaitable[T]]) -> T:
    """Run a trio program as guest of a new asyncio loop; returns and raises what it does."""

    async def host() -> outcome.Outcome[T]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[outcome.Outcome[T]] = loop.create_future()
        trio.lowlevel.start_guest_run(
            main,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=done.set_result,
            restrict_keyboard_interrupt_to_checkpoints=True,
        )
        return await done

    # Not asyncio.run: it would take Ctrl-C for itself, and that is trio's.
    loop = asyncio.new_event_loop()
    often = gc.get_threshold()
    gc.set_threshold(_GARBAGE, *often[1:])
    try:
        return loop.run_until_complete(host()).unwrap()
    finally:
        gc.set_threshold(*often)
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


class GrpcConnection:
    """A bot's stream over gRPC: a `Connection` for trio, a `service.Call` for asyncio."""

    def __init__(self, token: str) -> None:
        """Nothing has come yet."""
        self._token = token
        self._into, self._from = trio.open_memory_channel[wire.PlayRequest | None](math.inf)
        self._out: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._room = asyncio.Event()
        self._take: Callable[[wire.PlayRequest | None], None] | None = None
        self._bug: BaseException | None = None
        self._over = trio.Event()
        self._ended = False
        self.hurry: Callable[[], None] = lambda: None

    # -- trio's side -----------------------------------------------------------------------------------

    @property
    def token(self) -> str:
        """The bearer token of the call."""
        return self._token

    async def receive(self) -> wire.PlayRequest:
        """The next message; raises `Unreadable` for what is none, `trio.EndOfChannel` at the end."""
        request = await self._from.receive()
        self._room.set()
        if request is None:
            raise Unreadable
        return request

    async def serve(self, take: Callable[[wire.PlayRequest | None], None]) -> None:
        """Have gRPC's reader call `take` for every message, until the stream ends: no task is switched to."""
        with contextlib.suppress(trio.WouldBlock, trio.EndOfChannel):
            while True:
                take(self._from.receive_nowait())
        self._take = take
        self._room.set()
        await self._over.wait()
        if self._bug is not None:
            raise self._bug

    def send(self, response: bytes) -> None:
        """Send without waiting; who has said its last word may still be told something."""
        if self._out.qsize() < _UNREAD:
            self._out.put_nowait(response)
        else:
            self.close()

    def close(self) -> None:
        """End the stream after what was sent; that has a moment to go out."""
        self._out.put_nowait(None)
        self.hurry()

    # -- asyncio's side --------------------------------------------------------------------------------

    async def outgoing(self) -> bytes | None:
        """The next message to write."""
        return await self._out.get()

    async def received(self, request: wire.PlayRequest | None) -> None:
        """Pass a message on; waits while too many are there, so that a flood stays with its sender."""
        if self._take is not None:
            try:
                self._take(request)
            except BaseException as bug:  # noqa: BLE001 - it is ours, and belongs to trio's side
                self._bug = bug
                self.ended()
            return
        while self._into.statistics().current_buffer_used >= _MAILBOX:
            self._room.clear()
            await self._room.wait()
        if not self._ended:
            self._into.send_nowait(request)

    def ended(self) -> None:
        """The stream has ended; what came before may still be received."""
        if not self._ended:
            self._ended = True
            self._into.close()
            self._over.set()


class Server:
    """A listening server: its addresses, and the streams as they are opened."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self.addresses: list[str] = []
        self.listening: Listening | None = None
        self._into, self.connections = trio.open_memory_channel[GrpcConnection](math.inf)

    async def say_serving(self, *, serving: bool) -> None:
        """What gRPC's health check answers for the service."""
        assert self.listening is not None
        await _in_host(say_serving(self.listening, serving=serving))

    def accept(self, token: str) -> GrpcConnection:
        """A stream was opened."""
        connection = GrpcConnection(token)
        self._into.send_nowait(connection)
        return connection


@contextlib.asynccontextmanager
async def open_server(endpoints: Sequence[Endpoint]) -> AsyncGenerator[Server]:
    """Listen while the block runs; streams should have been closed before it ends."""
    server = Server()
    listening = server.listening = await _in_host(make_server(endpoints, server.accept))
    server.addresses = listening.addresses
    try:
        yield server
    finally:
        with trio.CancelScope(shield=True):
            await _in_host(stop_server(listening.server))


async def _in_host(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run an asyncio coroutine and wait for it in trio."""
    task = asyncio.ensure_future(coroutine)
    done = trio.Event()
    task.add_done_callback(lambda _: done.set())
    try:
        await done.wait()
    except trio.Cancelled:
        task.cancel()
        raise
    return task.result()
