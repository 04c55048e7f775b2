"""What a view derives from what it holds, at every turn of random matches and once worked out by hand."""

import random

import pytest
from hypothesis import given, settings
from rules.play import QUICK, keys, rule_sets, seeds, steps
from sdk.matches import played

from aluette.cards import Card
from aluette.rules import Match, RuleSet, Sign, Signal, Trick
from aluette.rules.actions import Ask
from aluette.seats import SEATS, Seat, Side
from aluette.view import Points, PublicDeal, SeenSignal, View, Vote, deal_ended, public_deal, view_of

CARDS = tuple(map(Card.parse, ["QB", "2D", "KC", "KS", "6D", "7B", "QS", "7D", "5C"]))
DEAL = PublicDeal(3, Seat.S, True, (Vote(Seat.W, True),), CARDS, (Seat.N, None), Points(4, 1))


def view(seat: Seat, **changes) -> View:
    return View(seat, Ask.PLAY, (), (), (), (), DEAL)._replace(**changes)


def test_the_tricks_of_a_deal_worked_out_by_hand():
    """W leads and N wins, who leads again after a spoiled trick; a view takes the winners as it is told them."""
    assert DEAL.tricks == (
        Trick(Seat.W, CARDS[:4], Seat.N),
        Trick(Seat.N, CARDS[4:8], None),
    )
    assert DEAL.leader is Seat.N
    assert DEAL.trick == Trick(Seat.N, CARDS[8:])
    assert DEAL.counts == {Seat.N: 1, Seat.E: 0, Seat.S: 0, Seat.W: 0}
    assert DEAL.tricks_left == 7


def test_a_view_from_one_side_and_from_the_other():
    mine, theirs = view(Seat.N), view(Seat.E)
    assert (mine.partner, mine.side, mine.points) == (Seat.S, Side.NS, (4, 1))
    assert (theirs.partner, theirs.side, theirs.points) == (Seat.W, Side.EW, (1, 4))
    assert mine.position == theirs.position == 1
    assert mine.trick == DEAL.trick
    assert mine.counts == DEAL.counts


@pytest.mark.parametrize(("seat", "receives"), [("N", False), ("E", False), ("S", True), ("W", True)])
def test_the_dealer_and_the_dealers_left_receive_the_stock(seat, receives):
    assert view(Seat[seat]).receives_stock is receives


def test_points_of_a_side():
    assert (Points(4, 1).of(Side.NS), Points(4, 1).of(Side.EW)) == (4, 1)


def test_a_seen_signal_says_which():
    assert SeenSignal(Ask.LOOK, 0, Seat.N, Sign(Signal.ACES, 2)).signal is Signal.ACES


@settings(QUICK, max_examples=20)
@given(rule_sets(max_deals=2), keys, seeds)
def test_a_view_tells_the_tricks_as_the_rulebook_does(rules, key, seed):
    match = Match(rules, key)
    for _ in steps(match, random.Random(seed)):
        deal, public = match.deal, public_deal(match)
        assert [*public.tricks, *([public.trick] if public.trick.cards else [])] == list(deal.tricks())
        assert public.tricks_left == 9 - len(deal.winners)
        if match.ask is Ask.PLAY:
            (seat,) = match.asked
            mine = view_of(match, seat)
            assert mine.asked is Ask.PLAY
            assert mine.trick.leader is deal.leaders[-1]
            assert seat is mine.trick.leader.after(mine.position)
        for seat in SEATS:
            other = view_of(match, seat)
            assert (other.asked is not None) == (seat in match.asked)
            assert other.receives_stock or seat not in deal.received
            assert sum(other.counts.values()) == sum(winner is not None for winner in deal.winners)


def test_the_points_of_a_view_are_those_before_its_deal():
    match = played(RuleSet(deals=4), seed=2)
    totals = Points(0, 0)
    for deal in match.deals:
        ended = deal_ended(match, deal)
        assert ended.deal.points == totals
        totals = ended.totals
    assert totals == tuple(match.totals.values())
    assert public_deal(match).points == deal_ended(match, match.deals[-1]).deal.points


def test_time_left_is_told_to_the_one_who_is_asked():
    assert view_of(played(RuleSet(), stop=0), Seat.N, time_left=1.5).time_left == 1.5
