"""From what a person writes to a bot, with a sentence for every mistake in it."""

import sys
from importlib.metadata import EntryPoint

import pytest

from aluette import loading
from aluette.bot import BatchBot, Bot
from aluette.errors import Misuse
from aluette.loading import built_in_bots, load_bot

BOT_FILE = """
import dataclasses
import aluette
from neighbour import BEST

class Careful(aluette.Bot):
    def play(self, view):
        return view.hand[BEST]

class Many(aluette.BatchBot):
    def play(self, turns):
        return [view.hand[BEST] for _, view in turns]

class Lazy(aluette.Bot):
    pass

@dataclasses.dataclass
class Point:
    x: "int"

def first(view):
    return view.hand[0]

instance = Careful()
number = 5
nothing = None
"""


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch):
    """Loading changes the import path and the modules: put both back."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield
    for name in ("mybot", "neighbour"):
        sys.modules.pop(name, None)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mybot.py").write_text(BOT_FILE, encoding="utf-8")
    (tmp_path / "neighbour.py").write_text("BEST = 0\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sentence(spec) -> str:
    with pytest.raises(Misuse) as caught:
        load_bot(spec)
    return str(caught.value)


def test_a_file_is_loaded_and_finds_its_neighbours(folder):
    for spec in ("mybot.py:Careful", f"{folder}/mybot.py:Careful"):
        bot = load_bot(spec)
        assert issubclass(bot, Bot)
        assert bot.__name__ == "Careful"
    assert issubclass(load_bot("mybot.py:Many"), BatchBot)
    assert load_bot("mybot.py:first").__name__ == "first"


def test_a_module_is_loaded_from_the_import_path(folder):
    sys.path.insert(0, str(folder))
    assert issubclass(load_bot("mybot:Careful"), Bot)
    assert load_bot("aluette_bots.lowest:Lowest") is load_bot("lowest")


def test_a_built_in_bot_is_loaded_by_its_name():
    assert {"random", "lowest"} <= set(built_in_bots())
    assert list(built_in_bots()) == sorted(built_in_bots())
    assert issubclass(load_bot("lowest"), Bot)


def test_another_packages_bots_are_built_in_too(monkeypatch, folder):
    sys.path.insert(0, str(folder))
    point = EntryPoint("mine", "mybot:Careful", loading.GROUP)
    monkeypatch.setattr(loading, "built_in_bots", lambda: {"mine": point})
    assert load_bot("mine").__name__ == "Careful"


def test_a_name_that_is_no_built_in_bot_is_said_with_a_guess(monkeypatch):
    assert sentence("lowst") == "'lowst' is no built-in bot: did you mean 'lowest'?"
    known = ", ".join(built_in_bots())
    assert sentence("zzz") == f"'zzz' is no built-in bot: known are {known}"
    monkeypatch.setattr(loading, "built_in_bots", dict)
    assert sentence("lowest") == "'lowest' is no built-in bot: known are none"


def test_a_file_without_a_name_is_said(folder):
    assert sentence("mybot.py") == "mybot.py says no bot: name the class or function in it, mybot.py:NAME"


def test_a_bot_without_a_play_method_is_said(folder):
    assert (
        sentence("mybot.py:Lazy")
        == "mybot.py:Lazy: Lazy does not say which card to play: write its play method"
    )


def test_a_file_that_is_not_there_is_said(folder):
    assert sentence("nobot.py:Careful") == "there is no bot file nobot.py"
    (folder / "dir.py").mkdir()
    assert sentence("dir.py:Careful") == "there is no bot file dir.py"


def test_a_name_that_the_file_has_not_is_said_with_a_guess(folder):
    assert sentence("mybot.py:Carefull") == "mybot.py has no 'Carefull'; did you mean 'Careful'?"
    assert sentence("mybot.py:frist") == "mybot.py has no 'frist'; did you mean 'first'?"
    assert sentence("mybot.py:Xyz") == "mybot.py has no 'Xyz'; it has Careful, Lazy, Many, first"
    assert sentence("mybot.py:nothing") == "mybot.py has no 'nothing'; it has Careful, Lazy, Many, first"
    assert sentence("neighbour.py:Xyz") == "neighbour.py has no 'Xyz'"
    assert sentence("mybot.py:") == "mybot.py has no ''; it has Careful, Lazy, Many, first"


def test_what_is_no_bot_is_said(folder):
    assert sentence("mybot.py:Point") == (
        "mybot.py:Point: Point is a class, but not an aluette.Bot or aluette.BatchBot"
    )
    assert sentence("mybot.py:number") == "mybot.py:number: 5 is neither a bot class nor a function"
    assert sentence("mybot.py:instance") == (
        "mybot.py:instance: a bot is named by its class, Careful, not by an instance of it"
    )


def test_a_module_that_is_not_there_is_said():
    assert sentence("no_such_module:Bot") == (
        "no_such_module:Bot cannot be imported: there is no module 'no_such_module'"
    )
    assert sentence("aluette.nothing:Bot") == (
        "aluette.nothing:Bot cannot be imported: there is no module 'aluette.nothing'"
    )
    assert sentence(":Bot") == ":Bot cannot be imported: ValueError: Empty module name"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import no_such_library\n", "there is no module 'no_such_library'"),
        ("import aluette\naluette.nothing\n", "AttributeError: module 'aluette' has no attribute 'nothing'"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
        ("import aluette\naluette.RuleSet(deals=0)\n", "Misuse: deals = 0: must be a whole number"),
        ("class Bot(:\n", "SyntaxError: invalid syntax"),
    ],
)
def test_a_file_that_fails_is_said_from_its_own_error_and_leaves_nothing_behind(folder, text, reason):
    (folder / "broken.py").write_text(text, encoding="utf-8")
    with pytest.raises(Misuse) as caught:
        load_bot("broken.py:Bot")
    assert str(caught.value).startswith(f"broken.py:Bot cannot be imported: {reason}")
    assert isinstance(caught.value.__cause__, Exception)
    assert "broken" not in sys.modules


def test_a_file_that_fails_does_not_take_anothers_place(folder):
    (folder / "json.py").write_text("1 / 0\n", encoding="utf-8")
    before = sys.modules["json"]
    sentence("json.py:Bot")
    assert sys.modules["json"] is before
