"""Registering, signing in by a token, and signing out."""

import functools
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from aluette.errors import Misuse
from aluette_referee.league.registry import Registry
from aluette_referee.league.roster import Holder, read_holder
from aluette_referee.league.tokens import may
from aluette_referee.web.forms import read_form
from aluette_referee.web.sessions import LASTS
from aluette_referee.web.site import Site, Visitor, cookie_name

__all__ = ["register", "register_form", "see_other", "sign_in", "sign_in_form", "sign_out"]

_CLOSED = "Registration is closed: ask the league's operator to register you."


def see_other(path: str) -> RedirectResponse:
    """On to another page, after a form was sent."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER, {"cache-control": "no-store"})


def _keep(request: Request, response: Response, name: str, value: str, seconds: int | None = None) -> None:
    """Have the browser keep a cookie, which no script sees and no other site's request brings."""
    response.set_cookie(
        cookie_name(request, name),
        value,
        max_age=seconds,
        secure=request.scope["scheme"] == "https",
        httponly=True,
        samesite="strict",
    )


async def _form(
    site: Site,
    request: Request,
    template: str,
    visitor: Visitor,
    *,
    problem: str = "",
    status: int = HTTPStatus.OK,
) -> Response:
    """A page with a form for who is not signed in, and the cookie that the form's key belongs to."""
    cookie = ""
    if not visitor.form_key:
        cookie = site.sessions.fresh()
        visitor = Visitor(form_key=site.sessions.form_key(cookie))
    response = await site.page(request, template, visitor, status, problem=problem)
    response.headers["cache-control"] = "no-store"
    if cookie:
        _keep(request, response, "form", cookie)
    return response


# -- registering ---------------------------------------------------------------------------------------


async def register_form(site: Site, request: Request) -> Response:
    """Where a new owner gives a name."""
    visitor = await site.visitor(request)
    if visitor.holder is not None:
        return see_other("/me")
    _must_be_open(site)
    return await _form(site, request, "register.html", visitor)


async def register(site: Site, request: Request) -> Response:
    """A new owner; the token is shown this once."""
    visitor = await site.visitor(request)
    _must_be_open(site)
    name = (await read_form(request, visitor)).get("name", "")

    def act(registry: Registry) -> str:
        return registry.register(name)

    try:
        token = await site.change(name.strip() or "nobody", act)
    except Misuse as error:
        return await _form(
            site, request, "register.html", visitor, problem=str(error), status=HTTPStatus.BAD_REQUEST
        )
    holder = await site.ask(functools.partial(read_holder, text=token))
    assert holder is not None
    signed_in, session = _signed_in(site, holder)
    response = await site.page(request, "registered.html", signed_in, token=token)
    _keep(request, response, "session", session, LASTS)
    return response


def _must_be_open(site: Site) -> None:
    if site.settings.registration != "open":
        raise HTTPException(HTTPStatus.FORBIDDEN, _CLOSED)


# -- signing in and out --------------------------------------------------------------------------------


def _signed_in(site: Site, holder: Holder) -> tuple[Visitor, str]:
    session = site.sessions.open(holder.token)
    return Visitor(holder, session, site.sessions.form_key(session)), session


async def sign_in_form(site: Site, request: Request) -> Response:
    """Where an owner shows a token."""
    visitor = await site.visitor(request)
    if visitor.holder is not None:
        return see_other("/me")
    return await _form(site, request, "sign-in.html", visitor)


async def sign_in(site: Site, request: Request) -> Response:
    """An owner has shown a token."""
    visitor = await site.visitor(request)
    token = (await read_form(request, visitor)).get("token", "").strip()
    holder = await site.ask(functools.partial(read_holder, text=token))
    if holder is None:
        problem = "That token is not known here, or was revoked."
    elif not may(holder.rights, "own"):
        problem = (
            "That is a token for a bot to play with. Sign in with the one that you got when you registered."
        )
    elif holder.banned:
        problem = f"{holder.owner_name} is banned: {holder.banned}"
    else:
        site.sessions.close(visitor.session)
        _, session = _signed_in(site, holder)
        response = see_other("/me")
        _keep(request, response, "session", session, LASTS)
        return response
    return await _form(site, request, "sign-in.html", visitor, problem=problem, status=HTTPStatus.FORBIDDEN)


async def sign_out(site: Site, request: Request) -> Response:
    """The session ends, here and in the browser."""
    visitor = await site.visitor(request)
    if visitor.holder is not None:
        await read_form(request, visitor)
        site.sessions.close(visitor.session)
    response = see_other("/")
    name = cookie_name(request, "session")
    response.delete_cookie(name, secure=request.scope["scheme"] == "https", httponly=True, samesite="strict")
    return response
