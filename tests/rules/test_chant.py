"""The chant: who is asked, what the stock brings, and which six cards may go."""

import itertools

import pytest
from rules.table import SetLuck, cards, clockwise, match_at, pack_of, snapshot

from aluette.cards import CARDS
from aluette.errors import IllegalAction
from aluette.rules import Ask, Chant, Discard, Play, weakest
from aluette.seats import Seat

STOCK = cards("3D AD 3C AC 2D AS 2C AB 9C KD 9D KC")
# The nine cards of E, who is left of the dealer N: weak ones, with ties at every edge.
HAND = cards("4D 4C 4S 4B 5D 5C 5S 3S 3B")


def discarding(chant_discard="free", **options):
    """A match where E has HAND and the even cards of STOCK, and is to discard."""
    luck = SetLuck({1: pack_of({Seat.E: HAND}, Seat.N, STOCK)})
    return match_at("discard", luck, signals=False, chant_discard=chant_discard, **options)


@pytest.mark.parametrize("dealer", Seat)
@pytest.mark.parametrize("refusal", range(4))
def test_the_first_refusal_ends_it_and_the_later_seats_are_not_asked(refusal, dealer):
    match = match_at("chant", dealer=dealer)
    asked = []
    while match.ask is Ask.CHANT:
        asked += match.asked
        match.do(match.asked[0], Chant(len(asked) <= refusal))
    order = [*clockwise(dealer)[1:], dealer]
    assert asked == order[: refusal + 1]
    assert [vote.yes for vote in match.deal.votes] == [True] * refusal + [False]
    assert match.ask is Ask.PLAY
    assert match.asked == (order[0],)
    assert match.deal.received == match.deal.discards == {}
    assert match.deal.stock == CARDS[36:]


@pytest.mark.parametrize("dealer", Seat)
@pytest.mark.parametrize("chant", ["ask", "always"])
def test_the_stock_goes_alternately_to_the_dealers_left_and_the_dealer(chant, dealer):
    luck = SetLuck({1: pack_of({}, dealer, STOCK)})
    before = match_at("look", luck, dealer=dealer).deal.hands
    deal = match_at("discard", luck, dealer=dealer, chant=chant).deal
    left, partner, right = clockwise(dealer)[1:]
    assert [vote.yes for vote in deal.votes] == ([True] * 4 if chant == "ask" else [])
    assert deal.received == {left: STOCK[0::2], dealer: STOCK[1::2]}
    assert set(deal.hands[left]) == {*before[left], *STOCK[0::2]}
    assert set(deal.hands[dealer]) == {*before[dealer], *STOCK[1::2]}
    assert (deal.hands[partner], deal.hands[right]) == (before[partner], before[right])


def test_a_hand_of_fifteen_is_strongest_first():
    hand = discarding().deal.hands[Seat.E]
    assert tuple(hand) == cards("3D 3C 2D 2C 9C 9D 5D 5C 5S 4D 4C 4S 4B 3S 3B")


def test_with_the_chant_off_the_stock_stays_unseen():
    deal = match_at("play", chant="off").deal
    assert (deal.votes, deal.received, deal.discards) == ((), {}, {})


@pytest.mark.parametrize("dealer", Seat)
def test_the_dealers_left_discards_first_then_the_dealer_and_then_the_left_leads(dealer):
    match = match_at("discard", dealer=dealer)
    left = clockwise(dealer)[1]
    for seat in (left, dealer):
        assert (match.ask, match.asked) == (Ask.DISCARD, (seat,))
        hand = list(match.deal.hands[seat])
        assert match.deal.options(seat) == tuple(hand)
        match.do(seat, Discard(tuple(hand[3:9])))
        assert match.deal.hands[seat] == hand[:3] + hand[9:]
        assert match.deal.discards[seat] == tuple(hand[3:9])
    assert (match.ask, match.asked) == (Ask.PLAY, (left,))
    assert match.deal.leaders == [left]
    assert {len(hand) for hand in match.deal.hands.values()} == {9}


def test_free_allows_any_six_of_the_fifteen():
    match = discarding("free")
    sixes = list(itertools.combinations(match.deal.hands[Seat.E], 6))
    assert len(sixes) == 5005
    assert all(match.can(Seat.E, Discard(six)) for six in sixes)


def test_lowest_allows_exactly_the_six_of_lowest_strengths_ties_being_free():
    match = discarding("lowest")
    allowed = {
        frozenset(six)
        for six in itertools.combinations(match.deal.hands[Seat.E], 6)
        if match.can(Seat.E, Discard(six))
    }
    # Both threes and all four fours; no five.
    assert allowed == {frozenset(cards("3S 3B 4D 4C 4S 4B"))}


def test_lowest_lets_equal_strengths_at_the_edge_be_chosen():
    hand = cards("5D 5C 5S 5B 4D 4C 4S 3S 3B")
    match = match_at(
        "discard", SetLuck({1: pack_of({Seat.E: hand}, Seat.N, STOCK)}), signals=False, chant_discard="lowest"
    )
    allowed = {
        frozenset(six)
        for six in itertools.combinations(match.deal.hands[Seat.E], 6)
        if match.can(Seat.E, Discard(six))
    }
    assert allowed == {frozenset((*cards("3S 3B 4D 4C 4S"), five)) for five in cards("5D 5C 5S 5B")}


def test_lowest_holds_for_the_dealer_too():
    match = discarding("lowest")
    match.do(Seat.E, Discard(weakest(match.deal.hands[Seat.E])))
    hand = match.deal.hands[Seat.N]
    assert not match.can(Seat.N, Discard(tuple(hand[:6])))
    assert match.can(Seat.N, Discard(weakest(hand)))


@pytest.mark.parametrize(
    ("chant_discard", "away", "sentence"),
    [
        ("free", "", "^6 cards are to be discarded, not 0$"),
        ("free", "3S 3B 4D 4C 4S", "^6 cards are to be discarded, not 5$"),
        ("free", "3S 3B 4D 4C 4S 4B 5D", "^6 cards are to be discarded, not 7$"),
        ("free", "3S 3B 4D 4C 4S 4S", "^a card is named twice among the discards$"),
        ("free", "3S 3B 4D 4C 4S AD", "^AD cannot be discarded: it is not in the hand$"),
        ("lowest", "3S 3B 4D 4C 4S AD", "^AD cannot be discarded: it is not in the hand$"),
        ("lowest", "3S 3B 4D 4C 4S 4S", "^a card is named twice among the discards$"),
        ("lowest", "3S 3B 4D 4C 4S 5D", "^only the six weakest cards may be discarded"),
        ("lowest", "3D 3C 2D 2C 9C 9D", "^only the six weakest cards may be discarded"),
    ],
)
def test_a_wrong_discard_is_refused_and_changes_nothing(chant_discard, away, sentence):
    match = discarding(chant_discard)
    before = snapshot(match)
    for act in (match.verify, match.do):
        with pytest.raises(IllegalAction, match=sentence):
            act(Seat.E, Discard(cards(away)))
    assert snapshot(match) == before


def test_a_discarded_card_cannot_be_played():
    match = discarding()
    match.do(Seat.E, Discard(weakest(match.deal.hands[Seat.E])))
    match.do(Seat.N, Discard(weakest(match.deal.hands[Seat.N])))
    assert not match.can(Seat.E, Play(match.deal.discards[Seat.E][0]))
    assert match.can(Seat.E, Play(STOCK[0]))


@pytest.mark.parametrize(
    ("hand", "count", "expected"),
    [
        ("3D 3S 4B 4D AC 2S KD", 6, "3S 4D 4B KD AC 2S"),
        ("AB AD AC AS", 2, "AD AC"),
        ("5D", 0, ""),
        ("5D 3B", 6, "3B 5D"),
    ],
)
def test_the_weakest_of_a_hand_come_weakest_first(hand, count, expected):
    assert weakest(cards(hand), count) == cards(expected)
