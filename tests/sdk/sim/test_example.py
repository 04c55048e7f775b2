"""The bot that the manual shows is the one of the examples, and plays; so does what it says of learning."""

import re
from pathlib import Path

import pytest

from aluette.testing import play_match

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
    exec(compile(BLOCKS[1], "simulator.md", "exec"), {})
    assert -2000 <= int(capsys.readouterr().out) <= 2000


@pytest.mark.parametrize(
    "name", re.findall(r"`(aluette\.sim\.\w+|from_rulebook|to_rulebook|warm_up|Deals)", PAGE)
)
def test_what_the_manual_names_is_there(name):
    import aluette.sim

    assert hasattr(aluette.sim, name.rpartition(".")[2])
