"""How long one waits at first: for `aluette --help`, and for the first card of a tournament."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

__all__ = ["measure_first_card", "measure_help"]

_TIMES: Final = 5
_ALUETTE: Final = "import sys; sys.argv[0] = 'aluette'; from aluette_referee.cli import main; main()"
_BOT: Final = """import pathlib, time, aluette
class Noting(aluette.Bot):
    def play(self, view):
        first = pathlib.Path(__file__).with_name("first")
        if not first.exists():
            first.write_text(repr(time.time()))
        return view.hand[-1]
"""
_FILE: Final = """[tournament]
name = "first card"
seed = 1
blocks = 1

[[team]]
name = "one"
bots = ["noting.py:Noting", "noting.py:Noting"]

[[team]]
name = "other"
bots = ["noting.py:Noting", "noting.py:Noting"]
"""


def measure_help() -> float:
    """Seconds from starting `aluette --help` to its end, the median of a few."""
    return median(_seconds(["--help"]) for _ in range(_TIMES))


def measure_first_card() -> float:
    """Seconds from starting `aluette tournament run` to the first card, with bots that are trivial; the median of a few."""
    return median(_first_card() for _ in range(_TIMES))


def _first_card() -> float:
    with tempfile.TemporaryDirectory(prefix="aluette-bench-") as folder:
        place = Path(folder)
        (place / "noting.py").write_text(_BOT, encoding="utf-8")
        (place / "club.toml").write_text(_FILE, encoding="utf-8")
        began = time.time()
        _seconds(["tournament", "run", "club.toml"], place)
        return float((place / "first").read_text(encoding="utf-8")) - began


def _seconds(arguments: list[str], folder: Path | None = None) -> float:
    began = time.perf_counter()
    call = [sys.executable, "-c", _ALUETTE, *arguments]
    subprocess.run(call, check=True, capture_output=True, cwd=folder, timeout=60)
    return time.perf_counter() - began
