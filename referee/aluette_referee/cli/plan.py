"""`aluette tournament plan FILE`: the schedule of a tournament, without playing it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from aluette.record import replay
from aluette.rules import Action, Match, RuleSet
from aluette.seats import SEATS, Seat
from aluette.testing import play_match
from aluette_referee.cli.options import cores
from aluette_referee.contest import formats
from aluette_referee.contest.balance import Balance, balance_of
from aluette_referee.contest.contest import Contest, Entrant
from aluette_referee.contest.schedule import Round
from aluette_referee.play.tournament import read_file

__all__ = ["command"]

_LARGEST_MATRIX: Final = 16
"""Names of a table of who meets whom."""


@click.command("plan")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The rounds as JSON.")
@click.option(
    "--think", type=click.FloatRange(0), default=10.0, show_default=True, help="Milliseconds a decision."
)
def command(*, file: Path, as_json: bool, think: float) -> None:
    """Print who meets whom in the tournament in FILE.

    Nothing is played. It also shows how even the schedule is, and about how long it may take. Of a swiss or a knockout only the first round is known.
    """
    contest = read_file(file)
    # Who plays whom follows from the names; what the bots are makes no difference.
    entrants = [Entrant(team, ("",) * len(team.bots)) for team in contest.teams]
    rounds = list(formats.rounds(contest, entrants))
    if as_json:
        click.echo(json.dumps([_as_json(each) for each in rounds], ensure_ascii=False))
        return
    for number, each in enumerate(rounds, start=1):
        click.echo(_line(number, each))
    balance = balance_of(rounds)
    names = [entrant.name for entrant in entrants]
    console = Console()
    console.print(_table(names, balance))
    if len(names) <= _LARGEST_MATRIX:
        console.print(_who_meets_whom(names, balance))
    for line in (*_evenness(contest, entrants, balance), _estimate(contest, len(entrants), think)):
        click.echo(line)


def _line(number: int, each: Round) -> str:
    met = ", ".join(
        f"{block.meeting.one.name} - {block.meeting.other.name}"
        + (f" [{block.index + 1}]" if block.index else "")
        for block in each.blocks
    )
    out = ", ".join(entrant.name for entrant in each.sits_out)
    return f"Round {number}: {met}{f'; {out} out' if out else ''}"


def _as_json(each: Round) -> dict[str, object]:
    blocks = [
        {
            "sides": [[entrant.name for entrant in side.entrants] for side in block.meeting],
            "block": block.index,
            "first_dealer": block.first_dealer.name,
        }
        for block in each.blocks
    ]
    return {"blocks": blocks, "sits_out": [entrant.name for entrant in each.sits_out]}


def _table(names: Sequence[str], balance: Balance) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", overflow="fold")
    for heading in ("Matches", *(f"at {seat.name}" for seat in SEATS), "First dealer", "Sits out"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name in names:
        seats = [str(balance.seats[name][seat]) for seat in SEATS]
        counts = (balance.matches[name], *seats, balance.first_dealer[name], balance.sits_out[name])
        table.add_row(Text(name), *map(str, counts))
    return table


def _who_meets_whom(names: Sequence[str], balance: Balance) -> Table:
    """Matches with each other as opponents; of drawn partners those as partners first."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("with / against" if balance.partners else "against", overflow="fold")
    for number in range(1, len(names) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    for number, name in enumerate(names, start=1):
        pairs = [frozenset((name, other)) for other in names]
        cells = [
            "" if len(pair) < 2
            else f"{balance.partners[pair]}/{balance.met[pair]}" if balance.partners else str(balance.met[pair])
            for pair in pairs
        ]  # fmt: skip
        table.add_row(Text(f"{number} {name}"), *cells)
    return table


def _evenness(contest: Contest, entrants: Sequence[Entrant], balance: Balance) -> Iterator[str]:
    names = [entrant.name for entrant in entrants]
    pairs = [("opponents", balance.met)]
    if contest.format.kind == "individual":
        pairs.insert(0, ("partners", balance.partners))
    for what, counts in pairs:
        low, high = balance.spread(counts, names)
        often = f"{low}" if low == high else f"{low} to {high}"
        yield f"Each two are {what} in {often} matches."
    if contest.format.goes_by_results:
        yield "Later rounds are drawn when the one before is over."


def _estimate(contest: Contest, count: int, think: float) -> str:
    matches = formats.fewest_matches(contest, count)
    decisions = _decisions(contest.rules)
    seconds = matches * decisions * think / 1000 / cores()
    least = " at least" if contest.format.kind == "knockout" else ""
    return (
        f"{matches} matches{least}, of about {decisions} decisions each: {_duration(seconds)} "
        f"when a decision takes {think:g} ms and {cores()} are taken at a time (--think)."
    )


def _decisions(rules: RuleSet) -> int:
    """How often bots are asked in a match, as one that is played here."""
    asked = 0

    def count(_match: Match, _seat: Seat, _action: Action | None) -> None:
        nonlocal asked
        asked += 1

    replay(play_match(["lowest"] * 4, rules=rules), watch=count)
    return asked


def _duration(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"about {seconds / size:.0f} {unit}"
    return f"about {max(1, seconds):.0f} s"
