"""What the package `aluette` shows of itself: its names, its documentation, what it brings along."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from importlib.metadata import version
from types import ModuleType

import pytest

import aluette
from aluette import errors
from aluette.cards import NAMED
from aluette.rules.signals import SHOWN_CARD

MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(aluette.__path__, "aluette.")
    if not found.name.startswith("aluette.v1")  # generated
)


def modules_after(*statements) -> set[str]:
    """The modules that a fresh process has loaded after running these statements."""
    program = "; ".join(("import sys", *statements, "print(*sys.modules)"))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stderr == ""
    return set(ran.stdout.split())


def test_the_package_exports_exactly_what_it_says():
    public = {
        name
        for name, value in vars(aluette).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    } - {"Any", "TYPE_CHECKING"}
    assert public | {"rules", "testing", "run", "__version__"} == set(aluette.__all__)
    for name in aluette.__all__:
        assert getattr(aluette, name) is not None


def test_everything_it_exports_is_imported_by_a_star():
    namespace = {}
    exec("from aluette import *", namespace)
    assert set(aluette.__all__) <= set(namespace)


def test_a_name_that_is_not_there_is_said_as_python_says_it():
    with pytest.raises(AttributeError, match=r"^module 'aluette' has no attribute 'rnu'$"):
        _ = aluette.rnu


def test_what_a_bot_author_needs_is_at_hand():
    assert {
        "Bot", "BatchBot", "View", "Card", "Seat", "Side", "Signal", "aces", "RuleSet", "run", "testing",
        "rules", "strongest", "weakest",
    } <= set(aluette.__all__)  # fmt: skip


@pytest.mark.parametrize("name", ["aluette", *MODULES])
def test_every_module_says_what_it_is_for_and_what_it_offers(name):
    module = importlib.import_module(name)
    assert module.__doc__
    first = module.__doc__.strip().splitlines()[0]
    assert first.endswith((".", ":", ","))
    assert len(set(module.__all__)) == len(module.__all__)
    for offered in module.__all__:
        assert hasattr(module, offered)


@pytest.mark.parametrize("name", MODULES)
def test_whatever_a_module_defines_for_others_is_in_its_all(name):
    """Public classes and functions; a constant may stay unlisted."""
    module = importlib.import_module(name)
    defined = {
        key
        for key, value in vars(module).items()
        if not key.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == name
    }
    assert defined <= set(module.__all__)


@pytest.mark.parametrize("name", ["aluette", *MODULES])
def test_whatever_a_module_offers_is_documented(name):
    module = importlib.import_module(name)
    for offered in module.__all__:
        value = getattr(module, offered)
        if (inspect.isclass(value) or inspect.isfunction(value)) and value.__module__.startswith("aluette"):
            assert value.__doc__, offered
            assert value.__doc__.strip()[0].isupper() or value.__doc__.startswith("`"), offered


# What `help` says of what a bot author meets: an entry is a line that begins with its names and a colon.


def entries(kind) -> set[str]:
    lines = (line.partition(":") for line in inspect.getdoc(kind).splitlines())
    return {name for names, colon, _ in lines if colon for name in names.split(", ")}


def properties(kind) -> set[str]:
    return {name for name, value in vars(kind).items() if isinstance(value, property)}


def test_the_help_of_a_bot_names_the_cards_from_the_strongest_down():
    ranked = re.findall(r"\b(1[2-9]) (\w\w) (\S+(?: \S+)*)", inspect.getdoc(aluette.Bot))
    assert sorted(ranked, reverse=True) == [
        (str(card.strength), str(card), title) for card, title in NAMED.items()
    ]


@pytest.mark.parametrize(
    "word",
    [
        "five deals",
        "no following suit",
        "*spoiled*",
        "first",
        "*mordienne*",
        "chant",
        "At most three",
        "true",
    ],
)
def test_the_help_of_a_bot_teaches_the_game(word):
    assert word in inspect.getdoc(aluette.Bot)


def test_the_help_of_a_card_a_view_and_a_rule_set_names_all_they_have():
    assert entries(aluette.Card) >= properties(aluette.Card)
    assert entries(aluette.View) >= {*aluette.View._fields, *properties(aluette.View)}
    assert entries(aluette.RuleSet) >= {option.name for option in dataclasses.fields(aluette.RuleSet)}


def test_the_help_of_a_signal_says_what_each_claims():
    text = inspect.getdoc(aluette.Signal)
    assert set(re.findall(r"\b[A-Z_]{4,}\b", text)) == set(aluette.Signal.__members__)
    told = [
        line.partition(": ")[::2] for line in text.splitlines() if re.search("that (luette|double)", line)
    ]
    cards = {
        name: card
        for names, claim in told
        for name, card in zip(names.split(", "), re.findall(r"\b\d[DCSB]\b", claim), strict=True)
    }
    assert cards == {signal.name: str(card) for signal, card in SHOWN_CARD.items()}


def test_every_error_is_in_the_drawing_of_the_errors():
    for name in MODULES:
        importlib.import_module(name)

    def below(kind):
        for error in kind.__subclasses__():
            if error.__module__ in MODULES:
                place = error.__module__.removeprefix("aluette.")
                yield error.__name__ if place == "errors" else f"{place}.{error.__name__}"
                yield from below(error)

    drawn = [line.split("── ")[1].split()[0] for line in errors.__doc__.splitlines() if "── " in line]
    assert sorted(drawn) == sorted(below(errors.AluetteError))


def test_the_version_is_that_of_the_installed_package():
    assert aluette.__version__ == version("aluette")


NOT_THE_SDKS = {
    "trio", "click", "rich", "pydantic", "sqlalchemy", "alembic", "numpy", "psycopg", "aluette_referee",
    "aluette_bots",
}  # fmt: skip


def test_importing_it_brings_nothing_of_the_referees():
    loaded = {name.partition(".")[0] for name in modules_after("import aluette", "aluette.run")}
    assert "grpc" in loaded
    assert not loaded & NOT_THE_SDKS


def test_playing_in_one_process_brings_no_network():
    loaded = modules_after(
        "import aluette",
        "aluette.testing.play_match([lambda view: view.hand[0]] * 4)",
    )
    assert not {name.partition(".")[0] for name in loaded} & {*NOT_THE_SDKS, "grpc", "google", "asyncio"}


def test_the_rulebook_alone_brings_no_network_and_no_chance():
    """Only what `import aluette` itself brings: none of its modules is imported on the way."""
    loaded = modules_after("import aluette.rules, aluette.record, aluette.notation")
    assert not {name.partition(".")[0] for name in loaded} & {*NOT_THE_SDKS, "grpc", "google"}
