"""Starting and ending bots' processes, and keeping the end of what they print.

Each bot runs below a warden of its own (`warden`), which leaves nothing behind however the referee
ends. Launched, never forked: this process has live gRPC threads.
"""

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from aluette_referee.play import warden

__all__ = ["BotProcess", "Command", "start_process"]

_KEPT: Final = 64_000
"""Bytes of a bot's output that are kept: the last ones."""
_KILL_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Command:
    """How a bot is started. `terminal` leaves it in reach of the terminal, for a person."""

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    terminal: bool = False

    def environment(self) -> dict[str, str]:
        """What the process gets: ours, made the same on every machine where that can change play."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("ALUETTE_", "LC_"))}
        fixed = {"PYTHONHASHSEED": "0", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
        return {**ours, **fixed, **self.env}


class BotProcess:
    """A bot that was started. `how` says how it ended, once it has: `exit 1`, `signal 9`, `error ...`."""

    def __init__(self, process: trio.Process) -> None:
        """Take the warden's process."""
        self._process = process
        self._output: deque[bytes] = deque()
        self._size = 0
        self.ended = trio.Event()
        self.how = ""

    @property
    def output(self) -> str:
        """The end of what the bot printed, stdout and stderr together."""
        return b"".join(self._output)[-_KEPT:].decode(errors="replace")

    @property
    def story(self) -> str:
        """How it ended, for a person."""
        kind, _, rest = self.how.partition(" ")
        if kind == "exit":
            return f"the process ended with exit code {rest}"
        if kind == "signal":
            return f"the process was ended by signal {rest} ({signal.strsignal(int(rest))})"
        return f"the process could not be started: {rest}" if kind == "error" else "the process is gone"

    def kill(self) -> None:
        """End the bot and all it started, at once; `ended` says when that is done."""
        assert self._process.stdin is not None
        self._process.stdin.close()  # type: ignore[attr-defined]

    async def watch(self) -> None:
        """Keep its output and wait for its end; leaves nothing running, also when cancelled."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._keep_output)
                await self._hear_report()
        finally:
            self.kill()
            with trio.move_on_after(_KILL_SECONDS, shield=True):
                await self._process.wait()
            self.ended.set()

    async def _hear_report(self) -> None:
        assert self._process.stdout is not None
        heard = b""
        async for chunk in self._process.stdout:
            heard += chunk
            # The first word counts: a bot that could not be started says why, and then exits.
            if not self.how and b"\n" in heard:
                self.how = heard.split(b"\n")[0].decode(errors="replace")

    async def _keep_output(self) -> None:
        assert self._process.stderr is not None
        async for chunk in self._process.stderr:
            self._output.append(bytes(chunk))
            self._size += len(chunk)
            while self._size > _KEPT and len(self._output) > 1:
                self._size -= len(self._output.popleft())


async def start_process(command: Command, address: str, token: str) -> BotProcess:
    """Start a bot that is told where the referee is; raises `OSError` only if the warden cannot be started."""
    environment = {**command.environment(), "ALUETTE_SERVER": address, "ALUETTE_TOKEN": token}
    group = "shared" if command.terminal else "own"
    process = await trio.lowlevel.open_process(
        [sys.executable, "-I", "-S", warden.__file__, group, *command.argv],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=command.cwd,
        env=environment,
    )
    return BotProcess(process)
