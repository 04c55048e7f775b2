"""An engine: a Dask cluster, whose workers have the project installed but not our files.

Dask runs a task again elsewhere when its worker is lost, and may run one twice: a task is named by the work that it is, so
the same work is one task, and its answer counts once.
"""

import contextlib
import hashlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import Any, Final

from aluette.errors import Misuse
from aluette.version import __version__
from aluette_referee.play.spread.engine import WorkerLost

__all__ = ["NO_LIMIT", "Cluster", "open_cluster"]

NO_LIMIT: Final = 1_000_000
"""Of blocks that are under way: the cluster's slots are the limit."""
_CONNECT_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 1.0
_AHEAD: Final = 2
"""Tasks for each thread of a worker: one that it works at, one that waits, so that it need not."""


def open_cluster(address: str) -> "Cluster":
    """Connect to a scheduler; raises `Misuse` when there is none, or no Dask here."""
    try:
        from distributed import Client  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise Misuse("--engine dask needs Dask: pip install 'aluette[dask]'") from None
    # What it tells of lost connections is told by what becomes of the tasks.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
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
        self._address = address
        self._closed = threading.Event()
        self.slots = 0
        """Twice as many as its workers have threads."""
        self._count_threads()
        threading.Thread(target=self._look, name="cluster", daemon=True).start()

    def submit(self, function: Callable[[bytes], bytes], data: bytes) -> "Future[bytes]":
        """Have a worker call a function of a module."""
        promised: Future[bytes] = Future()
        name = f"aluette-{hashlib.sha256(data).hexdigest()}"

        def tell(task: Any) -> None:
            result, problem = b"", None
            try:
                result = task.result()
            except BaseException as error:  # noqa: BLE001 - whatever became of it, it is for who waits
                problem = self._reason(error)
            task.release()  # before anybody submits it again
            with contextlib.suppress(InvalidStateError):  # it was given up meanwhile
                promised.set_result(result) if problem is None else promised.set_exception(problem)

        try:
            self._client.submit(function, data, key=name, pure=False).add_done_callback(tell)
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
                    f"on the cluster at {self._address} something is missing: the scheduler and every worker need "
                    f"aluette[dask] {__version__} ({error})"
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
                self.slots = 0

    def _count_threads(self) -> None:
        self.slots = _AHEAD * sum(self._client.nthreads().values())
