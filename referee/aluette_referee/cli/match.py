"""`aluette match`: one match of four bots, or a quick contest of two."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from aluette.errors import Misuse
from aluette.packs import open_contest_key
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette.testing import match_key
from aluette_referee.cli.options import PlayOptions, read_rules, with_play_options
from aluette_referee.cli.playing import need_terminal, prints_apart
from aluette_referee.cli.progress import PlayProgress
from aluette_referee.cli.table import print_sheet
from aluette_referee.contest.contest import PROFILES, BotSpec
from aluette_referee.contest.formats.round_robin import round_robin
from aluette_referee.contest.ranking import ranking
from aluette_referee.contest.schedule import fixtures_of
from aluette_referee.contest.tally import Result, faults_of, tallies
from aluette_referee.play.launch import resolve
from aluette_referee.play.live import Settings, check_launches, play_plans
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed
from aluette_referee.play.seating import plans_of, prepare_two
from aluette_referee.report import tables
from aluette_referee.report.blame import blame
from aluette_referee.report.transcript import transcript

__all__ = ["command"]


@click.command("match")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT BOT]")
@click.option(
    "--seed", default="0", show_default=True, help="Says all the luck: the same seed, the same match."
)
@click.option(
    "--set", "options", multiple=True, metavar="NAME=VALUE", help="A rule option, such as seating=draw."
)
@click.option("--blocks", type=click.IntRange(1), help="For two bots: how many mirrored pairs of matches.")
@click.option("--json", "as_json", is_flag=True, help="The record (or the table) as JSON.")
@click.option(
    "--profile", type=click.Choice(list(PROFILES)), default="strict", help="strict: a fault loses the match."
)
@with_play_options
def command(
    *,
    bots: tuple[str, ...],
    seed: str,
    options: tuple[str, ...],
    blocks: int | None,
    as_json: bool,
    profile: str,
    play: PlayOptions,
) -> None:
    """Play one match of four bots, or a contest of two.

    Four BOTs sit at N E S W. Of two, each plays both partners of a team, in mirrored blocks.

    A BOT is a built-in name (see `aluette bots`), file.py:Class, file.py:function, package.module:Class,
    a command line in quotes, or external.
    """
    rules = read_rules(options)
    settings = play.settings(*PROFILES[profile])
    if len(bots) == 4:
        if blocks is not None:
            raise Misuse("--blocks is for a contest of two bots; four bots play one match")
        _one_match(bots, seed, rules, settings, as_json=as_json)
    elif len(bots) == 2:
        _contest(bots, seed, rules, settings, blocks or 1, as_json=as_json)
    else:
        raise Misuse(f"a match has four bots and a contest two, not {len(bots)}")


def _one_match(
    bots: tuple[str, ...], seed: str, rules: RuleSet, settings: Settings, *, as_json: bool
) -> None:
    launches = [resolve(BotSpec(bot), Path.cwd()) for bot in bots]
    launches = [
        launch if launch.command else replace(launch, label=f"{launch.label} at {seat}")
        for seat, launch in zip(SEATS, launches, strict=True)
    ]
    chairs = {
        seat: Chair(Post(launch.label, int(seat), 1), launch, launch.label)
        for seat, launch in zip(SEATS, launches, strict=True)
    }
    ended: list[MatchPlayed] = []
    plan = MatchPlan("match", rules, match_key(seed), Seat.N, chairs)
    need_terminal(launches, settings)
    with prints_apart(settings):
        check_launches(launches, rules, settings)
        play_plans([plan], settings, ended.extend)
    (played,) = ended
    record = played.outcome.record
    if record is None:
        raise Misuse(f"the match could not be played: {'; '.join(played.voids)}")
    if as_json:
        click.echo(to_bytes(record))
        return
    moved = record["draw"]["chairs"] if record["draw"] else {seat.name: seat.name for seat in SEATS}
    seated = {Seat[moved[seat.name]]: chairs[seat].launch.label for seat in SEATS}
    for line in transcript(record, seated):
        click.echo(line)
    for fault in (*played.outcome.strikes, *played.outcome.faults):
        click.echo(f"\n{blame(fault, seated[fault.seat])}", err=True)


def _contest(
    bots: tuple[str, ...], seed: str, rules: RuleSet, settings: Settings, blocks: int, *, as_json: bool
) -> None:
    if rules.cut == "player" or rules.seating == "draw":
        raise Misuse(
            "a contest plays the same packs twice: cut=player and seating=draw are for one match of four bots"
        )
    prepared = prepare_two(bots, Path.cwd())
    names = [entrant.name for entrant in prepared.entrants]
    fixtures = {fixture.id: fixture for fixture in fixtures_of(round_robin(prepared.entrants, blocks))}
    plans = plans_of(fixtures.values(), prepared, rules, open_contest_key(seed))
    results: list[Result] = []
    void = 0
    need_terminal(prepared.launches, settings)
    with prints_apart(settings):
        check_launches(prepared.launches, rules, settings)
    with PlayProgress(len(fixtures)) as progress:

        def save(ended: Sequence[MatchPlayed]) -> None:
            nonlocal void
            for played in ended:
                if played.outcome.record is None:
                    void += 1
                    progress.say(f"a match could not be played: {'; '.join(played.voids)}")
                    continue
                progress.advance()
                fixture = fixtures[played.plan.id]
                made = (*played.outcome.faults, *played.outcome.strikes)
                results.append(Result.of_record(fixture, played.outcome.record, made))

        with prints_apart(settings):
            play_plans(plans, settings, save)
    sheet = tables.standings(ranking(names, tallies(results), faults=faults_of(results)))
    if as_json:
        told = {"standings": sheet.records, "matches_played": len(results), "matches_void": void}
        click.echo(json.dumps(told, ensure_ascii=False))
    else:
        print_sheet(sheet)
