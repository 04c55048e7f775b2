"""A large contest: how long its table and its report take, and how much memory.

    python -m aluette_bench.ratings --teams 100 --matches 1000000 [--json]

The matches are not played: their results are drawn, and put where a run with `keep = "faults"` would put them. Then
the commands are run that a person would type: the standings (table, strengths, intervals), all that `show` prints with
the root of the records, and the report.
"""

import itertools
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import sqlalchemy as sa

from aluette_referee.contest.contest import BotSpec, Contest, Entrant, Team
from aluette_referee.contest.schedule import Block
from aluette_referee.contest.summary import Summary
from aluette_referee.store import create_or_open
from aluette_referee.store.schema import FAULTS, match

__all__ = ["fill", "measure"]

_CHUNK: Final = 20_000
_TIMED: Final = """
import json, resource, subprocess, sys, time
began = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
seconds = time.perf_counter() - began
print(json.dumps([round(seconds, 2), round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000)]))
"""
_COMMANDS: Final = {
    "standings": ["tournament", "show", "large.db", "--table", "standings"],
    "show": ["tournament", "show", "large.db"],
    "report": ["report", "large.db", "-o", "page.html"],
}


def fill(place: Path, teams: int, matches: int) -> int:
    """Make a contest of so many matches at least between so many teams, each stronger than the one before."""
    entrants = [
        Entrant(Team(f"team {number:03}", (BotSpec("lowest"),) * 2), ("x", "x")) for number in range(teams)
    ]
    blocks = -(-matches // (teams * (teams - 1)))
    contest = Contest(
        "large", tuple(entrant.team for entrant in entrants), blocks=blocks, seed=0, keep="faults"
    )
    engine = sa.create_engine(f"sqlite:///{place}")
    with create_or_open(place, contest, entrants)[0] as store:
        lines = _lines(store.schedule())
        while chunk := list(itertools.islice(lines, _CHUNK)):
            with engine.begin() as connection:
                connection.execute(sa.insert(match), chunk)
        count = store.matches_played()
    engine.dispose()
    return count


def _lines(blocks: Iterator[Block]) -> Iterator[dict[str, Any]]:
    chance = random.Random(1)  # noqa: S311
    nothing = dict.fromkeys((*FAULTS, *Summary._fields), 0)
    counts = nothing | {
        "deals": 5,
        "tricks": 45,
        "spoiled": 5,
        "dealers": 2,
        "won_n": 1,
        "won_e": 2,
        "won_s": 2,
    }
    for block in blocks:
        one, other = (int(side.name.removeprefix("team ")) for side in block.meeting)
        luck, gap = chance.gauss(0, 1.5), (one - other) / 40
        for fixture, sign in zip(block.legs, (1, -1), strict=True):
            difference = round(sign * gap + luck + chance.gauss(0, 1.5))
            winner = "NS" if difference > 0 else "EW" if difference < 0 else None
            yield {
                "id": fixture.id, "block": block.id, "leg": fixture.leg, "winner": winner,
                "points_ns": max(0, difference), "points_ew": max(0, -difference),
                "forfeit": False, "faults": None, "digest": "0" * 64, **counts,
            }  # fmt: skip


def measure(teams: int, matches: int) -> dict[str, Any]:
    """Fill a database, and see how long commands take that read it, from their start, and how much memory."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "large.db"
        count = fill(place, teams, matches)
        found: dict[str, Any] = {
            "teams": teams,
            "matches": count,
            "database_mb": round(place.stat().st_size / 1e6),
        }
        for name, words in _COMMANDS.items():
            command = [sys.executable, "-c", _TIMED, str(Path(sys.executable).with_name("aluette")), *words]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
            seconds, megabytes = json.loads(done.stdout)
            found[name] = {"seconds": seconds, "peak_mb": megabytes}
        found["page_mb"] = round((Path(folder) / "page.html").stat().st_size / 1e6, 1)
    return found


@click.command()
@click.option("--teams", type=click.IntRange(2), default=100, show_default=True)
@click.option("--matches", type=click.IntRange(2), default=1_000_000, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def main(*, teams: int, matches: int, as_json: bool) -> None:
    """Measure the table and the report of a large contest."""
    figures = measure(teams, matches)
    if as_json:
        click.echo(json.dumps(figures))
        return
    click.echo(f"{figures['matches']} matches of {teams} teams, {figures['database_mb']} MB")
    for name in _COMMANDS:
        click.echo(f"{name}: {figures[name]['seconds']} s, {figures[name]['peak_mb']} MB")


if __name__ == "__main__":
    main()
