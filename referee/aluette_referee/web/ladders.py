"""Pages of ladders and seasons, and the way in for bots."""

import functools
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Final, NamedTuple

import sqlalchemy as sa
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from aluette_referee.contest.ranking import Figure
from aluette_referee.league.ladder import MEAN
from aluette_referee.league.queries import (
    LadderRow,
    SeasonNamed,
    count_ladder,
    read_ladder,
    read_season,
    read_seasons,
)
from aluette_referee.league.sheets import ladder_remark
from aluette_referee.report.html.contest_page import bars
from aluette_referee.web.site import LARGEST, Site, address, asked_number, asked_text

__all__ = ["RUNGS", "Ladder", "certificate", "connect", "ladder", "read_page", "season", "seasons"]

RUNGS: Final = 100
"""On a page."""


class Ladder(NamedTuple):
    """A page of a ladder: the season, its rungs there, and how many there are on all pages."""

    season: SeasonNamed
    rows: list[LadderRow]
    entrants: int


def read_page(connection: sa.Connection, number: int | None, page: int, find: str) -> Ladder:
    """A page of a season's ladder, or of the newest; `find` leaves some. Raises `Misuse`."""
    since = (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="milliseconds")
    of = read_season(connection, number)
    rows = read_ladder(connection, of.id, since=since, find=find, skip=(page - 1) * RUNGS, most=RUNGS)
    return Ladder(of, rows, count_ladder(connection, of.id, find))


async def ladder(site: Site, request: Request) -> Response:
    """The ladder of the season that is played."""
    return await _ladder(site, request, None)


async def season(site: Site, request: Request) -> Response:
    """The ladder of any season."""
    return await _ladder(site, request, min(request.path_params["number"], LARGEST))


async def _ladder(site: Site, request: Request, number: int | None) -> Response:
    page, find = asked_number(request, "page", 1), asked_text(request, "q")
    visitor = await site.visitor(request)
    found = await site.ask(functools.partial(read_page, number=number, page=page, find=find))
    path = request.scope["path"]
    pages = max(1, -(-found.entrants // RUNGS))
    return await site.page(
        request,
        "ladder.html",
        visitor,
        season=found.season,
        rows=[(row, ladder_remark(row)) for row in found.rows],
        bars=bars([Figure(row.rating - MEAN, row.margin, shrunk=row.margin is None) for row in found.rows]),
        count=found.entrants,
        find=find,
        page=page,
        pages=pages,
        before=address(path, q=find, page=page - 1 if page > 2 else None) if page > 1 else "",
        after=address(path, q=find, page=page + 1) if page < pages else "",
    )


async def seasons(site: Site, request: Request) -> Response:
    """All seasons."""
    visitor = await site.visitor(request)
    return await site.page(request, "seasons.html", visitor, seasons=await site.ask(read_seasons))


async def connect(site: Site, request: Request) -> Response:
    """What the author of a bot does, from nothing to a place on the ladder."""
    visitor = await site.visitor(request)
    return await site.page(
        request, "connect.html", visitor, way_here=site.way_here, certificate=site.certificate is not None
    )


async def certificate(site: Site, request: Request) -> Response:
    """Whom a bot may trust: what the server shows to everybody anyway."""
    del request
    if site.certificate is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, "This league is not reached over TLS.")
    return Response(site.certificate, media_type="application/x-pem-file")
