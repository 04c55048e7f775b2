"""What a bot's process, with all that it starts, may take of the machine.

Values only: `play.warden` watches them, `play.sandbox` shuts off the rest.
"""

from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["UNBOUNDED", "Bounds", "Sandbox"]

Sandbox = Literal["none", "bubblewrap"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of each bot's process tree, but for `max_bots`; 0 is no bound. Too much memory is *out of memory*, else a crash."""

    memory: int = 2 * 1024**3
    """Bytes, of what is really in use."""
    cpu: float = 3600.0
    """Seconds of computing."""
    processes: int = 64
    files: int = 1024
    """Open at once, of each process."""
    sandbox: Sandbox = "none"
    """With `bubblewrap`: no network but the referee's socket, and no view of other bots' files or processes."""
    max_bots: int = 64
    """Processes that live at once, of all bots; idle ones are ended when others are needed. 4 at least."""


UNBOUNDED: Final = Bounds(memory=0, cpu=0.0, processes=0, files=0, max_bots=1_000_000)
