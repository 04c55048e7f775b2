"""What holds for every built-in bot that is not a person."""

import dataclasses
import random

import pytest

from aluette import RuleSet
from aluette.loading import built_in_bots, load_bot
from aluette.record import to_bytes
from aluette.testing import play_match

BOTS = ["careful", "lowest", "random"]
RULES = [
    RuleSet(),
    RuleSet(signals=False, chant="off"),
    RuleSet(chant="always", chant_discard="lowest", truthful=False, notice=1.0),
    RuleSet(cut="player", seating="draw", tie="extra_deals", signals_per_deal=9),
    RuleSet(chant="always", deals=1, signals_per_deal=0, mordienne=False, notice=0.0),
]


def test_these_are_all():
    assert sorted(built_in_bots()) == sorted([*BOTS, "human"])


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("bot", BOTS)
def test_it_plays_legally_under_all_rules(bot: str, rules: RuleSet):
    rng = random.Random(f"{bot}{rules}")
    for seed in range(4):
        others = rng.choices(BOTS, k=3)
        # An illegal answer or an exception would come out of play_match.
        assert play_match([bot, *others], seed=seed, rules=rules)["result"]["fault"] is None


@pytest.mark.parametrize("bot", BOTS)
def test_it_plays_the_same_match_twice(bot: str):
    one, other = (to_bytes(play_match([bot] * 4, seed=5)) for _ in range(2))
    assert one == other


def some_rules(rng: random.Random) -> RuleSet:
    return RuleSet(
        seating=rng.choice(("fixed", "draw")),
        cut=rng.choice(("referee", "player")),
        chant=rng.choice(("ask", "off", "always")),
        chant_discard=rng.choice(("free", "lowest")),
        mordienne=rng.random() < 0.5,
        deals=rng.randint(1, 3),
        tie=rng.choice(("draw", "extra_deals")),
        signals=rng.random() < 0.8,
        signals_per_deal=rng.randint(0, 9),
        notice=rng.choice((0, 0.25, 1)),
        truthful=rng.random() < 0.5,
    )


@pytest.mark.parametrize("seed", range(40))
def test_any_four_play_legally_under_any_rules(seed: int):
    rng = random.Random(seed)
    play_match(rng.choices(BOTS, k=4), seed=seed, rules=some_rules(rng))


def test_random_goes_by_its_seed():
    assert play_match(["random"] * 4, seed=1)["deals"] != play_match(["random"] * 4, seed=2)["deals"]


def test_random_uses_every_kind_of_signal():
    rules = dataclasses.replace(RuleSet(), signals_per_deal=9, deals=10)
    made = {
        made["signal"]
        for seed in range(6)
        for deal in play_match(["random"] * 4, seed=seed, rules=rules)["deals"]
        for made in deal["signals"]
    }
    assert len(made) == 11


@pytest.mark.parametrize("bot", [*BOTS, "human"])
def test_its_first_line_says_what_it_is(bot: str):
    assert (load_bot(bot).__doc__ or "").partition("\n")[0].endswith(".")
