"""A bot that sins when it is told to: for trying referees, and for seeing what a fault looks like.

    python -m aluette_bots.scripted SIN [--deal D] [--trick T] [--every]

It speaks the wire itself, since no SDK would do most of this. Until its first turn in that deal and trick (or
the first after it) it plays its weakest card, like `lowest`; then it sins once, or every time. After sins that are none - an
answer twice, a stale one, a stream that breaks and is taken up again - it plays on as if nothing had been.
"""

import argparse
import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, NoReturn

import grpc

from aluette.client import METHOD
from aluette.codec import read_event, read_turn, write_answer
from aluette.session import Session, Turn
from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL
from aluette_bots.lowest import Lowest

__all__ = ["SINS", "Sin", "main"]

_FOREVER: Final = 1e6


class _Stream:
    """One stream to the referee; what is put into `out` is sent, None ends it."""

    def __init__(self, channel: grpc.Channel, token: str, secret: str = "") -> None:
        self.out: queue.SimpleQueue[wire.PlayRequest | bytes | None] = queue.SimpleQueue()
        hello = wire.Hello(protocol=PROTOCOL, bot_name="scripted", capacity=1024, resume=secret)
        self.out.put(wire.PlayRequest(hello=hello))
        play = channel.stream_stream(
            METHOD, request_serializer=_serialized, response_deserializer=wire.PlayResponse.FromString
        )
        self.responses: Any = play(iter(self.out.get, None), metadata=(("authorization", f"Bearer {token}"),))

    def send(self, *moves: wire.Move) -> None:
        self.out.put(wire.PlayRequest(moves=wire.Moves(moves=moves)))


class _Bot:
    """Plays like `lowest`, over a stream that may be changed."""

    def __init__(self, server: str, token: str) -> None:
        self._channel = grpc.insecure_channel(server)
        self._token = token
        self._session = Session(Lowest)
        self._secret = ""
        self.stream = _Stream(self._channel, token)

    def take_up_again(self) -> None:
        """Break the stream, and come back."""
        self.stream.responses.cancel()
        self.stream.out.put(None)
        self.stream = _Stream(self._channel, self._token, self._secret)

    def turns(self) -> Iterator[tuple[Turn, wire.Move]]:
        """Each turn, and the honest answer to it; ends with the goodbye."""
        while True:
            stream = self.stream
            for response in self._responses(stream):
                kind = response.WhichOneof("body")
                if kind in ("goodbye", "refused"):
                    return
                if kind == "welcome":
                    self._secret = response.welcome.resume or self._secret
                for turn, move in self._batch(response.batch):
                    yield turn, move
                    if self.stream is not stream:
                        break  # the others come again
                if self.stream is not stream:
                    break
            else:
                self.take_up_again()

    @staticmethod
    def _responses(stream: _Stream) -> Iterator[wire.PlayResponse]:
        with contextlib.suppress(grpc.RpcError):
            yield from stream.responses

    def _batch(self, batch: wire.Batch) -> Iterator[tuple[Turn, wire.Move]]:
        for message in batch.events:
            event = read_event(message)
            if event is not None:
                self._session.tell(message.table, event)
        for asked in batch.turns:
            turn = read_turn(asked, self._session.seat(asked.table))
            (answer,) = self._session.answer([turn])
            yield turn, wire.Move.FromString(write_answer(answer))


def _serialized(request: wire.PlayRequest | bytes) -> bytes:
    return request if isinstance(request, bytes) else request.SerializeToString()


# -- sins ----------------------------------------------------------------------------------------------

Act = Callable[[_Bot, Turn, wire.Move], None]
"""What is done instead of sending the honest answer."""


class Sin(NamedTuple):
    """A sin: what the referee should call it, "" for none; and what is done."""

    fault: str
    act: Act | None
    """None: it ends before it says hello."""


def _illegal(bot: _Bot, turn: Turn, move: wire.Move) -> None:
    assert turn.view is not None
    played: Any = move
    played.play = next(card for card in range(1, 49) if card not in turn.view.hand)
    bot.stream.send(move)


def _malformed(bot: _Bot, _turn: Turn, move: wire.Move) -> None:
    move.chant = True
    bot.stream.send(move)


def _raise(bot: _Bot, _turn: Turn, move: wire.Move) -> None:
    move.failed.message = "ValueError: no card is good enough"
    bot.stream.send(move)


def _mute(_bot: _Bot, _turn: Turn, _move: wire.Move) -> NoReturn:
    while True:
        pass


def _slow(bot: _Bot, _turn: Turn, move: wire.Move) -> None:
    time.sleep(_FOREVER)
    bot.stream.send(move)


def _crash(_bot: _Bot, _turn: Turn, _move: wire.Move) -> NoReturn:
    os._exit(3)


def _exit(_bot: _Bot, _turn: Turn, _move: wire.Move) -> NoReturn:
    os._exit(0)


def _die(_bot: _Bot, _turn: Turn, _move: wire.Move) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _twice(bot: _Bot, _turn: Turn, move: wire.Move) -> None:
    bot.stream.send(move, move)
    bot.stream.send(move)


def _stale(bot: _Bot, _turn: Turn, move: wire.Move) -> None:
    stale = wire.Move()
    stale.CopyFrom(move)
    stale.number = 0
    bot.stream.send(stale, move, stale)


def _wrong_table(bot: _Bot, _turn: Turn, move: wire.Move) -> None:
    strange = wire.Move()
    strange.CopyFrom(move)
    strange.table ^= 1
    bot.stream.send(strange, move)


def _garbage(bot: _Bot, _turn: Turn, _move: wire.Move) -> NoReturn:
    bot.stream.out.put(b"\xff\xff\xff\xff")
    _wait()


def _hello_twice(bot: _Bot, _turn: Turn, _move: wire.Move) -> NoReturn:
    bot.stream.out.put(wire.PlayRequest(hello=wire.Hello(protocol=PROTOCOL)))
    _wait()


def _flood(bot: _Bot, turn: Turn, _move: wire.Move) -> NoReturn:
    for _ in range(10):
        bot.stream.send(*[wire.Move(table=turn.table, number=turn.number + 99)] * 1000)
    _wait()


def _deaf(bot: _Bot, _turn: Turn, _move: wire.Move) -> NoReturn:
    del bot  # it neither reads nor answers any more, and its stream stays open
    _wait()


def _fork(bot: _Bot, _turn: Turn, move: wire.Move) -> None:
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1e6)"
    subprocess.Popen([sys.executable, "-c", deaf], start_new_session=True)
    bot.stream.send(move)


def _memory(_bot: _Bot, _turn: Turn, _move: wire.Move) -> NoReturn:
    held: list[bytes] = []
    while True:
        held.append(b"x" * 10_000_000)  # written to, so really taken
        time.sleep(0.01)


def _chatter(bot: _Bot, _turn: Turn, move: wire.Move) -> None:
    def chatter() -> None:
        for _ in range(10_000):  # a gigabyte
            os.write(2, b"x" * 99_999 + b"\n")

    threading.Thread(target=chatter, daemon=True).start()
    bot.stream.send(move)


def _come_back(bot: _Bot, _turn: Turn, _move: wire.Move) -> None:
    bot.take_up_again()  # the turn comes again, and then it is answered


def _leave(bot: _Bot, _turn: Turn, _move: wire.Move) -> NoReturn:
    bot.stream.responses.cancel()
    _wait()


def _nothing(bot: _Bot, _turn: Turn, move: wire.Move) -> None:
    bot.stream.send(move)


def _wait() -> NoReturn:
    while True:
        time.sleep(_FOREVER)


SINS: Final = {
    "illegal": Sin("illegal", _illegal),
    "malformed": Sin("malformed", _malformed),
    "raise": Sin("failed", _raise),
    "mute": Sin("late", _mute),
    "slow": Sin("late", _slow),
    "deaf": Sin("late", _deaf),
    "crash": Sin("crashed", _crash),
    "signal": Sin("crashed", _die),
    "exit": Sin("crashed", _exit),
    "no-start": Sin("not started", None),
    "garbage": Sin("malformed", _garbage),
    "hello-twice": Sin("malformed", _hello_twice),
    "flood": Sin("flooding", _flood),
    "memory": Sin("out of memory", _memory),
    "leave": Sin("disconnected", _leave),
    "come-back": Sin("", _come_back),
    "twice": Sin("", _twice),
    "stale": Sin("", _stale),
    "wrong-table": Sin("", _wrong_table),
    "fork": Sin("", _fork),
    "chatter": Sin("", _chatter),
    "none": Sin("", _nothing),
}
"""All sins by name."""


def main() -> None:
    """Play, and sin."""
    parser = argparse.ArgumentParser(prog="python -m aluette_bots.scripted", description="A bot that sins.")
    parser.add_argument("sin", choices=SINS)
    parser.add_argument("--deal", type=int, default=1)
    parser.add_argument("--trick", type=int, default=1)
    parser.add_argument("--every", action="store_true", help="at every card from there on, in every match")
    given = parser.parse_args()
    act = SINS[given.sin].act
    if act is None:
        sys.exit(7)
    bot = _Bot(os.environ["ALUETTE_SERVER"], os.environ["ALUETTE_TOKEN"])
    sinned: set[tuple[int, int]] = set()
    for turn, move in bot.turns():
        view = turn.view
        due = (
            view is not None
            and move.WhichOneof("answer") == "play"
            and ((view.deal.number, len(view.deal.winners) + 1) >= (given.deal, given.trick))
        )
        this = (turn.table, turn.number)
        if due and (this not in sinned if given.every else not sinned):
            sinned.add(this)
            act(bot, turn, move)
        else:
            bot.stream.send(move)


if __name__ == "__main__":
    main()
