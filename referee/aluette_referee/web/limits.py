"""How often somebody may ask: a bucket of tokens for each address. Pure."""

import ipaddress
import math
from typing import NamedTuple

__all__ = ["Allowance", "Limiter", "neighbourhood"]

_MOST = 20_000


class Allowance(NamedTuple):
    """So many at once, and one more each so many seconds."""

    burst: int
    every: float


class Limiter:
    """Counts for each who asks; knows a bounded number of them, and forgets the rest."""

    def __init__(self, allowance: Allowance, most: int = _MOST) -> None:
        """Nobody has asked."""
        self._allowance = allowance
        self._most = most
        self._full: dict[str, float] = {}
        """When the bucket of each is full again."""

    def wait(self, who: str, now: float) -> int:
        """0, and one token less; or for how many seconds there is none."""
        burst, every = self._allowance
        full = max(self._full.pop(who, now), now)
        over = full - now - (burst - 1) * every
        if over > 1e-6:
            self._full[who] = full
            return math.ceil(over)
        self._full[who] = full + every
        if len(self._full) > self._most:
            self._forget(now)
        return 0

    def _forget(self, now: float) -> None:
        self._full = {who: full for who, full in self._full.items() if full > now}
        for who in list(self._full)[: max(0, len(self._full) - self._most)]:
            del self._full[who]


def neighbourhood(address: str) -> str:
    """Whose address it is, as far as one can tell: of IPv6 everybody has a whole /64."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return address
