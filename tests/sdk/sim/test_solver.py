"""The solver against trying everything with the rulebook, on endings of random deals under all options."""

import random
from collections.abc import Iterator
from contextlib import suppress

import pytest
from sdk.sim.positions import OPTIONS, ending, minimax

from aluette.cards import Card
from aluette.errors import Misuse
from aluette.rules import Deal, RuleSet
from aluette.seats import Seat
from aluette.sim import NODE_LIMIT, Deals, SearchLimit, Solution, from_rulebook, solve
from aluette.sim.kernel import run, zeros
from aluette.sim.search import ENTRY, LIMIT, MEMORY
from aluette.sim.solver import _solve

PLAY_ONLY = [rules for rules in OPTIONS if rules.chant == "off" and rules.chant_discard == "free"]
"""What came before the play does not matter to an ending; the mordienne does."""


def compare(left: int, count: int, seed: str) -> dict[int, int]:
    """Solve endings with so many cards left, all in turn with and without mordienne; how often each outcome came."""
    rng = random.Random(seed)
    outcomes: dict[int, int] = {}
    for number in range(count):
        deal = ending(PLAY_ONLY[number % 2], left, rng)
        solution = solve(from_rulebook([deal]))
        assert (solution.points, solution.best) == minimax(deal), (deal.hands, deal.played)
        outcomes[solution.points] = outcomes.get(solution.points, 0) + 1
    return outcomes


@pytest.mark.parametrize("left", range(1, 10))
def test_endings_of_up_to_two_tricks_and_a_card(left):
    compare(left, 150, f"quick {left}")


def test_endings_of_three_tricks():
    assert set(compare(12, 60, "three")) >= {-1, 1}


@pytest.mark.slow
@pytest.mark.parametrize("left", range(9, 17))
def test_many_endings_of_three_tricks_and_some_of_four(left):
    assert set(compare(left, 300 if left <= 12 else 8, f"slow {left}")) >= {-1, 1}


# -- positions set by hand ----------------------------------------------------------------------------------


def position(winners: str, hands: dict[str, str], *, mordienne: bool = True) -> Deal:
    """A deal first led by N whose tricks so far were won by these seats (X for a spoiled one), with these hands left."""
    rules = RuleSet(chant="off", signals=False, mordienne=mordienne)
    deal = ending(rules, 36, random.Random(0))
    deal.dealer = Seat.W
    deal.winners = [None if letter == "X" else Seat[letter] for letter in winners]
    deal.hands = {Seat[name]: [Card.parse(text) for text in held.split()] for name, held in hands.items()}
    deal.played = played_by(deal.winners)
    deal.leaders = [next((seat for seat in reversed(deal.winners) if seat), Seat.N)]
    deal.asked = (deal.leaders[0],)
    return deal


def set_by_hand(winners: str, hands: dict[str, str], *, mordienne: bool = True) -> Deals:
    return from_rulebook([position(winners, hands, mordienne=mordienne)])


def played_by(winners: list[Seat | None]) -> list[Card]:
    """Cards which the simulator, that counts strengths alone, gives to these winners."""
    leader, played = Seat.N, []
    for winner in winners:
        trick = [Card.S4] * 4 if winner is None else [Card.S3] * 4
        if winner is not None:
            trick[(winner - leader) % 4] = Card.SK
        played += trick
        leader = winner or leader
    return played


def test_who_reached_the_number_first_scores():
    """N and E have four each; only E's were complete first, and the last trick is spoiled."""
    last = {"N": "KC", "E": "KD", "S": "4C", "W": "4D"}
    assert solve(set_by_hand("EEEENNNN", last)).points == -1
    assert solve(set_by_hand("NNNNEEEE", last)).points == 1


def test_a_run_to_the_end_is_a_mordienne():
    last = {"N": "KC", "E": "4S", "S": "4C", "W": "4D"}
    assert solve(set_by_hand("EEEENNNN", last)).points == 2
    assert solve(set_by_hand("EEEENNNN", last, mordienne=False)).points == 1
    assert solve(set_by_hand("EEENENNN", last)).points == 1
    assert solve(set_by_hand("NNNNNNNN", last)).points == 1


def test_a_partner_gets_out_of_the_way_of_a_run_if_it_can():
    """N has won two in a row and needs the last two: S can throw its king on the Borgne, but never lose Madame."""
    hands = {"N": "2D KC", "E": "4S 5S", "S": "KS 4C", "W": "4D 5D"}
    assert solve(set_by_hand("EWSXXNN", hands))[:2] == (2, (17, 10))
    assert solve(set_by_hand("EWSXNNX", hands)).points == 1
    assert solve(set_by_hand("EWSXXNN", {**hands, "S": "3C 4C"})).points == 1


def test_a_deal_in_which_all_is_spoiled_scores_nothing():
    last = {"N": "KC", "E": "KD", "S": "4C", "W": "4D"}
    assert solve(set_by_hand("XXXXXXXX", last)).points == 0
    last["S"] = "AS"
    assert solve(set_by_hand("XXXXXXXX", last)).points == 1


# -- many positions that look alike -------------------------------------------------------------------------


def winners_before(tricks: int, rng: random.Random) -> str:
    """Early tricks of all seats, of three, of hardly anybody, or with a run at the end of somebody who has no other."""
    before = 9 - tricks
    runner, *others = rng.sample("NESW", 4)
    length = rng.randint(1, 3)
    kinds = [
        rng.choices("NESWX", k=before),
        rng.choices(others, k=before),
        rng.choices("XXXXXXN", k=before),
        [*rng.choices([*others, "X"], k=before - length), *[runner] * length],
    ]
    return "".join(rng.choice(kinds))


def cards_owned(owners: list[str], rng: random.Random) -> dict[str, str]:
    """Hands of cards that belong to these seats, strongest first; chance says which are of one strength."""
    hands = {name: [] for name in "NESW"}
    ranks, suits = iter("AKQJ876543"), ""
    rank = ""
    ties = rng.random()
    for owner in owners:
        if not suits or rng.random() > ties:
            rank, suits = next(ranks), "SB" if rank == "3" else "DCSB"
        hands[owner].append(rank + suits[-1])
        suits = suits[:-1]
    return {name: " ".join(held) for name, held in hands.items()}


def alike(tricks: int, count: int, seed: str, *, each: int = 1) -> Iterator[Deal]:
    """Positions that differ in little: `each` times the same order of owners, with other ties and other early tricks."""
    rng = random.Random(seed)
    for _ in range(count // each):
        owners = rng.sample([*"NESW"] * tricks, 4 * tricks)
        early = [winners_before(tricks, rng) for _ in range(max(1, each // 10))]
        for _ in range(each):
            letters = rng.choice(early)
            mordienne = rng.random() < 0.8
            while True:
                with suppress(StopIteration):
                    yield position(letters, cards_owned(owners, rng), mordienne=mordienne)
                    break


@pytest.mark.parametrize(
    ("tricks", "count"), [(2, 900), (3, 90), pytest.param(3, 2000, marks=pytest.mark.slow)]
)
def test_positions_of_few_strengths(tricks, count):
    outcomes: dict[int, int] = {}
    for deal in alike(tricks, count, f"alike {tricks}"):
        solution = solve(from_rulebook([deal]))
        assert (solution.points, solution.best) == minimax(deal), (deal.hands, deal.winners)
        outcomes[solution.points] = outcomes.get(solution.points, 0) + 1
    assert set(outcomes) == {-2, -1, 0, 1, 2} or count < 100


@pytest.mark.parametrize(
    ("size", "tricks", "count", "each"),
    [
        (1, 2, 300, 60),
        (50, 2, 900, 60),
        (1 << 14, 1, 3000, 60),
        (1 << 14, 2, 900, 60),
        (1 << 14, 3, 60, 60),
        pytest.param(1 << 16, 2, 9000, 900, marks=pytest.mark.slow),
        pytest.param(1 << 16, 3, 600, 300, marks=pytest.mark.slow),
    ],
)
def test_what_one_position_leaves_in_the_table_is_true_of_every_other(size, tricks, count, each):
    """A solver has a table for each deal; here many share one, small or large, so that each key must say enough."""
    table = zeros(ENTRY * size)
    for deal in alike(tricks, count, f"shared {size} {tricks}", each=each):
        rows, memory = from_rulebook([deal]).rows, zeros(MEMORY)
        memory[LIMIT] = NODE_LIMIT
        best = zeros(20)
        points = run(_solve, rows, 0, memory, table, best, 0, 2)
        found = tuple(strength for strength in range(19, 0, -1) if best[strength])
        assert (points, found) == minimax(deal), (deal.hands, deal.winners)


# -- what it says when it cannot ----------------------------------------------------------------------------


def test_a_limit_that_is_reached_is_said():
    deals = from_rulebook([ending(PLAY_ONLY[0], 16, random.Random(3))])
    solution = solve(deals)
    assert solve(deals, node_limit=solution.nodes) == solution
    for limit in (1, 2, solution.nodes // 2, solution.nodes - 1):
        with pytest.raises(SearchLimit, match=f"within {limit} positions") as caught:
            solve(deals, node_limit=limit)
        assert caught.value.nodes == limit


def test_a_deal_that_is_over_has_its_score_and_no_best_card():
    deals = from_rulebook([ending(PLAY_ONLY[0], 0, random.Random(3))])
    assert solve(deals) == Solution(deals.points()[0], (), 0)


def test_before_the_play_nothing_is_solved():
    deals = Deals.random(1, random.Random(1))
    with pytest.raises(Misuse, match="when its play has begun"):
        solve(deals)
    with pytest.raises(Misuse, match="node_limit = 0: must be a whole number from 1"):
        solve(from_rulebook([ending(PLAY_ONLY[0], 4, random.Random(1))]), node_limit=0)
    with pytest.raises(Misuse, match="index = 1: must be a whole number from 0 to 0"):
        solve(deals, 1)


def test_the_deal_is_not_changed():
    deals = from_rulebook([ending(PLAY_ONLY[0], 11, random.Random(5))])
    before = deals.rows.tolist()
    solve(deals)
    assert deals.rows.tolist() == before
