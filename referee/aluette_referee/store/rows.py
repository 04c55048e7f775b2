"""A contest, its teams and its blocks as rows of the tables, and back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, get_args

from sqlalchemy import Row, RowMapping

from aluette.rules import RuleSet
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec, Contest, Entrant, Format, Isolation, Keep, Kind, Team
from aluette_referee.contest.schedule import Block, Meeting, Partnership
from aluette_referee.faults import Policy

__all__ = [
    "block_of",
    "block_row",
    "contest_of",
    "contest_row",
    "differences",
    "entrant_of",
    "entrant_row",
    "keeps_all",
    "settings_after",
]

# -- the contest ----------------------------------------------------------------------------------------


def contest_row(contest: Contest) -> dict[str, Any]:
    """The columns of a contest that its file says."""
    return {
        "name": contest.name,
        "settings": json.dumps(
            {
                "format": {
                    name: value for name, value in contest.format._asdict().items() if value is not None
                },
                "rules": contest.rules.identity,
                "clock": asdict(contest.limits),
                "names": contest.names,
                "isolation": contest.isolation,
                "strikes": contest.policy.strikes,
                "keep": contest.keep,
            }
        ),
        "blocks": contest.blocks,
        "seed": _seed_text(contest),
    }


def contest_of(row: RowMapping, teams: Sequence[Team]) -> Contest:
    """The contest of a row. Its seed is text: `7` and `"7"` are one seed."""
    settings = json.loads(row["settings"])
    if not isinstance(row["blocks"], int) or not 1 <= row["blocks"] <= _MOST_BLOCKS:
        raise ValueError("a contest has a block at least")
    contest = Contest(
        name=row["name"],
        teams=tuple(teams),
        blocks=row["blocks"],
        format=Format(**settings["format"]),
        seed=row["seed"],
        names=settings["names"],
        isolation=settings["isolation"],
        rules=RuleSet.parse(settings["rules"]),
        limits=Limits(**settings["clock"]),
        policy=Policy(settings.get("strikes", 1)),
    )
    if not _in_form(contest):
        raise TypeError("a setting is of another type")
    return contest


_MOST_BLOCKS: Final = 1_000_000


def _in_form(contest: Any) -> bool:
    """Whether the values of a contest that was read are of the types that are written."""
    counts = (contest.format.challengers, contest.format.extra_blocks, contest.policy.strikes)
    clock = asdict(contest.limits)
    return (
        all(
            isinstance(text, str)
            for text in (contest.name, *([] if contest.seed is None else [contest.seed]))
        )
        and contest.format.kind in get_args(Kind)
        and contest.isolation in get_args(Isolation)
        and isinstance(contest.names, bool)
        and all(isinstance(count, int) for count in (*counts, contest.format.rounds or 1))
        and all(isinstance(limit, int | float) or limit is None for limit in clock.values())
    )


def settings_after(settings: str, keep: Keep) -> str:
    """The settings after one more run: that records may have been left out is never forgotten."""
    return settings if keep == "all" else json.dumps({**json.loads(settings), "keep": keep})


def keeps_all(settings: str) -> bool:
    """Whether no run so far was to leave a record out."""
    return bool(json.loads(settings).get("keep", "all") == "all")


def _seed_text(contest: Contest) -> str | None:
    """The seed as it is stored."""
    return None if contest.seed is None else str(contest.seed)


def differences(was: Contest, now: Contest) -> list[str]:
    """What may not change in a contest and has, each as "rules were ... and are now ..."."""
    clocks = [
        (f"clock.{name}", _seconds(before), _seconds(asdict(now.limits)[name]))
        for name, before in asdict(was.limits).items()
    ]
    rows = [
        ("name", was.name, now.name),
        ("format", str(was.format), str(now.format)),
        ("rules", was.rules.identity, now.rules.identity),
        *clocks,
        ("faults", str(was.policy), str(now.policy)),
        ("seed", _seed_text(was) or "secret", _seed_text(now) or "secret"),
        ("isolation", was.isolation, now.isolation),
        *([("blocks", str(was.blocks), str(now.blocks))] if was.format.goes_by_results else []),
        ("names", "on" if was.names else "off", "on" if now.names else "off"),
    ]
    return [
        f"{name} were {before} and are now {after}"
        if name in {"rules", "names", "faults", "blocks"}
        else f"{name} was {before} and is now {after}"
        for name, before, after in rows
        if before != after
    ]


def _seconds(limit: float | None) -> str:
    return "off" if limit is None else f"{limit:g} s"


# -- teams and blocks -----------------------------------------------------------------------------------


def entrant_row(entrant: Entrant, position: int) -> dict[str, Any]:
    """An active team."""
    return {
        "id": entrant.id,
        "name": entrant.name,
        "contents": json.dumps(entrant.contents),
        "bots": json.dumps([_bot_value(bot) for bot in entrant.team.bots]),
        "position": position,
        "active": True,
    }


def entrant_of(row: RowMapping) -> Entrant:
    """The team of a row, with the content that its bots had."""
    bots = tuple(
        BotSpec(bot["run"], bot["options"], bot["env"], tuple(bot["files"]))
        for bot in json.loads(row["bots"])
    )
    contents = tuple(json.loads(row["contents"]))
    if not 1 <= len(bots) == len(contents) <= 2:
        raise ValueError("a team has two bots, or one")
    texts = (
        row["name"],
        *contents,
        *(text for bot in bots for text in (bot.run, *bot.env.values(), *bot.files)),
    )
    if not all(isinstance(text, str) for text in texts) or not all(
        isinstance(bot.options, dict) for bot in bots
    ):
        raise TypeError("a bot is of another form")
    return Entrant(Team(row["name"], bots), contents)


def _bot_value(bot: BotSpec) -> dict[str, Any]:
    return {
        "run": bot.run,
        "options": dict(bot.options),
        "env": dict(bot.env),
        "files": list(bot.files),
    }


def block_row(block: Block, key: bytes) -> dict[str, Any]:
    """A block of the schedule with its commitment, before its first card."""
    one, other = block.meeting
    return {
        "id": block.id,
        "number": block.index,
        "one": one.ids[0],
        "one_partner": one.ids[1] if len(one.ids) > 1 else None,
        "other": other.ids[0],
        "other_partner": other.ids[1] if len(other.ids) > 1 else None,
        "commitment": block.key(key).commitment,
        "scheduled": True,
    }


def block_of(row: Row[*tuple[Any, ...]], entrants: Mapping[str, Entrant]) -> Block:
    """The block of a row."""
    partners = {name: entrants.get(getattr(row, name)) for name in ("one_partner", "other_partner")}
    one = Partnership.of(entrants[row.one], partners["one_partner"])
    other = Partnership.of(entrants[row.other], partners["other_partner"])
    return Block(Meeting(one, other), row.number)
