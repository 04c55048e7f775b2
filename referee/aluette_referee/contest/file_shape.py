"""The shape of a tournament file: its tables and keys, their types and ranges, as pydantic models.

What the file leaves out is left to `Contest` and its parts, so no default is written here. Mistakes
that span several keys are for `contest.file` to find.
"""

import json
from collections.abc import Collection
from dataclasses import fields, replace
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

from aluette.rules import RuleSet
from aluette_referee.bounds import Bounds
from aluette_referee.contest.contest import (
    PROFILES,
    ROUND_ROBIN,
    BotSpec,
    Contest,
    Format,
    Isolation,
    Keep,
    Kind,
    Team,
)
from aluette_referee.contest.file_tables import (
    UNSET,
    Clean,
    ClockTable,
    FaultsTable,
    LimitsTable,
    Name,
    Table,
)

__all__ = ["KEYS", "FileShape"]


def _variables(env: dict[str, str]) -> dict[str, str]:
    """What an environment can hold (POSIX), and a process be started with."""
    for name, value in env.items():
        if not name or not name.isprintable() or "=" in name:
            raise ValueError(f"{name!r} is no name of an environment variable")
        if "\0" in value or len(value) > 30_000:
            raise ValueError(f"{name} must be text of at most 30,000 characters, none of them NUL")
    return env


def _options(options: dict[str, Any]) -> dict[str, Any]:
    """They reach a process in its environment."""
    if len(json.dumps(options, default=str)) > 30_000:
        raise ValueError("must be short: at most 30,000 characters as JSON; name a file instead")
    return options


def _seed(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise ValueError("must be a whole number or some text")
    if isinstance(value, str) and not value.isprintable():
        raise ValueError("must be printable characters")
    return value


def _table_of(value: object) -> object:
    return {"run": value} if isinstance(value, str) else value


class _Tournament(Table):
    name: Clean
    profile: Literal["strict", "league"] = UNSET
    format: Kind = UNSET
    challengers: Annotated[int, Field(ge=1, le=1000)] = UNSET
    rounds: Annotated[int, Field(ge=1, le=1000)] = UNSET
    extra_blocks: Annotated[int, Field(ge=0, le=1000)] = UNSET
    """Each only with the format that it is of; `contest.file` sees to it."""
    blocks: Annotated[int, Field(ge=1, le=100_000)] = UNSET
    seed: Annotated[int | str, BeforeValidator(_seed)] = UNSET
    names: bool = UNSET
    isolation: Isolation = UNSET


class _Store(Table):
    keep: Keep = UNSET


class _BotTable(Table):
    run: Clean
    options: Annotated[dict[str, Any], AfterValidator(_options)] = UNSET
    env: Annotated[dict[str, str], AfterValidator(_variables)] = UNSET
    files: list[Clean] = UNSET

    def spec(self) -> BotSpec:
        given = self.given()
        given.pop("name", None)
        files = tuple(given.pop("files", ()))
        return BotSpec(**given, files=files)


_Bot: TypeAlias = Annotated[_BotTable, BeforeValidator(_table_of)]


class _Team(Table):
    name: Name
    bots: list[_Bot] = UNSET
    bot: _Bot = UNSET
    """One that stands for two copies; `contest.file` sees to it that there are two bots or this."""

    def team(self) -> Team:
        one, two = self.bots or (self.bot, self.bot)
        return Team(self.name, (one.spec(), two.spec()))


class _Entry(_BotTable):
    name: Name

    def team(self) -> Team:
        return Team(self.name, (self.spec(),))


class FileShape(Table):
    """A whole file. `rules` is checked by `RuleSet`, whose options are its keys."""

    tournament: _Tournament
    rules: dict[str, Any] = Field(default_factory=dict[str, Any])
    clock: ClockTable = Field(default_factory=ClockTable)
    faults: FaultsTable = Field(default_factory=FaultsTable)
    limits: LimitsTable = Field(default_factory=LimitsTable)
    store: _Store = Field(default_factory=_Store)
    team: list[_Team] = Field(default_factory=list[_Team])
    bot: list[_Entry] = Field(default_factory=list[_Entry])
    """In an individual contest, in the place of teams."""

    def contest(self) -> Contest:
        """The contest, once no mistake is left."""
        given = self.tournament.given()
        of_format = {name: given.pop(name) for name in Format._fields if name in given}
        kind = given.pop("format", ROUND_ROBIN.kind)
        profile = PROFILES[given.pop("profile", "strict")]
        return Contest(
            **given,
            format=Format(kind, **of_format),
            teams=(*(each.team() for each in self.team), *(each.team() for each in self.bot)),
            rules=RuleSet.of(self.rules),
            limits=replace(profile.limits, **self.clock.given()),
            policy=self.faults.as_policy(profile.policy),
            bounds=Bounds(**self.limits.given()),
            **self.store.given(),
        )


KEYS: Final[dict[tuple[str, ...], Collection[str]]] = {
    (): FileShape.model_fields,
    ("tournament",): _Tournament.model_fields,
    ("rules",): [field.name for field in fields(RuleSet)],
    ("clock",): ClockTable.model_fields,
    ("faults",): FaultsTable.model_fields,
    ("limits",): LimitsTable.model_fields,
    ("store",): _Store.model_fields,
    ("team",): _Team.model_fields,
    ("team", "bots"): _BotTable.model_fields,
    ("team", "bot"): _BotTable.model_fields,
    ("bot",): _Entry.model_fields,
}
"""The keys of each table, by the names that lead to it."""
