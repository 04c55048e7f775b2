"""A small tournament of bots of our own: its file, its bots, and what is known of it after its run."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

__all__ = ["BOTS", "LEGEND", "MATCHES", "Club", "lines", "record", "with_fault", "write_club"]

MATCHES = 12
"""Of the run."""
LEGEND = (
    "Points: 1 a win, ½ a draw. Elo: strength over the mean (+100 scores 64 %), ± half its 95 % interval over blocks. "
    "Deals: deal points for-against. Without ±: not determined, from too few blocks, or all ended alike."
)
"""What stands below its table."""

BOTS = '''
import aluette


def highest(view):
    """A bot may be a function."""
    return view.hand[0]


def lowest(view):
    return view.hand[-1]


class Lively(aluette.Bot):
    """Answers by chance, agrees to most chants and signals what it can."""

    def __init__(self, agree=0.8):
        self.agree = agree

    def look(self, view):
        return self.rng.choice([signal for signal in aluette.Signal if signal.card in (None, *view.hand)])

    def chant(self, view):
        return self.rng.random() < self.agree

    def play(self, view):
        return self.rng.choice(view.hand), self.rng.choice([None, aluette.Signal.USELESS_HAND])


class Forgetful(aluette.Bot):
    """Does not know what to do in some last deals."""

    def play(self, view):
        if view.deal.number == 5 and view.hand[0].strength > 17:
            raise ValueError(f"what is one to do with {view.hand[0]}?")
        return view.hand[-1]
'''

CLUB = """
[tournament]
name = "Soirée [club]"
blocks = 2
seed = "ouest"

[clock]
connect = "60s"
ready = "60s"
move = "60s"

[[team]]
name = "Ana"
bots = [{ run = "clubbots.py:Lively", options = { agree = 1.0 } }, "clubbots.py:Lively"]

[[team]]
name = "Béa"
bots = ["clubbots.py:highest", "clubbots.py:lowest"]

[[team]]
name = "Zoé"
bot = "clubbots.py:Forgetful"
"""


class Club(NamedTuple):
    """A folder with a tournament's file, its bots and its database, and what its run printed."""

    folder: Path
    printed: str
    told: str
    exported: bytes

    @property
    def file(self) -> Path:
        """The tournament's file."""
        return self.folder / "club.toml"

    @property
    def database(self) -> Path:
        """Its database."""
        return self.folder / "club.db"

    def copy(self, folder: Path) -> "Club":
        """The same in another folder."""
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return self._replace(folder=folder)

    def edit(self, old: str, new: str, name: str = "club.toml") -> None:
        """Change a file."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")


def write_club(folder: Path) -> None:
    """The tournament's file and its bots."""
    (folder / "club.toml").write_text(CLUB, encoding="utf-8")
    (folder / "clubbots.py").write_text(BOTS, encoding="utf-8")


def lines(club: Club) -> list[dict[str, object]]:
    return [json.loads(line) for line in club.exported.splitlines()]


def record(line):
    return {name: value for name, value in line.items() if list(line).index(name) > 5}


def with_fault(club: Club):
    return next(line for line in lines(club) if line["result"]["fault"])
