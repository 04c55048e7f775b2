"""Who may sit down: tokens, and the first message of a stream.

Pure: tokens and secrets are made elsewhere, and only digests of them are kept. A place is whatever the caller
says that a process is expected for. One stream for each token, once - or again, for who knows the secret of
its `Welcome`.
"""

import hashlib
import hmac
from typing import Generic, TypeVar

from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL, PROTOCOL_MINOR, __version__
from aluette_referee.clock import Limits

__all__ = ["Lobby", "Refusal", "nothing_to_resume"]

P = TypeVar("P")
MAX_CAPACITY = 10_000
_NAME_SIZE = 64


class Refusal(Exception):  # noqa: N818 - the message to send, and the fault it makes
    """The stream is refused; `message` is the sentence for the bot's author."""

    def __init__(self, reason: "wire.Refused.Reason.ValueType", message: str) -> None:
        """Take the wire's reason code and a sentence that says what to do."""
        super().__init__(message)
        self.reason = reason
        self.message = message

    def as_response(self) -> wire.PlayResponse:
        """The message that is sent."""
        return wire.PlayResponse(refused=wire.Refused(reason=self.reason, message=self.message))


def nothing_to_resume() -> Refusal:
    """The refusal of a bot that comes back too late."""
    return Refusal(
        wire.Refused.REASON_TOKEN,
        "there is nothing to take up again: the bot was away for too long, or has lost, or all is over",
    )


class Lobby(Generic[P]):
    """The places that processes are expected for, by token."""

    def __init__(self) -> None:
        """Nobody is expected."""
        self._places: dict[bytes, P] = {}
        self._secrets: dict[bytes, bytes] = {}
        """Of the tokens whose place is taken."""

    def expect(self, token: str, place: P) -> None:
        """A process with this token may come."""
        self._places[_digest(token)] = place

    def forget(self, token: str) -> None:
        """Nobody with this token may come any more: nobody did in time, or the stream has ended."""
        self._places.pop(_digest(token), None)
        self._secrets.pop(_digest(token), None)

    def place(self, token: str) -> P | None:
        """What the token is for."""
        return self._places.get(_digest(token))

    def welcome(
        self, token: str, limits: Limits, secret: str = "", *, lasting: bool = False
    ) -> wire.PlayResponse:
        """The message for who was admitted, with the secret for taking its stream up again.

        Without one, the secret of its first welcome holds on: who was admitted again has that.
        """
        if secret:
            self._secrets[_digest(token)] = _digest(secret)
        welcome = wire.Welcome(
            protocol=PROTOCOL,
            protocol_minor=PROTOCOL_MINOR,
            referee=f"aluette {__version__}",
            resume=secret if limits.grace else "",
            grace_ms=round(limits.grace * 1000),
            connect_ms=round(limits.connect * 1000),
            goodbye_ms=round(limits.goodbye * 1000),
            lasting=lasting,
        )
        return wire.PlayResponse(welcome=welcome)

    def admit(self, token: str, first: wire.PlayRequest) -> P:
        """Check a stream's token and first message, and take the place or take it up again; raises `Refusal`."""
        place = _digest(token)
        if place not in self._places:
            if first.hello.resume:
                raise nothing_to_resume()
            raise Refusal(
                wire.Refused.REASON_TOKEN,
                "the token is missing or not one that this referee gave: set ALUETTE_TOKEN to the printed one",
            )
        if first.WhichOneof("body") != "hello":
            raise Refusal(wire.Refused.REASON_HELLO, "the first message of a stream must be a Hello")
        hello = first.hello
        if hello.protocol != PROTOCOL:
            raise Refusal(
                wire.Refused.REASON_PROTOCOL,
                f"this referee speaks protocol {PROTOCOL} and the bot speaks {hello.protocol}: "
                f"use an SDK for protocol {PROTOCOL}, such as aluette {__version__}",
            )
        for name, text in (
            ("bot_name", hello.bot_name),
            ("bot_version", hello.bot_version),
            ("sdk", hello.sdk),
        ):
            if len(text) > _NAME_SIZE or not text.isprintable():
                raise Refusal(
                    wire.Refused.REASON_HELLO,
                    f"{name} must be up to {_NAME_SIZE} printable characters",
                )
        if hello.capacity > MAX_CAPACITY:
            raise Refusal(
                wire.Refused.REASON_HELLO, f"a capacity is from 1 to {MAX_CAPACITY}, not {hello.capacity}"
            )
        secret = self._secrets.get(place)
        if secret is not None and not hmac.compare_digest(secret, _digest(hello.resume)):
            raise Refusal(
                wire.Refused.REASON_TAKEN,
                "a stream with this token is open, or may be taken up again by who knows its secret",
            )
        self._secrets.setdefault(place, b"")
        return self._places[place]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
