"""The yardstick: plain grpc.aio, no game, with messages of the same size.

The server in this process sends a message on each of four streams and waits for its answer, again and
again; asyncio clients in one other process answer. One turn in a message is a ping-pong, more an echo.
"""

import asyncio
import contextlib
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

import grpc
import grpc.aio

from aluette.codec import write_batch, write_turn
from aluette.packs import BlockKey
from aluette.rules import Match, Play, RuleSet
from aluette.session import Turn
from aluette.v1 import referee_pb2 as wire
from aluette.view import view_of

__all__ = ["RawFigures", "measure_raw"]

SERVICE = "aluette.bench.Raw"
METHOD = f"/{SERVICE}/Play"


class RawFigures(NamedTuple):
    """Turns answered a second over all streams, and the median time of one message there and back."""

    turns_per_s: float
    median_us: float


async def measure_raw(streams: int, batch: int, seconds: float) -> RawFigures:
    """Send `batch` turns a message on so many streams at once, for so long."""
    message = typical_batch(batch)
    times: list[float] = []
    arrived: list[grpc.aio.ServicerContext[Any, Any]] = []
    ended: list[grpc.aio.ServicerContext[Any, Any]] = []
    all_there, done = asyncio.Event(), asyncio.Event()

    async def play(_: Any, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        arrived.append(context)
        if len(arrived) == streams:
            all_there.set()
        await all_there.wait()
        await exchange(context, 20)
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            times.extend(await exchange(context, 20))
        ended.append(context)
        if len(ended) == streams:
            done.set()

    async def exchange(context: grpc.aio.ServicerContext[Any, Any], count: int) -> list[float]:
        taken: list[float] = []
        for _ in range(count):
            sent = time.perf_counter()
            await context.write(message)
            await context.read()
            taken.append(time.perf_counter() - sent)
        return taken

    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(
        play,
        request_deserializer=wire.PlayRequest.FromString,
        response_serializer=wire.PlayResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    client = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "aluette_bench.raw", str(port), str(streams), str(batch)
    )
    try:
        await done.wait()
    finally:
        await server.stop(1.0)
        with contextlib.suppress(ProcessLookupError):
            client.kill()
        await client.wait()
    return RawFigures(len(times) * batch / seconds, median(times) * 1e6)


def typical_batch(size: int) -> wire.PlayResponse:
    """A message with turns as long as those of a real game: in mid-deal."""
    match = Match(RuleSet(chant="off", signals=False), BlockKey(bytes(32)))
    while len(match.deal.played) < 18:
        (seat,) = match.asked
        match.do(seat, Play(match.deal.hands[seat][0]))
    view = view_of(match, match.asked[0], time_left=2.0)
    turns = [write_turn(Turn(2**62 + number, 20, view)) for number in range(size)]
    return wire.PlayResponse.FromString(write_batch([], turns))


async def answer(port: int, streams: int, batch: int) -> None:
    """The other process: answer every message with as many moves."""
    moves = [wire.Move(table=2**62 + number, number=20, play=7) for number in range(batch)]  # type: ignore[arg-type]
    request = wire.PlayRequest(moves=wire.Moves(moves=moves))

    async def one(channel: grpc.aio.Channel) -> None:
        call = channel.stream_stream(
            METHOD,
            request_serializer=wire.PlayRequest.SerializeToString,
            response_deserializer=wire.PlayResponse.FromString,
        )()
        while await call.read() is not grpc.aio.EOF:
            await call.write(request)

    # A channel each, as bots in processes of their own have.
    channels = [
        grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=[("grpc.use_local_subchannel_pool", 1)])
        for _ in range(streams)
    ]
    await asyncio.gather(*map(one, channels))


def main(arguments: Sequence[str]) -> None:
    """Run the clients: port, streams, batch."""
    asyncio.run(answer(*map(int, arguments)))


if __name__ == "__main__":
    main(sys.argv[1:])
