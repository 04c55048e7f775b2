"""The league for programs: JSON of the same answers as the pages, in pages of their own with the address of the `next`.

Nothing depends on who asks.
"""

import functools
from typing import Any, Final

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from aluette_referee.league.queries import (
    MatchShown,
    read_bot,
    read_head_to_head,
    read_history,
    read_matches,
    read_season,
    read_seasons,
)
from aluette_referee.web.ladders import RUNGS, read_page
from aluette_referee.web.matches import MATCHES, read_whole
from aluette_referee.web.site import Site, address, asked_number, asked_text
from aluette_referee.web.telling import older

__all__ = ["bot_feed", "ladder_feed", "match_feed", "matches_feed", "seasons_feed"]

_KEEP: Final = {"cache-control": "public, max-age=5"}


def _answer(value: dict[str, Any]) -> Response:
    return JSONResponse(value, headers=_KEEP)


async def ladder_feed(site: Site, request: Request) -> Response:
    """A page of a ladder."""
    page, find = asked_number(request, "page", 1), asked_text(request, "q")
    number = asked_number(request, "season", 0) or None
    found = await site.ask(functools.partial(read_page, number=number, page=page, find=find))
    more = found.entrants > page * RUNGS
    after = address(request.scope["path"], season=number, q=find, page=page + 1)
    return _answer(
        {
            "season": found.season._asdict(),
            "count": found.entrants,
            "ladder": [row._asdict() for row in found.rows],
            "next": after if more else None,
        }
    )


async def seasons_feed(site: Site, request: Request) -> Response:
    """All seasons, the newest first."""
    del request
    return _answer({"seasons": [row._asdict() for row in await site.ask(read_seasons)]})


async def bot_feed(site: Site, request: Request) -> Response:
    """A bot: its versions, and of a season its ratings and whom it met."""
    name, number = request.path_params["name"], asked_number(request, "season", 0) or None

    def ask(connection: sa.Connection) -> dict[str, Any]:
        shown, of = read_bot(connection, name), read_season(connection, number)
        versions = [
            {key: value for key, value in each._asdict().items() if key not in ("reason", "losses")}
            for each in shown.versions
        ]
        return {
            **shown._asdict(),
            "versions": versions,
            "season": of.id,
            "history": [each._asdict() for each in read_history(connection, name, of.id)],
            "opponents": [each._asdict() for each in read_head_to_head(connection, name, of.id)],
        }

    return _answer(await site.ask(ask))


def _match(row: MatchShown) -> dict[str, Any]:
    return {
        **row._asdict(),
        "seats": {seat.name: name for seat, name in row.seats.items()},
        "state": row.state,
    }


async def matches_feed(site: Site, request: Request) -> Response:
    """Matches, the newest first."""
    of, before, then = (asked_text(request, name) for name in ("bot", "before", "then"))
    found = await site.ask(functools.partial(read_matches, of=of, before=before, then=then, most=MATCHES + 1))
    after = older(request.scope["path"], found, MATCHES, bot=of)
    return _answer({"matches": [_match(row) for row in found[:MATCHES]], "next": after or None})


async def match_feed(site: Site, request: Request) -> Response:
    """A match; its key when nobody plays with its packs any more."""
    found = await site.ask(functools.partial(read_whole, name=request.path_params["name"]))
    record = found.record
    return _answer(
        {
            **_match(found.match),
            "faults": [{**each.fault.as_record(), "mended": each.mended} for each in found.faults],
            "key": None if record is None else record.key.hex(),
            "record": None if record is None else f"/api/v1/match/{found.match.id}/record",
        }
    )
