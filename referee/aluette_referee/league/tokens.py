"""Tokens: made once, shown once, kept as digests; and what the holder of one may do.

A token has 160 random bits, so its plain SHA-256 can be neither guessed nor looked up. Its beginning says what it is good for,
so that people - and programs that look for secrets in files - can tell.
"""

import base64
import hashlib
from typing import Final, Literal, get_args

__all__ = ["RIGHTS", "SECRET_BYTES", "Rights", "digest", "make", "may"]

Rights = Literal["play", "own", "admin"]
"""`play`: connect one version of a bot. `own`: all that an owner may do. `admin`: all that an operator may do over the web."""

RIGHTS: Final[tuple[Rights, ...]] = get_args(Rights)
SECRET_BYTES: Final = 20


def make(rights: Rights, secret: bytes) -> str:
    """The token of so many random bytes."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a token is made of {SECRET_BYTES} bytes, not {len(secret)}")
    return f"aluette_{rights}_{base64.b32encode(secret).decode().lower()}"


def digest(token: str) -> str:
    """What is kept of a token, hexadecimal."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def may(rights: Rights, wanted: Rights) -> bool:
    """Whether these rights include those: admin includes own, and neither includes play, which is one version's."""
    return rights == wanted or (rights == "admin" and wanted == "own")
