"""Styles, scripts and the sign that pages ask for, from memory. An address has the digest of what is there, so it may be kept for ever."""

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from aluette_referee.report.html.environment import source

__all__ = ["Asset", "address", "asset"]

_OF_REPORTS: Final = ("page.css", "report.css", "viewer.css", "viewer.js")
"""One family: the pages of reports have the same."""
_OWN: Final = ("league.css", "icon.svg", "live.js")
_KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


class Asset(NamedTuple):
    """A file, and what it is."""

    content: bytes
    kind: str
    digest: str


@cache
def _all() -> dict[str, Asset]:
    folder = files("aluette_referee.web") / "static"
    read = {name: (folder / name).read_bytes() for name in _OWN}
    read |= {name: str(source(name)).encode() for name in _OF_REPORTS}
    return {
        name: Asset(content, _KINDS[name.rpartition(".")[2]], hashlib.sha256(content).hexdigest()[:16])
        for name, content in read.items()
    }


def asset(name: str) -> Asset | None:
    """A file by its name."""
    return _all().get(name)


def address(name: str) -> str:
    """Where it is asked for."""
    return f"/static/{name}?v={_all()[name].digest}"
