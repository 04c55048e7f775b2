"""On which line of a TOML text each table, key and list element stands.

`tomllib` gives values without their places. This walks the same text once more and keeps the places
alone. It reads only text that `tomllib` has accepted, so it need not find mistakes: it tells strings,
comments and brackets apart, and lets `tomllib` itself read the keys.
"""

import re
import tomllib
from typing import Any, Final, TypeAlias

__all__ = ["Path", "key_lines"]

Path: TypeAlias = tuple[str | int, ...]
"""The keys that lead to a value from the top; the place in a list is counted from 0."""

_TOKEN: Final = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'  # text of several lines may end in two quotes of its own
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
    r"|\#[^\n]*"
    r"|[\[\]{},=\n]"
    r"|[^\s\[\]{},=\#\"']+",
    re.DOTALL,
)


def key_lines(text: str) -> dict[Path, int]:
    """The line, from 1, of everything in valid TOML `text`; a table's is where it is first mentioned."""
    walk = _Walk(text)
    walk.document()
    return walk.lines


class _Walk:
    """One walk over the tokens; `lines` fills up on the way."""

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self._lengths: dict[Path, int] = {}
        self._tokens: list[tuple[str, int]] = []
        line, end = 1, 0
        for token in _TOKEN.finditer(text):
            line += text.count("\n", end, token.start())
            end = token.start()
            if not token[0].startswith("#"):
                self._tokens.append((token[0], line))
        self._tokens.reverse()

    def document(self) -> None:
        table: Path = ()
        while self._skip_lines():
            if self._next_is("["):
                self._pop()
                many = self._next_is("[")
                if many:
                    self._pop()
                line = self._tokens[-1][1]
                table = self._header(self._key("]"), many=many)
                self._note((), table, line)
                if many:
                    self._pop()
            else:
                self._pair(table)

    def _header(self, key: Path, *, many: bool) -> Path:
        """The table that a header opens: `[[team]]` the next of its list, `[team.x]` in the last of it."""
        table: Path = ()
        for depth, part in enumerate(key, start=1):
            table += (part,)
            if many and depth == len(key):
                self._lengths[table] = self._lengths.get(table, 0) + 1
            if table in self._lengths:
                table += (self._lengths[table] - 1,)
        return table

    def _pair(self, table: Path) -> None:
        line = self._tokens[-1][1]
        key = self._key("=")
        self._note(table, table + key, line)
        self._value(table + key)

    def _value(self, path: Path) -> None:
        self._skip_lines()
        if self._next_is("["):
            self._pop()
            count = 0
            while self._skip_lines() and not self._next_is("]"):
                self._note(path, (*path, count), self._tokens[-1][1])
                self._value((*path, count))
                count += 1
                self._skip_comma()
            self._pop()
        elif self._next_is("{"):
            self._pop()
            while self._skip_lines() and not self._next_is("}"):
                self._pair(path)
                self._skip_comma()
            self._pop()
        else:
            # A date and its time are two tokens.
            while self._tokens and self._tokens[-1][0] not in {",", "]", "}", "\n"}:
                self._pop()

    def _key(self, stop: str) -> Path:
        """A dotted key, up to `stop`, which is taken too."""
        parts: list[str] = []
        while (token := self._pop()) != stop:
            parts.append(token)
        path: list[str] = []
        value: Any = tomllib.loads(f"{''.join(parts)} = 0")
        while value != 0:
            ((part, value),) = value.items()
            path.append(part)
        return tuple(path)

    def _note(self, known: Path, path: Path, line: int) -> None:
        """Remember the line of `path` and of every table that it makes on the way from `known`."""
        for length in range(len(known) + 1, len(path) + 1):
            self.lines.setdefault(path[:length], line)

    def _next_is(self, token: str) -> bool:
        return self._tokens[-1][0] == token

    def _pop(self) -> str:
        return self._tokens.pop()[0]

    def _skip_lines(self) -> bool:
        """Go to the next token that is no line end; False when there is none."""
        while self._tokens and self._next_is("\n"):
            self._pop()
        return bool(self._tokens)

    def _skip_comma(self) -> None:
        self._skip_lines()
        if self._next_is(","):
            self._pop()
