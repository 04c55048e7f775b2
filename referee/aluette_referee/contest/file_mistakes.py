"""A mistake in a file of the referee, in words and with its place.

A sentence reads `line 12, team[2].name = "...": what is wrong`: the line where it is known, the dotted key
with places in a list counted from 1, the value where it is short enough to be shown, and a "did you mean"
where something known is near. Nothing here decides what is a mistake.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple

from pydantic_core import ErrorDetails

from aluette_referee.contest.toml_lines import Path, key_lines

__all__ = ["Keys", "Mistake", "dotted", "placed", "worded"]


Keys = Mapping[tuple[str, ...], Collection[str]]


class Mistake(NamedTuple):
    """What is wrong with the value at a path."""

    path: Path
    problem: str
    value: object = None


_WORDS: Final = {
    "string_type": "must be text in quotes",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "dict_type": "must be a table, as in { name = ... }",
    "list_type": "must be a list, as in [ ... ]",
    "model_type": "must be a table",
    "missing": "is missing",
}


def worded(detail: ErrorDetails, keys: Keys, built_in: Collection[str] = ()) -> Mistake:
    """What pydantic found, in our words; `keys` are those of each table, by the names that lead to it."""
    kind, path = detail["type"], detail["loc"]
    if kind == "extra_forbidden":
        problem = _unknown(path, keys)
    elif kind == "value_error":
        problem = str(detail.get("ctx", {})["error"])
    elif kind == "literal_error":
        choices: list[str] = re.findall(r"'([^']+)'", detail["msg"])
        *most, last = choices
        problem = f"must be {', '.join(most)} or {last}{_near(detail['input'], choices)}"
    elif path in {("team",), ("bot",)}:
        problem = f"must be written [[{path[0]}]], once for each {path[0]}"
    elif path[-1] in {"run", "bot"} or path[-2:-1] == ("bots",):
        names = f" ({', '.join(sorted(built_in))})" if built_in else ""
        lead = "is missing" if kind == "missing" else "must be text in quotes, or a table with run"
        problem = f"{lead}: a built-in bot{names}, file.py:Name, module:Name, a command, or external"
    else:
        problem = _WORDS.get(kind, re.sub(r"^\w+ should", "must", detail["msg"]))
    return Mistake(path, problem, detail["input"])


def _unknown(path: Path, keys: Keys) -> str:
    *above, key = path
    known = keys[tuple(part for part in above if isinstance(part, str))]
    homes = [table for table, names in keys.items() if len(table) == 1 and key in names]
    if homes:
        return f"stands in the wrong table: it is a key of [{homes[0][0]}]".replace("[team]", "[[team]]")
    return "no such key" + (_near(key, known) or f" (known are {', '.join(known)})")


def _near(word: object, known: Collection[str]) -> str:
    near = get_close_matches(word, known, n=1) if isinstance(word, str) else []
    return f" (did you mean {near[0]!r}?)" if near else ""


def placed(mistakes: Iterable[Mistake], text: str) -> tuple[str, ...]:
    """A sentence for each mistake, in the order of the file."""
    lines = key_lines(text)
    found: list[tuple[int, str]] = []
    for path, problem, value in mistakes:
        # What is missing has no line of its own: that of its table is told.
        line = next((lines[path[:size]] for size in range(len(path), 0, -1) if path[:size] in lines), 0)
        place = f"line {line}, {dotted(path)}" if line else dotted(path)
        found.append((line, f"{place}{_value(value)}: {problem}"))
    return tuple(sentence for _, sentence in sorted(found, key=lambda item: item[0]))


def dotted(path: Path) -> str:
    """A path as a dotted key; places in a list are counted from 1."""
    key = ""
    for part in path:
        if isinstance(part, int):
            key += f"[{part + 1}]"
        else:
            key += "." + (part if re.fullmatch(r"[\w-]+", part) else json.dumps(part, ensure_ascii=False))
    return key.removeprefix(".")


def _value(value: object) -> str:
    if value is None or isinstance(value, dict | list):
        return ""
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else str(value)
    return f" = {text if len(text) <= 40 else text[:39] + '…'}"
