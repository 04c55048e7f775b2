"""Stepping many deals at once: shapes, mistakes, and what a player may know of each."""

import random
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import stats
from sdk.sim.positions import OPTIONS, ending, signalled_match

from aluette.cards import STRENGTH
from aluette.errors import IllegalAction, Misuse
from aluette.rules import Ask, RuleSet
from aluette.seats import SEATS, Seat
from aluette.sim import ACTIONS, AGREE, OBSERVATION, REFUSE, SEEN, Deals, deal_consistent, from_rulebook
from aluette.sim.state import PLAYED, ROW
from aluette.view import View, view_of


def random_actions(deals: Deals, rng: random.Random) -> list[int]:
    """A legal action for each deal."""
    mask = deals.legal_actions().tolist()
    legal = [
        [action for action in range(ACTIONS) if mask[start + action]]
        for start in range(0, len(mask), ACTIONS)
    ]
    return [rng.choice(actions) if actions else -1 for actions in legal]


def test_shapes():
    deals = Deals.random(7, random.Random(1))
    assert deals.size == 7
    assert [len(one) for one in (deals.to_play(), deals.asked(), deals.done(), deals.points())] == [7] * 4
    assert len(deals.legal_actions()) == 7 * ACTIONS
    assert len(deals.observations()) == 7 * OBSERVATION
    assert len(Deals.random(0, random.Random(1)).legal_actions()) == 0


def test_deals_end_each_at_its_own_time_and_take_any_action_then():
    rng = random.Random(2)
    deals = Deals.random(50, rng)
    ended = [0]
    while not all(deals.done().tolist()):
        deals.step(random_actions(deals, rng))
        ended.append(sum(deals.done().tolist()))
    assert all(earlier <= later for earlier, later in pairwise(ended))
    assert len(set(ended)) > 2
    before = deals.rows.tolist()
    deals.step([99] * 50)
    assert deals.rows.tolist() == before
    assert set(deals.to_play().tolist()) == set(deals.asked().tolist()) == {0}
    assert set(deals.points().tolist()) <= {-2, -1, 0, 1, 2}
    assert set(deals.observations().tolist()) == {0}


def test_what_is_not_legal_changes_nothing():
    rng = random.Random(3)
    deals = Deals.random(9, rng)
    for _ in range(20):
        good = random_actions(deals, rng)
        before = deals.rows.tolist()
        for index, action in ((4, 25), (4, -1), (8, foreign(deals, 8))):
            with pytest.raises(IllegalAction, match=f"deal {index} of these does not allow action {action}"):
                deals.step([*good[:index], action, *good[index + 1 :]])
        with pytest.raises(Misuse, match="9 deals take 9 actions, not 8"):
            deals.step(good[:8])
        assert deals.rows.tolist() == before
        deals.step(np.array(good, np.int32))


def foreign(deals: Deals, index: int) -> int:
    """An action that this deal does not allow."""
    mask = deals.legal_actions().tolist()[index * ACTIONS :][:ACTIONS]
    return mask.index(0)


def test_rulebook_deals_that_are_not_simulated():
    with pytest.raises(Misuse, match="no deal to take the rules from"):
        from_rulebook([])
    deals = [next(signalled_match(rules, random.Random(1))).deal for rules in OPTIONS[:2]]
    with pytest.raises(Misuse, match="different rules"):
        from_rulebook(deals)
    with pytest.raises(Misuse, match="awaits the look"):
        from_rulebook([next(signalled_match(RuleSet(), random.Random(1))).deal])


def test_a_copy_is_played_on_differently():
    deals = Deals.random(3, random.Random(1))
    other = deals.copy()
    other.step([REFUSE, AGREE, REFUSE])
    assert set(deals.asked().tolist()) == {Ask.CHANT}
    assert other.asked().tolist() == [Ask.PLAY, Ask.CHANT, Ask.PLAY]


def test_a_seed_says_everything():
    one, same, other = (Deals.random(5, random.Random(seed)) for seed in (1, 1, 2))
    assert one.rows.tolist() == same.rows.tolist() != other.rows.tolist()
    one.play_out(random.Random(1))
    same.play_out(random.Random(2))
    assert one.rows.tolist() != same.rows.tolist()


@pytest.mark.parametrize(("left", "laid"), [(8, 4), (12, 4), (10, 2)])
def test_from_one_deal_every_way_to_play_the_trick_is_as_likely(left, laid):
    """Two, three, or three cards in each hand that is still to play; cards in one hand that are alike are one way."""
    deal = ending(OPTIONS[4], left, random.Random(left))
    deals = from_rulebook([deal] * 6000)
    deals.play_out(random.Random(7))
    first = PLAYED + 36 - left
    rows = np.asarray(deals.rows).reshape(-1, ROW)[:, first : first + laid]
    found = Counter(map(tuple, rows.tolist()))
    seats = [deal.asked[0].after(step) for step in range(laid)]
    expected = Counter(product(*([STRENGTH[card] for card in deal.hands[seat]] for seat in seats)))
    assert set(found) <= set(expected)
    ways = expected.total()
    assert (
        stats.chisquare([found[one] for one in expected], [6000 * n / ways for n in expected.values()]).pvalue
        > 1e-4
    )


# -- observations -------------------------------------------------------------------------------------------


def observed(deals: Deals, index: int = 0) -> dict[str, list[int]]:
    row = deals.observations().tolist()[index * OBSERVATION :][:OBSERVATION]
    return {name: row[start : start + size] for name, (start, size) in SEEN.items()}


def test_the_parts_of_an_observation_lie_side_by_side():
    parts = list(SEEN.values())
    assert parts[0][0] == 0
    assert all(start + size == following for (start, size), (following, _) in pairwise(parts))
    assert sum(parts[-1]) == OBSERVATION


def from_me(seat: Seat | None, me: Seat) -> int:
    return 4 if seat is None else (seat - me) % 4


def told(view: View) -> dict[str, list[int]]:
    """The observation as it follows from a view."""
    deal, me = view.deal, view.seat
    assert view.asked
    plays = [play for trick in (*deal.tricks, deal.trick) for play in trick.plays]
    ahead: Seat | None = None
    for number in range(1, 10):
        reached = [w for i, w in enumerate(deal.winners) if w and deal.winners[: i + 1].count(w) == number]
        ahead = reached[0] if reached else ahead
    return {
        "asked": [int(view.asked)],
        "dealer": [from_me(deal.dealer, me)],
        "votes": [sum(vote.yes for vote in deal.votes)],
        "stock_dealt": [int(deal.stock_dealt)],
        "leader": [from_me(deal.leader, me)],
        "tricks": [len(deal.winners)],
        "ahead": [from_me(ahead, me)],
        "counts": [deal.counts[me.after(step)] for step in range(4)],
        "hand": [sum(STRENGTH[card] == strength for card in view.hand) for strength in range(20)],
        "discards": [sum(STRENGTH[card] == strength for card in view.discards) for strength in range(20)],
        "players": [from_me(seat, me) for seat, _ in plays] + [4] * (36 - len(plays)),
        "played": [STRENGTH[card] for card in deal.cards] + [0] * (36 - len(plays)),
        "winners": [from_me(winner, me) for winner in deal.winners] + [-1] * (9 - len(deal.winners)),
    }


@pytest.mark.parametrize("rules", OPTIONS, ids=str)
def test_an_observation_is_what_the_view_says(rules):
    rules = RuleSet(**{**rules.changes(), "deals": 1})
    for match in signalled_match(rules, random.Random(str(rules))):
        view = view_of(match, match.asked[0])
        assert observed(from_rulebook([match.deal])) == told(view)


def test_worlds_that_a_seat_cannot_tell_apart_look_alike():
    rules = RuleSet(deals=1)
    rng = random.Random(6)
    for match in signalled_match(rules, rng):
        if match.ask is not Ask.LOOK:
            view = view_of(match, match.asked[0])
            worlds = deal_consistent(view, 5, rng, rules=rules)
            assert {tuple(observed(worlds, index).items().__repr__()) for index in range(5)} == {
                tuple(told(view).items().__repr__())
            }
            if len(match.deal.played) < 20:
                hands = {tuple(worlds.hand(index, seat) for seat in SEATS) for index in range(5)}
                assert len(hands) == 5
