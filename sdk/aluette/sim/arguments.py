"""What a caller passes, verified before anything is done with it: each mistake is one sentence of `Misuse`.

Kernels trust what they get, so everything that the simulator offers asks here first. Whether a *view* can be is
`aluette.sim.agreement`'s business.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from operator import index
from random import Random
from reprlib import repr as short
from typing import Any, Final, NoReturn, TypeVar, cast

from aluette.cards import CARDS, STRENGTH, Card
from aluette.errors import Misuse
from aluette.rules.ruleset import RuleSet
from aluette.seats import SEATS, Seat
from aluette.sim.kernel import Ints, integers

__all__ = [
    "LARGEST",
    "actions_of",
    "items",
    "pack_of",
    "require",
    "seat_of",
    "seats_of",
    "verify_random",
    "verify_rows",
    "verify_rules",
    "whole",
]

T = TypeVar("T")

LARGEST: Final = 2**63 - 1
_PACK: Final = list(map(int, CARDS))
_MOST: Final = 10**12
"""More deals than any memory holds."""


def require(name: str, value: object, kind: type, what: str) -> None:
    """Refuse what is not of this kind."""
    if not isinstance(value, kind):
        _refuse(name, value, what)


def verify_random(rng: object) -> None:
    """Refuse all but a `random.Random`: seeds, the class itself, generators of numpy."""
    require("rng", rng, Random, "the random.Random that all chance comes from, such as self.rng")


def verify_rules(rules: object) -> None:
    """Refuse all but a `RuleSet`."""
    require("rules", rules, RuleSet, "the RuleSet of the match, such as self.match.rules")


def whole(name: str, value: object, least: int, most: int = _MOST) -> int:
    """A whole number within its bounds, of Python or of numpy."""
    number = _number(value)
    if number is None or not least <= number <= most:
        _refuse(name, value, f"a whole number from {least} to {most}")
    return number


def seat_of(name: str, value: object) -> Seat:
    """A seat, or the number of one, as `Deals.to_play` gives it."""
    number = value if isinstance(value, Seat) else _number(value)
    if number is None or not 1 <= number <= len(SEATS):
        _refuse(name, value, "a Seat: N, E, S or W")
    return Seat(number)


def seats_of(name: str, values: Iterable[object]) -> list[Seat]:
    """Seats, at least one."""
    what = "seats, at least one"
    if not (seats := items(name, values, what)):
        _refuse(name, values, what)
    return [seat_of(f"one of {name}", seat) for seat in seats]


def pack_of(cards: Iterable[object]) -> list[int]:
    """The strengths of a pack, which may be cards or their numbers."""
    name, what = "one of packs", "each of the 48 cards once, or their numbers"
    numbers = cast("list[int]", items(name, cards, what))
    try:
        is_pack = _are_numbers(numbers, Card) and sorted(numbers) == _PACK
        strengths = [STRENGTH[number] for number in numbers] if is_pack else None
    except (TypeError, ValueError):  # text beside numbers, arrays, fractions
        strengths = None
    if strengths is None:
        _refuse(name, cards, what)
    return strengths


def actions_of(actions: Sequence[int] | Ints) -> Ints:
    """Actions as a new array; a `Card` is none, nor is True or False, though both are integers to Python."""
    name, what = "actions", "one integer a deal: REFUSE, AGREE, or a card by its strength, 1 to 19"
    values: Any = actions
    if (letter := getattr(getattr(actions, "dtype", None), "kind", None)) is not None:
        are_numbers = letter in "iu"  # an array is of one kind
    else:
        values = items(name, cast("Iterable[object]", actions), what)
        are_numbers = _are_numbers(values)
    try:
        made = integers(values) if are_numbers else None
    except (TypeError, OverflowError):
        made = None
    if made is None:
        _refuse(name, actions, what)
    return made


def verify_rows(rows: object, length: int) -> None:
    """Refuse what is not the rows of deals, of this length, one after the other."""
    try:
        memory = memoryview(cast("Any", rows))
        is_flat = memory.ndim == 1 and memory.c_contiguous and not memory.readonly
        fits = is_flat and memory.format in ("l", "q") and memory.itemsize == 8 and len(memory) % length == 0
    except TypeError:
        fits = False
    if not fits:
        _refuse("rows", rows, f"a flat array of 64-bit integers, {length} a deal")


def items(name: str, values: Iterable[T], what: str) -> list[T]:
    """The items of a list, or of whatever else has some."""
    try:
        return list(values)
    except TypeError:
        _refuse(name, values, what)


def _number(value: object) -> int | None:
    """A value as an integer, if it is one and no member of an enumeration."""
    if isinstance(value, bool | Enum):
        return None
    try:
        return index(cast("Any", value))
    except TypeError:
        return None


def _are_numbers(values: Iterable[object], *others: type) -> bool:
    """Whether nothing among them is of an enumeration but those, or True or False."""
    return all(kind in others or not issubclass(kind, bool | Enum) for kind in set(map(type, values)))


def _refuse(name: str, value: object, what: str) -> NoReturn:
    shown = " ".join(short(value).split())  # on one line, and cut to what a sentence can hold
    raise Misuse(f"{name} = {shown}: must be {what}")
