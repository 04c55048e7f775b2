"""The bot that the manual shows is the one of the examples, and plays; so does what it says of learning."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from sdk.sim.positions import OPTIONS, ending, signalled_match

from aluette.cards import STRENGTH
from aluette.rules import Ask, RuleSet
from aluette.sim import SearchLimit, deal_consistent, from_rulebook, solve
from aluette.testing import play_match
from aluette.view import view_of

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples/searcher.py"
PAGE = (ROOT / "docs/simulator.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_manual_shows_the_example():
    source = EXAMPLE.read_text(encoding="utf-8")
    assert source.partition('"""\n\n')[2] == BLOCKS[0]


def test_the_example_plays_and_wins_against_chance():
    record = play_match([f"{EXAMPLE}:Searcher", "random"] * 2, seed=3)
    assert record["result"]["fault"] is None
    assert record["result"]["winner"] == "NS"


def test_the_same_match_is_played_twice():
    one, same, other = (play_match([f"{EXAMPLE}:Searcher", "lowest"] * 2, seed=seed) for seed in (4, 4, 5))
    assert one == same != other


def test_what_the_manual_says_of_learning(capsys):
    exec(compile(BLOCKS[2], "simulator.md", "exec"), {})
    assert -2000 <= int(capsys.readouterr().out) <= 2000


@pytest.mark.parametrize(("left", "is_solved"), [(4, True), (32, False)])
def test_what_the_manual_says_of_a_search_that_is_given_up(left, is_solved):
    deal = ending(OPTIONS[4], left, random.Random(1))
    names = {"solve": solve, "SearchLimit": SearchLimit, "worlds": from_rulebook([deal]), "index": 0}
    exec(compile(BLOCKS[1], "simulator.md", "exec"), names)
    assert bool(names["best"]) is is_solved


def test_what_the_manual_says_of_hands_and_of_memory():
    match = next(signalled_match(RuleSet(), random.Random(1)))
    for seat in match.asked:
        view = view_of(match, seat)
        worlds = deal_consistent(view, 1000, random.Random(1))
        assert worlds.hand(0, seat) == tuple(STRENGTH[card] for card in view.hand)
        assert list(worlds.hand(0, seat.left)) == sorted(worlds.hand(0, seat.left), reverse=True)
        assert memoryview(worlds.rows).nbytes == 1000 * 164 * 8


def test_what_the_manual_says_of_rules_that_a_view_cannot_show():
    rules = RuleSet(deals=1, chant="always", chant_discard="lowest", signals=False)
    match = next(match for match in signalled_match(rules, random.Random(1)) if match.ask is Ask.PLAY)
    for others in (replace(rules, chant_discard="free"), replace(rules, mordienne=False)):
        assert (
            deal_consistent(view_of(match, match.asked[0]), 1, random.Random(1), rules=others).rules == others
        )


@pytest.mark.parametrize(
    "name", re.findall(r"`(aluette\.sim\.\w+|from_rulebook|to_rulebook|warm_up|Deals)", PAGE)
)
def test_what_the_manual_names_is_there(name):
    import aluette.sim

    assert hasattr(aluette.sim, name.rpartition(".")[2])
