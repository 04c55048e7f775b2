"""Random legal play, for tests that ask what holds in every match.

    for rules in hypothesis: `rule_sets()`
    one legal action:        `choose(match, seat, rng)`
    a match to its end:      `play_out(match, rng)`, or step by step: `for seat, action in steps(match, rng)`

All chance comes from the `random.Random` that is passed, so a seed says everything about a match.
"""

import random
from collections.abc import Iterator

from hypothesis import settings
from hypothesis import strategies as st

from aluette.packs import BlockKey
from aluette.rules import (
    Action,
    Ask,
    Chant,
    Cut,
    Discard,
    Look,
    Match,
    Play,
    RuleSet,
    Sign,
    Signal,
    weakest,
)
from aluette.seats import Seat

__all__ = ["QUICK", "choose", "keys", "play_out", "rule_sets", "seeds", "steps"]

QUICK = settings(max_examples=60, deadline=None, derandomize=True)
"""Some dozens of examples, the same ones each time."""

seeds = st.integers(0, 2**32 - 1)
keys = st.binary(min_size=32, max_size=32).map(BlockKey)
_SIGNS = [
    *map(Sign, Signal),
    *(Sign(Signal.ACES, count) for count in range(1, 6)),
    Sign(Signal.MADAME, 1),
]


def rule_sets(max_deals: int = 5) -> st.SearchStrategy[RuleSet]:
    """All options with all their values, but matches no longer than `max_deals` before extra deals."""
    return st.builds(
        RuleSet,
        seating=st.sampled_from(["fixed", "draw"]),
        cut=st.sampled_from(["referee", "player"]),
        chant=st.sampled_from(["ask", "off", "always"]),
        chant_discard=st.sampled_from(["free", "lowest"]),
        mordienne=st.booleans(),
        deals=st.integers(1, max_deals),
        tie=st.sampled_from(["draw", "extra_deals"]),
        signals=st.booleans(),
        signals_per_deal=st.integers(0, 9),
        notice=st.sampled_from([0, 1, 0.5]) | st.integers(0, 10_000).map(lambda n: n / 10_000),
        truthful=st.booleans(),
    )


def choose(match: Match, seat: Seat, rng: random.Random) -> Action:
    """One of the legal actions of a seat that is asked, often with a signal; the chant is mostly agreed."""
    hand = list(match.deal.hands[seat])
    sign = rng.choice(_SIGNS) if rng.random() < 0.5 else None
    match match.ask:
        case Ask.CUT:
            return Cut(rng.randint(1, 47), sign)
        case Ask.LOOK:
            return Look(sign)
        case Ask.CHANT:
            return Chant(rng.random() < 0.9, sign)
        case Ask.DISCARD:
            rng.shuffle(hand)
            if match.rules.chant_discard == "lowest":
                return Discard(weakest(hand), sign)
            return Discard(tuple(hand[:6]), sign)
        case _:
            return Play(rng.choice(hand), sign)


def steps(match: Match, rng: random.Random) -> Iterator[tuple[Seat, Action]]:
    """Play to the end, in a random order where several are asked; yields each action after it is done."""
    while not match.over:
        seat = rng.choice(match.asked)
        action = choose(match, seat, rng)
        match.do(seat, action)
        yield seat, action


def play_out(match: Match, rng: random.Random) -> list[tuple[Seat, Action]]:
    """Play to the end; all that was done, in order."""
    return list(steps(match, rng))
