"""What every request meets first, and every answer last: limits, and the headers that say what a page may do.

A page may load styles, scripts, images and data from here alone, and nothing inline; it sends forms here alone, and nobody frames it.
Over a Unix socket it is the operator's own proxy that comes, which says for whom.
"""

import time
from collections.abc import Callable
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aluette_referee.web.limits import Allowance, Limiter, neighbourhood

__all__ = ["FEEDS", "HEADERS", "Guard"]

FEEDS: Final = "/api/"
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    # Not "no-referrer": with that, a browser does not say of its own forms that they are ours.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_LOOK: Final = Allowance(200, 0.05)
_CHANGE: Final = Allowance(30, 2.0)
_ENTER: Final = Allowance(10, 20.0)
_ENTRANCES: Final = {"/register", "/sign-in"}


def _not_timed(page: str, seconds: float) -> None:
    del page, seconds


class Guard:
    """An ASGI application around another. `timed` hears the name of each page, and the seconds it took."""

    def __init__(
        self,
        app: ASGIApp,
        timed: Callable[[str, float], object] = _not_timed,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nobody has come."""
        self._app = app
        self._timed = timed
        self._clock = clock
        self._look, self._change, self._enter = Limiter(_LOOK), Limiter(_CHANGE), Limiter(_ENTER)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = self._clock()
        who = _client(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message))
            await send(message)

        wait = self._limiter(scope).wait(who, began)
        app: ASGIApp = self._app if wait == 0 else _refusal(scope["path"], wait)
        await app(scope, receive, send_with_headers)
        self._timed(_page(scope), self._clock() - began)

    def _limiter(self, scope: Scope) -> Limiter:
        if scope["method"] in ("GET", "HEAD"):
            return self._look
        return self._enter if scope["path"] in _ENTRANCES else self._change


def _client(scope: Scope) -> str:
    """Whose request it is. What a proxy of ours says is believed, and nobody else."""
    if scope.get("client") is not None:
        return neighbourhood(scope["client"][0])
    headers = Headers(scope=scope)
    if headers.get("x-forwarded-proto") == "https":
        scope["scheme"] = "https"
    return neighbourhood(headers.get("x-forwarded-for", "").rpartition(",")[2].strip())


def _refusal(path: str, wait: int) -> Response:
    told = f"Too many requests: come again in {wait} seconds."
    headers = {"retry-after": str(wait)}
    if path.startswith(FEEDS):
        return JSONResponse({"error": told}, 429, headers)
    return PlainTextResponse(f"{told}\n", 429, headers)


def _add_headers(headers: MutableHeaders) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("cache-control", "no-store")


def _page(scope: Scope) -> str:
    """The name of what answered; it has few values, whatever is asked for."""
    endpoint: Any = scope.get("endpoint")
    return str(getattr(getattr(endpoint, "func", endpoint), "__name__", "none"))
