"""Which address is answered by what, and what is told of what went wrong: a page with one sentence, or JSON in a feed."""

import functools
import traceback
from collections.abc import Awaitable, Callable, Iterable
from http import HTTPStatus
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from aluette.errors import Misuse
from aluette_referee.web import assets, bots, desk, entering, feeds, ladders, matches
from aluette_referee.web.guard import FEEDS, Guard
from aluette_referee.web.site import Site

__all__ = ["make_app"]

Handler = Callable[[Site, Request], Awaitable[Response]]
_GET: Final[dict[str, Handler]] = {
    "/": ladders.ladder,
    "/seasons": ladders.seasons,
    "/season/{number:int}": ladders.season,
    "/bot/{name}": bots.bot,
    "/matches": matches.matches,
    "/match/{name}": matches.match,
    "/match/{name}/record.json": matches.record,
    "/connect": ladders.connect,
    "/league.pem": ladders.certificate,
    "/register": entering.register_form,
    "/sign-in": entering.sign_in_form,
    "/me": desk.desk,
    "/api/v1/ladder": feeds.ladder_feed,
    "/api/v1/seasons": feeds.seasons_feed,
    "/api/v1/bot/{name}": feeds.bot_feed,
    "/api/v1/matches": feeds.matches_feed,
    "/api/v1/match/{name}": feeds.match_feed,
    "/api/v1/match/{name}/record": matches.record,
}
_POST: Final[dict[str, Handler]] = {
    "/register": entering.register,
    "/sign-in": entering.sign_in,
    "/sign-out": entering.sign_out,
    "/me/{change}": desk.change,
}
_TOLD: Final = {
    HTTPStatus.NOT_FOUND: "There is no such page.",
    HTTPStatus.METHOD_NOT_ALLOWED: "That is not done with this address.",
}
_OURS: Final = "Something went wrong here, and it is not your doing: the operator has been told."
_KEPT: Final = "public, max-age=31536000, immutable"


def make_app(
    site: Site,
    more: Iterable[BaseRoute] = (),
    **guarded: Any,
) -> ASGIApp:
    """All pages of a league, with `more` beside them; the rest is `Guard`'s: `timed`, `clock`."""
    routes: list[BaseRoute] = [Route("/static/{name}", _static, name="static")]
    for methods, table in ((["GET"], _GET), (["POST"], _POST)):
        for path, handler in table.items():
            routes.append(_route(site, path, handler, methods))
    told = functools.partial(_tell, site)
    app = Starlette(
        routes=[*routes, *more],
        exception_handlers={HTTPException: told, Misuse: told, Exception: told},
    )
    app.router.redirect_slashes = False
    return Guard(app, **guarded)


def _route(site: Site, path: str, handler: Handler, methods: list[str]) -> Route:
    endpoint: Any = functools.partial(handler, site)
    return Route(path, endpoint, methods=methods, name=f"{methods[0]} {path}")


async def _static(request: Request) -> Response:
    found = assets.asset(request.path_params["name"])
    if found is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    kept = _KEPT if request.query_params.get("v") == found.digest else "no-cache"
    return Response(found.content, media_type=found.kind, headers={"cache-control": kept})


async def _tell(site: Site, request: Request, error: Exception) -> Response:
    """What went wrong, in a sentence. A bug of ours keeps its traceback, on stderr."""
    status, told, headers = HTTPStatus.INTERNAL_SERVER_ERROR, _OURS, None
    if isinstance(error, HTTPException):
        status, headers = HTTPStatus(error.status_code), error.headers
        told = error.detail if error.detail != status.phrase else _TOLD.get(status, status.phrase)
    elif isinstance(error, Misuse):
        status, told = HTTPStatus.BAD_REQUEST, str(error)
    else:
        traceback.print_exception(error)
    if request.scope["path"].startswith(FEEDS):
        return JSONResponse({"error": told}, status, headers)
    response = await site.page(
        request, "error.html", site.known_visitor(request), status, told=told, phrase=status.phrase
    )
    for name, value in (headers or {}).items():
        response.headers[name] = value
    return response
