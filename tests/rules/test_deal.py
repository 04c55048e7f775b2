"""One deal: the cut, the hands, nine tricks, and what is refused at each moment."""

import random

import pytest
from rules.table import (
    CUT,
    PLAY_ONLY,
    RESULTS,
    SetLuck,
    cards,
    cards_won_by,
    clockwise,
    leaders_of,
    match_at,
    pack_of,
    pack_playing,
    play_cards,
    snapshot,
)

from aluette.cards import CARDS, Card
from aluette.errors import IllegalAction, Misuse
from aluette.rules import (
    Ask,
    Chant,
    Cut,
    Deal,
    Discard,
    Kind,
    Look,
    Match,
    Play,
    RuleSet,
    Sign,
    Signal,
    Trick,
)
from aluette.seats import Seat

PHASES = ["cut", "look", "chant", "discard", "play", "over"]
WINK = Sign(Signal.GOING_FOR_MORDIENNE)
# An answer of each kind that would be legal if it were asked for, from a hand of the unshuffled pack.
ANSWERS = {
    "cut": lambda _: Cut(24, WINK),
    "look": lambda _: Look(WINK),
    "chant": lambda _: Chant(True, WINK),
    "discard": lambda hand: Discard(tuple(hand[:6]), WINK),
    "play": lambda hand: Play(hand[0] if hand else Card.D3, WINK),
}


def refused(match: Match, seat: Seat, action: object, sentence: str) -> None:
    """`verify`, `can` and `do` all refuse the action, and nothing changes."""
    before = snapshot(match)
    with pytest.raises(IllegalAction, match=sentence):
        match.verify(seat, action)
    assert not match.can(seat, action)
    with pytest.raises(IllegalAction, match=sentence):
        match.do(seat, action)
    assert snapshot(match) == before


# -- dealing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", Seat)
def test_nine_cards_each_in_packets_of_three_from_the_dealers_left(dealer):
    deal = Deal(PLAY_ONLY, 1, dealer, SetLuck())
    for seat, first in zip([*clockwise(dealer)[1:], dealer], (0, 3, 6, 9), strict=True):
        packets = [CARDS[start : start + 3] for start in (first, first + 12, first + 24)]
        assert set(deal.hands[seat]) == {card for packet in packets for card in packet}
    assert deal.stock == CARDS[36:]


def test_a_hand_is_strongest_first_and_does_not_tell_how_it_was_dealt():
    hand = cards("3B AC 9S 2D AD KB 4S AS 8C")
    deal = Deal(PLAY_ONLY, 1, Seat.N, SetLuck({1: pack_of({Seat.E: hand}, Seat.N)}))
    assert tuple(deal.hands[Seat.E]) == cards("2D AD AC AS KB 9S 8C 4S 3B")


@pytest.mark.parametrize(
    "pack", [CARDS[:47], (*CARDS[:47], CARDS[0]), (*CARDS, CARDS[0]), ()], ids=["47", "twice", "49", "none"]
)
def test_a_pack_that_is_not_the_48_cards_is_the_callers_mistake(pack):
    class Wrong(SetLuck):
        def pack(self, deal):
            return pack

    with pytest.raises(Misuse, match="the pack of deal 3 "):
        Deal(PLAY_ONLY, 3, Seat.N, Wrong())


# -- the cut -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 24, 47])
def test_the_cut_of_the_referee_comes_from_luck(n):
    class Luck(SetLuck):
        def pack(self, deal):
            return CARDS

    deal = Deal(PLAY_ONLY, 1, Seat.N, Luck(cut=n))
    assert deal.pack == CARDS[n:] + CARDS[:n]
    assert deal.cut == n
    assert deal.phase is Ask.PLAY


@pytest.mark.parametrize("dealer", Seat)
def test_the_player_on_the_dealers_right_cuts_before_anyone_has_cards(dealer):
    deal = match_at("cut", dealer=dealer).deal
    assert deal.phase is Ask.CUT
    assert deal.asked == (clockwise(dealer)[3],)
    assert deal.pack == deal.stock == ()
    assert not any(deal.hands.values())
    assert deal.options(deal.asked[0]) == ()


@pytest.mark.parametrize("n", range(1, 48))
def test_every_cut_by_a_player_puts_the_top_under_the_rest(n):
    match = match_at("cut")
    shuffled = SetLuck().pack(1)
    match.do(Seat.W, Cut(n))
    assert match.deal.pack == shuffled[n:] + shuffled[:n]
    assert match.deal.cut == n
    assert match.ask is Ask.LOOK


@pytest.mark.parametrize("n", [-48, -1, 0, 48, 49, 1000])
def test_a_cut_is_from_1_to_47(n):
    refused(match_at("cut"), Seat.W, Cut(n, WINK), f"^a cut is from 1 to 47, not {n}$")


# -- what is asked, and of whom ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "phases"),
    [
        ({}, ["cut", "look", "chant", "discard", "play"]),
        ({"cut": "referee"}, ["look", "chant", "discard", "play"]),
        ({"signals": False}, ["cut", "chant", "discard", "play"]),
        ({"chant": "off"}, ["cut", "look", "play"]),
        ({"chant": "always"}, ["cut", "look", "discard", "play"]),
        ({"cut": "referee", "signals": False, "chant": "always"}, ["discard", "play"]),
        ({"cut": "referee", "signals": False, "chant": "off"}, ["play"]),
    ],
)
def test_the_options_say_what_is_asked(options, phases):
    match, asked = match_at("cut" if options.get("cut") != "referee" else phases[0], **options), []
    while not match.over:
        asked.append(str(match.ask))
        hand = match.deal.hands[match.asked[0]]
        match.do(match.asked[0], Cut(CUT) if asked[-1] == "cut" else ANSWERS[asked[-1]](hand))
    assert list(dict.fromkeys(asked)) == phases
    counts = {"cut": 1, "look": 4, "chant": 4, "discard": 2, "play": 36}
    assert {phase: asked.count(phase) for phase in phases} == {phase: counts[phase] for phase in phases}


@pytest.mark.parametrize("dealer", Seat)
@pytest.mark.parametrize(
    ("phase", "places"),
    [("cut", [3]), ("look", [1, 2, 3, 0]), ("chant", [1]), ("discard", [1]), ("play", [1])],
)
def test_who_is_asked_first(phase, places, dealer):
    assert match_at(phase, dealer=dealer).asked == tuple(clockwise(dealer)[place] for place in places)


@pytest.mark.parametrize("phase", ["cut", "chant", "discard", "play"])
def test_nobody_acts_out_of_turn(phase):
    match = match_at(phase)
    for seat in set(Seat) - set(match.asked):
        hand = match.deal.hands[seat]
        for answer in ANSWERS.values():
            refused(match, seat, answer(hand), f"^it is not {seat.name}'s turn$")
        assert match.deal.options(seat) == ()


@pytest.mark.parametrize("phase", PHASES[:-1])
@pytest.mark.parametrize("answer", PHASES[:-1])
def test_only_what_is_asked_may_be_answered(phase, answer):
    match = match_at(phase)
    seat = match.asked[0]
    action = ANSWERS[answer](match.deal.hands[seat])
    if answer == phase:
        assert match.can(seat, action)
    else:
        refused(match, seat, action, f"^a {phase} is asked for, not a {answer}$")


@pytest.mark.parametrize("phase", PHASES[:-1])
def test_no_answer_at_all_is_refused(phase):
    match = match_at(phase)
    refused(match, match.asked[0], None, f"^a {phase} is asked for")


@pytest.mark.parametrize("answer", PHASES[:-1])
@pytest.mark.parametrize("seat", Seat)
def test_nothing_may_be_done_after_the_end(seat, answer):
    match = match_at("over")
    assert match.asked == ()
    assert match.deal.options(seat) == ()
    refused(match, seat, ANSWERS[answer]([]), f"^it is not {seat.name}'s turn$")


# -- play ----------------------------------------------------------------------------------------


def test_any_card_may_be_led_or_played():
    match = match_at("play", signals=False, chant="off")
    for lead in match.deal.hands[Seat.E]:
        trick = match_at("play", signals=False, chant="off")
        trick.do(Seat.E, Play(lead))
        assert trick.deal.options(Seat.S) == tuple(trick.deal.hands[Seat.S])
        assert all(trick.can(Seat.S, Play(card)) for card in trick.deal.hands[Seat.S])


def test_only_a_card_of_the_hand_may_be_played():
    match = match_at("play", signals=False, chant="off")
    for card in set(CARDS) - set(match.deal.hands[Seat.E]):
        refused(match, Seat.E, Play(card, WINK), f"^{card} cannot be played: it is not in the hand$")


def test_a_card_is_played_once():
    match = match_at("play", signals=False, chant="off")
    first = match.deal.hands[Seat.E][0]
    for _ in range(4):
        seat = match.asked[0]
        match.do(seat, Play(first if seat is Seat.E else match.deal.hands[seat][-1]))
    assert match.asked == (Seat.E,)
    refused(match, Seat.E, Play(first), "not in the hand")


@pytest.mark.parametrize("dealer", Seat)
@pytest.mark.parametrize("letters", [*RESULTS.values(), "NXEXSXWXX", "XNNNNNNNN"])
def test_the_winner_leads_and_after_a_spoiled_trick_the_same_player(letters, dealer):
    played = cards_won_by(letters, dealer)
    deal = Deal(PLAY_ONLY, 1, dealer, SetLuck({1: pack_playing(played, letters, dealer)}))
    turns = []
    for card in played:
        turns += deal.asked
        play_cards(deal, [card])
    leaders = leaders_of(letters, dealer)
    assert turns == [seat for leader in leaders for seat in clockwise(leader)]
    assert deal.leaders == leaders
    assert ["X" if winner is None else winner.name for winner in deal.winners] == list(letters)
    assert deal.played == list(played)


@pytest.mark.parametrize("letters", ["NNNNNXXXX", "NNNNNNNNN", "XXXXXXXXX"])
def test_a_deal_is_played_to_its_ninth_trick_and_the_forced_card_is_asked_for(letters):
    played = cards_won_by(letters, Seat.N)
    deal = Deal(PLAY_ONLY, 1, Seat.N, SetLuck({1: pack_playing(played, letters, Seat.N)}))
    play_cards(deal, played[:35])
    assert deal.phase is Ask.PLAY
    assert deal.options(deal.asked[0]) == played[35:]
    assert deal.score.kind is Kind.UNFINISHED
    play_cards(deal, played[35:])
    assert deal.phase is None
    assert deal.asked == ()
    assert deal.score.kind is not Kind.UNFINISHED


def test_the_tricks_so_far_the_last_perhaps_incomplete():
    letters = "XNEXWSNEX"
    played = cards_won_by(letters, Seat.N)
    deal = Deal(PLAY_ONLY, 1, Seat.N, SetLuck({1: pack_playing(played, letters, Seat.N)}))
    leaders = leaders_of(letters, Seat.N)
    for number, card in enumerate(played):
        expected = [
            Trick(
                leaders[start // 4],
                played[start : min(start + 4, number)],
                None if start + 4 > number or letters[start // 4] == "X" else Seat[letters[start // 4]],
            )
            for start in range(0, number, 4)
        ]
        assert list(deal.tricks()) == expected
        play_cards(deal, [card])
    assert len(list(deal.tricks())) == 9


@pytest.mark.parametrize(("mordienne", "points"), [(True, 2), (False, 1)])
def test_the_option_decides_what_a_mordienne_scores(mordienne, points):
    letters = RESULTS["EW2"]
    played = cards_won_by(letters, Seat.S)
    rules = RuleSet(signals=False, chant="off", mordienne=mordienne)
    deal = Deal(rules, 1, Seat.S, SetLuck({1: pack_playing(played, letters, Seat.S)}))
    play_cards(deal, played)
    assert deal.score.points == points


def test_hands_that_the_tests_build_come_out_right():
    rng = random.Random(1)
    for _ in range(50):
        letters = "".join(rng.choices("NESWX", k=9))
        dealer = rng.choice(list(Seat))
        played = cards_won_by(letters, dealer)
        deal = Deal(PLAY_ONLY, 1, dealer, SetLuck({1: pack_playing(played, letters, dealer)}))
        play_cards(deal, played)
        assert ["X" if winner is None else winner.name for winner in deal.winners] == list(letters)
