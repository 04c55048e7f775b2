"""Serves the pages beside a league, over HTTP/1.1 and HTTP/2, in the service's own loop. It listens before the league is opened.

A bug in it is told and costs a connection, never the matches that are being played.
"""

import contextlib
import errno
import os
import socket
import traceback
from collections.abc import Generator
from pathlib import Path
from typing import Final

import hypercorn.trio
import trio
from hypercorn.config import Config

from aluette.errors import Misuse
from aluette_referee.league.folder import Folder
from aluette_referee.league.reader import Reader
from aluette_referee.league.service import LeagueService
from aluette_referee.play.endpoint import Endpoint
from aluette_referee.web import live, monitor
from aluette_referee.web.app import make_app
from aluette_referee.web.site import Site

__all__ = ["Web", "open_web"]

_AGAIN_SECONDS: Final = 1.0
_READ_SECONDS: Final = 30
_GRACE_SECONDS: Final = 1.0
_BACKLOG: Final = 100
_READERS: Final = 2


class Web:
    """Where people come to. `address` is how a browser finds it."""

    def __init__(self, folder: Folder, listening: socket.socket, endpoint: Endpoint) -> None:
        """Take an open socket."""
        self._folder = folder
        self._socket = listening
        self._endpoint = endpoint
        self.address = _told(folder, listening, endpoint)

    async def beside(self, service: LeagueService) -> None:
        """Serve until cancelled."""
        tls = self._endpoint.tls
        # Its own: however many pages are asked for, the league's questions do not wait behind theirs.
        reader = Reader(self._folder.database, _READERS)
        site = Site(self._folder, reader, self._folder.way_here(), None if tls is None else tls.chain)
        requests = service.metrics.requests

        def timed(page: str, seconds: float) -> None:
            requests.labels(page).observe(seconds)

        more = (
            *live.routes(site, service.stage),
            *monitor.routes(site, service.metrics, lambda: service.is_ready),
        )
        app = make_app(site, more, timed=timed)
        try:
            while True:
                try:
                    await hypercorn.trio.serve(app, self._config())  # type: ignore[arg-type]
                except Exception as bug:  # noqa: BLE001 - whatever it is, the matches go on
                    traceback.print_exception(bug)
                await trio.sleep(_AGAIN_SECONDS)
        finally:
            reader.close()

    def _config(self) -> Config:
        config = Config()
        # It closes the one that it is given.
        config.bind = [f"fd://{os.dup(self._socket.fileno())}"]
        if self._endpoint.tls is not None:
            config.certfile, config.keyfile = (
                str(self._folder.path / name) for name in self._folder.settings.addresses.tls_files
            )
        config.errorlog = None
        config.include_server_header = False
        config.read_timeout = _READ_SECONDS
        config.graceful_timeout = _GRACE_SECONDS
        return config


@contextlib.contextmanager
def open_web(folder: Folder) -> Generator[Web]:
    """Listen where the league's file says while the block runs; raises `Misuse`."""
    endpoint = folder.endpoint("web")
    with contextlib.closing(_listen(endpoint.address)) as listening:
        yield Web(folder, listening, endpoint)


def _listen(address: str) -> socket.socket:
    path = Path(address.removeprefix("unix:")) if address.startswith("unix:") else None
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    family = socket.AF_UNIX if path else socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family)
    try:
        if path:
            _clear(path)
            made.bind(str(path))
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            made.bind((host, int(port)))
        made.listen(_BACKLOG)
    except OSError as error:
        made.close()
        raise Misuse(f"[serve] web: {address} cannot be listened on: {error.strerror}") from None
    return made


def _clear(path: Path) -> None:
    """Take away the socket of a service that has ended, but of no other."""
    if path.is_socket():
        with socket.socket(socket.AF_UNIX) as asking:
            if asking.connect_ex(str(path)) == 0:
                raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        path.unlink()


def _told(folder: Folder, listening: socket.socket, endpoint: Endpoint) -> str:
    if listening.family == socket.AF_UNIX:
        return endpoint.address
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - nobody can go to "everywhere"
        host = socket.gethostname()
    host = folder.settings.addresses.public or (f"[{host}]" if ":" in host else host)
    return f"{'http' if endpoint.tls is None else 'https'}://{host}:{port}"
