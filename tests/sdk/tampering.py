"""Every small change that can be made to a record: each value another one, each entry gone or twice."""

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

from aluette.cards import CARDS
from aluette.rules import Drop, Kind
from aluette.seats import SEATS, Side

__all__ = ["Path", "mutants", "pattern"]

Path = tuple[str | int, ...]

_WORDS = [
    [seat.name for seat in SEATS],
    [side.name for side in Side],
    ["UNKNOWN", "MADAME", "ACES", "USELESS_HAND"],
    [drop.name.lower() for drop in Drop],
    [kind.value for kind in Kind],
    ["look", "cut", "chant", "discard", "1.1", "9.4"],
]
_TEXTS = [str(card) for card in CARDS]
_ANY = ["", "n", 0, True, None, []]


def mutants(record: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The place of each change, and the record with it; the record given is left as it is."""
    tampered = copy.deepcopy(record)
    met = Counter[str]()
    for place, parent, key in list(_entries(tampered, ())):
        value = parent[key]
        met[pattern(place)] += 1
        # Values of another kind only at the first places of each kind: they are looked at one by one.
        others = [*_others(value), *(_ANY if met[pattern(place)] <= 4 else ())]
        for other in others:
            if type(other) is type(value) and other == value:
                continue
            parent[key] = other
            yield place, tampered
        parent[key] = value
        yield from _shifted(tampered, place, parent, key)
    assert tampered == record


def pattern(place: Path) -> str:
    """A place without its numbers: `deals.*.tricks.*.*`."""
    return ".".join("*" if isinstance(step, int) else step for step in place)


def _entries(value: Any, place: Path) -> Iterator[tuple[Path, Any, Any]]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield (*place, key), value, key
        yield from _entries(value[key], (*place, key))


def _others(value: Any) -> list[Any]:
    """Some other values of the same kind."""
    if isinstance(value, str):
        if value in _TEXTS:
            return [_TEXTS[(_TEXTS.index(value) + step) % 48] for step in (1, 12)]
        return [*next((words for words in _WORDS if value in words), _WORDS[0]), value[:-1]]
    if isinstance(value, bool):
        return [not value, int(value)]
    return [value + 1, value - 1, 2**40, float(value)] if isinstance(value, int) else []


def _shifted(
    record: dict[str, Any], place: Path, parent: Any, key: Any
) -> Iterator[tuple[Path, dict[str, Any]]]:
    before = copy.copy(parent)
    if isinstance(parent, list):
        changes = [
            [*before[:key], *before[key + 1 :]],
            [*before[:key], before[key], *before[key:]],
            [*before[: key - 1], before[key], before[key - 1], *before[key + 1 :]] if key else before,
        ]
        for changed in changes:
            parent[:] = changed
            if parent != before:
                yield place, record
            parent[:] = before
        return
    for changed in (
        {name: value for name, value in before.items() if name != key},
        {**before, f"{key}2": before[key]},
        {key: before[key], **before},
    ):
        parent.clear()
        parent.update(changed)
        if list(parent) != list(before):
            yield place, record
        parent.clear()
        parent.update(before)
