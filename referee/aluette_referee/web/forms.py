"""What forms bring: small, from a page of ours, with the key that only such a page has. Else an answer that says why not."""

import hmac
from contextlib import aclosing
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import trio
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from aluette_referee.web.site import Visitor

__all__ = ["KEY", "MOST_BYTES", "Form", "read_form"]

Form = dict[str, str]
KEY: Final = "key"
"""The field with which a form shows where it came from."""
MOST_BYTES: Final = 64 * 1024
_SECONDS: Final = 10.0
_MOST_FIELDS: Final = 20


async def read_form(request: Request, visitor: Visitor) -> Form:
    """The fields of a form; raises `HTTPException`."""
    _come_from_here(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A form was expected.")
    body = await _body(request)
    try:
        fields = dict(
            parse_qsl(
                body.decode(),
                keep_blank_values=True,
                strict_parsing=bool(body),
                max_num_fields=_MOST_FIELDS,
                errors="strict",
            )
        )
    except ValueError:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "That is no form.") from None
    given = fields.pop(KEY, "")
    if not visitor.form_key or not hmac.compare_digest(visitor.form_key.encode(), given.encode()):
        raise HTTPException(
            HTTPStatus.FORBIDDEN,
            "The form is too old, or came from elsewhere: go back, load the page again, and send it once more.",
        )
    return fields


def _come_from_here(request: Request) -> None:
    """What browsers say of where a form was."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin")
    elsewhere = origin is not None and urlsplit(origin).netloc != request.headers.get("host")
    if site not in ("same-origin", "none") or elsewhere:
        raise HTTPException(HTTPStatus.FORBIDDEN, "The form came from elsewhere.")


async def _body(request: Request) -> bytes:
    try:
        return await _read(request)
    except ClientDisconnect:
        raise HTTPException(HTTPStatus.BAD_REQUEST, "The form did not come to its end.") from None


async def _read(request: Request) -> bytes:
    body = bytearray()
    with trio.move_on_after(_SECONDS) as reading:
        async with aclosing(request.stream()) as pieces:
            async for piece in pieces:
                body += piece
                if len(body) > MOST_BYTES:
                    raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That is too much for a form.")
    if reading.cancelled_caught:
        raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "The form took too long to come.")
    return bytes(body)
