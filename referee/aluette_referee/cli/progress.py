"""How far a run has come: a bar on a terminal, plain lines elsewhere. On stderr, out of the results' way."""

import time
from types import TracebackType
from typing import Final, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

__all__ = ["PlayProgress"]

_LINE_SECONDS: Final = 10.0


class PlayProgress:
    """Counts matches; use as a context manager. `done` of `total` had been played before."""

    def __init__(self, total: int, done: int = 0) -> None:
        """Nothing is shown before it is entered."""
        console = Console(stderr=True)
        self._total = total
        self._done = self._before = done
        self._began = self._last_line = time.monotonic()
        self._console = console
        self._bar = (
            Progress(
                TextColumn("Playing"), BarColumn(None), MofNCompleteColumn(), _Rate(), TimeRemainingColumn(),
                console=console, expand=True, transient=True,
            )
            if console.is_terminal
            else None
        )  # fmt: skip
        self._task = self._bar.add_task("", total=total, completed=done) if self._bar else None

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._done > self._before:
            self._line()

    def expect(self, total: int) -> None:
        """It has become more."""
        self._total = total
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, total=total)

    def advance(self) -> None:
        """One more match has been played."""
        self._done += 1
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task)
        elif time.monotonic() - self._last_line >= _LINE_SECONDS:
            self._line()

    def say(self, sentence: str) -> None:
        """Say something above the bar."""
        (self._bar.console if self._bar is not None else self._console).print(
            sentence, markup=False, emoji=False, highlight=False, soft_wrap=True
        )

    def _line(self) -> None:
        self._last_line = now = time.monotonic()
        rate = (self._done - self._before) / max(now - self._began, 1e-9)
        left = (self._total - self._done) / rate if rate else 0
        rest = f", {left:.0f} s left" if self._done < self._total else ""
        self.say(f"{self._done} of {self._total} matches played, {rate:.1f} a second{rest}")


class _Rate(ProgressColumn):
    """Matches a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:.1f}/s" if task.speed else "", style="progress.data.speed")
