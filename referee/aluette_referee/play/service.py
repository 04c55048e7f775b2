"""The gRPC side of the referee: the service, health checking, reflection, other protocol majors.

asyncio only. It moves messages between gRPC and whatever `accept` returns for a call, and decides
nothing: `bridge` ties it to trio.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, cast

import grpc
import grpc.aio
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1._async import HealthServicer
from grpc_reflection.v1alpha import reflection

from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL

__all__ = ["Call", "make_server"]

SERVICE: Final = f"aluette.v{PROTOCOL}.RefereeService"
_STOP_SECONDS: Final = 2.0


class Call(Protocol):
    """One call of `Play`, as the other loop sees it."""

    async def outgoing(self) -> wire.PlayResponse | None:
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


async def make_server(addresses: Sequence[str], accept: Accept) -> tuple[grpc.aio.Server, list[str]]:
    """Start a server on `addresses` (`host:port` or `unix:path`); port 0 takes a free one.

    Returns it with the addresses it really listens on. Raises `RuntimeError` or `OSError` when one is taken.
    """
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    handler: grpc.RpcMethodHandler[bytes, wire.PlayResponse] = grpc.stream_stream_rpc_method_handler(
        _play(accept),
        request_deserializer=None,  # by `_read`: here gRPC would take what is no message for our own bug
        response_serializer=wire.PlayResponse.SerializeToString,
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
    bound = [_bound(address, server.add_insecure_port(address)) for address in addresses]
    await server.start()
    return server, bound


async def stop_server(server: grpc.aio.Server) -> None:
    """Stop, giving calls that are still open a moment to end."""
    await server.stop(_STOP_SECONDS)


def _bound(address: str, port: int) -> str:
    return f"{address.rpartition(':')[0]}:{port}" if address.endswith(":0") else address


def _play(accept: Accept) -> Callable[[Any, grpc.aio.ServicerContext[Any, Any]], Any]:
    async def play(_requests: Any, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        call = accept(_token(context))
        reader = asyncio.ensure_future(_read(call, context))
        try:
            while (response := await call.outgoing()) is not None:
                await context.write(response)
        finally:
            reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reader
            call.ended()

    return play


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
