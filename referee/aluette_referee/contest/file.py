"""The tournament file: TOML text in, a `Contest` out, or every mistake at once, each with its place.

Pure: it opens no file and looks for no bot. What a `run` leads to is for `play.launch` to find out, which
options the game has for `RuleSet` to say, where a key stands for `contest.toml_lines`.

Types, ranges and unknown keys are found by the models of `contest.file_shape`; what spans several keys is
looked for in the raw tables (`_across`), so that a mistake of the one kind hides none of the other.
"""

import math
import unicodedata
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, cast

from pydantic import ValidationError

from aluette.rules import RuleSet
from aluette_referee.contest.contest import ROUND_ROBIN, Contest
from aluette_referee.contest.file_mistakes import Mistake, dotted, placed, worded
from aluette_referee.contest.file_shape import KEYS, FileShape
from aluette_referee.contest.formats.individual import FEWEST
from aluette_referee.contest.toml_text import MARK, FileMistakes, leaves, parsed

__all__ = ["read_contest", "wrong_faults", "wrong_rules"]


def read_contest(
    text: str, *, built_in: Collection[str], wrong_with: Callable[[str], str] = lambda _: ""
) -> Contest:
    """The contest that the text of a tournament file describes; raises `FileMistakes`.

    `built_in` are names of bots for the sentence that says what a bot may be; `wrong_with` says why a bot's `run`
    can be none, "" if it can: a file or program that is not there.
    """
    text = text.removeprefix(MARK)
    file = parsed(text)
    mistakes = [*_across(file), *_of_bots(file, wrong_with)]
    try:
        shape = FileShape.model_validate(file)
    except ValidationError as error:
        mistakes += (worded(detail, KEYS, built_in) for detail in error.errors(include_url=False))
    else:
        if not mistakes:
            return shape.contest()
    raise FileMistakes(placed(mistakes, text))


# ---- mistakes that span several keys, or that only the raw tables show


def _across(file: dict[str, Any]) -> Iterator[Mistake]:
    yield from wrong_rules(file.get("rules"))
    settings = file.get("tournament")
    league = isinstance(settings, dict) and cast("dict[str, Any]", settings).get("profile") == "league"
    yield from wrong_faults(file.get("faults"), "substitute" if league else "forfeit")
    kind, count = _field(file, cast("dict[str, Any]", settings) if isinstance(settings, dict) else {})
    if isinstance(settings, dict):
        yield from _of_format(cast("dict[str, Any]", settings), kind, count)
    yield from _of_field(file, kind)
    for path, value in leaves(file):
        names = [part for part in path if isinstance(part, str)]
        is_number = isinstance(value, int | float) and math.isfinite(value)
        if (
            "options" in names[1:3]
            and names[names.index("options") + 1 :]
            and not is_number
            and not isinstance(value, str)
        ):
            yield Mistake(path, "an option must have a form in JSON, which dates, nan and inf do not", value)


def wrong_rules(table: object) -> Iterator[Mistake]:
    """What is wrong with a table of rules."""
    if not isinstance(table, dict):
        return
    rules = cast("dict[str, Any]", table)
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


def wrong_faults(table: object, usual: str) -> Iterator[Mistake]:
    """What is wrong with a table of faults, where `usual` is the policy of one that names none."""
    if not isinstance(table, dict):
        return
    faults = cast("dict[str, Any]", table)
    policy = faults.get("policy", usual)
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
    for path, value in leaves(entered):
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
