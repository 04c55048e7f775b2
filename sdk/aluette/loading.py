"""From what a person writes to a bot: `careful`, `mybot.py:MyBot`, `package.module:MyBot`.

Loading runs the bot's own code. What goes wrong with it is raised as `Misuse` with one sentence, from
the bot's own exception, so that a shell may show either.
"""

import importlib
import importlib.util
import inspect
import sys
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from aluette.bot import BatchBot, Bot, BotFactory
from aluette.errors import Misuse
from aluette.session import not_a_bot

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["built_in_bots", "load_bot"]

GROUP = "aluette.bots"


def built_in_bots() -> "dict[str, EntryPoint]":
    """The bots that installed packages offer by name (entry-point group `aluette.bots`)."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import, and files need it not

    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def load_bot(spec: str) -> BotFactory:
    """The bot class or function named by a built-in name, `file.py:Name` or `package.module:Name`.

    A file's folder is put on the import path first, so that it finds its neighbours; for a module the
    current folder is looked through last. Raises `Misuse`.
    """
    place, colon, name = spec.rpartition(":")
    if not colon:
        built_in = built_in_bots()
        if spec not in built_in:
            if spec.endswith(".py"):
                raise Misuse(f"{spec} says no bot: name the class or function in it, {spec}:NAME")
            near = get_close_matches(spec, built_in, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(built_in) or 'none'}"
            raise Misuse(f"{spec!r} is no built-in bot: {hint}")
        place, name = built_in[spec].module, built_in[spec].attr
    module = _module(spec, place)
    found = getattr(module, name, None)
    if found is None:
        bots = sorted(key for key, value in vars(module).items() if key[:1] != "_" and _is_bot(value, module))
        near = get_close_matches(name, bots, n=1)
        known = f"; it has {', '.join(bots)}" if bots else ""
        hint = f"; did you mean {near[0]!r}?" if near else known
        raise Misuse(f"{place} has no {name!r}{hint}")
    if (problem := not_a_bot(found)) is not None:
        raise Misuse(f"{spec}: {problem}")
    if isinstance(found, type) and getattr(found, "play", None) in (Bot.play, BatchBot.play):
        raise Misuse(f"{spec}: {name} does not say which card to play: write its play method")
    return cast("BotFactory", found)


def _module(spec: str, place: str) -> ModuleType:
    path = Path(place).resolve()
    is_file = place.endswith(".py")
    if is_file and not path.is_file():
        raise Misuse(f"there is no bot file {place}")
    folder = str(path.parent if is_file else Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0 if is_file else len(sys.path), folder)
    try:
        return _run_file(path) if is_file else importlib.import_module(place)
    except ModuleNotFoundError as error:
        raise Misuse(f"{spec} cannot be imported: there is no module {error.name!r}") from error
    except Exception as error:
        raise Misuse(f"{spec} cannot be imported: {type(error).__name__}: {error}") from error


def _run_file(path: Path) -> ModuleType:
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    before = sys.modules.get(path.stem)
    sys.modules[path.stem] = module
    try:
        found.loader.exec_module(module)
    except BaseException:
        # As an import does: nobody is to find a module of which only half was run.
        sys.modules.pop(path.stem, None)
        if before is not None:
            sys.modules[path.stem] = before
        raise
    return module


def _is_bot(value: Any, module: ModuleType) -> bool:
    if inspect.isclass(value):
        return issubclass(value, Bot | BatchBot) and value.__module__ == module.__name__
    return inspect.isfunction(value) and value.__module__ == module.__name__
