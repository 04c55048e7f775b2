"""A scoreboard of faults: sins at random places among honest matches, and what the referee made of them.

    python -m aluette_bench.faults --count 2000 [--seed S] [--tables N] [--json]

For each sin of `aluette_bots.scripted`, in turn: a process that commits it at a random deal and trick, at a random
seat, against three honest ones that play at many tables at once; and as many matches of honest bots alone.
"""

import itertools
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from aluette.packs import block_key, open_contest_key, pairing_id
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette_bench.honest import undisturbed
from aluette_bots.scripted import SINS
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import Policy
from aluette_referee.play.launch import Launch, resolve
from aluette_referee.play.live import Settings, play_plans
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed
from aluette_referee.play.warden import descendants

__all__ = ["Scoreboard", "bots_alive", "inject"]

RULES: Final = RuleSet(deals=2)
LIMITS: Final = Limits(connect=20.0, ready=10.0, move=2.0, grace=0.5)
BOUNDS: Final = Bounds(memory=200 * 1024**2)


class Injection(NamedTuple):
    """A sin in a match: which, at which seat, from which deal and trick on."""

    sin: str
    seat: Seat
    deal: int
    trick: int


@dataclass
class Scoreboard:
    """What came of it. `stall` is the longest time that a turn took over its limit, in seconds."""

    injected: Counter[str] = field(default_factory=Counter[str])
    attributed: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])
    honest: int = 0
    honest_changed: int = 0
    orphans: int = 0
    stall: float = -LIMITS.connect

    def as_json(self) -> dict[str, Any]:
        """The figures, for `json.dumps`."""
        return {
            "injected": sum(self.injected.values()),
            "attributed": sum(self.attributed.values()),
            "honest_matches": self.honest,
            "honest_changed": self.honest_changed,
            "orphans": self.orphans,
            "longest_stall_over_limit_s": round(self.stall, 3),
            "by_sin": {sin: [self.attributed[sin], count] for sin, count in sorted(self.injected.items())},
            "wrong": self.wrong,
        }


def inject(count: int, seed: int, tables: int, told: Callable[[int], object] = lambda _: None) -> Scoreboard:
    """Inject so many sins, and see."""
    before = bots_alive()
    board = Scoreboard()
    injections = _injections(count, seed)
    base = Path.cwd()
    lowest = resolve(BotSpec("lowest"), base)
    scripted = {
        injection: resolve(
            BotSpec(
                f"python -m aluette_bots.scripted {injection.sin} --deal {injection.deal} --trick {injection.trick}"
            ),
            base,
        )
        for injection in injections
    }

    def plans() -> Iterator[MatchPlan]:
        for number, injection in enumerate(injections):
            yield _plan(f"sin {number}", number, lowest, {injection.seat: scripted[injection]})
            yield _plan(f"honest {number}", number, lowest, {})

    def save(ended: Sequence[MatchPlayed]) -> None:
        for played in ended:
            kind, _, text = played.plan.id.partition(" ")
            number = int(text)
            honest = undisturbed(played.plan)
            if kind == "honest":
                _judge_honest(board, played, honest)
            else:
                _judge(board, played, injections[number], honest)
        told(board.honest + sum(board.injected.values()))

    play_plans(plans(), Settings(LIMITS, Policy(), cores=2, tables=tables, bounds=BOUNDS), save)
    board.orphans = len(bots_alive() - before)
    return board


def bots_alive() -> set[int]:
    """Processes below this one that are bots, or were started by one: they have a bot's token."""
    return {pid for pid in descendants(os.getpid()) if _has_token(pid)}


def _has_token(pid: int) -> bool:
    try:
        return b"ALUETTE_TOKEN=" in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False  # it has ended meanwhile


def _injections(count: int, seed: int) -> list[Injection]:
    chance = random.Random(seed)  # noqa: S311
    return [
        Injection(sin, chance.choice(SEATS), chance.randint(1, 2), chance.randint(1, 9))
        for sin in itertools.islice(itertools.cycle(SINS), count)
    ]


def _plan(name: str, number: int, lowest: Launch, others: Mapping[Seat, Launch]) -> MatchPlan:
    key = block_key(open_contest_key("faults"), pairing_id("one", "other"), number)
    chairs = {
        seat: Chair(Post(name, int(seat), 1), others[seat], "")
        if seat in others
        else Chair(Post("honest", int(seat), 1), lowest, "")
        for seat in SEATS
    }
    return MatchPlan(name, RULES, key, SEATS[number % 4], chairs)


def _judge_honest(board: Scoreboard, played: MatchPlayed, honest: bytes) -> None:
    record = played.outcome.record
    board.honest += 1
    if played.outcome.faults or record is None or to_bytes(record) != honest:
        board.honest_changed += 1
        board.wrong.append(f"{played.plan.id}: {played.outcome.faults or played.voids}")


def _judge(board: Scoreboard, played: MatchPlayed, injection: Injection, honest: bytes) -> None:
    board.injected[injection.sin] += 1
    record, faults = played.outcome.record, played.outcome.faults
    kind = SINS[injection.sin].fault
    where = (0, 0) if SINS[injection.sin].act is None else (injection.deal, injection.trick)
    if kind:
        right = [(fault.type.value, fault.seat, fault.place) for fault in faults] == [
            (kind, injection.seat, where)
        ]
    else:
        right = not faults and record is not None and to_bytes(record) == honest
    board.attributed[injection.sin] += right
    if not right:
        said = [
            (str(fault.type), str(fault.seat), fault.deal, fault.trick, fault.evidence) for fault in faults
        ]
        board.wrong.append(f"{injection}: {said or played.voids}")
    for fault in faults:
        if fault.elapsed is not None and fault.limit is not None:
            board.stall = max(board.stall, fault.elapsed - fault.limit)


@click.command()
@click.option("--count", type=click.IntRange(1), default=len(SINS), show_default=True, help="How many sins.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the places.")
@click.option("--tables", type=click.IntRange(1), default=8, show_default=True, help="Matches at once.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def main(*, count: int, seed: int, tables: int, as_json: bool) -> None:
    """Inject faults into a running tournament of honest bots, and print what the referee made of them."""
    began = time.monotonic()

    def told(done: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{done} of {2 * count} matches", nl=False, err=True)

    board = inject(count, seed, tables, told)
    figures = board.as_json()
    if as_json:
        click.echo(json.dumps(figures))
        return
    click.echo(f"injected {figures['injected']}, right seat, type and place {figures['attributed']}")
    click.echo(f"honest matches {board.honest}, changed {board.honest_changed}")
    click.echo(f"orphans {board.orphans}, longest stall {board.stall:.3f} s over the limit")
    click.echo(f"in {time.monotonic() - began:.0f} s")
    for line in board.wrong:
        click.echo(f"wrong: {line}", err=True)


if __name__ == "__main__":
    main()
