"""What monitors ask for: whether the service is alive, whether it is ready, and its figures.

The figures are for this machine, and for who brings an admin's token.
"""

import ipaddress
from collections.abc import Callable
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from aluette_referee.league.metrics import CONTENT_TYPE, Metrics
from aluette_referee.league.roster import read_holder
from aluette_referee.web.site import Site

__all__ = ["routes"]


def routes(site: Site, metrics: Metrics, is_ready: Callable[[], bool]) -> list[Route]:
    """Their addresses."""

    async def health(request: Request) -> Response:
        del request
        return PlainTextResponse("alive\n")

    async def readiness(request: Request) -> Response:
        del request
        if is_ready():
            return PlainTextResponse("ready\n")
        return PlainTextResponse(
            "not ready: it is ending, or its database is away\n", HTTPStatus.SERVICE_UNAVAILABLE
        )

    async def figures(request: Request) -> Response:
        if not (_is_near(request) or await _is_admin(site, request)):
            told = "The figures are for this machine, and for who brings an admin's token as a bearer.\n"
            return PlainTextResponse(told, HTTPStatus.FORBIDDEN)
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    return [
        Route("/healthz", health, name="GET /healthz"),
        Route("/readyz", readiness, name="GET /readyz"),
        Route("/metrics", figures, name="GET /metrics"),
    ]


def _is_near(request: Request) -> bool:
    """Whether it comes from this very machine, and not through a proxy."""
    if request.client is None or "x-forwarded-for" in request.headers or "forwarded" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


async def _is_admin(site: Site, request: Request) -> bool:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return False
    holder = await site.ask(lambda connection: read_holder(connection, token.strip()))
    return holder is not None and holder.rights == "admin" and not holder.banned
