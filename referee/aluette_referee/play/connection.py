"""What live play needs of a bot's stream, whatever carries it: gRPC (`bridge`), or memory in tests."""

from collections.abc import Callable
from typing import Protocol

from aluette.v1 import referee_pb2 as wire

__all__ = ["Connection", "Unreadable"]


class Unreadable(Exception):  # noqa: N818 - what came, named as such
    """What a bot sent is no message of the protocol."""


class Connection(Protocol):
    """One open stream, seen from trio."""

    @property
    def token(self) -> str:
        """The bearer token of the call's metadata, "" without one."""
        ...

    async def receive(self) -> wire.PlayRequest:
        """The next message of the bot; raises `Unreadable`, or `trio.EndOfChannel` when the stream has ended."""
        ...

    async def serve(self, take: Callable[[wire.PlayRequest | None], None]) -> None:
        """Pass every message on by a plain call as it comes, None for what is none, until the stream ends."""
        ...

    def send(self, response: bytes) -> None:
        """Send a `PlayResponse`, without waiting; to a stream that has ended it does nothing."""
        ...

    def close(self) -> None:
        """End the stream, after what was sent."""
        ...
