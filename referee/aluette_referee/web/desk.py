"""An owner's own page: bots, versions and tokens, and every change of them. Each is of what the owner has, or it is not made."""

import functools
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Final, NamedTuple

import sqlalchemy as sa
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from aluette.errors import Misuse
from aluette_referee.league.queries import (
    BotShown,
    TokenShown,
    read_bots_of,
    read_tokens,
    read_wished,
)
from aluette_referee.league.registry import Entered, Registry
from aluette_referee.league.roster import Holder
from aluette_referee.web.entering import see_other
from aluette_referee.web.forms import Form, read_form
from aluette_referee.web.site import Site, Visitor

__all__ = ["CHANGES", "change", "desk"]

_MOST_AT_ONCE: Final = 100
_MOST_WISHED: Final = 300
"""Matches that were asked for and have not begun."""


class _Desk(NamedTuple):
    bots: list[BotShown]
    tokens: list[TokenShown]
    wished: int


def _read_desk(connection: sa.Connection, name: str) -> _Desk:
    return _Desk(read_bots_of(connection, name), read_tokens(connection, name), read_wished(connection, name))


async def desk(site: Site, request: Request) -> Response:
    """What an owner has."""
    visitor = await site.visitor(request)
    if visitor.holder is None:
        return see_other("/sign-in")
    return await _desk(site, request, visitor, holder=visitor.holder)


async def _desk(
    site: Site,
    request: Request,
    visitor: Visitor,
    *,
    holder: Holder,
    problem: str = "",
    form: Form | None = None,
) -> Response:
    found = await site.ask(functools.partial(_read_desk, name=holder.owner_name))
    return await site.page(
        request,
        "me.html",
        visitor,
        HTTPStatus.BAD_REQUEST if problem else HTTPStatus.OK,
        holder=holder,
        problem=problem,
        form=form or {},
        **found._asdict(),
    )


# -- changes -------------------------------------------------------------------------------------------


class _Given(NamedTuple):
    """Who changes something, what the form says, and what the owner has."""

    owner: str
    form: Form
    desk: _Desk

    def text(self, name: str) -> str:
        """A field; raises `Misuse` where it is no text that anything is called."""
        text = self.form.get(name, "").strip()
        if not text.isprintable():
            raise Misuse(f"{name} must be printable characters")
        return text

    def bot(self, name: str = "bot") -> str:
        """A bot of the owner's, or a version of one, as it was written."""
        text = self.text(name)
        of_bot, _, number = text.partition("/")
        mine = {shown.name: {version.name for version in shown.versions} for shown in self.desk.bots}
        if of_bot not in mine or (number and text not in mine[of_bot]):
            raise Misuse(f"you have no bot {text!r}")
        return text

    def number(self, name: str, most: int) -> int:
        """A whole number from 1."""
        text = self.text(name)
        if not text.isascii() or not text.isdecimal() or len(text) > 9 or not 1 <= int(text) <= most:
            raise Misuse(f"{name} must be a whole number, from 1 to {most}")
        return int(text)


class _Done(NamedTuple):
    """What is to be told of a change: a token, which lets `name` play, or nothing but the page."""

    name: str = ""
    token: str = ""
    plays: bool = True


def _entered(entered: Entered) -> _Done:
    return _Done(entered.name, entered.token or "")


def _add_bot(registry: Registry, given: _Given) -> _Done:
    return _entered(registry.add_bot(given.owner, given.text("name"), given.text("display")))


def _add_version(registry: Registry, given: _Given) -> _Done:
    return _entered(registry.add_version(given.bot().partition("/")[0]))


def _retire(registry: Registry, given: _Given) -> _Done:
    registry.retire(given.bot())
    return _Done()


def _reactivate(registry: Registry, given: _Given) -> _Done:
    registry.reactivate(given.bot())
    return _Done()


def _rename(registry: Registry, given: _Given) -> _Done:
    registry.rename(given.bot().partition("/")[0], given.text("display"))
    return _Done()


def _add_token(registry: Registry, given: _Given) -> _Done:
    if of_version := given.text("bot"):
        return _Done(given.bot(), registry.add_play_token(of_version, given.text("label")))
    return _Done(given.owner, registry.add_token(given.owner, "own", given.text("label")), plays=False)


def _revoke(registry: Registry, given: _Given) -> _Done:
    number = given.number("token", 10**9 - 1)
    if number not in {each.id for each in given.desk.tokens}:
        raise Misuse(f"you have no token {number}")
    registry.revoke(number)
    return _Done()


def _request(registry: Registry, given: _Given) -> _Done:
    one, other, matches = given.bot("one"), given.text("other"), given.number("matches", _MOST_AT_ONCE)
    if given.desk.wished + matches > _MOST_WISHED:
        raise Misuse(
            f"{given.desk.wished} matches that you asked for have not begun: there may be {_MOST_WISHED} at most"
        )
    registry.request(one, other, matches)
    return _Done()


CHANGES: Final[Mapping[str, Callable[[Registry, _Given], _Done]]] = MappingProxyType(
    {
        "bot": _add_bot,
        "version": _add_version,
        "retire": _retire,
        "reactivate": _reactivate,
        "rename": _rename,
        "token": _add_token,
        "revoke": _revoke,
        "request": _request,
    }
)
"""By the last parts of their addresses."""


async def change(site: Site, request: Request) -> Response:
    """An owner changes something; a token that comes of it is shown this once."""
    visitor = await site.visitor(request)
    if visitor.holder is None:
        return see_other("/sign-in")
    owner, act = visitor.holder.owner_name, CHANGES.get(request.path_params["change"])
    if act is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    form = await read_form(request, visitor)

    given = _Given(owner, form, await site.ask(functools.partial(_read_desk, name=owner)))
    try:
        done = await site.change(owner, lambda registry: act(registry, given))
    except Misuse as error:
        return await _desk(site, request, visitor, holder=visitor.holder, problem=str(error), form=form)
    if not done.token:
        return see_other("/me")
    return await site.page(request, "token.html", visitor, done=done, way_here=site.way_here)
