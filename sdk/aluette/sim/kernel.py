"""Where numba and numpy are, if they are: kernels compiled when they can be, and plain Python otherwise.

A *kernel* is a function over integers and flat arrays of integers, written once. `kernel` compiles it with numba where
that is installed; `run` is how everything else calls one; `uncompiled` runs the very same source as plain Python, for
tests that compare both. This is the one module that knows numba and numpy: without them arrays are `array.array`.

Compiled code is cached beside the source, or in numba's folder in the user's home; where neither can be written it is
compiled by each process anew. numba compiles a kernel once more for each literal that another passes to it: pass
variables.
"""

from array import array
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, Final, ParamSpec, Protocol, TypeVar, cast

__all__ = ["Ints", "integers", "is_compiled", "kernel", "run", "uncompiled", "zeros"]

np: Any = None
numba: Any = None
with suppress(ImportError):
    import numpy  # noqa: ICN001 - `np` is None where there is none

    np = numpy
with suppress(ImportError):  # as numba itself raises, for a numpy that it does not know yet
    import numba as compiler

    numba = compiler

P = ParamSpec("P")
T = TypeVar("T")

_uncompiled: ContextVar[bool] = ContextVar("_uncompiled", default=False)
_plain: Final[dict[FunctionType, FunctionType]] = {}
_MOST_FAILURES: Final = 200
"""More than there are kernels, each of which fails to be written once."""


class Ints(Protocol):
    """A flat array of 64-bit integers: of numpy where that is installed, else of `array.array`.

    Both have more to them; both also have the buffer protocol, so that a tensor can be made without a copy.
    """

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def tolist(self) -> list[int]:
        """The numbers as a list."""
        ...


def zeros(size: int) -> Ints:
    """A new array of so many zeros."""
    if np is None:
        return cast("Ints", array("q", bytes(8 * size)))
    return cast("Ints", np.zeros(size, np.int64))


def integers(values: Iterable[int] | Ints) -> Ints:
    """These numbers as a new array; raises `OverflowError` or `TypeError` for what is no 64-bit integer."""
    if np is not None and isinstance(values, np.ndarray):
        return cast("Ints", cast("Any", values).astype(np.int64, casting="safe").reshape(-1))
    made = array("q", cast("Iterable[int]", values))
    return cast("Ints", made if np is None else np.array(made, np.int64))


def kernel(function: Callable[P, T]) -> Callable[P, T]:
    """Compile a kernel when it is first called; without numba, or with `NUMBA_DISABLE_JIT=1`, leave it as it is."""
    if numba is None:
        return function
    compiled: Any
    try:
        compiled = numba.njit(cache=True)(function)
        if hasattr(compiled, "py_func"):
            # numba asks whether a kernel's own file has changed, but its code has that of others in it, too.
            compiled._cache._cache_file._source_stamp = _sources()  # noqa: SLF001
    except (
        RuntimeError,
        AttributeError,
        OSError,
    ):  # no cache can be written, or none that would notice a change
        compiled = numba.njit(function)
    return cast("Callable[P, T]", compiled)


@cache
def _sources() -> bytes:
    """What the whole simulator is written like."""
    digest = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()


def run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a kernel from outside: compiled, unless there is no compiler or `uncompiled` says otherwise."""
    failures = 0
    while is_compiled(function):
        try:
            return function(*args, **kwargs)
        except OSError:
            # The cache of one kernel cannot be written, the disk being full perhaps; but now that one is compiled.
            failures += 1
            if failures > _MOST_FAILURES:
                raise
    return cast("Callable[..., T]", _as_plain(function))(*map(_readable, args), **kwargs)


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether `run` will call this kernel compiled."""
    return hasattr(function, "py_func") and not _uncompiled.get()


@contextmanager
def uncompiled() -> Generator[None]:
    """Within this block kernels run as plain Python, some hundred times slower, with the same results."""
    token = _uncompiled.set(True)
    try:
        yield
    finally:
        _uncompiled.reset(token)


def _as_plain(function: Any) -> FunctionType:
    """The function with every kernel that it calls, however deep, replaced by its plain source."""
    source: FunctionType = getattr(function, "py_func", function)
    if source not in _plain:
        scope: dict[str, Any] = {"__builtins__": source.__globals__["__builtins__"]}
        _plain[source] = FunctionType(source.__code__, scope, source.__name__)  # first: it may call itself
        names = source.__code__.co_names
        for name in names:
            if name in source.__globals__:
                value = source.__globals__[name]
                if isinstance(value, ModuleType):  # what is taken of it is named beside it
                    taken = {other: getattr(value, other) for other in names if hasattr(value, other)}
                    scope[name] = SimpleNamespace(**{other: _plain_value(it) for other, it in taken.items()})
                else:
                    scope[name] = _plain_value(value)
    return _plain[source]


def _plain_value(value: Any) -> Any:
    return _as_plain(value) if hasattr(value, "py_func") else value


def _readable(value: Any) -> Any:
    """An array of numpy as a view whose items are Python's own integers, which are faster and do not overflow."""
    return memoryview(value) if np is not None and isinstance(value, np.ndarray) else value
