"""What files of the referee have in common: their tables of clocks, limits and faults, and kinds of values.

What a file leaves out is left to the values that are made of it, so no default is written here.
"""

import re
from fractions import Fraction
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from aluette_referee.bounds import Sandbox
from aluette_referee.faults import Policy

__all__ = [
    "UNSET", "Clean", "ClockTable", "FaultsTable", "LimitsTable", "Name", "Seconds", "SecondsOrNone", "SecondsOrZero", "Table",
]  # fmt: skip

UNSET: Any = None
_UNITS: Final = {"ms": Fraction(1, 1000), "s": Fraction(1), "m": Fraction(60), "h": Fraction(3600)}
_LONGEST: Final = 24 * 3600


def _clean(text: str) -> str:
    if text != text.strip():
        raise ValueError("must not begin or end with blanks")
    if not text or not text.isprintable():
        raise ValueError("must be printable characters, at least one")
    return text


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


Clean: TypeAlias = Annotated[str, AfterValidator(_clean)]
Name: TypeAlias = Annotated[str, Field(max_length=64), AfterValidator(_clean)]
Seconds: TypeAlias = Annotated[float, BeforeValidator(_seconds)]
SecondsOrZero: TypeAlias = Annotated[float, BeforeValidator(_seconds_or_zero)]
SecondsOrNone: TypeAlias = Annotated[float | None, BeforeValidator(_seconds_or_none)]


class Table(BaseModel):
    """A table that has these keys and no others; values are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def given(self) -> dict[str, Any]:
        """What the file says, and nothing that it leaves out."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class ClockTable(Table):
    """`[clock]`: a `Limits`."""

    connect: Seconds = UNSET
    ready: SecondsOrNone = UNSET
    move: SecondsOrNone = UNSET
    goodbye: Seconds = UNSET
    grace: SecondsOrZero = UNSET
    bank: SecondsOrZero = UNSET
    ceiling: Seconds = UNSET
    pace: SecondsOrZero = UNSET


class LimitsTable(Table):
    """`[limits]`: `Bounds`."""

    memory: Annotated[int, BeforeValidator(_bytes)] = UNSET
    cpu: SecondsOrZero = UNSET
    processes: Annotated[int, Field(ge=0, le=1_000_000)] = UNSET
    files: Annotated[int, Field(ge=0, le=1_000_000)] = UNSET
    sandbox: Sandbox = UNSET
    max_bots: Annotated[int, Field(ge=4, le=10_000)] = UNSET


class FaultsTable(Table):
    """`[faults]`: a `Policy`."""

    policy: Literal["forfeit", "substitute"] = UNSET
    strikes: Annotated[int, Field(ge=2, le=100)] = UNSET
    """Only with substitute."""

    def as_policy(self, usual: Policy) -> Policy:
        """The policy, where `usual` is what holds of what the file does not say."""
        given = self.given()
        substitutes = given.get("policy", "substitute" if usual.strikes > 1 else "forfeit") == "substitute"
        return Policy(given.get("strikes", max(usual.strikes, 2)) if substitutes else 1)
