"""A rule set: every option of the game, checked, as one value with an identity.

The identity (`standard/1+notice=0.25,tie=extra_deals`) is what a result is filed under, so results
of different rules never mix. It is `standard/1` followed by the options that differ from it, sorted;
`RuleSet.parse` reads it back. What the options *do* is decided by the modules beside this one.
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Final, Literal, cast

from aluette.errors import Misuse, NotationError

__all__ = ["STANDARD", "RuleSet"]

STANDARD_NAME: Final = "standard/1"
NOTICE_SCALE: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The options of a match. `RuleSet()` is the standard game, `RuleSet(deals=1)` one that differs in that.

    seating: who sits where: "fixed", as the contest says, or "draw", the partner draw (`aluette.rules.draw`).
    cut: who cuts: the "referee", by the block key, or the "player" on the dealer's right.
    chant: whether the stock is dealt to the dealer and the dealer's left: "ask" for votes, "off", "always".
    chant_discard: which six of the fifteen may be put aside: "free", or only those of the "lowest" strengths.
    mordienne: whether a deal won by one unbroken closing run scores 2; else it scores 1 like any other.
    deals: how many deals a match has, 1 to 100.
    tie: equal totals are a "draw", or "extra_deals" follow, at most twenty, until one side leads.
    signals: whether partners may signal cards to each other.
    signals_per_deal: how many signals of one seat are accepted in a deal, 0 to 9.
    notice: how likely each opponent is to notice a signal, 0 (private) to 1 (public), four decimals.
    truthful: whether a signal about cards that the seat does not hold is dropped.

    The constructor takes options of the right type and raises `Misuse` naming every one out of
    range; `RuleSet.of` takes what a person wrote (`"on"`, `"0.25"`) and says "did you mean".
    """

    seating: Literal["fixed", "draw"] = "fixed"
    cut: Literal["referee", "player"] = "referee"
    chant: Literal["ask", "off", "always"] = "ask"
    chant_discard: Literal["free", "lowest"] = "free"
    mordienne: bool = True
    deals: int = 5
    tie: Literal["draw", "extra_deals"] = "draw"
    signals: bool = True
    signals_per_deal: int = 3
    notice: float = 0.5
    truthful: bool = True

    def __post_init__(self) -> None:
        mistakes = [
            f"{field.name} = {value!r}: {problem}"
            for field in fields(self)
            if (problem := _problem(field.name, value := getattr(self, field.name))) is not None
        ]
        if mistakes:
            raise Misuse("; ".join(mistakes))
        # 1 and 1.0, 0.3 and 0.1 + 0.2 are one probability: one value, one hash, one identity.
        object.__setattr__(self, "notice", self.notice_threshold / NOTICE_SCALE)

    @property
    def notice_threshold(self) -> int:
        """A signal is noticed when its draw from 0-9999 is below this."""
        return round(self.notice * NOTICE_SCALE)

    @property
    def identity(self) -> str:
        """`standard/1`, or with the options that differ from it, sorted by name."""
        return _identity(self)

    def changes(self) -> dict[str, Any]:
        """The options that differ from the standard game, by name."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "RuleSet":
        """The rule set that a person described; raises `Misuse` with every mistake in one sentence each."""
        read, mistakes = cls.check(options)
        if mistakes:
            raise Misuse("; ".join(mistakes.values()))
        return cls(**read)

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
        """Read options as a person writes them: the good ones, and a sentence for each bad one, by name."""
        names = [field.name for field in fields(cls)]
        read: dict[str, Any] = {}
        mistakes: dict[str, str] = {}
        for name, value in options.items():
            if name not in names:
                near = get_close_matches(name, names, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(names)}"
                mistakes[name] = f"{name!r} is no rule option: {hint}"
                continue
            typed = _read(name, value)
            if (problem := _problem(name, typed)) is not None:
                near = (
                    []
                    if not isinstance(value, str)
                    else get_close_matches(value, _CHOICES.get(name, ()), n=1)
                )
                hint = f" (did you mean {near[0]!r}?)" if near else ""
                mistakes[name] = f"{name} = {value!r}: {problem}{hint}"
            else:
                read[name] = typed
        return read, mistakes

    @classmethod
    def parse(cls, identity: str) -> "RuleSet":
        """Read an identity back; raises `NotationError` when it is none in its one canonical form."""
        return _parse(identity)

    def __str__(self) -> str:
        return self.identity


_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "seating": ("fixed", "draw"),
    "cut": ("referee", "player"),
    "chant": ("ask", "off", "always"),
    "chant_discard": ("free", "lowest"),
    "tie": ("draw", "extra_deals"),
}
_RANGES: Final = {"deals": (1, 100), "signals_per_deal": (0, 9)}
# The words of the printed rules for yes and no, as an identity writes them.
_SWITCHES: Final = {"mordienne": ("off", "on"), "signals": ("off", "on"), "truthful": ("false", "true")}
_WORDS: Final = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}


def _problem(name: str, value: object) -> str | None:
    """What is wrong with a typed value of a known option, or None."""
    if name in _CHOICES:
        return None if value in _CHOICES[name] else f"must be one of {', '.join(_CHOICES[name])}"
    if name in _SWITCHES:
        return None if isinstance(value, bool) else "must be on or off"
    if name in _RANGES:
        low, high = _RANGES[name]
        fits = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        return None if fits else f"must be a whole number from {low} to {high}"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= cast("float", value) <= 1:
        return "must be a number from 0 to 1"
    scaled = cast("float", value) * NOTICE_SCALE
    return None if abs(scaled - round(scaled)) < 1e-6 else "must have at most four decimals"


def _read(name: str, value: object) -> object:
    """A value as a person wrote it (a TOML value, or text from a command line), typed if it can be."""
    if not isinstance(value, str):
        return value
    if name in _SWITCHES:
        return _WORDS.get(value.lower(), value)
    kind = int if name in _RANGES else float if name == "notice" else str
    try:
        return kind(value)
    except ValueError:
        return value


def _text(name: str, value: object) -> str:
    if isinstance(value, bool) and name in _SWITCHES:
        return _SWITCHES[name][value]
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return str(value)


@functools.lru_cache(maxsize=256)  # of few rule sets, for every match
def _identity(rules: RuleSet) -> str:
    changed = ",".join(f"{name}={_text(name, value)}" for name, value in sorted(rules.changes().items()))
    return f"{STANDARD_NAME}+{changed}" if changed else STANDARD_NAME


@functools.lru_cache(maxsize=256)
def _parse(identity: str) -> RuleSet:
    name, _, changed = identity.partition("+")
    if name != STANDARD_NAME:
        raise NotationError(f"{identity!r} is no rule set: its name is not {STANDARD_NAME!r}")
    try:
        rules = RuleSet.of(dict(_pair(item) for item in changed.split(",")) if changed else {})
    except Misuse as error:
        raise NotationError(f"{identity!r} is no rule set: {error}") from None
    if rules.identity != identity:
        raise NotationError(f"{identity!r} is no rule set: its canonical form is {rules.identity!r}")
    return rules


def _pair(item: str) -> tuple[str, str]:
    name, _, value = item.partition("=")
    return name, value


STANDARD: Final = RuleSet()
