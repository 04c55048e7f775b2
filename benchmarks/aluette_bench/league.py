"""A league under load: `python -m aluette_bench.league`, or with fewer bots, tables or seconds.

A real service, and one process that is all its bots, each with a token and a stream of its own; they think 100 ms about each
answer. Told are faults that are not the bots' (there should be none), memory, what the service takes of a core, and how long pages take meanwhile.
"""

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import click
import sqlalchemy as sa

from aluette_bench.disconnects import memory_of
from aluette_referee.league.counting import read_tallies
from aluette_referee.league.folder import init_folder, open_folder
from aluette_referee.league.ledger import create_or_open
from aluette_referee.league.registry import Registry
from aluette_referee.league.schema import LEAGUE, result, standing, void
from aluette_referee.store.database import open_for_reading

__all__ = ["main"]

_SETTINGS: Final = """
[league]
name = "load"
tables = {tables}
tables_each = 1
spacing = 1

[limits]
sandbox = "none"

[serve]
bots = "127.0.0.1:{bots}"
web = "127.0.0.1:{web}"
"""
_PAGES: Final = ("/", "/matches", "/bot/bot1", "/api/v1/ladder", "/connect")
_TICK: Final = 0.5
_SAMPLE: Final = 10.0


@click.command()
@click.option("--bots", default=1000, help="Connected. [1000]")
@click.option("--tables", default=200, help="At once. [200]")
@click.option("--thinking", default=0.1, help="Seconds for each answer. [0.1]")
@click.option("--seconds", default=600.0, help="How long. [600]")
def main(*, bots: int, tables: int, thinking: float, seconds: float) -> None:
    """Print a line every ten seconds, and what came of it as JSON."""
    with tempfile.TemporaryDirectory(prefix="aluette-bench-") as folder:
        path = Path(folder, "league")
        ports = _free_ports()
        tokens = _make(path, bots, _SETTINGS.format(tables=tables, bots=ports[0], web=ports[1]))
        with _serving(path) as service, _crowd(f"127.0.0.1:{ports[0]}", tokens, thinking):
            found = _watch(service.pid, path, ports[1], seconds) | _count(path)
    click.echo(json.dumps({"bots": bots, "tables": tables, **found}))


def _free_ports() -> list[int]:
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return [one.getsockname()[1], other.getsockname()[1]]


def _make(path: Path, bots: int, settings: str) -> list[str]:
    """A league with so many owners, each with a bot; returns the tokens to play with."""
    init_folder(path, "load", "teams", None)
    (path / "league.toml").write_text(settings, encoding="utf-8")
    folder = open_folder(path)
    ledger = create_or_open(folder.database, folder.settings)
    desk = Registry(ledger.database, "bench")
    tokens: list[str] = []
    with ledger.database.hold():
        for number in range(1, bots + 1):
            desk.register(f"Owner {number}")
            tokens.append(desk.add_bot(f"Owner {number}", f"bot{number}").token or "")
    ledger.close()
    return tokens


@contextmanager
def _serving(path: Path) -> Generator["subprocess.Popen[str]"]:
    call = [str(Path(sys.executable).with_name("aluette")), "league", "serve", str(path)]
    with subprocess.Popen(call, stderr=subprocess.PIPE, text=True) as service:
        assert service.stderr is not None
        line = service.stderr.readline()
        if "is open" not in line:
            raise RuntimeError(line + service.stderr.read())
        try:
            yield service
        finally:
            service.terminate()
            for said in service.stderr:
                click.echo(f"the service said: {said}", nl=False, err=True)


@contextmanager
def _crowd(server: str, tokens: list[str], thinking: float) -> Generator[None]:
    with tempfile.NamedTemporaryFile("w+", suffix=".json") as ways:
        json.dump([thinking, "", [(server, token) for token in tokens]], ways)
        ways.flush()
        with subprocess.Popen([sys.executable, "-m", "aluette_bench.crowd", ways.name]) as process:
            try:
                yield
            finally:
                process.kill()


def _watch(pid: int, path: Path, web: int, seconds: float) -> dict[str, Any]:
    began = time.monotonic()
    pages: list[float] = []
    memory: list[float] = []
    sampled, cpu = 0.0, _cpu_seconds(pid)
    while (now := time.monotonic() - began) < seconds:
        pages += _look_at_pages(web)
        if now - sampled >= _SAMPLE:
            sampled = now
            memory.append(memory_of(pid) / 2**20)
            told = _count(path)
            slowest = max(pages, default=0.0)
            click.echo(
                f"{now:5.0f} s  {told['played']} played, {told['void']} void, {memory[-1]:.1f} MB, slowest page {slowest:.0f} ms",
                err=True,
            )
        time.sleep(_TICK)
    took = time.monotonic() - began
    third = max(1, len(memory) // 3)
    return {
        "seconds": round(took),
        "cpu": round((_cpu_seconds(pid) - cpu) / took, 2),
        "memory_mb": [round(sum(part) / len(part), 1) for part in (memory[:third], memory[-third:]) if part],
        "pages": len(pages),
        "page_p99_ms": round(quantiles(pages, n=100, method="inclusive")[-1], 1) if len(pages) > 1 else None,
    }


def _look_at_pages(web: int) -> list[float]:
    """How many milliseconds each page took; nothing where there are no pages."""
    took: list[float] = []
    for page in _PAGES:
        connection = http.client.HTTPConnection("127.0.0.1", web, timeout=10)
        began = time.perf_counter()
        try:
            connection.request("GET", page)
            response = connection.getresponse()
            response.read()
        except ConnectionError:
            return []
        finally:
            connection.close()
        if response.status != 200:
            raise RuntimeError(f"{page} gave {response.status}")
        took.append(1000 * (time.perf_counter() - began))
    return took


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _count(path: Path) -> dict[str, Any]:
    """What the database says: results, voids and why, faults by type, entrants on the ladder."""
    database = open_for_reading(path / "league.db", LEAGUE)
    try:
        with database.begin() as connection:
            played = connection.scalar(sa.select(sa.func.count()).select_from(result))
            whys = list(connection.scalars(sa.select(void.c.why)))
            faults = list(connection.scalars(sa.select(result.c.faults).where(result.c.faults.is_not(None))))
            ladder = connection.scalar(sa.select(sa.func.count()).select_from(standing))
            rated = sum(tally.blocks for tally in read_tallies(connection, 1))
    finally:
        database.close()
    types = re.findall(r'"type": "([^"]+)"', " ".join(faults))
    return {
        "played": played,
        "rated": rated,
        "void": len(whys),
        "whys": sorted(set(whys)),
        "faults": {kind: types.count(kind) for kind in sorted(set(types))},
        "on_the_ladder": ladder,
    }


if __name__ == "__main__":
    main()
