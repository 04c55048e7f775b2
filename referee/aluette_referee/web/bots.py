"""The page of a bot: its versions, how its ratings went, whom it met, what it did wrong."""

import functools
from typing import Final, NamedTuple

import sqlalchemy as sa
from starlette.requests import Request
from starlette.responses import Response

from aluette_referee.league.queries import (
    BotShown,
    FaultShown,
    MatchShown,
    Opponent,
    RatingPoint,
    SeasonNamed,
    read_bot,
    read_faults,
    read_head_to_head,
    read_history,
    read_matches,
    read_season,
)
from aluette_referee.web.plot import HEIGHT, LEFT, RIGHT, WIDTH, plot
from aluette_referee.web.site import Site, address, asked_number, asked_text
from aluette_referee.web.telling import fault_told, matches_told, older

__all__ = ["bot"]

_FEW: Final = 20
"""Matches, or opponents, where there is more on the page."""


class _Bot(NamedTuple):
    bot: BotShown
    season: SeasonNamed
    history: list[RatingPoint]
    opponents: list[Opponent]
    matches: list[MatchShown]
    faults: list[FaultShown]


async def bot(site: Site, request: Request) -> Response:
    """A bot by its name."""
    visitor = await site.visitor(request)
    before, then = asked_text(request, "before"), asked_text(request, "then")
    number = asked_number(request, "season", 0) or None
    every = asked_text(request, "opponents") == "all"

    def ask(connection: sa.Connection) -> _Bot:
        shown, of = read_bot(connection, request.path_params["name"]), read_season(connection, number)
        return _Bot(
            shown,
            of,
            read_history(connection, shown.name, of.id),
            read_head_to_head(connection, shown.name, of.id),
            read_matches(connection, of=shown.name, before=before, then=then, most=_FEW + 1),
            read_faults(connection, shown.name),
        )

    found = await site.ask(ask)
    path = request.scope["path"]
    return await site.page(
        request,
        "bot.html",
        visitor,
        bot=found.bot,
        knows=visitor.may_know(found.bot.owner),
        season=found.season,
        plot=await site.work(functools.partial(plot, found.history)),
        size={"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": RIGHT},
        opponents=found.opponents if every else found.opponents[:_FEW],
        hidden=0 if every else max(0, len(found.opponents) - _FEW),
        everybody=address(path, season=number, opponents="all"),
        matches=matches_told(found.matches[:_FEW]),
        older=older(path, found.matches, _FEW),
        newest=path if before else "",
        faults=[fault_told(each, visitor) for each in found.faults],
    )
