"""An engine: a Dask cluster, whose workers have the project installed but not our files.

Dask runs a task again elsewhere when its worker is lost, and may run one twice: a task is named by the work that it is, so
the same work is one task, and its answer counts once.
"""

import contextlib
import hashlib
import logging
import re
import socket
import threading
import warnings
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from importlib.util import find_spec
from typing import Any, Final

from aluette.errors import Misuse
from aluette.version import __version__
from aluette_referee.play.spread.engine import WorkerLost

__all__ = ["NO_LIMIT", "Cluster", "find_cluster", "open_cluster"]

NO_LIMIT: Final = 1_000_000
"""Of blocks that are under way: the cluster's slots are the limit."""
_CONNECT_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 1.0
_AHEAD: Final = 2
"""Tasks for each thread of a worker: one that it works at, one that waits, so that it need not."""
_ADDRESS: Final = re.compile(
    r"(?:(?:tcp|tls)://)?(?P<host>[^\s/:\[\]]+|\[[0-9A-Fa-f:.]+\]):(?P<port>\d{1,5})"
)
_HUSHED: Final = ("Sending large graph", "\\s*Mismatched versions found")
"""Warnings of Dask's: a bot may have large files, and other versions may do; if not, the tasks will tell."""


def find_cluster(address: str) -> None:
    """Raise `Misuse` when there is no Dask here, or nobody listens at the address of a scheduler."""
    if find_spec("distributed") is None:
        raise Misuse("--engine dask needs Dask: install the extra dask")
    parts = _ADDRESS.fullmatch(address)
    if parts is None or int(parts["port"]) > 65535:
        raise Misuse(f"--scheduler {address}: write tcp://HOST:PORT, or tls://HOST:PORT")
    try:
        socket.create_connection((parts["host"].strip("[]"), int(parts["port"])), _CONNECT_SECONDS).close()
    except OSError as error:
        raise Misuse(f"no Dask scheduler answers at {address}: {error.strerror or error}") from None


def open_cluster(address: str) -> "Cluster":
    """Connect to a scheduler; raises `Misuse` as `find_cluster` does, and when who listens is none."""
    find_cluster(address)
    from distributed import Client  # noqa: PLC0415 - an extra, and slow to import

    # What it tells of lost connections is told by what becomes of the tasks.
    for name in ("distributed", "distributed.client", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    for message in _HUSHED:
        warnings.filterwarnings("ignore", message)
    try:
        client: Any = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        told = str(error).partition("\n")[0]
        raise Misuse(f"no Dask scheduler answers at {address}: {told}") from None
    return Cluster(client, address)


class Cluster:
    """A cluster that one is connected to. An `engine.Engine`."""

    sees_files = False

    def __init__(self, client: Any, address: str) -> None:
        """Own a connected `distributed.Client`."""
        self._client = client
        self._executor = client.get_executor(pure=False)
        self._address = address
        self._closed = threading.Event()
        self._slots = 0
        self._count_threads()
        threading.Thread(target=self._look, name="cluster", daemon=True).start()

    @property
    def slots(self) -> int:
        """Twice as many as its workers have threads; raises `Misuse` when the scheduler has gone."""
        if self._client.status == "closed":
            raise self._gone()
        return self._slots

    def submit(self, function: Callable[[bytes], bytes], data: bytes) -> "Future[bytes]":
        """Have a worker call a function of a module."""
        promised: Future[bytes] = Future()
        name = f"aluette-{hashlib.sha256(data).hexdigest()}"

        def tell(task: "Future[bytes]") -> None:
            with contextlib.suppress(InvalidStateError):  # it was given up meanwhile
                try:
                    promised.set_result(task.result())
                except (Exception, CancelledError) as error:  # noqa: BLE001 - whatever became of it, it is for who waits
                    promised.set_exception(self._reason(error))

        try:
            self._executor.submit(function, data, key=name).add_done_callback(tell)
        except Exception as error:  # noqa: BLE001 - Dask has several for a closed connection
            promised.set_exception(error if self._client.status == "running" else self._gone())
        return promised

    def close(self) -> None:
        """Leave the cluster; its workers finish what they have begun, for nobody."""
        self._closed.set()
        self._client.close(timeout=_CONNECT_SECONDS)

    def _reason(self, error: BaseException) -> BaseException:
        match type(error).__name__:
            case "KilledWorker":
                return WorkerLost(str(error))
            case "FutureCancelledError" | "CancelledError":
                return self._gone()
            case _ if isinstance(error, ModuleNotFoundError) or "deserialization" in str(error):
                return Misuse(
                    f"on the cluster at {self._address} the scheduler or a worker lacks this program: "
                    f"every one of them needs aluette {__version__} with the extras referee and dask"
                )
            case _:
                return error

    def _gone(self) -> Misuse:
        return Misuse(
            f"the Dask scheduler at {self._address} has gone: run this again to play what is not stored"
        )

    def _look(self) -> None:
        """See workers come and go."""
        while not self._closed.wait(_LOOK_SECONDS):
            try:
                self._count_threads()
            except Exception:  # noqa: BLE001 - the scheduler is away, for now or for good
                self._slots = 0

    def _count_threads(self) -> None:
        self._slots = _AHEAD * sum(self._client.nthreads().values())
