"""The tournament file: TOML text in, a `Contest` out, or every mistake at once, each with its place.

Pure: it opens no file and looks for no bot. What a `run` leads to is for `play.launch` to find out, which
options the game has for `RuleSet` to say, where a key stands for `contest.toml_lines`.

Types, ranges and unknown keys are found by the models of `contest.file_shape`; what spans several keys is
looked for in the raw tables (`_across`), so that a mistake of the one kind hides none of the other.
"""

import math
import re
import tomllib
import unicodedata
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, cast

from pydantic import ValidationError

from aluette.errors import Misuse
from aluette.rules import RuleSet
from aluette_referee.contest.contest import ROUND_ROBIN, Contest
from aluette_referee.contest.file_mistakes import Mistake, dotted, placed, worded
from aluette_referee.contest.file_shape import FileShape
from aluette_referee.contest.formats.individual import FEWEST
from aluette_referee.contest.toml_lines import Path

__all__ = ["ContestMistakes", "read_contest"]


class ContestMistakes(Misuse):
    """A tournament file that cannot be played, with all of its `mistakes`: a sentence each, in file order."""

    def __init__(self, mistakes: tuple[str, ...]) -> None:
        super().__init__(mistakes)
        self.mistakes = mistakes

    def __str__(self) -> str:
        return "\n".join(self.mistakes)


def read_contest(
    text: str, *, built_in: Collection[str], wrong_with: Callable[[str], str] = lambda _: ""
) -> Contest:
    """The contest that the text of a tournament file describes; raises `ContestMistakes`.

    `built_in` are names of bots for the sentence that says what a bot may be; `wrong_with` says why a bot's `run`
    can be none, "" if it can: a file or program that is not there.
    """
    text = text.removeprefix("\ufeff")
    file = _parsed(text)
    mistakes = [*_across(file), *_of_bots(file, wrong_with)]
    try:
        shape = FileShape.model_validate(file)
    except ValidationError as error:
        mistakes += (worded(detail, built_in) for detail in error.errors(include_url=False))
    else:
        if not mistakes:
            return shape.contest()
    raise ContestMistakes(placed(mistakes, text))


def _parsed(text: str) -> dict[str, Any]:
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
        huge = [path for path, value in _leaves(file) if isinstance(value, int) and value.bit_length() > 63]
        if not huge:
            return file
        mistakes = [Mistake(path, "a whole number of TOML has 64 bits at most") for path in huge]
        raise ContestMistakes(placed(mistakes, text))
    raise ContestMistakes((sentence,))


# ---- mistakes that span several keys, or that only the raw tables show


def _across(file: dict[str, Any]) -> Iterator[Mistake]:
    if isinstance(rules := file.get("rules"), dict):
        yield from _of_rules(cast("dict[str, Any]", rules))
    if isinstance(faults := file.get("faults"), dict):
        yield from _of_faults(cast("dict[str, Any]", faults), file.get("tournament"))
    settings = file.get("tournament")
    kind, count = _field(file, cast("dict[str, Any]", settings) if isinstance(settings, dict) else {})
    if isinstance(settings, dict):
        yield from _of_format(cast("dict[str, Any]", settings), kind, count)
    yield from _of_field(file, kind)
    for path, value in _leaves(file):
        names = [part for part in path if isinstance(part, str)]
        is_number = isinstance(value, int | float) and math.isfinite(value)
        if (
            "options" in names[1:3]
            and names[names.index("options") + 1 :]
            and not is_number
            and not isinstance(value, str)
        ):
            yield Mistake(path, "an option must have a form in JSON, which dates, nan and inf do not", value)


def _of_rules(rules: dict[str, Any]) -> Iterator[Mistake]:
    read, mistakes = RuleSet.check(rules)
    for name, sentence in mistakes.items():
        problem = sentence.removeprefix(f"{name} = {rules[name]!r}: ")
        yield Mistake(("rules", name), problem, rules[name])
    for name, value in (("cut", "player"), ("seating", "draw")):
        if read.get(name) == value:
            problem = (
                "a tournament plays the same packs twice, sides exchanged, which this would make impossible; "
                "single matches allow it"
            )
            yield Mistake(("rules", name), problem, value)


def _of_faults(faults: dict[str, Any], tournament: object) -> Iterator[Mistake]:
    league = isinstance(tournament, dict) and cast("dict[str, Any]", tournament).get("profile") == "league"
    policy = faults.get("policy", "substitute" if league else "forfeit")
    if "strikes" in faults and policy == "forfeit":
        problem = 'strikes are counted only with policy = "substitute"; with "forfeit" the first fault loses the match'
        yield Mistake(("faults", "strikes"), problem, faults["strikes"])


_OF_FORMAT: Final = {"challengers": "gauntlet", "rounds": "swiss", "extra_blocks": "knockout"}


def _field(file: dict[str, Any], settings: dict[str, Any]) -> tuple[object, int]:
    """The format, and how many are entered."""
    kind = settings.get("format", ROUND_ROBIN.kind)
    entered = file.get("bot" if kind == "individual" else "team", [])
    return kind, len(cast("list[object]", entered)) if isinstance(entered, list) else 0


def _of_format(settings: dict[str, Any], kind: object, count: int) -> Iterator[Mistake]:
    for name, of_kind in _OF_FORMAT.items():
        if name in settings and kind != of_kind:
            yield Mistake(("tournament", name), f'is only for format = "{of_kind}"', settings[name])
    challengers = settings.get("challengers", 1)
    if kind == "gauntlet" and isinstance(challengers, int) and count >= 2 and challengers >= count:
        problem = f"must leave somebody to play against: {count} teams are entered"
        yield Mistake(("tournament", "challengers"), problem, challengers)


def _of_field(file: dict[str, Any], kind: object) -> Iterator[Mistake]:
    """Who is entered: bots in an individual contest, teams in all others."""
    table, other, fewest = ("bot", "team", FEWEST) if kind == "individual" else ("team", "bot", 2)
    entered = file.get(table, [])
    if isinstance(entered, list) and len(cast("list[object]", entered)) < fewest:
        what = (
            "an individual contest needs four bots" if kind == "individual" else "a contest needs two teams"
        )
        yield Mistake((table,), f"{what} at least, each with a [[{table}]] of its own")
    if file.get(other):
        hint = 'bots alone are entered with format = "individual"; in this one, each in a [[team]]'
        sentence = "an individual contest has no teams: enter each bot with a [[bot]] of its own"
        yield Mistake((other,), sentence if kind == "individual" else hint)
    for name in ("team", "bot"):
        if isinstance(entered := file.get(name, []), list):
            yield from _of_names(name, cast("list[object]", entered))


def _of_names(table: str, entered: list[object]) -> Iterator[Mistake]:
    named: dict[str, tuple[int, str]] = {}
    for place, team in enumerate(entered):
        if not isinstance(team, dict):
            continue
        team = cast("dict[str, Any]", team)
        if table == "team":
            yield from _of_team(place, team)
        if isinstance(name := team.get("name"), str):
            looks = unicodedata.normalize("NFKC", name).casefold()
            first, other = named.setdefault(looks, (place, name))
            if first != place:
                problem = f"{dotted((table, first))} is called {other!r}: names must differ in more than case"
                yield Mistake((table, place, "name"), problem, name)


def _of_team(place: int, team: dict[str, Any]) -> Iterator[Mistake]:
    if ("bots" in team) == ("bot" in team):
        problem = 'needs bots = ["...", "..."], or bot = "..." for two copies of one, and not both'
        yield Mistake(("team", place), problem)
    bots = team.get("bots")
    if isinstance(bots, list) and len(cast("list[object]", bots)) != 2:
        problem = "must be two bots (for two copies of one, bot = ... will do)"
        yield Mistake(("team", place, "bots"), problem)


def _of_bots(file: dict[str, Any], wrong_with: Callable[[str], str]) -> Iterator[Mistake]:
    entered = {name: file.get(name, []) for name in ("team", "bot")}
    for path, value in _leaves(entered):
        names = [part for part in path if isinstance(part, str)]
        if isinstance(value, str) and names in (
            ["team", "bot"],
            ["team", "bots"],
            ["team", "bot", "run"],
            ["team", "bots", "run"],
            ["bot", "run"],
        ):
            problem = wrong_with(value) if value.strip() and value.isprintable() else ""
            if problem:
                yield Mistake(path, problem.removeprefix(f"{value!r} "), value)


def _leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    if isinstance(value, dict | list):
        table = cast("dict[str, object] | list[object]", value)
        for key, item in table.items() if isinstance(table, dict) else enumerate(table):
            yield from _leaves(item, (*path, key))
    else:
        yield path, value
