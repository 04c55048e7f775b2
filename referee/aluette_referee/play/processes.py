"""Starting and ending bots' processes, and reading what they print.

Each bot runs below a warden of its own (`warden`), which leaves nothing behind however the referee
ends. Launched, never forked: this process has live gRPC threads.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import trio

from aluette_referee.bounds import UNBOUNDED, Bounds
from aluette_referee.faults import FaultType
from aluette_referee.play import warden
from aluette_referee.play.grounds import Grounds
from aluette_referee.play.output import STDERR, STDOUT, Log, Output

__all__ = ["BotProcess", "Command", "Process", "Start", "start_process"]

_KILL_SECONDS: Final = 3.0
_LAST_OUTPUT_SECONDS: Final = 1.0
_SWEEPS: Final = 10
"""Who forks meanwhile is met again; but who cannot be ended is not waited for."""


@dataclass(frozen=True, slots=True)
class Command:
    """How a bot is started. `terminal` leaves it in reach of the terminal, for a person.

    In a sandbox it sees of `files` those that are on its `grounds`.
    """

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    terminal: bool = False
    files: tuple[Path, ...] = ()
    grounds: Grounds | None = None

    def environment(self) -> dict[str, str]:
        """What the process gets: ours, made the same on every machine where that can change play."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("ALUETTE_", "LC_"))}
        fixed = {"PYTHONHASHSEED": "0", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"}
        return {**ours, **fixed, **self.env}


class BotProcess:
    """A bot that was started. `how` says how it ended, once it has: `exit 1`, `signal 9`, `error ...`."""

    def __init__(self, process: trio.Process, stdout: trio.abc.ReceiveStream, token: str) -> None:
        """Take the warden's process, what the bot writes to its stdout, and the token in its environment."""
        self._process = process
        self._stdout = stdout
        self._token = token
        self._killed = trio.Event()
        self._output = Output(trio.current_time())
        self.ended = trio.Event()
        self.how = ""

    @property
    def output(self) -> str:
        """The end of what the bot printed to stderr; to stdout, if nothing to stderr."""
        return self._output.tail()

    def begin_log(self, table: int) -> None:
        """Keep what it prints for a table apart."""
        self._output.begin(table)

    def take_log(self, table: int, since: float) -> Log:
        """What it printed for a table, and of its own since that time; the table's is forgotten then."""
        return self._output.take(table, since, trio.current_time())

    def note(self, table: int, text: str) -> None:
        """Add a line to its log that is the referee's."""
        self._output.note(table, text, trio.current_time())

    @property
    def kind(self) -> FaultType:
        """Which fault its end is, when nobody else ended it."""
        return FaultType.OUT_OF_MEMORY if self.how.startswith("memory ") else FaultType.CRASHED

    @property
    def story(self) -> str:
        """How it ended, for a person."""
        kind, _, rest = self.how.partition(" ")
        if kind == "exit":
            return f"the process ended with exit code {rest}"
        if kind == "signal":
            return f"the process was ended by signal {rest} ({signal.strsignal(int(rest))})"
        if kind == "memory":
            return f"the referee ended the process: it took {int(rest) / 1e6:,.0f} MB, more than memory in [limits]"
        if kind == "cpu":
            return f"the referee ended the process: it had computed for {rest} s, more than cpu in [limits]"
        if kind == "processes":
            return f"the referee ended the process: with all that it started it was {rest}, more than processes in [limits]"
        if kind == "unwatched":
            return "the process was ended with the one that watches over it"
        return f"the process could not be started: {rest}" if kind == "error" else "the process is gone"

    def kill(self) -> None:
        """End the bot and all it started, at once; `ended` says when that is done."""
        assert self._process.stdin is not None
        self._process.stdin.close()  # type: ignore[attr-defined]
        self._killed.set()

    async def watch(self) -> None:
        """Keep its output and wait for its end; leaves nothing running, also when cancelled."""
        try:
            assert self._process.stderr is not None
            with trio.CancelScope() as reading:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._see_warden_end, reading)
                    async with trio.open_nursery() as readers:
                        readers.start_soon(self._keep_output, self._stdout, STDOUT)
                        readers.start_soon(self._keep_output, self._process.stderr, STDERR)
                        readers.start_soon(self._hear_report)
                    nursery.cancel_scope.cancel()
        finally:
            self.kill()
            with trio.move_on_after(_KILL_SECONDS, shield=True):
                await self._process.wait()
            if self._process.returncode is None:
                self._process.kill()
            self._sweep()
            self.ended.set()

    async def _see_warden_end(self, reading: trio.CancelScope) -> None:
        """Who holds the pipes open is not waited for once the warden is gone, and the warden not for ever."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._insist)
            await self._process.wait()
            nursery.cancel_scope.cancel()
        self._sweep()
        reading.deadline = trio.current_time() + _LAST_OUTPUT_SECONDS

    async def _insist(self) -> None:
        """End a warden that was stopped, or does not come to an end."""
        await self._killed.wait()
        await trio.sleep(_KILL_SECONDS)
        self._process.kill()

    def _sweep(self) -> None:
        """Kill what a warden left that did not end by itself: a bot without a sandbox can end it."""
        if self._process.returncode != 0:
            self.how = self.how or "unwatched"
            for _ in range(_SWEEPS):
                for pid in warden.with_token(self._token):
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)

    async def _hear_report(self) -> None:
        assert self._process.stdout is not None
        heard = b""
        async with self._process.stdout:
            async for chunk in self._process.stdout:
                heard += chunk
                # The first word counts: a bot that could not be started says why, and then exits.
                if not self.how and b"\n" in heard:
                    self.how = heard.split(b"\n")[0].decode(errors="replace")

    async def _keep_output(self, stream: trio.abc.ReceiveStream, sign: str) -> None:
        async with stream:
            async for chunk in stream:
                self._output.add(bytes(chunk), trio.current_time(), sign)


class Process(Protocol):
    """What a pool needs of a bot's process: a `BotProcess`, or a task in tests."""

    @property
    def ended(self) -> trio.Event:
        """Set when it and all it started has ended."""
        ...

    @property
    def story(self) -> str:
        """How it ended, for a person."""
        ...

    @property
    def how(self) -> str:
        """How it ended, such as `exit 0`; "" when it was killed."""
        ...

    @property
    def kind(self) -> FaultType:
        """Which fault its end is, when nobody else ended it."""
        ...

    @property
    def output(self) -> str:
        """The end of what it printed."""
        ...

    def begin_log(self, table: int) -> None:
        """Keep what it prints for a table apart."""
        ...

    def take_log(self, table: int, since: float) -> Log:
        """What it printed for a table, and of its own since that time; the table's is forgotten then."""
        ...

    def note(self, table: int, text: str) -> None:
        """Add a line to its log that is the referee's."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...

    async def watch(self) -> None:
        """Wait for its end; leaves nothing running, also when cancelled."""
        ...


Start = Callable[[Command, str, str], Awaitable[Process]]
"""Starts a process, from a command, the referee's address and a token."""


async def start_process(command: Command, address: str, token: str, bounds: Bounds = UNBOUNDED) -> BotProcess:
    """Start a bot that is told where the referee is; raises `OSError` only if the warden cannot be started."""
    environment = {
        **command.environment(), "ALUETTE_SERVER": address, "ALUETTE_TOKEN": token, "ALUETTE_MARKS": "1",
    }  # fmt: skip
    group = "shared" if command.terminal else "own"
    limits = map(str, map(int, (bounds.memory, bounds.cpu, bounds.processes, bounds.files)))
    reading, writing = os.pipe()
    try:
        process = await trio.lowlevel.open_process(
            [sys.executable, "-I", "-S", warden.__file__, group, str(writing), *limits, *command.argv],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(writing,),
            cwd=command.cwd,
            env=environment,
        )
    except BaseException:
        os.close(reading)
        raise
    finally:
        os.close(writing)
    return BotProcess(process, trio.lowlevel.FdStream(reading), token)
