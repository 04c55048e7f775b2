"""What a bot's process prints: with times, and told apart by the match whose turn it was answering.

Pure: bytes and times come in, text goes out. The SDK marks in each stream at which table it is (`aluette.marks`);
what stands under no mark is the process's own. Of too much the first and the last lines are kept.

A line of a log is the seconds since the process began, a sign for where it is from, and the text.
"""

import re
from collections import deque
from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = ["Log", "Output"]

STDOUT: Final = " "
STDERR: Final = "!"
REFEREE: Final = "*"
"""The signs."""

TAIL: Final = 64_000
"""Characters at the end of each stream that are kept whole."""
FIRST: Final = 16_000
LAST: Final = 48_000
"""Characters that are kept of each match, and of the process's own, at the beginning and at the end."""
_LONGEST: Final = 4_000
_MARK: Final = re.compile(rb"\x1ealuette (\d{1,20})\x1f")


class Log(NamedTuple):
    """What was printed for one match, and by the process meanwhile."""

    of_match: str
    of_process: str


class Output:
    """The output of one process that started at `began`, in seconds on the clock of the times."""

    def __init__(self, began: float) -> None:
        """Nothing was printed yet."""
        self._began = began
        self._lines: dict[int, _Lines] = {0: _Lines()}
        self._streams = {STDOUT: _Stream(), STDERR: _Stream()}

    def begin(self, table: int) -> None:
        """Keep what is printed for a table apart, until it is taken; marks with other tables mean nothing."""
        self._lines[table] = _Lines()

    def add(self, chunk: bytes, now: float, sign: str = STDOUT) -> None:
        """Take what was printed to a stream."""
        for table, text in self._streams[sign].add(chunk):
            self._keep(table, now, sign, text)

    def note(self, table: int, text: str, now: float) -> None:
        """Add a line of the referee's own."""
        self._keep(table, now, REFEREE, text)

    def tail(self) -> str:
        """The end of what went to stderr; of stdout, if nothing did."""
        return self._streams[STDERR].tail() or self._streams[STDOUT].tail()

    def take(self, table: int, since: float, now: float) -> Log:
        """What was printed for a table, which is then forgotten, and by the process itself since that time."""
        for sign, stream in self._streams.items():
            for place, text in stream.line_so_far():
                self._keep(place, now, sign, text)
        own = self._lines[0].text(self._began, since)
        lines = self._lines.pop(table, None) if table else None
        return Log(lines.text(self._began) if lines else "", own)

    def _keep(self, table: int, now: float, sign: str, text: str) -> None:
        self._lines.get(table, self._lines[0]).add(now, f"{sign} {text}")


class _Stream:
    """One of its streams: what is not yet a line, at which table that stands, and the end of all."""

    __slots__ = ("_rest", "_size", "_table", "_tail")

    def __init__(self) -> None:
        self._rest = b""
        self._table = 0
        self._tail: deque[str] = deque()
        self._size = 0

    def add(self, chunk: bytes) -> Iterator[tuple[int, str]]:
        """The lines that are complete now, each with its table."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            yield from self._line(line, "\n")
        if len(self._rest) > _LONGEST:
            rest, self._rest = self._rest, b""
            yield from self._line(rest, "")

    def line_so_far(self) -> Iterator[tuple[int, str]]:
        """The beginning of a line as a line."""
        if self._rest:
            rest, self._rest = self._rest, b""
            yield from self._line(rest, "\n")

    def tail(self) -> str:
        """The end of all, with a line that is not complete."""
        rest = _MARK.sub(b"", self._rest).decode(errors="replace")
        return ("".join(self._tail) + (rest and f"{rest}\n"))[-TAIL:]

    def _line(self, line: bytes, end: str) -> Iterator[tuple[int, str]]:
        """A mark may stand anywhere: what comes before it belongs to the mark before."""
        place = 0
        for mark in _MARK.finditer(line):
            if mark.start() > place:
                yield self._said(line[place : mark.start()], "\n")
            self._table, place = int(mark[1]), mark.end()
        if place < len(line) or not place:
            yield self._said(line[place:], end)

    def _said(self, line: bytes, end: str) -> tuple[int, str]:
        text = line.decode(errors="replace")
        self._tail.append(text + end)
        self._size += len(text) + len(end)
        while self._size > TAIL and len(self._tail) > 1:
            self._size -= len(self._tail.popleft())
        return self._table, text


class _Lines:
    """The first and the last of too many lines, with their times."""

    __slots__ = ("_cut", "_first", "_first_size", "_last", "_last_size")

    def __init__(self) -> None:
        self._first: list[tuple[float, str]] = []
        self._last: deque[tuple[float, str]] = deque()
        self._first_size = self._last_size = self._cut = 0

    def add(self, at: float, text: str) -> None:
        text = text[:_LONGEST]
        if not self._last and self._first_size + len(text) <= FIRST:
            self._first.append((at, text))
            self._first_size += len(text) + 1
            return
        self._last.append((at, text))
        self._last_size += len(text) + 1
        while self._last_size > LAST:
            _, dropped = self._last.popleft()
            self._last_size -= len(dropped) + 1
            self._cut += 1

    def text(self, began: float, since: float = 0.0) -> str:
        """Each line with the seconds since `began`; those before `since` are left out."""
        cut = [(since, None)] if self._cut else []
        return "".join(
            f"[{self._cut} lines were cut here]\n" if text is None else f"{at - began:9.3f}{text}\n"
            for at, text in (*self._first, *cut, *self._last)
            if at >= since
        )
