"""Forced disconnects: a bot that breaks its stream at every card and comes back, and the referee's memory meanwhile.

    python -m aluette_bench.disconnects --count 10000 [--json]

Two matches at a time of three honest bots and the one that breaks, each as long as a tournament's. Memory is the
resident set of this process, which is the referee's, at each tenth of the way.
"""

import itertools
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from aluette.packs import block_key, open_contest_key, pairing_id
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette_bench.honest import undisturbed
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import Policy
from aluette_referee.play.launch import resolve
from aluette_referee.play.live import Settings, play_plans
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed

__all__ = ["Disconnects", "disconnect", "memory_of"]

RULES: Final = RuleSet()
LIMITS: Final = Limits(connect=20.0, ready=10.0, move=10.0)
BREAKER: Final = "python -m aluette_bots.scripted come-back --every"
_PACKS: Final = 20


@dataclass
class Disconnects:
    """What came of it: how often the stream broke, matches that were not what they would have been, bytes of memory."""

    disconnects: int = 0
    matches: int = 0
    changed: int = 0
    memory: list[int] = field(default_factory=list[int])

    def as_json(self) -> dict[str, Any]:
        """The figures, for `json.dumps`."""
        return {
            "disconnects": self.disconnects,
            "matches": self.matches,
            "changed": self.changed,
            "memory_mb": [round(each / 1e6, 1) for each in self.memory],
        }


def disconnect(count: int, tables: int = 2) -> Disconnects:
    """Break a stream so many times at least, and see."""
    found = Disconnects()
    lowest, breaker = resolve(BotSpec("lowest"), Path.cwd()), resolve(BotSpec(BREAKER), Path.cwd())

    def plans() -> Iterator[MatchPlan]:
        for number in itertools.count():
            if found.disconnects >= count:
                return
            pack = number % _PACKS
            key = block_key(open_contest_key("disconnects"), pairing_id("one", "other"), pack)
            chairs = {seat: Chair(Post("honest", int(seat), 1), lowest, "") for seat in SEATS}
            chairs[Seat.S] = Chair(Post("breaker", 1, number % tables), breaker, "")
            yield MatchPlan(str(number), RULES, key, SEATS[pack % 4], chairs)

    def save(ended: Sequence[MatchPlayed]) -> None:
        for played in ended:
            record = played.outcome.record
            found.matches += 1
            found.changed += record is None or to_bytes(record) != undisturbed(played.plan)
            found.disconnects += sum(len(deal["tricks"]) for deal in (record or {"deals": []})["deals"])
            if len(found.memory) <= 10 and found.disconnects >= len(found.memory) * count / 10:
                found.memory.append(memory_of(os.getpid()))

    play_plans(plans(), Settings(LIMITS, Policy(), cores=2, tables=tables), save)
    return found


def memory_of(pid: int) -> int:
    """The resident set of a process, in bytes."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS:"))


@click.command()
@click.option("--count", type=click.IntRange(1), default=1000, show_default=True, help="How many at least.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def main(*, count: int, as_json: bool) -> None:
    """Break a bot's stream again and again, and print how much memory the referee needs for it."""
    figures = disconnect(count).as_json()
    if as_json:
        click.echo(json.dumps(figures))
        return
    click.echo(
        f"{figures['disconnects']} disconnects in {figures['matches']} matches, {figures['changed']} changed"
    )
    click.echo("memory, MB: " + " ".join(f"{each:g}" for each in figures["memory_mb"]))


if __name__ == "__main__":
    main()
