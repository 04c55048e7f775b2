"""A large contest: how long the table with strengths and intervals takes, and how much memory.

    python -m aluette_bench.ratings --teams 100 --matches 1000000 [--json]

The matches are not played: their results are drawn, and put where a run would put them, without records. Then a process
of its own opens the database and makes the table, as `tournament show` does.
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
from aluette_referee.contest.summary import Summary
from aluette_referee.store import create_or_open
from aluette_referee.store.schema import FAULTS, block, match

__all__ = ["fill", "measure"]

_CHUNK: Final = 20_000
_SHOW: Final = """
import json, resource, sys, time
began = time.perf_counter()
from aluette_referee.store import open_existing
with open_existing(sys.argv[1]) as archive:
    ranked = archive.ranking()
print(json.dumps({
    "seconds": round(time.perf_counter() - began, 2),
    "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
    "matches": sum(row.played for row in ranked.rows) // 2,
    "intervals": sum(ranked.elo(row).margin is not None for row in ranked.rows),
}))
"""


def fill(place: Path, teams: int, matches: int) -> None:
    """Make a database of so many matches between so many teams, each stronger than the one before."""
    entrants = [
        Entrant(Team(f"team {number:03}", (BotSpec("lowest"),) * 2), ("x", "x")) for number in range(teams)
    ]
    contest = Contest("large", tuple(entrant.team for entrant in entrants), seed=0)
    create_or_open(place, contest, entrants)[0].close()
    ids = sorted(entrant.id for entrant in entrants)
    engine = sa.create_engine(f"sqlite:///{place}")
    with engine.begin() as connection:
        connection.execute(sa.delete(block))
        lines = _lines(ids, matches // 2)
        while chunk := list(itertools.islice(lines, _CHUNK)):
            connection.execute(sa.insert(block), [of_block for of_block, _ in chunk])
            connection.execute(sa.insert(match), [leg for _, legs in chunk for leg in legs])
    engine.dispose()


def _lines(ids: list[str], blocks: int) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    chance = random.Random(1)  # noqa: S311
    pairs = itertools.cycle(itertools.combinations(range(len(ids)), 2))
    counts = dict.fromkeys((*FAULTS, *Summary._fields), 0)
    for number, (one, other) in enumerate(itertools.islice(pairs, blocks)):
        name = f"{number:012}"
        luck, gap = chance.gauss(0, 1.5), (one - other) / 40
        legs: list[dict[str, Any]] = []
        for leg, sign in ((1, 1), (2, -1)):
            difference = round(sign * gap + luck + chance.gauss(0, 1.5))
            winner = "NS" if difference > 0 else "EW" if difference < 0 else None
            legs.append({
                "id": f"{name}-{leg}", "block": name, "leg": leg, "winner": winner,
                "points_ns": max(0, difference), "points_ew": max(0, -difference),
                "forfeit": False, "faults": None, "digest": "0" * 64, **counts,
            })  # fmt: skip
        yield (
            {
                "id": name, "number": number, "one": ids[one], "other": ids[other],
                "one_partner": None, "other_partner": None, "commitment": "", "scheduled": True,
            },
            legs,
        )  # fmt: skip


def measure(teams: int, matches: int) -> dict[str, Any]:
    """Fill a database, and see how it is read."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "large.db"
        fill(place, teams, matches)
        done = subprocess.run(
            [sys.executable, "-c", _SHOW, str(place)], capture_output=True, text=True, check=True
        )
        size = place.stat().st_size
    return {"teams": teams, **json.loads(done.stdout), "database_mb": round(size / 1e6)}


@click.command()
@click.option("--teams", type=click.IntRange(2), default=100, show_default=True)
@click.option("--matches", type=click.IntRange(2), default=1_000_000, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def main(*, teams: int, matches: int, as_json: bool) -> None:
    """Measure the table of a large contest."""
    figures = measure(teams, matches)
    if as_json:
        click.echo(json.dumps(figures))
        return
    click.echo(f"{figures['matches']} matches of {teams} teams, {figures['database_mb']} MB")
    click.echo(
        f"table, strengths and {figures['intervals']} intervals in {figures['seconds']} s, {figures['peak_mb']} MB"
    )


if __name__ == "__main__":
    main()
