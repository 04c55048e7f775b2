"""A match: who deals, what the totals are, and when it is over."""

import pytest
from rules.table import PLAY_ONLY, RESULTS, SetLuck, cards, clockwise, match_at, play_match

from aluette.cards import CARDS
from aluette.errors import IllegalAction
from aluette.rules import Ask, Kind, Match, Play, RuleSet, draw_partners
from aluette.seats import Seat, Side

LEVEL = ["NS1", "NS1", "EW2", "void", "void"]


def played(results: list[str], first_dealer: Seat = Seat.N, **options: object) -> Match:
    rules = RuleSet(**{"signals": False, "chant": "off", "deals": 5, **options})
    return play_match(rules, [RESULTS[result] for result in results], first_dealer)


def totals(match: Match) -> tuple[int, int]:
    return match.totals[Side.NS], match.totals[Side.EW]


@pytest.mark.parametrize("first", Seat)
def test_the_deal_passes_to_the_left_whatever_happened_and_the_first_dealer_deals_the_fifth(first):
    match = played(["NS1", "void", "EW2", "NS2", "EW1"], first)
    assert [deal.dealer for deal in match.deals] == [*clockwise(first), first]
    assert [deal.number for deal in match.deals] == [1, 2, 3, 4, 5]
    assert [deal.leaders[0] for deal in match.deals] == [clockwise(deal.dealer)[1] for deal in match.deals]


@pytest.mark.parametrize("result", RESULTS)
def test_the_results_that_the_tests_build_are_what_they_say(result):
    (score,) = [deal.score for deal in played([result], deals=1).deals]
    side, points = (None, 0) if result == "void" else (Side[result[:2]], int(result[2]))
    assert (score.side, score.points) == (side, points)


@pytest.mark.parametrize(
    ("results", "ns", "ew", "winner"),
    [
        (["NS1"] * 5, 5, 0, Side.NS),
        (["EW2"] * 5, 0, 10, Side.EW),
        (["NS1", "NS1", "NS1", "EW2", "EW2"], 3, 4, Side.EW),
        (["void", "void", "void", "void", "NS1"], 1, 0, Side.NS),
    ],
)
def test_the_higher_total_wins(results, ns, ew, winner):
    match = played(results)
    assert match.over
    assert (totals(match), match.winner) == ((ns, ew), winner)


@pytest.mark.parametrize("results", [LEVEL, ["void"] * 5])
def test_equal_totals_are_a_draw(results):
    match = played(results)
    assert match.over
    assert match.winner is None


def test_a_void_deal_scores_nobody_and_counts_as_a_deal():
    match = played(["void"], deals=1)
    assert match.over
    assert match.deal.score == (None, 0, None, Kind.VOID)
    assert totals(match) == (0, 0)


def test_a_match_decided_early_is_played_to_the_last_deal():
    match = played(["NS1"] * 4)
    assert not match.over
    assert match.deal.number == 5


@pytest.mark.parametrize("deals", [1, 2, 3, 100])
def test_a_match_has_as_many_deals_as_the_option_says(deals):
    assert not played(["NS1"] * (deals - 1), deals=deals).over
    assert played(["NS1"] * deals, deals=deals).over


def test_without_the_mordienne_a_closing_run_scores_one():
    assert totals(played(LEVEL, mordienne=False)) == (2, 1)


def test_totals_grow_deal_by_deal():
    results = ["NS2", "EW1", "void", "EW2", "NS1"]
    grown = [totals(played(results[:n])) for n in range(6)]
    assert grown == [(0, 0), (2, 0), (2, 1), (2, 1), (2, 3), (3, 3)]


@pytest.mark.parametrize("extra", range(1, 21))
def test_extra_deals_go_on_until_one_side_leads(extra):
    results = LEVEL + ["void"] * (extra - 1)
    match = played(results, tie="extra_deals")
    assert not match.over
    assert match.winner is None
    assert match.deal.dealer is clockwise(Seat.N)[len(results) % 4]
    match = played([*results, "EW1"], tie="extra_deals")
    assert match.over
    assert (match.winner, len(match.deals)) == (Side.EW, 5 + extra)


def test_after_twenty_extra_deals_it_is_a_draw():
    match = played(LEVEL + ["void"] * 20, tie="extra_deals")
    assert match.over
    assert (match.winner, len(match.deals)) == (None, 25)


def test_there_are_no_extra_deals_when_one_side_leads():
    assert played(["NS1"] * 5, tie="extra_deals").over


def test_extra_deals_count_from_the_number_of_deals():
    assert not played(["void"] * 20, deals=1, tie="extra_deals").over
    assert played(["void"] * 21, deals=1, tie="extra_deals").over


def test_finished_deals_are_those_played_to_the_end():
    under_way, over = played(["NS1", "EW1"]), played(["NS1"] * 5)
    assert under_way.finished() == under_way.deals[:2]
    assert over.finished() == over.deals


@pytest.mark.parametrize("seat", Seat)
def test_nothing_is_asked_when_the_match_is_over(seat):
    match = played(["NS1"] * 5)
    assert (match.asked, match.ask) == ((), None)
    with pytest.raises(IllegalAction, match=f"^it is not {seat}'s turn$"):
        match.do(seat, Play(CARDS[0]))


def test_after_each_deal_the_next_begins_with_its_first_question():
    match = match_at("play", deals=2)
    while match.deal.number == 1:
        match.do(match.asked[0], Play(match.deal.hands[match.asked[0]][0]))
    assert (match.ask, match.asked) == (Ask.CUT, (Seat.N,))


def test_each_deal_has_its_own_pack():
    other = (*CARDS[24:], *CARDS[:24])
    match = Match(RuleSet(deals=2, signals=False, chant="off"), SetLuck({2: other}))
    while match.deal.number == 1:
        match.do(match.asked[0], Play(match.deal.hands[match.asked[0]][0]))
    assert [deal.pack for deal in match.deals] == [CARDS, other]


@pytest.mark.parametrize("first", Seat)
def test_with_the_partner_draw_madame_deals_first(first):
    luck = SetLuck(draw=cards("4D 3D 3C 2D 2C"))
    match = Match(RuleSet(seating="draw"), luck, first_dealer=first)
    order = clockwise(first)
    assert match.draw == draw_partners(luck.draw_pack(), first)
    assert match.draw.cards == cards("4D 3D 3C 2D 2C")
    # The first seat got 4D, so Monsieur is the second seat's, Madame the third's.
    assert match.first_dealer is match.deal.dealer is order[2]


def test_with_fixed_seating_nothing_is_drawn():
    class Luck(SetLuck):
        def draw_pack(self):
            pytest.fail("no draw is due")

    match = Match(PLAY_ONLY, Luck(), first_dealer=Seat.W)
    assert match.draw is None
    assert match.first_dealer is Seat.W


def test_the_first_dealer_is_north_unless_the_contest_says_so():
    assert Match(PLAY_ONLY, SetLuck()).first_dealer is Seat.N
    assert Match(PLAY_ONLY, SetLuck(), first_dealer=Seat.S).deal.dealer is Seat.S
