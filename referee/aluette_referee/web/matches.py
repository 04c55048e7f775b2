"""Pages of matches: the list, one with its replay, and its record."""

import functools
import json
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from aluette.errors import Misuse
from aluette_referee.league.queries import (
    FaultShown,
    MatchShown,
    RecordShown,
    SeasonNamed,
    read_match,
    read_match_faults,
    read_matches,
    read_record,
    read_season,
)
from aluette_referee.league.sheets import match_remark
from aluette_referee.report.html.pages import Chair, Shown, viewer
from aluette_referee.report.transcript import transcript
from aluette_referee.web.site import Site, address, asked_text
from aluette_referee.web.telling import fault_told, matches_told, older

__all__ = ["MATCHES", "Match", "match", "matches", "read_whole", "record"]

MATCHES: Final = 50
"""On a page."""


async def matches(site: Site, request: Request) -> Response:
    """All matches, or those of a bot, the newest first."""
    visitor = await site.visitor(request)
    of, before, then = (asked_text(request, name) for name in ("bot", "before", "then"))
    most = MATCHES
    ask = functools.partial(read_matches, of=of, before=before, then=then, most=most + 1)
    found = await site.ask(ask)
    path = request.scope["path"]
    next_ones, newest = older(path, found, most, bot=of), address(path, bot=of) if before else ""
    return await site.page(
        request,
        "matches.html",
        visitor,
        of=of,
        matches=matches_told(found[:most]),
        older=next_ones,
        newest=newest,
    )


class Match(NamedTuple):
    """A match, and what belongs to it."""

    match: MatchShown
    season: SeasonNamed
    faults: list[FaultShown]
    record: RecordShown | None
    closed: str
    """Why there is no record."""


def read_whole(connection: sa.Connection, name: str) -> Match:
    """A match by the beginning of its id; raises `Misuse`."""
    shown = read_match(connection, name)
    record, closed = None, ""
    try:
        record = read_record(connection, shown.id)
    except Misuse as error:
        closed = str(error)
    of = read_season(connection, shown.season)
    return Match(shown, of, read_match_faults(connection, shown.id), record, closed)


async def match(site: Site, request: Request) -> Response:
    """A match; when it is over, card by card."""
    visitor = await site.visitor(request)
    found = await site.ask(functools.partial(read_whole, name=request.path_params["name"]))
    replay: dict[str, Any] = {"viewer": None, "transcript": ""}
    if found.record is not None:
        replay = await site.work(functools.partial(_replay, found.match, found.record))
    return await site.page(
        request,
        "match.html",
        visitor,
        match=found.match,
        remark=match_remark(found.match),
        season=found.season,
        record=found.record,
        closed=found.closed,
        faults=[fault_told(each, visitor) for each in found.faults],
        **replay,
    )


def _replay(shown: MatchShown, stored: RecordShown) -> dict[str, Any]:
    chairs = {seat: Chair(name) for seat, name in shown.seats.items()}
    value = json.loads(stored.text)
    mended = [fault.public for fault in stored.strikes]
    told = Shown(shown.id, value, shown.sides, chairs, mended=mended)
    return {"viewer": viewer([told]), "transcript": "\n".join(transcript(value, shown.seats))}


async def record(site: Site, request: Request) -> Response:
    """The record of a match that is over, byte for byte as its digest was taken: a page's link, and a feed."""

    def ask(connection: sa.Connection) -> str:
        return read_record(connection, request.path_params["name"]).text

    text = await site.ask(ask)
    return Response(text, media_type="application/json", headers={"cache-control": "public, max-age=5"})
