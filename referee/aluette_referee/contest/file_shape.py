"""The shape of a tournament file: its tables and keys, their types and ranges, as pydantic models.

What the file leaves out is left to `Contest` and its parts, so no default is written here. Mistakes
that span several keys are for `contest.file` to find.
"""

import json
import re
from collections.abc import Collection
from dataclasses import fields, replace
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from aluette.rules import RuleSet
from aluette_referee.bounds import Bounds, Sandbox
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
from aluette_referee.faults import Policy

__all__ = ["KEYS", "FileShape"]

_UNSET: Any = None
_UNITS: Final = {"ms": Fraction(1, 1000), "s": Fraction(1), "m": Fraction(60), "h": Fraction(3600)}
_LONGEST: Final = 24 * 3600


def _clean(text: str) -> str:
    if text != text.strip():
        raise ValueError("must not begin or end with blanks")
    if not text or not text.isprintable():
        raise ValueError("must be printable characters, at least one")
    return text


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


def _seconds(value: object) -> object:
    seconds = value
    if isinstance(value, str) and (
        parts := re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?(ms|s|m|h)", value)
    ):
        seconds = float(Fraction(parts[1]) * _UNITS[parts[2]])
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds <= _LONGEST:
        raise ValueError(
            'must be seconds, or a time such as "500ms", "2s" or "1m"; over 0 and up to 24 hours'
        )
    return float(seconds)


def _seconds_or_none(value: object) -> object:
    try:
        return None if value == "none" else _seconds(value)
    except ValueError as error:
        raise ValueError(f'{error}; or "none" for no clock') from None


def _seconds_or_zero(value: object) -> object:
    return 0.0 if value in (0, "0s") else _seconds(value)


def _bytes(value: object) -> object:
    if value == 0 and not isinstance(value, bool):
        return 0
    if isinstance(value, str) and (parts := re.fullmatch(r"([0-9]{1,9}) ?([MG])B", value)) and int(parts[1]):
        return int(parts[1]) * 1024 ** (2 if parts[2] == "M" else 3)
    raise ValueError('must be a size such as "512MB" or "2GB", or 0 for no bound')


def _table_of(value: object) -> object:
    return {"run": value} if isinstance(value, str) else value


_Clean: TypeAlias = Annotated[str, AfterValidator(_clean)]
_Seconds: TypeAlias = Annotated[float, BeforeValidator(_seconds)]
_SecondsOrZero: TypeAlias = Annotated[float, BeforeValidator(_seconds_or_zero)]
_SecondsOrNone: TypeAlias = Annotated[float | None, BeforeValidator(_seconds_or_none)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    def given(self) -> dict[str, Any]:
        """What the file says, and nothing that it leaves out."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class _Tournament(_Table):
    name: _Clean
    profile: Literal["strict", "league"] = _UNSET
    format: Kind = _UNSET
    challengers: Annotated[int, Field(ge=1, le=1000)] = _UNSET
    rounds: Annotated[int, Field(ge=1, le=1000)] = _UNSET
    extra_blocks: Annotated[int, Field(ge=0, le=1000)] = _UNSET
    """Each only with the format that it is of; `contest.file` sees to it."""
    blocks: Annotated[int, Field(ge=1, le=100_000)] = _UNSET
    seed: Annotated[int | str, BeforeValidator(_seed)] = _UNSET
    names: bool = _UNSET
    isolation: Isolation = _UNSET


class _Clock(_Table):
    connect: _Seconds = _UNSET
    ready: _SecondsOrNone = _UNSET
    move: _SecondsOrNone = _UNSET
    goodbye: _Seconds = _UNSET
    grace: _SecondsOrZero = _UNSET
    bank: _SecondsOrZero = _UNSET
    ceiling: _Seconds = _UNSET
    pace: _SecondsOrZero = _UNSET


class _Limits(_Table):
    memory: Annotated[int, BeforeValidator(_bytes)] = _UNSET
    cpu: _SecondsOrZero = _UNSET
    processes: Annotated[int, Field(ge=0, le=1_000_000)] = _UNSET
    files: Annotated[int, Field(ge=0, le=1_000_000)] = _UNSET
    sandbox: Sandbox = _UNSET
    max_bots: Annotated[int, Field(ge=4, le=10_000)] = _UNSET


class _Store(_Table):
    keep: Keep = _UNSET


class _Faults(_Table):
    policy: Literal["forfeit", "substitute"] = _UNSET
    strikes: Annotated[int, Field(ge=2, le=100)] = _UNSET
    """Only with substitute; `contest.file` sees to it."""


class _BotTable(_Table):
    run: _Clean
    options: Annotated[dict[str, Any], AfterValidator(_options)] = _UNSET
    env: Annotated[dict[str, str], AfterValidator(_variables)] = _UNSET
    files: list[_Clean] = _UNSET

    def spec(self) -> BotSpec:
        given = self.given()
        given.pop("name", None)
        files = tuple(given.pop("files", ()))
        return BotSpec(**given, files=files)


_Bot: TypeAlias = Annotated[_BotTable, BeforeValidator(_table_of)]


class _Team(_Table):
    name: Annotated[str, Field(max_length=64), AfterValidator(_clean)]
    bots: list[_Bot] = _UNSET
    bot: _Bot = _UNSET
    """One that stands for two copies; `contest.file` sees to it that there are two bots or this."""

    def team(self) -> Team:
        one, two = self.bots or (self.bot, self.bot)
        return Team(self.name, (one.spec(), two.spec()))


class _Entry(_BotTable):
    name: Annotated[str, Field(max_length=64), AfterValidator(_clean)]

    def team(self) -> Team:
        return Team(self.name, (self.spec(),))


class FileShape(_Table):
    """A whole file. `rules` is checked by `RuleSet`, whose options are its keys."""

    tournament: _Tournament
    rules: dict[str, Any] = Field(default_factory=dict[str, Any])
    clock: _Clock = Field(default_factory=_Clock)
    faults: _Faults = Field(default_factory=_Faults)
    limits: _Limits = Field(default_factory=_Limits)
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
        faults = self.faults.given()
        substitutes = faults.get("policy", "substitute" if profile.policy.strikes > 1 else "forfeit")
        strikes = faults.get("strikes", max(profile.policy.strikes, 2)) if substitutes == "substitute" else 1
        return Contest(
            **given,
            format=Format(kind, **of_format),
            teams=(*(each.team() for each in self.team), *(each.team() for each in self.bot)),
            rules=RuleSet.of(self.rules),
            limits=replace(profile.limits, **self.clock.given()),
            policy=Policy(strikes),
            bounds=Bounds(**self.limits.given()),
            **self.store.given(),
        )


KEYS: Final[dict[tuple[str, ...], Collection[str]]] = {
    (): FileShape.model_fields,
    ("tournament",): _Tournament.model_fields,
    ("rules",): [field.name for field in fields(RuleSet)],
    ("clock",): _Clock.model_fields,
    ("faults",): _Faults.model_fields,
    ("limits",): _Limits.model_fields,
    ("store",): _Store.model_fields,
    ("team",): _Team.model_fields,
    ("team", "bots"): _BotTable.model_fields,
    ("team", "bot"): _BotTable.model_fields,
    ("bot",): _Entry.model_fields,
}
"""The keys of each table, by the names that lead to it."""
