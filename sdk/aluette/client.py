"""A bot process: one stream to the referee, over synchronous gRPC.

`run` is all that a bot's main program calls. The main thread runs the bot, gRPC's own thread sends. The
two meet in an `Outbox`.
"""

import argparse
import functools
import json
import os
import random
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import grpc

from aluette.address import Address
from aluette.bot import BotFactory
from aluette.codec import read_event, read_turn, write_answer
from aluette.errors import AluetteError, Misuse, Refused
from aluette.marks import mark_output
from aluette.outbox import Outbox
from aluette.session import Session, Turn
from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL, PROTOCOL_MINOR, __version__
from aluette.view import PublicDeal

__all__ = ["METHOD", "Disconnected", "connect", "run"]

METHOD: Final = f"/aluette.v{PROTOCOL}.RefereeService/Play"
CONNECT_SECONDS: Final = 10.0
DEFAULT_CAPACITY: Final = 1024
PATIENCE: Final = 1.0
"""Seconds after which a person is told what is waited for."""
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 1.0
"""Seconds before the first try to take a stream up again, and at most between two."""
LONGEST_WAIT: Final = 30.0
"""Seconds between two tries to find a lasting referee again, at most."""
PATIENCE_DAYS: Final = 7.0
"""For how long it is looked for."""
HAND_OVER_SECONDS: Final = 0.002

_EXIT_MISUSE, _EXIT_REFUSED, _EXIT_DISCONNECTED, _EXIT_INTERRUPTED = 2, 3, 4, 130


class Disconnected(AluetteError):  # noqa: N818
    """The referee cannot be reached, or went away."""

    come_again = False
    """Whether it said that it is started anew."""


def run(bot: BotFactory, *, name: str = "", version: str = "", capacity: int = DEFAULT_CAPACITY) -> None:
    """Connect to the referee and play until it says goodbye; the last line of a bot's main program.

    The referee's address and the token come from `--server` and `--token` on the command line, or from
    `ALUETTE_SERVER` and `ALUETTE_TOKEN` in the environment, where the referee puts them when it starts
    the bot; `--ca` or `ALUETTE_CA` name a file with certificates to trust, for a server `tls:host:port`.
    The options for `__init__` come as a JSON object from `--options` or `ALUETTE_OPTIONS`.
    To a league a bot comes again by itself, whenever it has lost it.
    `name` and `version` are for people to read. `capacity` bounds the tables played at once.

    Ends the process with a sentence on stderr when it cannot play: 2 for a mistake in the call, 3 when
    the referee refuses, 4 when it cannot be reached or goes away.
    """
    try:
        given = _arguments(getattr(bot, "__name__", "bot"))
        session = Session(bot, given.options)
        mark_output(session)
        connect(
            session,
            given.server,
            given.token,
            authorities=given.authorities,
            name=name or getattr(bot, "__name__", "bot"),
            version=version,
            capacity=capacity,
        )
    except Misuse as error:
        _leave(str(error), _EXIT_MISUSE)
    except Refused as error:
        _leave(f"the referee refused this bot: {error}", _EXIT_REFUSED)
    except Disconnected as error:
        _leave(str(error), _EXIT_DISCONNECTED)
    except KeyboardInterrupt:
        _leave("interrupted", _EXIT_INTERRUPTED)


def connect(
    session: Session,
    server: str,
    token: str,
    *,
    name: str,
    version: str = "",
    capacity: int = DEFAULT_CAPACITY,
    authorities: bytes | None = None,
) -> None:
    """Play `session` over a stream to `server` until the referee's goodbye.

    `server` is `host:port`, `unix:path`, or `tls:host:port`; whose certificate is signed by one of the
    `authorities` (PEM), or by one that everybody knows. A stream that breaks is taken up again, for as long as the referee keeps the bot's seats for it.
    Raises `Refused`, `Disconnected` when the stream cannot be made or breaks for good, and `Misuse` for a
    token that cannot be sent, or authorities that are none.
    """
    address = Address.read(server, authorities)
    if not (token.isascii() and token.isprintable()):
        raise Misuse("the token has characters that no token has: copy it again as the referee printed it")
    hello = wire.Hello(
        protocol=PROTOCOL,
        protocol_minor=PROTOCOL_MINOR,
        bot_name=name[:64],
        bot_version=version[:64],
        sdk=f"aluette-python {__version__}",
        capacity=capacity,
    )
    _Player(session, address, token, hello).play()


class _Player:
    """Plays a session over one stream after another, until one ends with a goodbye."""

    def __init__(self, session: Session, server: Address, token: str, hello: wire.Hello) -> None:
        self._session = session
        self._server = server
        self._token = token
        self._hello = hello
        self._grace = 0.0
        self._welcomed = False
        self._lasting = False
        self._deals: dict[int, PublicDeal] = {}
        """What was on the table at the last turn of each match, since its last event."""

    def play(self) -> None:
        broke = self._stream(CONNECT_SECONDS)
        while broke is not None:
            broke = self._return(broke)

    def _return(self, broke: Disconnected) -> Disconnected | None:
        """Take the stream up again before the grace is over; how the new one ended, None for a goodbye."""
        given_up = time.monotonic() + (0.0 if broke.come_again else self._grace)
        pause = FIRST_PAUSE
        while (left := given_up - time.monotonic()) > pause:
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
            self._welcomed = False
            try:
                ended = self._stream(left)
            except Disconnected:
                continue  # it is not there yet
            except Refused:
                break  # it knows nothing of this bot any more
            if self._welcomed or ended is None:
                return ended
        if self._lasting:
            return self._come_again(broke)
        raise broke

    def _come_again(self, broke: Disconnected) -> Disconnected | None:
        """To a lasting referee, with a new hello; how that stream ended. What was played is void."""
        sys.stderr.write(f"aluette: {broke}; coming again as soon as it can be reached\n")
        self._session.abandon()
        self._deals.clear()
        self._hello.resume = ""
        given_up = time.monotonic() + PATIENCE_DAYS * 24 * 3600
        pause = FIRST_PAUSE
        while time.monotonic() < given_up:
            # Not all of them at once, when a league is back.
            time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311
            pause = min(2 * pause, LONGEST_WAIT)
            self._welcomed = False
            try:
                ended = self._stream(CONNECT_SECONDS)
            except Disconnected:
                continue
            if self._welcomed or ended is None:
                return ended
        raise broke

    def _stream(self, seconds: float) -> Disconnected | None:
        """Open a stream and play until it ends: why it broke, None for a goodbye; raises if there is none."""
        outbox = Outbox(wire.PlayRequest(hello=self._hello).SerializeToString())
        with self._server.open() as channel:
            play: grpc.StreamStreamMultiCallable[bytes, wire.PlayResponse] = channel.stream_stream(
                METHOD,
                request_serializer=None,  # written already
                response_deserializer=wire.PlayResponse.FromString,
            )
            metadata = (("authorization", f"Bearer {self._token}"),)
            responses = play(outbox, metadata=metadata, wait_for_ready=True)
            # When the stream has ended, nobody takes answers any more: not to wait for it, nor to think on.
            if not responses.add_callback(outbox.close):
                outbox.close()
            answered = threading.Event()
            wait = functools.partial(self._await_referee, answered, responses, seconds)
            threading.Thread(target=wait, daemon=True).start()
            try:
                return self._converse(_noting(responses, answered), outbox)
            except grpc.RpcError as error:
                if not hasattr(error, "details"):
                    return Disconnected(f"the stream to the referee broke: {error}")
                call = cast("grpc.Call", error)
                if call.code() is grpc.StatusCode.CANCELLED and not answered.is_set():
                    raise self._no_referee() from None
                return Disconnected(f"the stream to the referee broke: {call.details()}")
            finally:
                answered.set()
                outbox.close()
                responses.cancel()

    def _await_referee(self, answered: threading.Event, call: grpc.Call, seconds: float) -> None:
        """Give the call up when nobody answers in time, and tell a person before that what is waited for."""
        # Not gRPC's own future for a channel: who uses that cannot end for the next fifth of a second.
        if answered.wait(min(seconds, PATIENCE)):
            return
        if seconds > PATIENCE and not (self._hello.resume or self._lasting):
            sys.stderr.write(f"aluette: waiting for a referee at {self._server}\n")
        if not answered.wait(max(0.0, seconds - PATIENCE)):
            call.cancel()

    def _no_referee(self) -> Disconnected:
        problem = self._server.problem() or "is it running, and is that its address?"
        return Disconnected(f"no referee answers at {self._server}: {problem}")

    def _converse(self, responses: Iterator[wire.PlayResponse], outbox: "Outbox") -> Disconnected | None:
        for response in responses:
            match response.WhichOneof("body"):
                case "batch":
                    self._take(response.batch, outbox)
                case "welcome":
                    self._hello.resume = response.welcome.resume or self._hello.resume
                    self._grace = response.welcome.grace_ms / 1000
                    self._lasting = response.welcome.lasting
                    self._welcomed = True
                case "refused":
                    raise Refused(response.refused.message)
                case "goodbye":
                    return _anew(response.goodbye.message) if response.goodbye.come_again else None
                case _:
                    pass  # an addition that this version does not know
        return Disconnected("the referee ended the stream without a goodbye")

    def _take(self, batch: wire.Batch, outbox: "Outbox") -> None:
        for message in batch.events:
            event = read_event(message)
            self._deals.pop(message.table, None)
            if event is not None:
                self._session.tell(message.table, event)
        handed_over = time.monotonic()
        for answer in self._session.answer(map(self._read, batch.turns)):
            if outbox.closed:
                break
            outbox.put(write_answer(answer))
            # What is ready must be under way before an answer that takes its time: the referee's
            # clock runs for the first turn not answered, and blames it when the process dies.
            if (now := time.monotonic()) - handed_over > HAND_OVER_SECONDS:
                outbox.hand_over()
                handed_over = now

    def _read(self, message: wire.Turn) -> Turn:
        table = message.table
        turn = read_turn(message, self._session.seat(table), self._deals.get(table))
        if turn.view is not None:
            self._deals[table] = turn.view.deal
        return turn


def _anew(message: str) -> Disconnected:
    """The referee said goodbye, and that it is started anew."""
    ended = Disconnected(message)
    ended.come_again = True
    return ended


def _noting(responses: Iterator[wire.PlayResponse], answered: threading.Event) -> Iterator[wire.PlayResponse]:
    """The same, noting when the first comes."""
    for response in responses:
        answered.set()
        yield response


class _Arguments(NamedTuple):
    server: str
    token: str
    authorities: bytes | None
    options: Mapping[str, Any]


def _arguments(program: str) -> _Arguments:
    parser = argparse.ArgumentParser(
        prog=program, description="Play Aluette for a referee.", allow_abbrev=False
    )
    parser.add_argument(
        "--server", default=os.environ.get("ALUETTE_SERVER"), help="host:port, tls:host:port or unix:path"
    )
    parser.add_argument(
        "--token", default=os.environ.get("ALUETTE_TOKEN", ""), help="as the referee printed it"
    )
    parser.add_argument("--ca", default=os.environ.get("ALUETTE_CA"), help="a PEM file with whom to trust")
    parser.add_argument("--options", default=os.environ.get("ALUETTE_OPTIONS", "{}"), help="a JSON object")
    # A bot's own command line is its own business: what is not ours is left alone.
    known, _ = parser.parse_known_args()
    if not known.server:
        raise Misuse(
            "no referee to connect to: play this bot with `aluette match`, or give --server and --token"
        )
    try:
        options = json.loads(known.options)
    except json.JSONDecodeError as error:
        raise Misuse(f"the options are not JSON: {error}") from None
    if not isinstance(options, dict):
        raise Misuse("the options are not a JSON object")
    try:
        authorities = Path(known.ca).read_bytes() if known.ca else None
    except OSError as error:
        raise Misuse(f"the certificates to trust cannot be read: {known.ca}: {error.strerror}") from None
    return _Arguments(known.server, known.token, authorities, cast("dict[str, Any]", options))


def _leave(sentence: str, code: int) -> None:
    sys.stdout.flush()
    sys.stderr.write(f"aluette: {sentence}\n")
    sys.stderr.flush()
    sys.exit(code)
