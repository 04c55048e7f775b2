"""Two event loops in one thread: programs run, messages cross in their order, a flood stays with its sender."""

import contextlib
import functools
import threading
from collections.abc import Iterable, Iterator

import grpc
import pytest
import trio

from aluette.errors import Misuse
from aluette.v1 import referee_pb2 as wire
from aluette_referee.play import bridge
from aluette_referee.play.endpoint import LOOPBACK, Endpoint

SECONDS = 60.0


def test_a_program_runs_and_returns_what_it_does():
    async def main() -> str:
        await trio.lowlevel.checkpoint()
        return "done"

    assert bridge.run(main) == "done"


def test_what_a_program_raises_comes_out():
    async def main() -> None:
        await trio.lowlevel.checkpoint()
        raise LookupError("not here")

    with pytest.raises(LookupError, match="not here"):
        bridge.run(main)


def numbered(count: int) -> Iterator[wire.PlayRequest]:
    for number in range(count):
        yield wire.PlayRequest(moves=wire.Moves(moves=[wire.Move(number=number)]))


def converse(address: str, requests: Iterable[wire.PlayRequest], token: str = "t0ken") -> list[str]:
    """Send all requests and read to the end of the stream; the messages of the goodbyes that came."""
    with grpc.insecure_channel(address) as channel:
        play = channel.stream_stream(
            "/aluette.v1.RefereeService/Play",
            request_serializer=wire.PlayRequest.SerializeToString,
            response_deserializer=wire.PlayResponse.FromString,
        )
        metadata = (("authorization", f"Bearer {token}"),)
        return [
            response.goodbye.message for response in play(iter(requests), metadata=metadata, timeout=SECONDS)
        ]


@contextlib.asynccontextmanager
async def connected(requests: Iterable[wire.PlayRequest]):
    """A stream, from both ends: the connection, and the list that the client's messages will be in."""
    heard: list[str] = []

    async def client(address: str) -> None:
        heard.extend(await trio.to_thread.run_sync(functools.partial(converse, address, requests)))

    with trio.fail_after(SECONDS):
        async with bridge.open_server([LOOPBACK]) as server, trio.open_nursery() as nursery:
            (address,) = server.addresses
            nursery.start_soon(client, address)
            connection = await server.connections.receive()
            yield connection, heard
            connection.close()


def said(message: str) -> bytes:
    return wire.PlayResponse(goodbye=wire.Goodbye(message=message)).SerializeToString()


def test_messages_cross_in_their_order_both_ways():
    async def main() -> None:
        async with connected(numbered(500)) as (connection, heard):
            assert connection.token == "t0ken"
            for number in range(500):
                request = await connection.receive()
                assert request.moves.moves[0].number == number
                connection.send(said(str(number)))
            with pytest.raises(trio.EndOfChannel):
                await connection.receive()
        assert heard == [str(number) for number in range(500)]

    bridge.run(main)


def test_served_messages_come_in_their_order_those_from_before_first():
    async def main() -> None:
        taken: list[int] = []

        def take(request: wire.PlayRequest | None) -> None:
            assert request is not None
            taken.append(request.moves.moves[0].number)
            connection.send(said(str(taken[-1])))

        async with connected(numbered(500)) as (connection, heard):
            while connection._from.statistics().current_buffer_used < 10:
                await trio.lowlevel.checkpoint()
            await connection.serve(take)
        assert taken == list(range(500))
        assert heard == [str(number) for number in taken]

    bridge.run(main)


def test_a_bug_in_what_serves_comes_out_of_the_serving():
    def take(request: wire.PlayRequest | None) -> None:
        assert request is not None
        raise LookupError(request.moves.moves[0].number)

    async def main() -> None:
        async with connected(numbered(500)) as (connection, _):
            with pytest.raises(LookupError):
                await connection.serve(take)

    bridge.run(main)


def test_nothing_is_sent_after_the_end():
    async def main() -> None:
        async with connected(numbered(0)) as (connection, heard):
            connection.send(said("last"))
            connection.close()
            with pytest.raises(trio.EndOfChannel):
                await connection.receive()
            connection.send(said("too late"))
            connection.close()
        assert heard == ["last"]

    bridge.run(main)


def test_a_flood_waits_with_its_sender_and_is_all_read_in_the_end():
    sent = threading.Event()

    def flood() -> Iterator[wire.PlayRequest]:
        yield from numbered(1000)
        sent.set()

    async def main() -> None:
        async with connected(flood()) as (connection, _):
            statistics = connection._from.statistics
            while statistics().current_buffer_used < bridge._MAILBOX:
                await trio.lowlevel.checkpoint()
            await trio.to_thread.run_sync(sent.wait)
            assert statistics().current_buffer_used == bridge._MAILBOX
            for number in range(1000):
                assert (await connection.receive()).moves.moves[0].number == number
                assert statistics().current_buffer_used <= bridge._MAILBOX
            with pytest.raises(trio.EndOfChannel):
                await connection.receive()

    bridge.run(main)


def test_a_stream_can_be_ended_in_a_flood():
    async def main() -> None:
        async with connected(numbered(100_000)) as (connection, _):
            await connection.receive()
            connection.send(said("enough"))
            connection.close()

    bridge.run(main)


def test_a_port_that_is_taken_is_an_error():
    async def main() -> None:
        async with bridge.open_server([LOOPBACK]) as server:
            (address,) = server.addresses
            with pytest.raises(Misuse, match=f"cannot listen on {address}: it is taken"):
                async with bridge.open_server([Endpoint(address)]):
                    pass

    bridge.run(main)


def test_a_server_listens_at_every_address_it_is_told(tmp_path):
    async def main() -> None:
        async with bridge.open_server([Endpoint(f"unix:{tmp_path}/socket"), LOOPBACK]) as server:
            unix, port = server.addresses
            assert unix == f"unix:{tmp_path}/socket"
            assert port.startswith("127.0.0.1:")
            assert not port.endswith(":0")
            for address in server.addresses:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(trio.to_thread.run_sync, converse, address, [])
                    (await server.connections.receive()).close()

    with_deadline = functools.partial(_within, main)
    bridge.run(with_deadline)


async def _within(main) -> None:
    with trio.fail_after(SECONDS):
        await main()
