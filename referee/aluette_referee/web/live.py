"""Pages of matches that are being played: the list, and one that moves card by card, by server-sent events."""

import json
from collections.abc import AsyncGenerator
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from aluette_referee.league.watching import Stage
from aluette_referee.report.html.deck import sprite
from aluette_referee.web.site import Site

__all__ = ["routes"]

MOST_SPECTATORS: Final = 500
"""At once, of all matches."""
_BREATH: Final = 50
"""Looks without anything to tell, after which a line is sent: else nobody would notice that a spectator has gone."""
_BUSY: Final = "So many people are watching that there is no room: come again a little later."


def routes(site: Site, stage: Stage) -> list[Route]:
    """The addresses of live pages."""
    hall = _Spectators(site, stage)
    return [
        Route("/live", hall.live, name="GET /live"),
        Route("/live/{name}", hall.watch, name="GET /live/{name}"),
        Route("/live/{name}/events", hall.events, name="GET /live/{name}/events"),
    ]


class _Spectators:
    def __init__(self, site: Site, stage: Stage) -> None:
        self._site = site
        self._stage = stage
        self._watching = 0

    async def live(self, request: Request) -> Response:
        """What is being played."""
        visitor = await self._site.visitor(request)
        return await self._site.page(request, "live.html", visitor, tables=self._stage.tables())

    async def watch(self, request: Request) -> Response:
        """One match, as it is played; when it is over, its own page."""
        table = self._stage.table(request.path_params["name"])
        if table is None:
            return RedirectResponse(f"/match/{request.path_params['name']}", 303)
        visitor = await self._site.visitor(request)
        return await self._site.page(request, "watch.html", visitor, table=table, sprite=sprite())

    async def events(self, request: Request) -> Response:
        """What happens in it, from the beginning, as JSON."""
        story = self._stage.follow(request.path_params["name"])
        if story is None:
            return Response(status_code=204)  # by which a browser knows not to ask again
        if self._watching >= MOST_SPECTATORS:
            return Response(_BUSY, 503, media_type="text/plain", headers={"retry-after": "60"})
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self._told(story), media_type="text/event-stream", headers=headers)

    async def _told(self, story: AsyncGenerator[dict[str, Any] | None]) -> AsyncGenerator[bytes]:
        self._watching += 1
        silent = 0
        try:
            async for event in story:
                silent = 0 if event else silent + 1
                if event is not None:
                    yield b"data: %s\n\n" % json.dumps(event, separators=(",", ":")).encode()
                elif silent % _BREATH == 1:
                    yield b":\n\n"
            yield b'data: {"event":"over"}\n\n'
        finally:
            self._watching -= 1
            await story.aclose()
