"""A TOML text as values, or as `FileMistakes` that say where it is none."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any, Final, cast

from aluette.errors import Misuse
from aluette_referee.contest.file_mistakes import Mistake, placed
from aluette_referee.contest.toml_lines import Path

__all__ = ["MARK", "FileMistakes", "leaves", "parsed"]

MARK: Final = "\ufeff"
"""What some editors write before the first character."""


class FileMistakes(Misuse):
    """A file that cannot be used, with all of its `mistakes`: a sentence each, in file order."""

    def __init__(self, mistakes: tuple[str, ...]) -> None:
        super().__init__(mistakes)
        self.mistakes = mistakes

    def __str__(self) -> str:
        return "\n".join(self.mistakes)


def parsed(text: str) -> dict[str, Any]:
    """The values of a TOML text; raises `FileMistakes`."""
    try:
        file = tomllib.loads(text)
    except RecursionError:
        sentence = "the file is nested too deeply to be read"
    except tomllib.TOMLDecodeError as error:
        problem, place = str(error), "the file"
        if found := re.fullmatch(r"(.*) \(at (?:(line \d+, column \d+)|end of document)\)", problem):
            problem, place = re.sub(r"\('(.+)',\)", r"[\1]", found[1]), found[2] or "the end of the file"
        hint = " (text stands in quotes)" if problem == "Invalid value" and place.startswith("line") else ""
        sentence = f"{place}: this is not TOML: {problem[:1].lower()}{problem[1:]}{hint}"
    except ValueError:
        sentence = "the file holds a number of too many digits"
    else:
        huge = [path for path, value in leaves(file) if isinstance(value, int) and value.bit_length() > 63]
        if not huge:
            return file
        mistakes = [Mistake(path, "a whole number of TOML has 64 bits at most") for path in huge]
        raise FileMistakes(placed(mistakes, text))
    raise FileMistakes((sentence,))


def leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """All values that are neither tables nor lists, with their paths."""
    if isinstance(value, dict | list):
        table = cast("dict[str, object] | list[object]", value)
        for key, item in table.items() if isinstance(table, dict) else enumerate(table):
            yield from leaves(item, (*path, key))
    else:
        yield path, value
