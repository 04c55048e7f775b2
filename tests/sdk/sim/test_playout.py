"""Playouts: what they estimate is checked against the mean over every world and every way to play on."""

import random
from itertools import permutations, product
from math import sqrt

import pytest
from sdk.sim.positions import signalled_match

from aluette.cards import CARDS, STRENGTH, Card
from aluette.errors import IllegalAction, Misuse
from aluette.rules import Ask, RuleSet, score_deal, strongest, weakest
from aluette.seats import Seat, Side
from aluette.sim import playouts
from aluette.view import View, view_of

RULES = RuleSet(deals=1, chant="off", signals=False)


def view_at(cards: int, seed: int, rules: RuleSet = RULES) -> View:
    """The view of the seat to play when so many cards were played in a random match."""
    matches = signalled_match(rules, random.Random(seed))
    match = next(match for match in matches if match.ask is Ask.PLAY and len(match.deal.played) == cards)
    return view_of(match, match.asked[0])


def expected(view: View, card: Card) -> float:
    """The mean of a card that leads to trick nine, over every way to deal the other three theirs."""
    hidden = [other for other in CARDS if other not in {*view.hand, *view.discards, *view.deal.cards}]
    total = count = 0
    for others in permutations(hidden, 3):
        place = strongest((card, *others))
        winner = None if place is None else view.deal.leader.after(place)
        score = score_deal((*view.deal.winners, winner))
        total += score.points if score.side is view.side else -score.points
        count += 1
    return total / count


@pytest.mark.parametrize("seed", range(6))
def test_the_mean_is_that_over_every_world(seed):
    view = view_at(32, seed)
    n = 20_000
    (estimate,) = playouts(view, n, random.Random(seed), rules=RULES).estimates
    assert estimate.action is view.hand[0]
    assert estimate.playouts == n
    mean = expected(view, view.hand[0])
    assert abs(estimate.mean - mean) <= 4 * estimate.error + 1e-9
    assert estimate.error == pytest.approx(estimate.deviation / sqrt(n))
    if abs(mean) < 1:  # every result is 1 or -1 unless there may be a mordienne
        assert estimate.deviation == pytest.approx(sqrt(1 - estimate.mean**2), abs=0.5)


def test_with_two_tricks_left_play_goes_on_at_random():
    """Against the rulebook playing on at random from the same view, often enough to tell."""
    view = view_at(28, 3)
    rng = random.Random(4)
    found = playouts(view, 4000, rng, rules=RULES)
    for estimate in found.estimates:
        means = [by_rulebook(view, estimate.action, rng) for _ in range(4000)]
        spread = sqrt(2) * estimate.error
        assert abs(sum(means) / len(means) - estimate.mean) < 4 * spread + 1e-9


def by_rulebook(view: View, card: object, rng: random.Random) -> int:
    hidden = [other for other in CARDS if other not in {*view.hand, *view.deal.cards}]
    rng.shuffle(hidden)
    hands = {view.seat: list(view.hand)}
    for step in range(1, 4):
        hands[view.seat.after(step)] = [hidden.pop() for _ in range(2)]
    leader, winners = view.deal.leader, list(view.deal.winners)
    for trick in range(2):
        table = []
        for place in range(4):
            hand = hands[leader.after(place)]
            chosen = card if trick == place == 0 else rng.choice(hand)
            hand.remove(chosen)
            table.append(chosen)
        place = strongest(table)
        winners.append(None if place is None else leader.after(place))
        leader = winners[-1] or leader
    score = score_deal(winners)
    return score.points if score.side is view.side else -score.points


def test_both_sides_count_for_themselves():
    """The same position one seat on gives the same numbers: what N gains, E gains when all is turned."""
    seats = {view_at(32, seed).side for seed in range(6)}
    assert seats == {Side.NS, Side.EW}


def test_equal_strengths_share_their_playouts_and_every_card_has_an_estimate():
    view = view_at(0, 5)
    found = playouts(view, 200, random.Random(1), rules=RULES)
    assert tuple(estimate.action for estimate in found.estimates) == view.hand
    by_strength = {}
    for estimate in found.estimates:
        numbers = by_strength.setdefault(STRENGTH[estimate.action], estimate[1:])
        assert numbers == estimate[1:]
    assert len(by_strength) < 9
    assert found.best.mean == max(estimate.mean for estimate in found.estimates)
    tied = [estimate for estimate in found.estimates if estimate.mean == found.best.mean]
    assert found.best is tied[-1]


def test_votes_and_discards():
    rules = RuleSet(deals=1, signals=False)
    matches = list_of(rules)
    vote = playouts(matches[Ask.CHANT], 300, random.Random(1), rules=rules)
    assert [estimate.action for estimate in vote.estimates] == [True, False]
    view = matches[Ask.DISCARD]
    good, bad = weakest(view.hand), view.hand[:6]
    found = playouts(view, 2000, random.Random(1), rules=rules, actions=[good, bad])
    assert found.best.action == good
    assert found.estimates[0].mean > found.estimates[1].mean + 0.1
    with pytest.raises(Misuse, match="name the ones to compare"):
        playouts(view, 1, random.Random(1), rules=rules)
    lowest = RuleSet(deals=1, signals=False, chant_discard="lowest")
    with pytest.raises(IllegalAction, match="only the six weakest"):
        playouts(list_of(lowest)[Ask.DISCARD], 1, random.Random(1), rules=lowest, actions=[good, bad])


def list_of(rules: RuleSet) -> dict[Ask, View]:
    """The first view of each kind in a match whose chant is agreed."""
    for seed in range(20):
        views = {}
        for match in signalled_match(rules, random.Random(seed)):
            views.setdefault(match.ask, view_of(match, match.asked[0]))
        if Ask.DISCARD in views:
            return views
    raise AssertionError


def test_mistakes_of_a_caller():
    view = view_at(8, 1)
    rng = random.Random(1)
    foreign = next(card for card in CARDS if STRENGTH[card] not in {STRENGTH[held] for held in view.hand})
    with pytest.raises(IllegalAction, match=f"{foreign} is not allowed"):
        playouts(view, 1, rng, rules=RULES, actions=[view.hand[0], foreign])
    for actions in ([True], [(view.hand[0],) * 6], [tuple(view.hand[:6])]):
        with pytest.raises(Misuse, match="no answer to what this seat is asked"):
            playouts(view, 1, rng, rules=RULES, actions=actions)
    with pytest.raises(Misuse, match="no actions"):
        playouts(view, 1, rng, rules=RULES, actions=[])
    look = view_of(next(signalled_match(RuleSet(), rng)), Seat.N)
    with pytest.raises(Misuse, match="asked for none of them"):
        playouts(look, 1, rng)


def test_an_action_is_of_cards_that_the_seat_holds():
    """As strong a card that another holds is not allowed, though it would fare the same."""
    rng = random.Random(1)
    view = view_at(0, 5)
    for card in CARDS:
        if card not in view.hand and STRENGTH[card] in {STRENGTH[held] for held in view.hand}:
            with pytest.raises(IllegalAction, match=f"{card} is not allowed here: it is not in the hand"):
                playouts(view, 1, rng, rules=RULES, actions=[view.hand[0], card])
    rules = RuleSet(deals=1, signals=False)
    view = list_of(rules)[Ask.DISCARD]
    other, held = next(
        (other, held)
        for other, held in product(CARDS, view.hand)
        if other not in view.hand and STRENGTH[other] == STRENGTH[held]
    )
    five = [card for card in view.hand if card is not held][:5]
    assert playouts(view, 1, rng, rules=rules, actions=[[*five, held]]).estimates
    for wrong, why in (
        ([*five, other], f"{other} cannot be discarded"),
        ([*five, five[0]], "named twice"),
        (five, "6 cards are to be discarded, not 5"),
    ):
        with pytest.raises(IllegalAction, match=why):
            playouts(view, 1, rng, rules=rules, actions=[tuple(wrong)])
    for kind in (int, str, STRENGTH.__getitem__):
        with pytest.raises(Misuse, match="no answer to what this seat is asked"):
            playouts(view, 1, rng, rules=rules, actions=[list(map(kind, [*five, held]))])
    for wrong in (7, view.hand[0]):
        with pytest.raises(Misuse, match="must be actions to compare"):
            playouts(view, 1, rng, rules=rules, actions=wrong)
