"""A real league for tests: its folder, its service as a process, and bots that come to it over gRPC."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from referee.cli.shell import ENVIRONMENT, aluette, invoke, started
from referee.play.proc import until

__all__ = ["League", "league"]

SETTINGS = """
[league]
name = "test"
spacing = 0

[rules]
deals = 1

[clock]
grace = "2s"

[limits]
sandbox = "none"

[serve]
bots = "unix:{socket}"
web = "127.0.0.1:0"
"""


class League:
    """A league in a folder. What it starts ends with the block of `league`."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.socket = folder / "bots"
        self.web = ""
        """Where its pages are, once it is served."""

    def run(self, *words: object) -> str:
        """What a command of the operator's prints."""
        result = invoke("league", *words, cwd=self.folder)
        assert result.exit_code == 0, result.output
        return result.stdout

    def json(self, *words: object) -> Any:
        return json.loads(self.run(*words, "--json"))

    def serve(self) -> "subprocess.Popen[str]":
        """Start the service, and wait until it is open."""
        service = self.stack.enter_context(started("league", "serve", ".", cwd=self.folder))
        assert service.stderr is not None
        line = service.stderr.readline()
        assert "is open" in line, line + service.stderr.read()
        self.web = line.split()[-1]
        return service

    def enter(self, owner: str, bot: str) -> str:
        """A new owner's bot; returns the token to play with."""
        self.run("register", owner)
        return self.run("add", bot, "--owner", owner).strip()

    def come(self, token: str, module: str = "aluette_bots.lowest") -> "subprocess.Popen[str]":
        """A bot as its owner starts it."""
        env = {**ENVIRONMENT, "ALUETTE_SERVER": f"unix:{self.socket}", "ALUETTE_TOKEN": token}
        process = subprocess.Popen(
            [sys.executable, "-m", module],
            env=env,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.stack.callback(process.communicate)
        self.stack.callback(process.kill)
        return process

    def matches(self) -> dict[str, dict[str, Any]]:
        """All matches by id."""
        return {row["id"]: row for row in self.json("matches", "--most", 1000)}

    def played(self) -> int:
        """How many have a result."""
        return sum(row["state"] == "played" for row in self.matches().values())

    def until_played(self, count: int) -> None:
        until(lambda: self.played() >= count)


def stop(service: "subprocess.Popen[str]", how: signal.Signals = signal.SIGINT) -> str:
    """End a service, and return what it said."""
    service.send_signal(how)
    _, said = service.communicate(timeout=60)
    return said


@contextmanager
def league(folder: Path, *, database: str | None = None, settings: str = SETTINGS) -> Iterator[League]:
    """A league that was made, and two owners with a bot each are not in it yet."""
    made = aluette("league", "init", folder, *(["--db", database] if database else []), cwd=folder.parent)
    assert made.returncode == 0, made.stderr
    text = settings.format(socket=folder / "bots")
    if database is not None:
        text += f"\n[store]\ndatabase = {json.dumps(database)}\n"
    (folder / "league.toml").write_text(text)
    with ExitStack() as stack:
        yield League(folder, stack)
