"""What a bot's process prints: with times, and told apart by the match whose turn it was answering.

Pure: bytes and times come in, text goes out. The SDK marks in the output at which table it is (`aluette.marks`);
what stands under no mark is the process's own. Of too much the first and the last lines are kept.
"""

import re
from collections import deque
from typing import Final, NamedTuple

__all__ = ["Log", "Output"]

TAIL: Final = 64_000
"""Characters at the end that are kept of all together."""
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
        self._tail: deque[str] = deque()
        self._size = 0
        self._table = 0
        self._lines: dict[int, _Lines] = {0: _Lines()}
        self._rest = b""
        self._at = began

    def add(self, chunk: bytes, now: float) -> None:
        """Take what was printed."""
        self._at = now
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            self._line(line, "\n")
        if len(self._rest) > _LONGEST:
            rest, self._rest = self._rest, b""
            self._line(rest, "")

    def tail(self) -> str:
        """The end of all that was printed."""
        self._line_so_far()
        return "".join(self._tail)[-TAIL:]

    def take(self, table: int, since: float) -> Log:
        """What was printed for a table, which is then forgotten, and by the process itself since that time."""
        self._line_so_far()
        own = self._lines[0].text(self._began, since)
        lines = self._lines.pop(table, None) if table else None
        return Log(lines.text(self._began) if lines else "", own)

    def _line_so_far(self) -> None:
        if self._rest:
            rest, self._rest = self._rest, b""
            self._line(rest, "\n")

    def _line(self, line: bytes, end: str) -> None:
        """A mark may stand anywhere: what comes before it belongs to the mark before."""
        place = 0
        for mark in _MARK.finditer(line):
            self._keep(line[place : mark.start()], "\n" if mark.start() > place else "")
            self._table, place = int(mark[1]), mark.end()
        if place < len(line) or not place:
            self._keep(line[place:], end)

    def _keep(self, line: bytes, end: str) -> None:
        text = line.decode(errors="replace")
        if not text and not end:
            return
        self._tail.append(text + end)
        self._size += len(text) + len(end)
        while self._size > TAIL and len(self._tail) > 1:
            self._size -= len(self._tail.popleft())
        self._lines.setdefault(self._table, _Lines()).add(self._at, text)


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
            f"[{self._cut} lines were cut here]\n" if text is None else f"{at - began:9.3f}  {text}\n"
            for at, text in (*self._first, *cut, *self._last)
            if at >= since
        )
