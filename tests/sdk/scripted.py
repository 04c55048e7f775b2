"""A referee that follows a script: a real gRPC server on a free port, with a script for each stream."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
from sdk.asking import view_at

from aluette.client import METHOD, connect
from aluette.codec import write_answer, write_event, write_turn
from aluette.events import Event, MatchBegun
from aluette.rules import STANDARD
from aluette.seats import Seat
from aluette.session import Answer, Session, Turn
from aluette.v1 import referee_pb2 as wire

__all__ = [
    "GOODBYE",
    "WELCOME",
    "Conversation",
    "batch",
    "begun",
    "event_message",
    "kinds",
    "move_message",
    "play",
    "referee",
    "strongest",
    "turn",
    "turn_message",
]

WELCOME = wire.PlayResponse(welcome=wire.Welcome(protocol=1))
GOODBYE = wire.PlayResponse(goodbye=wire.Goodbye(message="that is all"))
SECONDS = 20
"""After so long a test has failed; nothing here waits by the clock otherwise."""


class Conversation:
    """What the script sees of its one client."""

    def __init__(self, requests: Iterator[wire.PlayRequest], context: grpc.ServicerContext) -> None:
        self._requests = requests
        self._context = context
        self.metadata = dict(context.invocation_metadata())
        self.sizes: list[int] = []
        """How many moves came in each message."""

    def hello(self) -> wire.Hello:
        """The first message."""
        return next(self._requests).hello

    def moves(self, count: int) -> list[wire.Move]:
        """The next so many moves, in however many messages."""
        moves: list[wire.Move] = []
        while len(moves) < count:
            request = next(self._requests)
            assert request.WhichOneof("body") == "moves"
            self.sizes.append(len(request.moves.moves))
            moves += request.moves.moves
        assert len(moves) == count
        return moves

    def breaks(self, why: str) -> None:
        """Break the stream."""
        self._context.abort(grpc.StatusCode.UNAVAILABLE, why)


Script = Callable[[Conversation], Iterator[wire.PlayResponse]]


@contextmanager
def referee(*scripts: Script) -> Iterator[str]:
    """The address of a server whose streams go as the scripts say, one after another.

    A failed assertion in a script fails the test.
    """
    failures: list[BaseException] = []
    left = list(scripts)
    done = threading.Event()

    def play(requests: Iterator[wire.PlayRequest], context: grpc.ServicerContext):
        try:
            yield from left.pop(0)(Conversation(requests, context))
        except Exception as error:
            # `abort` raises a bare Exception; it is how the script ends the stream.
            if type(error) is not Exception:
                failures.append(error)
            raise
        finally:
            if not left:
                done.set()

    name, method = METHOD.strip("/").split("/")
    handler = grpc.stream_stream_rpc_method_handler(
        play,
        request_deserializer=wire.PlayRequest.FromString,
        response_serializer=wire.PlayResponse.SerializeToString,
    )
    server = grpc.server(
        ThreadPoolExecutor(2), handlers=[grpc.method_handlers_generic_handler(name, {method: handler})]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
        assert done.wait(SECONDS)
    finally:
        server.stop(None).wait()
    if failures:
        raise failures[0]


def begun(table: int, seed: int = 5) -> tuple[int, Event]:
    """A match begins at a table, where the bot sits N."""
    return table, MatchBegun(Seat.N, STANDARD, seed)


def turn(table: int, number: int, phase: str | None = "play") -> Turn:
    """Ask for something at a table (None: for readiness)."""
    return Turn(table, number, None if phase is None else view_at(phase))


def batch(*entries: tuple[int, Event] | Turn) -> wire.PlayResponse:
    """Events and turns in one message."""
    response = wire.PlayResponse()
    for entry in entries:
        if isinstance(entry, Turn):
            response.batch.turns.append(turn_message(entry))
        else:
            response.batch.events.append(event_message(*entry))
    return response


def strongest(view):
    return view.hand[0]


def play(bot, *scripts, **named) -> None:
    """Connect a bot to a scripted referee."""
    with referee(*scripts) as address:
        connect(Session(bot), address, "secret", name="Mine", **named)


def kinds(moves):
    return [(move.table, move.number, move.WhichOneof("answer")) for move in moves]


def turn_message(asked: Turn) -> wire.Turn:
    """A turn as it arrives."""
    return wire.Turn.FromString(write_turn(asked))


def event_message(table: int, event: Event) -> wire.Event:
    """An event as it arrives."""
    return wire.Event.FromString(write_event(table, event))


def move_message(answer: Answer) -> wire.Move:
    """An answer as it arrives."""
    return wire.Move.FromString(write_answer(answer))
