"""What runs a function on bytes somewhere else: the interface of worker processes and of a cluster."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

__all__ = ["Engine", "WorkerLost"]


class WorkerLost(Exception):  # noqa: N818 - a state of a worker, and no error of what it did
    """The worker was gone before it had answered: what it did is to be done again."""


class Engine(Protocol):
    """Use it from one thread."""

    @property
    def slots(self) -> int:
        """So many calls may be under way at once; it changes as workers come and go, and may be 0."""
        ...

    @property
    def sees_files(self) -> bool:
        """Whether workers see the files of this machine."""
        ...

    def submit(self, function: Callable[[bytes], bytes], data: bytes) -> "Future[bytes]":
        """Have a worker call a function of a module, and return at once.

        The future raises `WorkerLost`, `Misuse` when no worker can be reached any more, or what the function raised.
        """
        ...

    def close(self) -> None:
        """End all workers of our own; what is under way is given up. Returns within seconds."""
        ...
