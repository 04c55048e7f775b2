"""Worlds are drawn exactly uniformly from all that fit: counted by brute force, with the rulebook judging each."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from math import comb

import pytest
from scipy import stats
from sdk.sim.judging import agrees, drawn, fitting, plays, receivers, ways
from sdk.sim.positions import signalled_match

from aluette.cards import CARDS, STRENGTH
from aluette.errors import Misuse
from aluette.rules import Ask, RuleSet, Sign, Signal, aces
from aluette.seats import SEATS
from aluette.sim import deal_consistent, state, to_rulebook
from aluette.view import SeenSignal, View, view_of

SIGNALLING = [
    RuleSet(deals=1, notice=1, signals_per_deal=9, chant=chant, chant_discard=discard, truthful=truthful)
    for chant, discard, truthful in product(("ask", "off", "always"), ("free", "lowest"), (True, False))
]


# -- the draw -----------------------------------------------------------------------------------------------


def size_of(view: View) -> int:
    """How many ways there are to put the hidden cards anywhere, before anything is judged."""
    left = 48 - len({*view.hand, *view.discards, *view.deal.cards})
    found = 1
    for seat in SEATS:
        if seat is not view.seat:
            if seat in receivers(view):
                found *= comb(left, 6)
                left -= 6
            hand = 9 - sum(who is seat for who, _ in plays(view))
            found *= comb(left, hand)
            left -= hand
    return found


def endings(rules: RuleSet, rng: random.Random, most: int) -> Iterator[View]:
    """Late views of random matches, with at least two worlds and few enough to count."""
    while True:
        for match in signalled_match(rules, rng):
            if match.ask is Ask.PLAY and len(match.deal.played) >= 24:
                view = view_of(match, match.asked[0])
                if 1 < size_of(view) <= most:
                    yield view


def chance_of(view: View, rules: RuleSet, rng: random.Random, draws: int) -> float:
    """The chance that worlds of this view, drawn so often, come out as unevenly."""
    return agrees(fitting(view, rules), drawn(deal_consistent(view, draws, rng, rules=rules), view.seat))


@pytest.mark.parametrize("rules", SIGNALLING, ids=str)
def test_every_fitting_world_is_as_likely(rules):
    rng = random.Random(f"uniform {rules}")
    chances = [chance_of(view, rules, rng, 2000) for view in islice(endings(rules, rng, 3000), 2)]
    assert min(chances) > 1e-4, chances


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("named", [False, True])
def test_aces_that_a_receiver_showed_before_the_stock_are_weighed_by_how_its_fifteen_may_divide(
    number, named
):
    """Such a signal makes some fifteens likelier than others: those with more ways to have held that nine."""
    rules = RuleSet(deals=1, chant="always", notice=1, signals_per_deal=9)
    rng = random.Random(f"shown {number} {named}")
    for view in endings(rules, rng, 600):
        known = {*view.hand, *view.discards, *view.deal.cards}
        if sum(STRENGTH[card] == 11 and card not in known for card in CARDS) < 2:
            continue
        seat = next(seat for seat in receivers(view) if seat is not view.seat)
        signs = [aces(number)]
        if named:
            played = {card for who, card in plays(view) if who is seat}
            signs += [Sign(signal) for signal in Signal if signal.card in played]
        shown = view._replace(seen=tuple(SeenSignal(Ask.LOOK, 0, seat, sign) for sign in signs))
        if len(set(fitting(shown, rules).values())) < 2 or (named and len(signs) < 2):
            continue
        assert chance_of(shown, rules, rng, 20_000) > 1e-4
        return


@pytest.mark.parametrize("cards", [0, 8, 12])
def test_a_pack_is_no_likelier_for_the_choices_that_it_leaves_among_the_lowest(cards):
    """The dealer's left knows its own fifteen; the dealer's are any of the others, put aside as chance would have it."""
    rules = RuleSet(deals=1, chant="always", chant_discard="lowest", signals=False)
    rng = random.Random(f"lowest {cards}")
    view = next(
        view_of(match, match.deal.dealer.left)
        for _ in range(100)
        for match in signalled_match(rules, rng)
        if match.asked == (match.deal.dealer.left,)
        and match.ask is Ask.PLAY
        and len(match.deal.played) == cards
    )
    dealer = view.deal.dealer
    hidden = [card for card in CARDS if card not in {*view.hand, *view.discards, *view.deal.cards}]
    played = [card for seat, card in plays(view) if seat is dealer]
    found: list[Counter[tuple[int, int]]] = [Counter(), Counter()]
    while found[0].total() < 5000:
        fifteen = [*played, *rng.sample(hidden, 15 - len(played))]
        rng.shuffle(fifteen)
        fifteen.sort(key=STRENGTH.__getitem__)  # equals stay as they were shuffled: any of them are put aside
        if not {*fifteen[:6]} & {*played}:
            found[0][border([STRENGTH[card] for card in fifteen])] += 1
    worlds = deal_consistent(view, 5000, rng, rules=rules)
    for index in range(worlds.size):
        aside = worlds.place(index) + state.DISCARDS + 6 * (dealer - 1)
        found[1][
            border(
                [
                    *worlds.rows[aside : aside + 6],
                    *worlds.hand(index, dealer),
                    *map(STRENGTH.__getitem__, played),
                ]
            )
        ] += 1
    table = [[one[key] for key in set(found[0]) | set(found[1])] for one in found]
    assert stats.chi2_contingency(table).pvalue > 1e-4, found


def border(fifteen: list[int]) -> tuple[int, int]:
    """How many cards are as strong as the strongest of the weakest six, and how many of them are among those."""
    fifteen = sorted(fifteen)
    return fifteen.count(fifteen[5]), fifteen[:6].count(fifteen[5])


@pytest.mark.slow
@pytest.mark.parametrize("rules", SIGNALLING, ids=str)
def test_every_fitting_world_is_as_likely_in_many_endings(rules):
    rng = random.Random(f"uniform at length {rules}")
    chances = [chance_of(view, rules, rng, 20_000) for view in islice(endings(rules, rng, 60_000), 25)]
    assert min(chances) > 1e-5, chances
    # Chances themselves are as likely to be anything, but those of endings with a single world.
    varied = [chance for chance in chances if chance < 1]
    assert stats.kstest(varied, "uniform").pvalue > 1e-4 or len(varied) < 5


@pytest.mark.parametrize("rules", SIGNALLING, ids=str)
def test_at_every_point_of_a_match_every_world_fits(rules):
    """At whatever is asked; the rulebook says so of each world, set up and played to that point by itself."""
    rng = random.Random(f"fits {rules}")
    for match in signalled_match(rules, rng):
        if match.ask is Ask.LOOK:
            continue
        view = view_of(match, match.asked[0])
        worlds = deal_consistent(view, 2, rng, rules=rules)
        deal = to_rulebook(worlds, 1)
        others = {seat: tuple(deal.hands[seat]) for seat in SEATS}
        assert ways(view, rules, (others, deal.discards))
        discards = deal.discards.get(view.seat, ())
        mine = View(view.seat, deal.phase, others[view.seat], discards, (), (), view.deal)
        assert strengths_of(mine) == strengths_of(view)
        assert deal.winners == list(view.deal.winners)
        assert deal.votes == view.deal.votes


def strengths_of(view: View) -> object:
    played = [STRENGTH[card] for card in view.deal.cards]
    return (
        view.asked,
        [sorted(STRENGTH[card] for card in held) for held in (view.hand, view.discards)],
        played,
    )


@pytest.mark.parametrize(("chant", "phase"), [("ask", Ask.CHANT), ("off", Ask.PLAY), ("always", Ask.DISCARD)])
def test_at_the_look_worlds_are_as_after_it(chant, phase):
    rules = RuleSet(chant=chant)
    match = next(signalled_match(rules, random.Random(1)))
    for seat in match.asked:
        view = view_of(match, seat)
        worlds = deal_consistent(view, 50, random.Random(2), rules=rules)
        assert set(worlds.asked().tolist()) == {phase}
        assert set(worlds.to_play().tolist()) == {match.deal.dealer.left}
        for index in range(worlds.size):
            deal = to_rulebook(worlds, index)
            assert deal.phase is phase
            nine = Counter(STRENGTH[card] for card in view.hand)
            assert nine <= Counter(worlds.hand(index, seat))
            assert len(worlds.hand(index, seat)) == (15 if chant == "always" and view.receives_stock else 9)


# -- what cannot be -----------------------------------------------------------------------------------------


def first_play(seed: int = 1) -> View:
    matches = signalled_match(RuleSet(chant="off"), random.Random(seed))
    match = next(match for match in matches if match.ask is Ask.PLAY)
    return view_of(match, match.asked[0])


def showing(view: View, *signs: Sign, ask: Ask = Ask.LOOK) -> View:
    return view._replace(seen=tuple(SeenSignal(ask, 0, view.partner, sign) for sign in signs))


def test_a_signal_that_cannot_be_true_fits_no_world():
    view = first_play(seed=3)
    own = next(signal for signal in Signal if signal.card in view.hand)
    held = sum(STRENGTH[card] == 11 for card in view.hand)
    for signs in ([Sign(own)], [aces(5 - held)], [aces(1), aces(2)]):
        with pytest.raises(Misuse, match="are these the rules of the match"):
            deal_consistent(showing(view, *signs), 1, random.Random(1), rules=RuleSet(chant="off"))
        loose = RuleSet(chant="off", truthful=False)
        deal_consistent(showing(view, *signs), 1, random.Random(1), rules=loose)


def test_two_numbers_of_aces_before_the_stock_fit_no_world():
    rules = RuleSet(chant="always")
    match = next(match for match in signalled_match(rules, random.Random(1)) if len(match.deal.played) == 1)
    view = view_of(match, match.asked[0])
    assert view.partner is match.deal.dealer
    deal_consistent(showing(view, aces(1), aces(1)), 1, random.Random(1), rules=rules)
    with pytest.raises(Misuse, match="are these the rules of the match"):
        deal_consistent(showing(view, aces(1), aces(2)), 1, random.Random(1), rules=rules)


def test_a_signal_of_intention_says_nothing():
    view = first_play()
    plain, shrugged = (
        deal_consistent(seen, 5, random.Random(1), rules=RuleSet(chant="off")).rows.tolist()
        for seen in (
            showing(view),
            showing(view, Sign(Signal.USELESS_HAND), Sign(Signal.GOING_FOR_MORDIENNE)),
        )
    )
    assert plain == shrugged


def test_more_worlds_than_memory_holds_are_refused_at_once():
    with pytest.raises(MemoryError):
        deal_consistent(first_play(), 10**12, random.Random(1), rules=RuleSet(chant="off"))


def test_no_worlds_are_none():
    assert deal_consistent(first_play(), 0, random.Random(1), rules=RuleSet(chant="off")).size == 0
