"""The simulator plays by the rulebook: the same deals, options and actions give the same turns, options and scores."""

import random

import pytest
from sdk.sim.positions import OPTIONS, choose, ending, new_deal, played_to

from aluette.cards import STRENGTH
from aluette.rules import Ask, Chant, Deal, Discard, RuleSet
from aluette.rules.actions import Action
from aluette.seats import SEATS, Side
from aluette.sim import ACTIONS, AGREE, REFUSE, Deals, from_rulebook, to_rulebook

Turn = tuple[int, int, int, int]
"""What is asked, of whom, what may be done (a bit for each action), what is done."""


def turns_of(deal: Deal, action: Action) -> list[Turn]:
    """An action of the rulebook as the simulator's, one or six."""
    assert deal.phase is not None
    (seat,) = deal.asked
    if isinstance(action, Chant):
        return [(deal.phase, seat, 1 << REFUSE | 1 << AGREE, AGREE if action.yes else REFUSE)]
    hand = [STRENGTH[card] for card in deal.hands[seat]]
    turns: list[Turn] = []
    for strength in (
        [STRENGTH[card] for card in action.cards] if isinstance(action, Discard) else [STRENGTH[action.card]]  # type: ignore[union-attr]
    ):
        lowest = deal.phase is Ask.DISCARD and deal.rules.chant_discard == "lowest"
        allowed = {min(hand)} if lowest else set(hand)
        turns.append((deal.phase, seat, sum(1 << other for other in allowed), strength))
        hand.remove(strength)
    return turns


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
    for number in range(max(len(turns) for _, turns in made)):
        now = [turns[number] if number < len(turns) else (0, 0, 0, 0) for _, turns in made]
        assert deals.asked().tolist() == [turn[0] for turn in now]
        assert deals.to_play().tolist() == [turn[1] for turn in now]
        mask = deals.legal_actions().tolist()
        bits = [
            sum(1 << action for action in range(ACTIONS) if mask[start + action])
            for start in range(0, len(mask), ACTIONS)
        ]
        assert bits == [turn[2] for turn in now]
        deals.step([turn[3] for turn in now])
    assert deals.done().tolist() == [1] * size
    scores = [deal.score for deal, _ in made]
    assert deals.points().tolist() == [
        score.points if score.side is Side.NS else -score.points for score in scores
    ]
    final = from_rulebook([deal for deal, _ in made])
    assert arranged(deals) == arranged(final)


def arranged(deals: Deals) -> list[list[int]]:
    """Every row, with the order within discards and hands put away, in which nothing is told."""
    rows = []
    for index in range(deals.size):
        at = deals.place(index)
        row = deals.rows.tolist()[at : at + len(deals.rows) // deals.size]
        for start, size in [(23 + 15 * seat, 15) for seat in range(4)] + [
            (83 + 6 * seat, 6) for seat in range(4)
        ]:
            row[start : start + size] = sorted(row[start : start + size])
        rows.append(row)
    return rows


@pytest.mark.parametrize("rules", OPTIONS, ids=str)
def test_turns_options_and_scores_are_those_of_the_rulebook(rules):
    compare(rules, 60, random.Random(str(rules)))


@pytest.mark.slow
@pytest.mark.parametrize("rules", OPTIONS, ids=str)
def test_a_hundred_thousand_deals_are_as_in_the_rulebook(rules):
    """`python -m sdk.sim.million SEED DEALS`, in tests, plays more of them."""
    rng = random.Random(f"many {rules}")
    for _ in range(9):
        compare(rules, 1000, rng)


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
