r"""Marks in a bot's output that say which match's turn was being answered: for `aluette logs`.

The referee asks for them with `ALUETTE_MARKS`. A mark is `\x1ealuette TABLE\x1f`, 0 for no table, written just
before text that belongs elsewhere than the text before it.
"""

import os
import sys
from typing import Any, TextIO, cast

from aluette.session import Session

__all__ = ["mark_output"]


def mark_output(session: Session) -> None:
    """Put marks into stdout and stderr from now on, if the referee asked for them."""
    if os.environ.get("ALUETTE_MARKS") and sys.stdout is not None and sys.stderr is not None:
        sys.stdout = cast("TextIO", _Marked(sys.stdout, session))
        sys.stderr = cast("TextIO", _Marked(sys.stderr, session))


class _Marked:
    """A text stream with marks; all else is the stream's own."""

    def __init__(self, stream: TextIO, session: Session) -> None:
        self._stream = stream
        self._session = session
        self._table = 0

    def write(self, text: str) -> int:
        if text and self._table != self._session.table:
            self._table = self._session.table
            self._stream.write(f"\x1ealuette {self._table}\x1f")
        return self._stream.write(text)

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
