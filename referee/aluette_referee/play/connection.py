"""What live play needs of a bot's stream, whatever carries it: gRPC (`bridge`), or memory in tests."""

from typing import Protocol

from aluette.v1 import referee_pb2 as wire

__all__ = ["Connection"]


class Connection(Protocol):
    """One open stream, seen from trio."""

    @property
    def token(self) -> str:
        """The bearer token of the call's metadata, "" without one."""
        ...

    async def receive(self) -> wire.PlayRequest:
        """The next message of the bot; raises `trio.EndOfChannel` when the stream has ended."""
        ...

    def send(self, response: wire.PlayResponse) -> None:
        """Send a message, without waiting; to a stream that has ended it does nothing."""
        ...

    def close(self) -> None:
        """End the stream, after what was sent."""
        ...
