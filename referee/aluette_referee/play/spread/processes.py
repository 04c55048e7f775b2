"""An engine: worker processes of this machine, which see the same files.

A worker runs many calls at once, a thread for each, and goes when its connection ends: however this process ends, none is
left. One that dies costs what it had under way, and another takes its place; so does one that gives no sign of life.
"""

import contextlib
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from multiprocessing.connection import Connection
from typing import Final

from aluette_referee.play.spread.engine import WorkerLost

__all__ = ["Processes", "serve"]

CALLS: Final = 32
"""So many are under way at once in each worker."""
_FAREWELL_SECONDS: Final = 8.0
_LAST_SECONDS: Final = 1.0
"""From the end of its connection to that of a worker, at most."""

_PING_SECONDS: Final = 10.0
_SILENT_SECONDS: Final = 60.0
"""A worker that has not answered for so long is ended."""
_STDERR: Final = 2

_Function = Callable[[bytes], bytes]
_Call = tuple[int, _Function | None, bytes]
"""Its number, and what to do; number 0 asks for a sign of life."""
_Reply = tuple[int, bytes, str]
"""Which call, what it returned, and the traceback of what it raised instead."""


class Processes:
    """So many worker processes. An `engine.Engine`."""

    def __init__(self, count: int) -> None:
        """Start them; they get ready meanwhile."""
        self.slots = count * CALLS
        self.sees_files = True
        self._workers = [_Worker() for _ in range(count)]
        self._closed = threading.Event()
        threading.Thread(target=self._watch, name="workers", daemon=True).start()

    def submit(self, function: _Function, data: bytes) -> "Future[bytes]":
        """Have the worker with least to do call a function of a module."""
        number, worker = min(enumerate(self._workers), key=lambda item: item[1].under_way)
        if worker.is_lost:
            worker = self._workers[number] = _Worker()
        return worker.submit(function, data)

    def close(self) -> None:
        """Send all of them home, and end who does not go."""
        self._closed.set()
        for worker in self._workers:
            worker.dismiss()
        deadline = time.monotonic() + _FAREWELL_SECONDS
        for worker in self._workers:
            worker.see_off(deadline)

    def _watch(self) -> None:
        while not self._closed.wait(_PING_SECONDS):
            for worker in self._workers:
                worker.ping()


class _Worker:
    """One worker process, and the two threads that speak to it and hear from it."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", f"from {__name__} import serve; serve({theirs.fileno()})"],
                stdin=subprocess.DEVNULL,
                # What a bot that is played in it prints is no result.
                stdout=subprocess.DEVNULL if sys.__stderr__ is None else _STDERR,
                stderr=subprocess.DEVNULL if sys.__stderr__ is None else None,
                pass_fds=(theirs.fileno(),),
                process_group=0,  # Ctrl-C is for this process, which sees to them
            )
        self._connection = Connection(os.dup(self._ours.fileno()))
        self._lock = threading.Lock()
        self._waiting: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._heard = time.monotonic()
        self._calls: dict[int, Future[bytes]] = {}
        self._last = 0
        self.is_lost = False
        for task in (self._hear, self._speak):
            threading.Thread(target=task, name=f"worker {self._process.pid}", daemon=True).start()

    @property
    def under_way(self) -> int:
        """How many calls are."""
        return len(self._calls)

    def submit(self, function: _Function, data: bytes) -> "Future[bytes]":
        future: Future[bytes] = Future()
        with self._lock:
            self._last += 1
            self._calls[self._last] = future
        # Whoever hears of its end sees to all calls, and to this one if it comes later.
        self._waiting.put((self._last, function, data))
        if self.is_lost:
            self._give_up_calls()
        return future

    def ping(self) -> None:
        """Ask for a sign of life, and end it when the last one is long ago."""
        if time.monotonic() - self._heard > _SILENT_SECONDS:
            self._process.kill()
        elif self._waiting.empty():
            self._waiting.put((0, None, b""))

    def dismiss(self) -> None:
        """Tell it to go: nothing more comes."""
        with contextlib.suppress(OSError):
            self._ours.shutdown(socket.SHUT_WR)

    def see_off(self, deadline: float) -> None:
        """Wait for its end, or bring it about."""
        try:
            self._process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._ours.close()

    def _speak(self) -> None:
        """A worker that does not listen keeps this thread waiting, and nobody else."""
        with contextlib.suppress(OSError):
            while (call := self._waiting.get()) is not None:
                self._connection.send(call)

    def _hear(self) -> None:
        with contextlib.suppress(EOFError, OSError), self._connection:
            while True:
                number, result, error = self._connection.recv()
                self._heard = time.monotonic()
                if not number:
                    continue
                with self._lock:
                    future = self._calls.pop(number)
                _settle(future, RuntimeError(f"in a worker:\n{error}") if error else result)
        # Whoever has lost its connection has nothing more to do.
        self.see_off(time.monotonic() + _LAST_SECONDS)
        self._waiting.put(None)
        self.is_lost = True
        self._give_up_calls()

    def _give_up_calls(self) -> None:
        with self._lock:
            left, self._calls = self._calls, {}
        how = f"the worker process {self._process.pid} is gone (exit code {self._process.returncode})"
        for future in left.values():
            _settle(future, WorkerLost(how))


def _settle(future: "Future[bytes]", outcome: bytes | Exception) -> None:
    with contextlib.suppress(InvalidStateError):  # it was given up meanwhile
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


# -- in the worker --------------------------------------------------------------------------------------


def serve(descriptor: int) -> None:
    """Answer the calls that come over a connection, until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = Connection(descriptor)
    sending = threading.Lock()

    def reply(number: int, result: bytes = b"", error: str = "") -> None:
        told: _Reply = (number, result, error)
        with sending, contextlib.suppress(OSError):
            connection.send(told)

    def run(number: int, function: _Function, data: bytes) -> None:
        try:
            result = function(data)
        except BaseException:  # noqa: BLE001 - whoever called is told
            reply(number, error=traceback.format_exc())
        else:
            reply(number, result)

    with contextlib.suppress(EOFError, OSError):
        while True:
            call: _Call = connection.recv()
            number, function, data = call
            if function is None:
                reply(number)
            else:
                # What is still under way at the end is waited for by nobody.
                threading.Thread(target=run, args=(number, function, data), daemon=True).start()
