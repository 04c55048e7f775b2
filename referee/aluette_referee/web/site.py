"""What all pages are made with: questions, changes, who is signed in, templates. Nothing here waits but for a thread.

The database's own words are never shown: they may name places on the machine.
"""

import functools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

import sqlalchemy as sa
import sqlalchemy.exc
import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse

from aluette.errors import Misuse
from aluette_referee.league.folder import Folder
from aluette_referee.league.reader import Reader
from aluette_referee.league.registry import Registry
from aluette_referee.league.roster import Holder, read_bearer
from aluette_referee.league.schema import LEAGUE
from aluette_referee.store.database import open_for_writing
from aluette_referee.web.rendering import render
from aluette_referee.web.sessions import Sessions

__all__ = ["LARGEST", "Site", "Visitor", "address", "asked_number", "asked_text", "cookie_name"]

T = TypeVar("T")
_AWAY: Final = "The league's database does not answer at the moment: come again a little later."
_LONGEST: Final = 100
_VISITOR: Final = "aluette.visitor"
LARGEST: Final = 1_000_000
"""Number that anything asked for may have."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks. `holder` is None of who is not signed in; `form_key` is what a form of theirs brings along, "" of who has none."""

    holder: Holder | None = None
    session: str = ""
    form_key: str = ""

    def may_know(self, owner: str) -> bool:
        """Whether what only an owner is told is for these eyes."""
        return self.holder is not None and (self.holder.rights == "admin" or self.holder.owner_name == owner)


class Site:
    """A league, as its pages see it."""

    def __init__(
        self,
        folder: Folder,
        reader: Reader,
        way_here: Mapping[str, str],
        certificate: bytes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`way_here` is the environment that leads bots here, `certificate` whom they may trust."""
        self.settings = folder.settings
        self._database = folder.database
        self._reader = reader
        self.way_here = way_here
        self.certificate = certificate
        self.sessions = Sessions(clock)
        self._writing = trio.CapacityLimiter(1)
        self._drawing = trio.CapacityLimiter(1)

    async def ask(self, question: Callable[[sa.Connection], T]) -> T:
        """An answer of the database. What is not there is 404, and 503 when the database is away."""
        wrong: list[Misuse] = []

        def answered(connection: sa.Connection) -> T | None:
            try:
                return question(connection)
            except Misuse as error:
                wrong.append(error)
                return None

        try:
            found = await self._reader.ask(answered)
        except Misuse:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, _AWAY) from None
        if wrong:
            raise HTTPException(HTTPStatus.NOT_FOUND, f"{wrong[0]}")
        return found  # type: ignore[return-value]

    async def change(self, who: str, act: Callable[[Registry], T]) -> T:
        """Have `who` change something; raises `Misuse` when it cannot be."""

        def written() -> T:
            try:
                database = open_for_writing(self._database, LEAGUE)
            except Misuse:
                raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, _AWAY) from None
            try:
                return act(Registry(database, who))
            except Misuse as error:
                if isinstance(error.__cause__, sqlalchemy.exc.SQLAlchemyError):
                    raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, _AWAY) from None
                raise
            finally:
                database.close()

        return await trio.to_thread.run_sync(written, limiter=self._writing)

    async def work(self, make: Callable[[], T]) -> T:
        """What takes a while, so that play goes on meanwhile."""
        return await trio.to_thread.run_sync(make, limiter=self._drawing)

    async def visitor(self, request: Request) -> Visitor:
        """Who asks; a session ends with its token, and with a ban."""
        request.scope[_VISITOR] = found = await self._visitor(request)
        return found

    def known_visitor(self, request: Request) -> Visitor:
        """The same, of somebody who was looked up already; else nobody."""
        found: Visitor = request.scope.get(_VISITOR, Visitor())
        return found

    async def _visitor(self, request: Request) -> Visitor:
        cookie = request.cookies.get(cookie_name(request, "session"), "")
        number = self.sessions.token_of(cookie)
        if number is None:
            form = request.cookies.get(cookie_name(request, "form"), "")
            return Visitor(form_key=self.sessions.form_key(form) if form else "")
        holder = await self.ask(functools.partial(read_bearer, number=number))
        if holder is None or holder.banned:
            self.sessions.close(cookie)
            return Visitor()
        return Visitor(holder, cookie, self.sessions.form_key(cookie))

    async def page(
        self, request: Request, template: str, visitor: Visitor, status: int = HTTPStatus.OK, **values: Any
    ) -> HTMLResponse:
        """The page that a template makes."""
        drawn = functools.partial(
            render,
            template,
            settings=self.settings,
            visitor=visitor,
            path=request.scope["path"],
            **values,
        )
        headers = {"cache-control": "no-cache" if visitor.holder is None else "no-store", "vary": "cookie"}
        return HTMLResponse(await self.work(drawn), status, headers)


def cookie_name(request: Request, name: str) -> str:
    """Over TLS with the mark by which a browser takes it from this very host alone."""
    return f"__Host-aluette-{name}" if request.scope["scheme"] == "https" else f"aluette-{name}"


def address(path: str, **query: object) -> str:
    """An address here; what is empty is left out."""
    asked = urlencode({name: value for name, value in query.items() if value not in ("", None)})
    return f"{path}?{asked}" if asked else path


def asked_text(request: Request, name: str) -> str:
    """What a query says, "" where it says nothing; raises `Misuse`."""
    text = request.query_params.get(name, "").strip()
    if len(text) > _LONGEST or not text.isprintable():
        raise Misuse(f"{name} must be at most {_LONGEST} printable characters")
    return text


def asked_number(request: Request, name: str, otherwise: int) -> int:
    """A whole number from 1 that a query gives; raises `Misuse`."""
    text = request.query_params.get(name, "")
    if not text:
        return otherwise
    if not text.isascii() or not text.isdecimal() or len(text) > 7 or not 1 <= int(text) <= LARGEST:
        raise Misuse(f"{name} must be a whole number, from 1 to {LARGEST}")
    return int(text)
