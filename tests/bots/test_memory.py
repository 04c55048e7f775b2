"""Counting the cards: what is out, what is placed, and how likely somebody holds something better."""

import pytest
from bots.positions import view

from aluette import Seat, Signal
from aluette_bots.memory import Memory

MONSIEUR, MADAME, BORGNE, VACHE, ACE, KING = 19, 18, 17, 16, 11, 10
HAND = "3D KC AC AB 9S 8D 6B 5C 4B"


def test_out_is_all_but_the_own_hand_and_what_was_played():
    memory = Memory(view(HAND, table="KD 2C"), trusting=True)
    assert (memory.out[MONSIEUR], memory.out[MADAME], memory.out[ACE], memory.out[KING]) == (0, 1, 2, 2)
    assert sum(memory.out) == 48 - 9 - 2


def test_above_counts_what_beats_a_card():
    memory = Memory(view(HAND, table="KD 2C"), trusting=True)
    # Of the eight named cards Monsieur is in the hand and la Vache on the table.
    assert (memory.above[MADAME], memory.above[ACE], memory.above[KING]) == (0, 6, 8)


def test_a_third_of_the_cards_out_lies_in_the_stock():
    memory = Memory(view(HAND), trusting=True)
    assert memory.share == pytest.approx(27 / 39)
    assert memory.free[1:] == [0, 9, 9, 9]


def test_after_a_chant_every_card_that_matters_is_in_a_hand():
    position = view(HAND)
    memory = Memory(position._replace(deal=position.deal._replace(stock_dealt=True)), trusting=True)
    assert memory.share == 1


def test_who_has_played_in_this_trick_holds_one_card_less():
    # S and W have played, E plays after N.
    assert Memory(view("3D KC 8D 4B", table="8C 9C", won="NEWNE"), trusting=True).free[1:] == [0, 4, 3, 3]


def test_a_card_shown_is_placed_until_it_is_played():
    shown = [(Seat.S, Signal.MADAME), (Seat.E, Signal.VACHE)]
    memory = Memory(view(HAND, table="2C", seen=shown), trusting=True)
    assert (memory.shown[Seat.S], memory.shown[Seat.E]) == ([MADAME], [])
    assert memory.out[MADAME] == 0
    assert memory.shown_above[ACE] == 1
    assert memory.free[Seat.S] == 8


def test_a_signal_repeated_or_known_to_be_false_places_nothing_more():
    shown = [
        (Seat.S, Signal.MADAME),
        (Seat.S, Signal.MADAME),
        (Seat.S, Signal.MONSIEUR),
        (Seat.S, Signal.UNKNOWN),
    ]
    assert Memory(view(HAND, seen=shown), trusting=True).shown[Seat.S] == [MADAME]


def test_no_player_is_thought_to_hold_more_than_its_cards():
    named = (Signal.MADAME, Signal.BORGNE, Signal.VACHE, Signal.GRAND_NEUF)
    position = view("3D KC QB", seen=[(Seat.S, signal) for signal in named], won="NEWNES")
    memory = Memory(position, trusting=True)
    assert (memory.shown[Seat.S], memory.free[Seat.S]) == ([MADAME, BORGNE, VACHE], 0)


def test_how_likely_a_player_can_beat_a_card():
    memory = Memory(view(HAND, seen=[(Seat.S, Signal.MADAME)]), trusting=True)
    # Monsieur is in the own hand and Madame placed: E has nothing above le Borgne.
    assert memory.can_beat(Seat.E, MONSIEUR) == memory.can_beat(Seat.E, BORGNE) == 0
    assert 0 < memory.can_beat(Seat.E, VACHE) < memory.can_beat(Seat.E, ACE) < memory.can_beat(Seat.E, 5) < 1
    assert memory.can_beat(Seat.S, ACE) > memory.can_beat(Seat.E, ACE)


def test_a_player_whose_cards_are_all_known_can_beat_what_they_beat():
    shown = [(Seat.S, signal) for signal in (Signal.MADAME, Signal.VACHE, Signal.DEUX_DECRIT)]
    memory = Memory(view("3D KC QB", seen=shown, won="NEWNES"), trusting=True)
    assert [memory.can_beat(Seat.S, strength) for strength in (KING, BORGNE, MADAME)] == [1, 1, 0]


def test_next_above_is_a_card_that_is_out():
    memory = Memory(view(HAND), trusting=True)
    for strength in range(MADAME):
        assert memory.next_above(strength) > strength
        assert memory.out[memory.next_above(strength)]
