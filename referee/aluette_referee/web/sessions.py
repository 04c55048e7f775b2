"""Who is signed in: a random cookie for each, which leads to the number of a token here and nowhere else.

They are in memory: signing out is final, and after the service was started anew people sign in again. Whether the token is still good
is asked at every request, elsewhere.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from typing import Final

__all__ = ["LASTS", "Sessions"]

LASTS: Final = 7 * 86_400
"""Seconds from signing in."""
_MOST: Final = 10_000
"""At once; the oldest is forgotten."""
_BYTES: Final = 24


class Sessions:
    """All of a service."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        random: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Nobody is signed in."""
        self._clock = clock
        self._random = random
        self._secret = random(32)
        self._open: dict[str, tuple[int, float]] = {}

    def fresh(self) -> str:
        """The value of a cookie that nobody else has."""
        return self._random(_BYTES).hex()

    def open(self, token: int) -> str:
        """Somebody has shown this token; returns the cookie's value."""
        cookie = self.fresh()
        self._open[_kept(cookie)] = (token, self._clock() + LASTS)
        while len(self._open) > _MOST:
            del self._open[next(iter(self._open))]
        return cookie

    def token_of(self, cookie: str) -> int | None:
        """The number of the token that was shown."""
        token, until = self._open.get(_kept(cookie), (None, 0.0))
        return token if self._clock() < until else None

    def close(self, cookie: str) -> None:
        """The cookie is good for nothing any more."""
        self._open.pop(_kept(cookie), None)

    def form_key(self, cookie: str) -> str:
        """What a form must bring along with this cookie: nobody else can know it."""
        return hmac.new(self._secret, cookie.encode(errors="replace"), hashlib.sha256).hexdigest()


def _kept(cookie: str) -> str:
    return hashlib.sha256(cookie.encode(errors="replace")).hexdigest()
