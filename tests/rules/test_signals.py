"""Signals: which are accepted, when they are judged, and who sees them from when on."""

import itertools

import pytest
from rules.table import CUT, STRENGTHS, SetLuck, cards, match_at, pack_of

from aluette.cards import CARDS, Card
from aluette.rules import Ask, Chant, Cut, Discard, Drop, Look, MadeSignal, Play, RuleSet, Sign, Signal, aces
from aluette.rules.signals import judge
from aluette.seats import Seat
from aluette.view import SeenSignal, SentSignal, view_of

SHOWN = {
    "MONSIEUR": "3D", "MADAME": "3C", "BORGNE": "2D", "VACHE": "2C", "GRAND_NEUF": "9C",
    "PETIT_NEUF": "9D", "DEUX_DE_CHENE": "2B", "DEUX_DECRIT": "2S",
}  # fmt: skip
INTENTIONS = ["USELESS_HAND", "GOING_FOR_MORDIENNE"]
MORDIENNE = Sign(Signal.GOING_FOR_MORDIENNE)
MONSIEUR = Sign(Signal.MONSIEUR)

# N deals. E, on the left, holds two aces and Monsieur; the stock brings E Madame and N la Vache.
HANDS = {
    Seat.N: cards("2D AC 4D 5D 6D 7D 8D 4C 5C"),
    Seat.E: cards("3D AD AS 4S 5S 6S 7S 8S 9S"),
    Seat.S: cards("9C 4B 5B 6B 7B 8B 9B JB QB"),
    Seat.W: cards("9D 2B 2S JD JC JS QD QC QS"),
}
STOCK = cards("3C 2C 6C 7C 8C KD AB KC 3S KS 3B KB")


def table(phase, drawn=lambda *_: 9999, **options):
    """A match with these hands, where the draw of who notices is `drawn(deal, sender, accepted, observer)`."""
    return match_at(phase, SetLuck({1: pack_of(HANDS, Seat.N, STOCK)}, drawn), **options)


def dropped(match) -> list[Drop | None]:
    return [made.dropped for made in match.deal.signals]


# -- judging -------------------------------------------------------------------------------------


def test_the_table_of_signals_names_the_eight_cards():
    assert {signal.name: str(signal.card) for signal in Signal if signal.card is not None} == SHOWN
    assert set(SHOWN.values()) == {text for text in STRENGTHS.values() if len(text) == 2}
    assert [str(signal) for signal in Signal] == ["UNKNOWN", *SHOWN, "ACES", *INTENTIONS]
    assert all(signal.gesture for signal in Signal)


@pytest.mark.parametrize(("name", "text"), SHOWN.items())
def test_a_signal_of_a_card_is_true_only_with_that_card(name, text):
    sign, card = Sign(Signal[name]), Card.parse(text)
    assert judge(RuleSet(), [card], 0, sign) is None
    assert judge(RuleSet(), set(CARDS) - {card}, 0, sign) is Drop.UNTRUE
    assert judge(RuleSet(truthful=False), [], 0, sign) is None


@pytest.mark.parametrize("held", range(5))
@pytest.mark.parametrize("count", range(1, 5))
def test_aces_must_give_the_exact_number(held, count):
    for hand in itertools.combinations(cards("AD AC AS AB"), held):
        assert judge(RuleSet(), (*hand, Card.D3), 0, aces(count)) is (None if held == count else Drop.UNTRUE)
        assert judge(RuleSet(truthful=False), hand, 0, aces(count)) is None


@pytest.mark.parametrize("truthful", [True, False])
@pytest.mark.parametrize("name", INTENTIONS)
def test_an_intention_is_never_checked(name, truthful):
    for hand in ([], cards("3D 3C 2D 2C")):
        assert judge(RuleSet(truthful=truthful), hand, 0, Sign(Signal[name])) is None


@pytest.mark.parametrize("truthful", [True, False])
@pytest.mark.parametrize(
    "sign",
    [
        Sign(Signal.UNKNOWN),
        *(aces(count) for count in (-1, 0, 5)),
        *(Sign(signal, count) for signal in Signal if signal is not Signal.ACES for count in (-1, 1)),
    ],
    ids=str,
)
def test_a_sign_that_says_nothing_in_the_table_is_malformed(sign, truthful):
    assert judge(RuleSet(truthful=truthful), CARDS, 0, sign) is Drop.MALFORMED


@pytest.mark.parametrize("bound", range(10))
def test_the_bound_is_on_accepted_signals(bound):
    rules = RuleSet(signals_per_deal=bound)
    assert [judge(rules, [], accepted, MORDIENNE) for accepted in range(11)] == [None] * bound + [
        Drop.BOUND
    ] * (11 - bound)


@pytest.mark.parametrize("sign", [MORDIENNE, MONSIEUR, aces(1), aces(9), Sign(Signal.UNKNOWN)], ids=str)
def test_with_signals_off_all_are_dropped(sign):
    assert judge(RuleSet(signals=False), CARDS, 0, sign) is Drop.OFF


def test_a_sign_in_text():
    assert [str(sign) for sign in (aces(3), MONSIEUR, MORDIENNE)] == [
        "ACES(3)",
        "MONSIEUR",
        "GOING_FOR_MORDIENNE",
    ]


# -- the first look ------------------------------------------------------------------------------


@pytest.mark.parametrize("order", list(itertools.permutations(Seat)), ids=str)
def test_looks_take_effect_together_in_order_from_the_dealers_left(order):
    match = table("look", lambda *_: 0)
    for number, seat in enumerate(order):
        assert set(match.asked) == set(order[number:])
        assert match.deal.signals == []
        match.do(seat, Look(MORDIENNE))
        if number < 3:
            assert all(view_of(match, other).sent == view_of(match, other).seen == () for other in Seat)
    assert [made.seat for made in match.deal.signals] == [Seat.E, Seat.S, Seat.W, Seat.N]
    assert match.ask is Ask.CHANT


def test_each_seat_looks_once():
    match = table("look")
    match.do(Seat.S, Look(MORDIENNE))
    assert not match.can(Seat.S, Look())
    assert match.asked == (Seat.E, Seat.W, Seat.N)


def test_a_look_without_a_signal_says_nothing():
    assert table("chant").deal.signals == []


# -- with the actions ----------------------------------------------------------------------------


def test_a_signal_with_the_cut_is_dropped_because_no_card_has_been_seen():
    match = table("cut")
    match.do(Seat.W, Cut(CUT, MORDIENNE))
    assert match.deal.signals == [MadeSignal(Ask.CUT, 0, Seat.W, MORDIENNE, Drop.OFF, ())]
    assert match.ask is Ask.LOOK


def test_a_signal_with_a_play_is_judged_before_the_card_leaves_the_hand():
    match = table("play", chant="off")
    match.do(Seat.E, Play(Card.D3, MONSIEUR))
    for card in cards("4B JD 4D"):
        match.do(match.asked[0], Play(card))
    match.do(Seat.E, Play(Card.SA, aces(2)))
    for card in cards("5B JC 5D"):
        match.do(match.asked[0], Play(card))
    match.do(Seat.E, Play(Card.DA, aces(2)))
    assert [(made.played, made.dropped) for made in match.deal.signals] == [
        (0, None),
        (4, None),
        (8, Drop.UNTRUE),
    ]
    assert {made.ask for made in match.deal.signals} == {Ask.PLAY}


def test_a_signal_with_a_discard_is_judged_on_fifteen_cards():
    match = table("discard")
    away = cards("3D AD AS 4S 5S 6S")
    match.do(Seat.E, Discard(away, MONSIEUR))
    match.do(Seat.N, Discard(cards("4D 5D 6D 7D 8D 4C"), Sign(Signal.VACHE)))
    match.do(Seat.E, Play(Card.C3, MONSIEUR))
    match.do(Seat.S, Play(Card.B4, aces(1)))
    assert dropped(match) == [None, None, Drop.UNTRUE, Drop.UNTRUE]
    assert [made.ask for made in match.deal.signals] == [Ask.DISCARD, Ask.DISCARD, Ask.PLAY, Ask.PLAY]


def test_a_signal_with_the_last_agreement_is_judged_before_the_stock_comes():
    match = table("chant")
    for seat in (Seat.E, Seat.S, Seat.W):
        match.do(seat, Chant(True))
    match.do(Seat.N, Chant(True, Sign(Signal.VACHE)))
    assert dropped(match) == [Drop.UNTRUE]
    assert Card.C2 in match.deal.hands[Seat.N]


def test_a_signal_with_a_refusal_counts_as_any_other():
    match = table("chant")
    match.do(Seat.E, Chant(False, MONSIEUR))
    assert match.deal.signals == [MadeSignal(Ask.CHANT, 0, Seat.E, MONSIEUR, None, ())]


def test_a_signal_with_the_last_card_of_a_deal_is_kept():
    match = table("play", chant="off")
    while not match.over:
        seat = match.asked[0]
        match.do(seat, Play(match.deal.hands[seat][0], MORDIENNE if len(match.deal.played) == 35 else None))
    assert [(made.played, made.dropped) for made in match.deal.signals] == [(35, None)]


@pytest.mark.parametrize("bound", [0, 1, 3, 9])
def test_only_accepted_signals_count_against_the_bound_and_each_deal_begins_anew(bound):
    match = table("look", deals=2, chant="off", signals_per_deal=bound)
    lie = Sign(Signal.MADAME)
    while match.deal.number == 1:
        seat = match.asked[0]
        sign = lie if len(match.deal.played) % 8 > 3 else MORDIENNE
        match.do(seat, Look(lie) if match.ask is Ask.LOOK else Play(match.deal.hands[seat][0], sign))
    for seat in Seat:
        made = [made.dropped for made in match.deals[0].signals if made.seat is seat]
        true = [drop for drop in made if drop is not Drop.UNTRUE]
        assert made.count(Drop.UNTRUE) == 5
        assert true == ([None] * bound + [Drop.BOUND] * 5)[:5]
    match.do(Seat.N, Cut(CUT))
    match.do(Seat.S, Look(MORDIENNE))
    for seat in (Seat.N, Seat.E, Seat.W):
        match.do(seat, Look())
    assert dropped(match) == [None if bound else Drop.BOUND]


def test_a_dropped_signal_is_never_a_fault():
    match = table("play", chant="off", signals=False)
    for sign in (MONSIEUR, aces(7), MORDIENNE, Sign(Signal.MADAME)):
        seat = match.asked[0]
        match.do(seat, Play(match.deal.hands[seat][-1], sign))
    assert dropped(match) == [Drop.OFF] * 4
    assert len(match.deal.played) == 4


# -- who sees it ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sender", Seat)
def test_luck_is_asked_for_each_opponent_clockwise_with_the_signals_accepted_before(sender):
    asked = []

    def notice(*question):
        asked.append(question)
        return 5000

    match = table("look", notice, chant="off", signals_per_deal=2)
    for seat in Seat:
        match.do(seat, Look(MORDIENNE if seat is sender else None))
    signs = iter([aces(9), Sign(Signal.USELESS_HAND), MORDIENNE])
    while len([made for made in match.deal.signals if made.seat is sender]) < 4:
        seat = match.asked[0]
        sign = next(signs) if seat is sender else None
        match.do(seat, Play(match.deal.hands[seat][0], sign))
    left, _, right = (Seat["NESWNES"["NESW".index(sender.name) + step]] for step in (1, 2, 3))
    assert asked == [(1, sender, accepted, observer) for accepted in (0, 1) for observer in (left, right)]
    assert dropped(match) == [None, Drop.MALFORMED, None, Drop.BOUND]


@pytest.mark.parametrize(
    ("notice", "drawn", "seen"),
    [
        (0, 0, False),
        (0.0001, 0, True),
        (0.0001, 1, False),
        (0.25, 2499, True),
        (0.25, 2500, False),
        (0.5, 4999, True),
        (0.5, 5000, False),
        (0.9999, 9998, True),
        (0.9999, 9999, False),
        (1, 9999, True),
    ],
)
def test_a_signal_is_noticed_when_the_draw_is_below_the_probability(notice, drawn, seen):
    match = table("play", lambda *_: drawn, chant="off", notice=notice)
    match.do(Seat.E, Play(Card.D3, MONSIEUR))
    assert match.deal.signals[0].noticed == ((Seat.S, Seat.N) if seen else ())


@pytest.mark.parametrize("noticed", [(), (Seat.S,), (Seat.N,), (Seat.S, Seat.N)])
def test_the_partner_and_who_noticed_see_a_signal_and_the_sender_does_not_know_who(noticed):
    match = table(
        "play", lambda _deal, _sender, _n, observer: 0 if observer in noticed else 9999, chant="off"
    )
    match.do(Seat.E, Play(Card.D3, MONSIEUR))
    assert match.deal.signals == [MadeSignal(Ask.PLAY, 0, Seat.E, MONSIEUR, None, noticed)]
    for seat in (Seat.N, Seat.S, Seat.W):
        sees = seat is Seat.W or seat in noticed
        assert view_of(match, seat).seen == ((SeenSignal(Ask.PLAY, 0, Seat.E, MONSIEUR),) if sees else ())
        assert view_of(match, seat).sent == ()
    assert view_of(match, Seat.E).seen == ()
    assert view_of(match, Seat.E).sent == (SentSignal(Ask.PLAY, 0, MONSIEUR, None),)


def test_only_the_sender_learns_of_a_dropped_signal():
    match = table("play", lambda *_: 0, chant="off")
    match.do(Seat.E, Play(Card.D3, Sign(Signal.MADAME)))
    assert match.deal.signals[0].noticed == ()
    assert [view_of(match, seat).seen for seat in Seat] == [()] * 4
    assert view_of(match, Seat.E).sent == (SentSignal(Ask.PLAY, 0, Sign(Signal.MADAME), Drop.UNTRUE),)


def test_a_signal_is_seen_from_the_next_turn_on_and_kept_to_the_end_of_the_deal():
    match = table("play", lambda *_: 0, chant="off", deals=2)
    seen = []
    while match.deal.number == 1:
        seat = match.asked[0]
        seen.append(len(view_of(match, Seat.W).seen))
        match.do(seat, Play(match.deal.hands[seat][0], MORDIENNE if seat is Seat.E else None))
        if len(seen) < 36:
            made = [signal for signal in match.deal.signals if signal.dropped is None]
            assert len(view_of(match, Seat.W).seen) == len(made)
    assert (seen[0], seen[1], seen[35]) == (0, 1, 3)
    assert view_of(match, Seat.W).seen == ()
