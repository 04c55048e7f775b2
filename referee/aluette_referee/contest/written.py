"""A contest as the file that describes it: what `contest.file` reads, written. Defaults are left out."""

from dataclasses import asdict
from typing import Any, Final

import tomli_w

from aluette_referee.clock import Limits
from aluette_referee.contest.contest import ROUND_ROBIN, BotSpec, Contest, Team

__all__ = ["WITHHELD", "as_file"]

WITHHELD: Final = "..."
"""In the place of the values of `env`: they may be secrets."""


def as_file(contest: Contest) -> str:
    """The text of a tournament file with which the same is played, but for bounds of the machine and values of `env`."""
    plain = Contest("", ())
    tournament: dict[str, Any] = {"name": contest.name}
    if contest.format.kind != ROUND_ROBIN.kind:
        tournament["format"] = contest.format.kind
    of_format = contest.format._asdict() | {"blocks": contest.blocks}
    usual = ROUND_ROBIN._asdict() | {"blocks": plain.blocks}
    for name in ("blocks", "challengers", "rounds", "extra_blocks"):
        if of_format[name] != usual[name]:
            tournament[name] = of_format[name]
    for name in ("seed", "names", "isolation"):
        if (value := getattr(contest, name)) != getattr(plain, name):
            tournament[name] = value
    usual = asdict(Limits())
    clock = {
        name: "none" if value is None else value
        for name, value in asdict(contest.limits).items()
        if value != usual[name]
    }
    strikes = contest.policy.strikes
    tables: dict[str, Any] = {
        "tournament": tournament,
        "rules": contest.rules.changes(),
        "clock": clock,
        "faults": {"policy": "substitute", "strikes": strikes} if strikes > 1 else {},
    }
    entered = "bot" if contest.format.kind == "individual" else "team"
    tables[entered] = [_team(team) for team in contest.teams]
    return tomli_w.dumps({name: table for name, table in tables.items() if table})


def _team(team: Team) -> dict[str, Any]:
    bots = [_bot(bot) for bot in team.bots]
    if len(bots) == 1:
        return {"name": team.name, **bots[0]}
    return {"name": team.name, "bots": [bot["run"] if len(bot) == 1 else bot for bot in bots]}


def _bot(bot: BotSpec) -> dict[str, Any]:
    found: dict[str, Any] = {"run": bot.run}
    if bot.options:
        found["options"] = dict(bot.options)
    if bot.env:
        found["env"] = dict.fromkeys(bot.env, WITHHELD)
    if bot.files:
        found["files"] = list(bot.files)
    return found
