"""What is passed wrongly is refused with one sentence, before anything is done."""

import random
from array import array

import numpy as np
import pytest
from sdk.sim.positions import OPTIONS, ending

from aluette.cards import CARDS, Card
from aluette.errors import Misuse
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette.sim import AGREE, REFUSE, Deals, from_rulebook, solve, to_rulebook

NO_RNG = {
    "none": None,
    "number": 7,
    "text": "seed",
    "module": random,
    "class": random.Random,
    "of numpy": np.random.default_rng(1),
}
NO_NUMBER = [None, 2.5, "3", True, -1, 2**70, Card.D3, np.array([1, 2])]
NO_RULES = [None, "standard/1", RuleSet]


def rng() -> random.Random:
    return random.Random(1)


def dealt(size: int = 3) -> Deals:
    return Deals.random(size, rng())


def said(call, *args, **kwargs) -> str:
    """What a call is refused with: one line that says what must be."""
    with pytest.raises(Misuse) as caught:
        call(*args, **kwargs)
    (line,) = str(caught.value).splitlines()
    assert len(line) < 160
    return line


@pytest.mark.parametrize("wrong", NO_RNG.values(), ids=NO_RNG)
def test_chance_comes_from_a_random(wrong):
    deals = dealt()
    before = deals.rows.tolist()
    for call in (lambda: Deals.random(1, wrong), lambda: deals.play_out(wrong)):
        assert "rng = " in (line := said(call))
        assert "must be the random.Random" in line
    assert deals.rows.tolist() == before
    deals.play_out(random.SystemRandom())


@pytest.mark.parametrize("wrong", NO_NUMBER, ids=repr)
def test_numbers_are_whole_and_within_bounds(wrong):
    deals = from_rulebook([ending(OPTIONS[4], 4, rng())])
    assert said(Deals.random, wrong, rng()).endswith("must be a whole number from 0 to 1000000000000")
    assert said(solve, deals, node_limit=wrong).startswith("node_limit = ")
    for call in (
        lambda: deals.hand(wrong, Seat.N),
        lambda: solve(deals, wrong),
        lambda: to_rulebook(deals, wrong),
    ):
        assert said(call).endswith("must be a whole number from 0 to 0")


def test_numbers_of_numpy_are_numbers():
    deals = Deals.random(np.int64(3), rng())
    assert deals.hand(np.int32(2), Seat.N) == deals.hand(2, Seat.N)
    assert solve(from_rulebook([ending(OPTIONS[4], 4, rng())]), node_limit=np.int64(10**6)).nodes


@pytest.mark.parametrize("wrong", NO_RULES, ids=repr)
def test_rules_are_a_rule_set(wrong):
    packs = [CARDS]
    for call in (
        lambda: Deals.random(1, rng(), rules=wrong),
        lambda: Deals.of_packs(packs, SEATS, rules=wrong),
        lambda: Deals(dealt().rows, wrong),
    ):
        assert "must be the RuleSet of the match" in said(call)


@pytest.mark.parametrize("wrong", [0, 5, 9, -1, True, None, "N", 1.0, Card.DA, np.array([1, 2])], ids=repr)
def test_a_seat_is_one_of_four(wrong):
    deals = dealt()
    assert said(deals.hand, 0, wrong).endswith("must be a Seat: N, E, S or W")
    for call in (
        lambda: Deals.random(1, rng(), dealers=[Seat.N, wrong]),
        lambda: Deals.of_packs([CARDS], [wrong]),
    ):
        assert said(call).startswith("one of dealers = ")


def test_whose_turn_it_is_names_a_seat():
    deals = dealt()
    turn = deals.to_play()[0]
    assert deals.hand(0, turn) == deals.hand(0, Seat(int(turn)))


@pytest.mark.parametrize("wrong", [(), [], None, Seat.N, 1, ""], ids=repr)
def test_somebody_deals(wrong):
    for call in (lambda: Deals.random(1, rng(), dealers=wrong), lambda: Deals.of_packs([CARDS], wrong)):
        assert said(call).endswith("must be seats, at least one")
    assert said(Deals.random, 1, rng(), dealers="NESW").startswith("one of dealers = 'N'")


@pytest.mark.parametrize(
    "wrong",
    [
        range(2, 50),
        range(48),
        range(1, 48),
        [*range(1, 48), 1],
        list(map(str, CARDS)),
        list(map(float, CARDS)),
        [True, *range(2, 49)],
        [Seat.N, *range(2, 49)],
        "A" * 48,
        None,
        7,
    ],
    ids=repr,
)
def test_a_pack_has_each_card_once(wrong):
    assert said(Deals.of_packs, [CARDS, wrong], SEATS).endswith(
        "must be each of the 48 cards once, or their numbers"
    )


def test_packs_are_cards_or_their_numbers():
    packs = [random.Random(seed).sample(CARDS, 48) for seed in range(2)]
    deals = Deals.of_packs(packs, SEATS)
    for same in (np.array(packs), np.array(packs).tolist(), tuple(packs)):
        assert Deals.of_packs(same, SEATS).rows.tolist() == deals.rows.tolist()
    assert "must be each of the 48 cards once" in said(Deals.of_packs, CARDS, SEATS)
    assert "must be packs" in said(Deals.of_packs, None, SEATS)
    assert Deals.of_packs([], SEATS).size == 0


@pytest.mark.parametrize(
    "wrong",
    [
        [AGREE, AGREE, Card.D3],
        [AGREE, AGREE, True],
        [AGREE, AGREE, Seat.N],
        [AGREE, AGREE, 1.0],
        [AGREE, AGREE, "1"],
        [AGREE, AGREE, None],
        [AGREE, AGREE, 2**70],
        [[AGREE], [AGREE], [AGREE]],
        "abc",
        None,
        7,
        np.full(3, 0.5),
        np.full(3, True),
        np.full(3, 20, np.uint64),
        array("d", [20, 20, 20]),
    ],
    ids=repr,
)
def test_actions_are_integers_and_no_cards(wrong):
    deals = dealt()
    before = deals.rows.tolist()
    assert said(deals.step, wrong).endswith(
        "must be one integer a deal: REFUSE, AGREE, or a card by its strength, 1 to 19"
    )
    assert deals.rows.tolist() == before


@pytest.mark.parametrize(
    "kind", [list, tuple, iter, np.array, lambda it: np.array(it, np.uint8), lambda it: array("q", it)]
)
def test_actions_come_in_any_sequence_of_integers(kind):
    deals, same = dealt(), dealt()
    deals.step([AGREE, np.int64(AGREE), REFUSE])
    same.step(kind([AGREE, AGREE, REFUSE]))
    assert deals.rows.tolist() == same.rows.tolist()


def test_actions_are_as_many_as_the_deals():
    assert said(dealt().step, []) == "3 deals take 3 actions, not 0"


def test_rows_are_a_flat_array():
    rows = dealt().rows
    locked = np.array(rows)
    locked.flags.writeable = False
    square = np.asarray(rows).reshape(3, -1)
    for wrong in (
        None,
        rows.tolist(),
        rows[:100],
        square,
        square[:, :100],
        np.asarray(rows, float),
        locked,
        rows[::2],
    ):
        assert said(Deals, wrong, RuleSet()).endswith("must be a flat array of 64-bit integers, 164 a deal")
    assert Deals(array("q", rows.tolist()), RuleSet()).size == Deals(square.reshape(-1), RuleSet()).size == 3


def test_deals_are_deals():
    for call in (solve, lambda it: to_rulebook(it, 0)):
        assert "must be the Deals" in said(call, dealt().rows)
    assert "must be a Deal of the rulebook" in said(from_rulebook, [None])
    assert "must be deals of the rulebook" in said(from_rulebook, None)
    assert "none at all" in said(solve, dealt(0))
