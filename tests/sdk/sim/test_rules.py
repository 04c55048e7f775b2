"""The simulator plays by the rulebook: the same deals, options and actions give the same turns, options and scores."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from rules.table import PLAY_ONLY, RESULTS, play_match
from sdk.sim.positions import OPTIONS, choose, ending, new_deal, played_to

from aluette.cards import STRENGTH
from aluette.rules import Ask, Chant, Deal, Discard, RuleSet
from aluette.rules.actions import Action
from aluette.seats import SEATS, Side
from aluette.sim import ACTIONS, AGREE, REFUSE, Deals, from_rulebook, to_rulebook
from aluette.sim.state import DISCARDS, HANDS, ROW, WINNERS

Turn = tuple[int, int, int, int]
"""What is asked, of whom, what may be done (a bit for each action), what is done."""


BIT = [1 << strength for strength in STRENGTH]
VOTE = 1 << REFUSE | 1 << AGREE


def turns_of(deal: Deal, action: Action) -> Iterator[Turn]:
    """An action of the rulebook as the simulator's, one or six."""
    phase, (seat,) = deal.phase, deal.asked
    assert phase is not None
    if isinstance(action, Chant):
        yield phase, seat, VOTE, AGREE if action.yes else REFUSE
    elif isinstance(action, Discard):
        hand = [STRENGTH[card] for card in deal.hands[seat]]
        for card in action.cards:
            allowed = {min(hand)} if deal.rules.chant_discard == "lowest" else set(hand)
            yield phase, seat, sum(1 << strength for strength in allowed), STRENGTH[card]
            hand.remove(STRENGTH[card])
    else:
        allowed_bits = 0
        for card in deal.hands[seat]:
            allowed_bits |= BIT[card]
        yield phase, seat, allowed_bits, STRENGTH[action.card]  # type: ignore[union-attr]


def played(rules: RuleSet, rng: random.Random) -> tuple[Deal, list[Turn]]:
    deal = new_deal(rules, rng)
    turns: list[Turn] = []
    while deal.phase is not None:
        action = choose(deal, rng)
        turns += turns_of(deal, action)
        deal.do(deal.asked[0], action)
    return deal, turns


def compare(rules: RuleSet, size: int, rng: random.Random) -> None:
    """Play deals in the rulebook and side by side in the simulator; every turn and every score is the same."""
    made = [played(rules, rng) for _ in range(size)]
    deals = Deals.of_packs([deal.pack for deal, _ in made], [deal.dealer for deal, _ in made], rules=rules)
    table = np.zeros((max(len(turns) for _, turns in made), 4, size), np.int64)
    for index, (_, turns) in enumerate(made):
        table[: len(turns), :, index] = turns
    bits = 1 << np.arange(ACTIONS)
    for asked, seats, allowed, actions in table:
        assert np.array_equal(deals.asked(), asked)
        assert np.array_equal(deals.to_play(), seats)
        assert np.array_equal(np.asarray(deals.legal_actions()).reshape(size, ACTIONS) @ bits, allowed)
        deals.step(actions)
    assert deals.done().tolist() == [1] * size
    scores = [deal.score for deal, _ in made]
    assert deals.points().tolist() == [
        score.points if score.side is Side.NS else -score.points for score in scores
    ]
    winners = [[4 if winner is None else winner - 1 for winner in deal.winners] for deal, _ in made]
    rows = np.asarray(deals.rows).reshape(size, ROW)
    assert rows[:, WINNERS : WINNERS + 9].tolist() == winners
    for deal, row in zip(made[:20], arranged(deals), strict=False):
        assert [row] == arranged(from_rulebook([deal[0]]))


def arranged(deals: Deals) -> list[list[int]]:
    """Every row, with the order within discards and hands put away, in which nothing is told."""
    rows = np.array(deals.rows).reshape(deals.size, ROW)
    for seat in range(4):
        rows[:, HANDS + 15 * seat : HANDS + 15 * seat + 15].sort()
        rows[:, DISCARDS + 6 * seat : DISCARDS + 6 * seat + 6].sort()
    return rows.tolist()


@pytest.mark.parametrize("rules", OPTIONS, ids=str)
def test_turns_options_and_scores_are_those_of_the_rulebook(rules):
    compare(rules, 60, random.Random(str(rules)))


@pytest.mark.slow
@pytest.mark.parametrize("rules", OPTIONS, ids=str)
def test_many_deals_are_as_in_the_rulebook(rules):
    """Of a million, `sdk.sim.million` plays more of them by hand."""
    rng = random.Random(f"many {rules}")
    for _ in range(10):
        compare(rules, 1000, rng)


@pytest.mark.parametrize("mordienne", [True, False])
@pytest.mark.parametrize(
    "letters", [*RESULTS.values(), "NNNNNNNNX", "XNNNNNNNN", "NNNNNNNNE", "EXXXXXXXN", "XXXXXXXXN"]
)
def test_results_that_chance_hardly_gives(letters, mordienne):
    """A deal in which every trick is spoiled, a sweep, a run that is broken by the last trick, a run of one."""
    rules = RuleSet(**{**PLAY_ONLY.changes(), "deals": 1, "mordienne": mordienne})
    (deal,) = play_match(rules, [letters]).deals
    deals = Deals.of_packs([deal.pack], [deal.dealer], rules=rules)
    for card in deal.played:
        deals.step([STRENGTH[card]])
    assert deals.points().tolist() == from_rulebook([deal]).points().tolist()
    assert deals.points().tolist() == [
        deal.score.points if deal.score.side is Side.NS else -deal.score.points
    ]


@pytest.mark.parametrize("left", [36, 35, 22, 9, 1])
def test_a_position_goes_to_the_simulator_and_back(left):
    rng = random.Random(left)
    for rules in OPTIONS:
        deals = from_rulebook([ending(rules, left, rng) for _ in range(5)])
        again = from_rulebook([to_rulebook(deals, index) for index in range(5)])
        assert arranged(again) == arranged(deals)


def test_a_deal_before_its_play_goes_to_the_simulator_and_back():
    rng = random.Random(1)
    phases = set()
    for _ in range(60):
        deal = new_deal(OPTIONS[0], rng)
        for _ in range(rng.randrange(6)):
            if deal.phase in (Ask.CHANT, Ask.DISCARD):
                deal.do(deal.asked[0], choose(deal, rng))
        back = to_rulebook(from_rulebook([deal]), 0)
        phases.add(back.phase)
        assert (back.phase, back.asked, back.votes) == (deal.phase, deal.asked, deal.votes)
        assert arranged(from_rulebook([back])) == arranged(from_rulebook([deal]))
    assert phases == {Ask.CHANT, Ask.DISCARD, Ask.PLAY}


def test_played_out_at_random_a_deal_ends_as_the_rulebook_says():
    """The cards that the simulator plays by itself, played again by the rulebook."""
    rng = random.Random(2)
    for rules in OPTIONS:
        deals = Deals.random(40, rng, rules=rules)
        deals.play_out(rng)
        for index in range(deals.size):
            deal = to_rulebook(deals, index)
            assert deal.phase is None
            assert arranged(from_rulebook([deal])) == [arranged(deals)[index]]
            points = deal.score.points if deal.score.side is Side.NS else -deal.score.points
            assert points == deals.points()[index]


def test_a_deal_is_played_out_from_any_point():
    rng = random.Random(3)
    for cards in range(36):
        deals = from_rulebook([played_to(new_deal(OPTIONS[0], rng), cards, rng)])
        deals.play_out(rng)
        assert from_rulebook([to_rulebook(deals, 0)]).points().tolist() == deals.points().tolist()


def test_random_deals_have_the_dealers_and_every_place_of_the_pack():
    deals = Deals.random(400, random.Random(4), dealers=SEATS[:2])
    assert deals.to_play().tolist() == [2, 3] * 200
    seen = {seat: [deals.hand(index, seat) for index in range(400)] for seat in SEATS}
    for hands in seen.values():
        # Monsieur is in this hand in about a hundred of four hundred deals by nine in forty-eight: 75, ± 8.
        assert 50 < sum(19 in hand for hand in hands) < 100
