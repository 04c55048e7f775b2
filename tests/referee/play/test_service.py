"""The gRPC side, for real: what tools and strangers get to hear, and that streams end when they should.

The server runs in a thread with its two event loops, as in a referee; the client is plain grpcio.
"""

import contextlib
import queue
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import grpc
import pytest
import trio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL, __version__
from aluette_referee.clock import Limits
from aluette_referee.play import bridge
from aluette_referee.play.launch import Launch
from aluette_referee.play.pool import NotPlaying, open_pool

SECONDS = 60.0
SERVICE = "aluette.v1.RefereeService"


class Referee:
    """A pool with its server, in a thread; `address` is the one for external bots."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: bridge.run(self._main))
        self._token: trio.lowlevel.TrioToken | None = None
        self._over = trio.Event()
        self.announced: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.address = ""
        self._thread.start()
        assert self._ready.wait(SECONDS)

    async def _main(self) -> None:
        async with open_pool(f"{self._folder}/socket", Limits(connect=SECONDS), self.announced.put) as pool:
            self._pool = pool
            self._token = trio.lowlevel.current_trio_token()
            self.address = pool.way_here.removeprefix("ALUETTE_SERVER=")
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                self._ready.set()
                await self._over.wait()
                nursery.cancel_scope.cancel()

    def expect(self) -> str:
        """Wait for an external bot; the token for it."""

        async def wait() -> None:
            with contextlib.suppress(NotPlaying):
                await self._pool.start_once(Launch("external", None, "external"))

        trio.from_thread.run_sync(self._nursery.start_soon, wait, trio_token=self._token)
        sentence = self.announced.get(timeout=SECONDS)
        while "was refused" in sentence:  # of the one before
            sentence = self.announced.get(timeout=SECONDS)
        assert f"ALUETTE_SERVER={self.address} " in sentence
        return sentence.partition("ALUETTE_TOKEN=")[2].split()[0]

    def say_serving(self, serving: bool) -> None:
        """As a referee does that has something to wait for, or not any more."""
        assert self._pool.server is not None

        async def say() -> None:
            await self._pool.server.say_serving(serving=serving)

        trio.from_thread.run(say, trio_token=self._token)

    def close(self) -> None:
        trio.from_thread.run_sync(self._over.set, trio_token=self._token)
        self._thread.join(SECONDS)
        assert not self._thread.is_alive()


@pytest.fixture(scope="module")
def referee(tmp_path_factory) -> Iterator[Referee]:
    found = Referee(tmp_path_factory.mktemp("referee"))
    yield found
    found.close()


@pytest.fixture
def channel(referee: Referee) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(referee.address) as found:
        yield found


def as_is(message: bytes) -> bytes:
    return message


def play(
    channel: grpc.Channel,
    requests: Iterable[wire.PlayRequest | bytes],
    *metadata: tuple[str, str],
    method: str = f"/{SERVICE}/Play",
):
    call = channel.stream_stream(
        method,
        request_serializer=lambda request: (
            request if isinstance(request, bytes) else request.SerializeToString()
        ),
        response_deserializer=wire.PlayResponse.FromString,
    )
    return call(iter(requests), metadata=metadata, timeout=SECONDS)


def bearer(token: str) -> tuple[str, str]:
    return ("authorization", f"Bearer {token}")


def hello(**changes: object) -> wire.PlayRequest:
    return wire.PlayRequest(hello=wire.Hello(**{"protocol": PROTOCOL, "bot_name": "raw", **changes}))


class Open:
    """Requests that come one at a time, from a stream that stays open until `done`."""

    def __init__(self, *first: wire.PlayRequest | bytes) -> None:
        self._waiting: queue.SimpleQueue[wire.PlayRequest | bytes | None] = queue.SimpleQueue()
        for request in first:
            self.send(request)

    def send(self, request: wire.PlayRequest | bytes) -> None:
        self._waiting.put(request)

    def done(self) -> None:
        self._waiting.put(None)

    def __iter__(self) -> Iterator[wire.PlayRequest | bytes]:
        return iter(self._waiting.get, None)


# -- tools -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("service", ["", SERVICE])
def test_the_health_check_says_that_it_serves(channel, service):
    stub = health_pb2_grpc.HealthStub(channel)
    answer = stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=SECONDS)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_the_health_of_the_service_may_change_while_the_process_is_well(referee, channel):
    stub = health_pb2_grpc.HealthStub(channel)

    def asked(service: str) -> int:
        return stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=SECONDS).status

    serving, not_serving = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING
    referee.say_serving(False)
    assert (asked(SERVICE), asked("")) == (not_serving, serving)
    referee.say_serving(True)
    assert (asked(SERVICE), asked("")) == (serving, serving)


def test_the_health_check_knows_no_other_service(channel):
    stub = health_pb2_grpc.HealthStub(channel)
    with pytest.raises(grpc.RpcError) as error:
        stub.Check(health_pb2.HealthCheckRequest(service="aluette.v2.RefereeService"), timeout=SECONDS)
    assert error.value.code() is grpc.StatusCode.NOT_FOUND


def test_reflection_lists_the_services_and_shows_the_wire(channel):
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    requests = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol=SERVICE),
    ]
    listed, shown = stub.ServerReflectionInfo(iter(requests), timeout=SECONDS)
    names = [service.name for service in listed.list_services_response.service]
    assert set(names) == {SERVICE, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}
    assert any(b"RefereeService" in file for file in shown.file_descriptor_response.file_descriptor_proto)


# -- other versions --------------------------------------------------------------------------------


@pytest.mark.parametrize("major", ["2", "3", "2beta"])
def test_a_bot_of_another_major_version_hears_both_versions(channel, major):
    with pytest.raises(grpc.RpcError) as error:
        next(play(channel, [hello()], bearer("any"), method=f"/aluette.v{major}.RefereeService/Play"))
    assert error.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert error.value.details() == (
        f"this referee speaks protocol 1 (aluette.v1) and the bot speaks {major}"
    )


def test_a_later_minor_versions_method_is_not_there(channel):
    with pytest.raises(grpc.RpcError) as error:
        next(play(channel, [hello()], method=f"/{SERVICE}/Watch"))
    assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED


# -- who is let in ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "metadata",
    [[], [bearer("wrong")], [("authorization", "{token}")], [("authorization", "Basic {token}")]],
    ids=["no token", "a wrong one", "no scheme", "another scheme"],
)
def test_without_the_token_one_is_refused_and_the_stream_ends(referee, channel, metadata):
    token = referee.expect()
    filled = [(key, value.replace("{token}", token)) for key, value in metadata]
    (response,) = play(channel, Open(hello()), *filled)
    assert response.refused.reason == wire.Refused.REASON_TOKEN
    assert "set ALUETTE_TOKEN" in response.refused.message


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_with_the_token_one_is_welcome(referee, channel, scheme):
    requests = Open(hello())
    call = play(channel, requests, ("authorization", f"{scheme} {referee.expect()}"))
    welcome = next(call).welcome
    assert (welcome.protocol, welcome.referee) == (PROTOCOL, f"aluette {__version__}")
    call.cancel()


@pytest.mark.parametrize(
    ("first", "reason"),
    [
        (hello(protocol=2), wire.Refused.REASON_PROTOCOL),
        (hello(capacity=10_001), wire.Refused.REASON_HELLO),
        (wire.PlayRequest(moves=wire.Moves()), wire.Refused.REASON_HELLO),
        (b"", wire.Refused.REASON_HELLO),
        (b"\xff\xff\xff", wire.Refused.REASON_HELLO),
    ],
    ids=["protocol 2", "capacity", "moves", "nothing", "no message"],
)
def test_a_bad_first_message_is_refused_and_the_stream_ends(referee, channel, first, reason):
    (response,) = play(channel, Open(first), bearer(referee.expect()))
    assert response.refused.reason == reason


@pytest.mark.parametrize("second", [hello(), b"\xff\xff\xff"], ids=["hello again", "no message"])
def test_what_breaks_the_protocol_is_refused_and_the_stream_ends(referee, channel, second):
    welcome, refused = play(channel, Open(hello(), second), bearer(referee.expect()))
    assert welcome.WhichOneof("body") == "welcome"
    assert refused.refused.reason == wire.Refused.REASON_HELLO


def test_a_second_stream_with_the_token_is_refused_and_the_first_goes_on(referee, channel):
    token = referee.expect()
    requests = Open(hello())
    first = play(channel, requests, bearer(token))
    assert next(first).WhichOneof("body") == "welcome"
    (response,) = play(channel, Open(hello()), bearer(token))
    assert response.refused.reason == wire.Refused.REASON_TAKEN
    requests.send(wire.PlayRequest(leave=wire.Leave()))
    assert next(first).WhichOneof("body") == "goodbye"
    assert list(first) == []


# -- how a stream ends -----------------------------------------------------------------------------


def test_who_leaves_at_once_hears_goodbye(referee, channel):
    requests = Open(hello(), wire.PlayRequest(leave=wire.Leave()))
    welcome, goodbye = play(channel, requests, bearer(referee.expect()))
    assert welcome.WhichOneof("body") == "welcome"
    assert goodbye.goodbye.message == "you have left, and your matches are over"


@pytest.mark.parametrize("said", [[], [hello()]], ids=["before the hello", "after it"])
def test_when_a_bot_sends_no_more_the_stream_ends(referee, channel, said):
    responses = list(play(channel, said, bearer(referee.expect())))
    assert [response.WhichOneof("body") for response in responses] == ["welcome"] * len(said)


@pytest.mark.parametrize("said", [[], [hello()]], ids=["before the hello", "after it"])
def test_a_bot_that_breaks_its_stream_leaves_the_referee_well(referee, channel, said, caplog):
    for _ in range(5):
        call = play(channel, Open(*said), bearer(referee.expect()))
        for _ in said:
            next(call)
        call.cancel()
    welcome, _ = play(channel, Open(hello(), wire.PlayRequest(leave=wire.Leave())), bearer(referee.expect()))
    assert welcome.WhichOneof("body") == "welcome"
    assert caplog.records == []


def test_a_message_that_is_too_long_ends_its_stream_alone(referee, channel):
    with pytest.raises(grpc.RpcError) as error:
        list(play(channel, Open(hello(), b"\0" * 5_000_000), bearer(referee.expect())))
    assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert next(play(channel, Open(hello()), bearer(referee.expect()))).WhichOneof("body") == "welcome"
