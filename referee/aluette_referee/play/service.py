"""The gRPC side of the referee: the service, health checking, reflection, other protocol majors.

asyncio only. It moves messages between gRPC and whatever `accept` returns for a call, and decides
nothing: `bridge` ties it to trio.
"""

import asyncio
import contextlib
import functools
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol, cast

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection

from aluette.address import KEEPALIVE
from aluette.errors import Misuse
from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL
from aluette_referee.play.endpoint import Endpoint

__all__ = ["Call", "Listening", "make_server", "say_serving", "stop_server"]

SERVICE: Final = f"aluette.v{PROTOCOL}.RefereeService"
_STOP_SECONDS: Final = 2.0
OPTIONS: dict[str, int] = {
    "grpc.so_reuseport": 0,
    **KEEPALIVE,
    # So is found who never says a word.
    "grpc.keepalive_permit_without_calls": 1,
    "grpc.server_handshake_timeout_ms": 10_000,
    "grpc.max_connection_idle_ms": 60_000,
    # And bots may look after us as often.
    "grpc.http2.min_ping_interval_without_data_ms": 10_000,
    # What strangers can make us keep has a bound: connections of each address, calls of each, headers of each.
    "grpc.max_allowed_incoming_connections": 4096,
    "grpc.max_concurrent_streams": 256,
    "grpc.max_metadata_size": 16_384,
}


class Call(Protocol):
    """One call of `Play`, as the other loop sees it."""

    hurry: Callable[[], None]
    """Set by this side; called when no more is to be sent, after which what waits has a moment to go out."""

    async def outgoing(self) -> bytes | None:
        """The next message to send; None ends the stream."""
        ...

    async def received(self, request: wire.PlayRequest | None) -> None:
        """A message came, None if it cannot be read; returns when there is room for the next."""
        ...

    def ended(self) -> None:
        """The bot sends no more, or is gone."""
        ...


Accept = Callable[[str], Call]
"""From the bearer token of a call to its other end."""


class Listening(NamedTuple):
    """A server that was started, its health, and the addresses it really listens on."""

    server: grpc.aio.Server
    health: HealthServicer
    addresses: list[str]


async def make_server(endpoints: Sequence[Endpoint], accept: Accept) -> Listening:
    """Start a server on all of these.

    Raises `Misuse` when one is taken, or is no address of this machine.
    """
    server = grpc.aio.server(options=list(OPTIONS.items()))
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
        _play(accept),
        request_deserializer=None,  # by `_read`: here gRPC would take what is no message for our own bug
        response_serializer=None,  # written already
    )
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}), _OtherMajor())
    )
    health = HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(health, server)
    await health.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
    await health.set("", health_pb2.HealthCheckResponse.SERVING)
    names = (SERVICE, health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
    bound = [_bind(server, endpoint) for endpoint in endpoints]
    await server.start()
    return Listening(server, health, bound)


async def say_serving(listening: Listening, *, serving: bool) -> None:
    """Tell whoever asks for the health of the service; the process as a whole is well."""
    status = health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
    await listening.health.set(SERVICE, status)


async def stop_server(server: grpc.aio.Server) -> None:
    """Stop, giving calls that are still open a moment to end."""
    await server.stop(_STOP_SECONDS)


def _bind(server: grpc.aio.Server, endpoint: Endpoint) -> str:
    address, tls = endpoint.address, endpoint.tls
    try:
        if tls is None:
            port = server.add_insecure_port(address)
        else:
            credentials = grpc.ssl_server_credentials([(tls.key, tls.chain)])
            port = server.add_secure_port(address, credentials)
    except (RuntimeError, OSError) as error:
        raise Misuse(
            f"the referee cannot listen on {address}: it is taken, or no address of this machine"
        ) from error
    return f"{address.rpartition(':')[0]}:{port}" if address.endswith(":0") else address


def _play(accept: Accept) -> Callable[[Any, grpc.aio.ServicerContext[Any, Any]], Any]:
    async def play(_requests: Any, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        call = accept(_token(context))
        reader = asyncio.ensure_future(_read(call, context))
        try:
            async with asyncio.timeout(None) as patience:
                call.hurry = functools.partial(_hurry, patience)
                while (response := await call.outgoing()) is not None:
                    await context.write(response)
        except TimeoutError:
            pass  # it did not read to the end
        finally:
            reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reader
            call.ended()

    return play


def _hurry(patience: asyncio.Timeout) -> None:
    """Who does not read does not keep a stream that is over."""
    if patience.when() is None:
        with contextlib.suppress(RuntimeError):  # all was written
            patience.reschedule(asyncio.get_running_loop().time() + _STOP_SECONDS)


async def _read(call: Call, context: grpc.aio.ServicerContext[Any, Any]) -> None:
    try:
        while (message := await context.read()) is not grpc.aio.EOF:
            try:
                request = wire.PlayRequest.FromString(message)
            except DecodeError:
                request = None
            await call.received(request)
    finally:
        call.ended()


def _token(context: grpc.aio.ServicerContext[Any, Any]) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str):
            scheme, _, token = value.partition(" ")
            return token if scheme.lower() == "bearer" else ""
    return ""


class _OtherMajor(grpc.GenericRpcHandler):
    """A bot of another major version calls another path; it is refused with both versions named."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        asked = re.match(r"/aluette\.v(\w+)\.", handler_call_details.method)
        if asked is None or asked[1] == str(PROTOCOL):
            return None
        sentence = (
            f"this referee speaks protocol {PROTOCOL} (aluette.v{PROTOCOL}) and the bot speaks {asked[1]}"
        )

        async def refuse(_requests: Any, context: grpc.aio.ServicerContext[Any, Any]) -> None:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, sentence)

        return cast("Any", grpc.stream_stream_rpc_method_handler(refuse))
