"""Cards, tricks and deals as text: written then read they are the same, and what is wrong is said."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules.play import QUICK
from sdk.matches import stopped_matches

from aluette.cards import CARDS, Card
from aluette.errors import Misuse, NotationError
from aluette.notation import (
    DealLine,
    read_cards,
    read_deal,
    read_results,
    read_seat,
    read_tricks,
    write_cards,
    write_deal,
    write_results,
    write_tricks,
)
from aluette.seats import SEATS, Seat
from aluette.view import public_deal

some_cards = st.lists(st.sampled_from(CARDS), unique=True)
some_tricks = st.lists(st.sampled_from(CARDS), unique=True, max_size=36)
some_winners = st.lists(st.sampled_from([None, *SEATS]), max_size=9)


@QUICK
@given(some_cards)
def test_cards_read_back(cards):
    assert read_cards(write_cards(cards)) == tuple(cards)


@QUICK
@given(some_tricks)
def test_tricks_read_back(cards):
    assert read_tricks(write_tricks(cards)) == tuple(cards)


@QUICK
@given(some_winners)
def test_results_read_back(winners):
    assert read_results(write_results(winners)) == tuple(winners)


@QUICK
@given(st.sampled_from(SEATS), some_tricks, some_winners)
def test_a_deal_reads_back(dealer, cards, winners):
    line = DealLine(dealer, tuple(cards), tuple(winners))
    assert read_deal(write_deal(line)) == line


@QUICK
@given(stopped_matches(max_deals=1))
def test_a_deal_of_a_match_is_written_alike_from_either_side_of_the_wire(match):
    deal = match.deal
    assert write_deal(deal) == write_deal(public_deal(match))
    assert read_deal(write_deal(deal)) == (deal.dealer, tuple(deal.played), tuple(deal.winners))


def test_the_text_is_as_documented():
    cards = read_cards("QB 2D KC KS 6D 2B")
    assert write_cards(cards[:3]) == "QB 2D KC"
    assert write_tricks(cards) == "QB 2D KC KS / 6D 2B"
    assert write_results([Seat.N, Seat.E, None, Seat.W]) == "NEXW"
    assert write_deal(DealLine(Seat.S, cards, (Seat.N,))) == "S | QB 2D KC KS / 6D 2B | N"
    assert write_deal(DealLine(Seat.S, (), ())) == "S |  | "


def test_reading_does_not_mind_case_and_space():
    assert read_cards("  3d\tqc\n") == (Card.D3, Card.CQ)
    assert read_tricks("qb 2d kc ks/6d") == read_tricks("QB 2D KC KS / 6D")
    assert read_results(" nx ") == (Seat.N, None)
    assert read_seat(" e ") is Seat.E
    assert read_deal("s||") == (Seat.S, (), ())


NINE_TRICKS = write_tricks(CARDS[:36])


def test_nine_tricks_are_a_whole_deal():
    assert read_tricks(NINE_TRICKS) == CARDS[:36]
    assert len(read_results("NESWXNESW")) == 9


MISTAKES = [
    (read_cards, "3D XD", "card 2: 'XD' is no card: write a rank (A 2-9 J Q K), then a suit (D C S B)"),
    (read_cards, "3D 10D", "card 2: '10D' is no card: write a rank (A 2-9 J Q K), then a suit (D C S B)"),
    (read_cards, "3D QC 3d", "card 3: 3D is there twice"),
    (read_tricks, "QB 2D KC / 6D", "trick 1 has 3 cards, not 4"),
    (read_tricks, "QB 2D KC KS / / 6D", "trick 2 has 0 cards, not 4"),
    (read_tricks, "QB 2D KC KS 6D", "trick 1 has 5 cards, not 4"),
    (read_tricks, "QB 2D KC KS / QB", "card 5: QB is there twice"),
    (read_tricks, f"{NINE_TRICKS} / AB", "a deal has nine tricks, not 10"),
    (read_results, "NNNNNNNNNN", "'NNNNNNNNNN' has 10 letters; a deal has nine tricks"),
    (read_results, "NQ", "'Q' is no seat: write N, E, S or W"),
    (read_seat, "", "'' is no seat: write N, E, S or W"),
    (read_seat, "North", "'North' is no seat: write N, E, S or W"),
    (read_deal, "S | QB", "'S | QB' is no deal: write dealer | tricks | results"),
    (read_deal, "A | QB | ", "'A ' is no seat: write N, E, S or W"),
    (read_deal, "N | QZ | ", "card 1: 'QZ' is no card: write a rank (A 2-9 J Q K), then a suit (D C S B)"),
    (read_deal, "N | QB | Z", "'Z' is no seat: write N, E, S or W"),
]


@pytest.mark.parametrize(("read", "text", "sentence"), MISTAKES, ids=[text or "-" for _, text, _ in MISTAKES])
def test_a_mistake_is_said_with_its_place(read, text, sentence):
    with pytest.raises(NotationError) as caught:
        read(text)
    assert str(caught.value) == sentence
    assert isinstance(caught.value, Misuse)


@QUICK
@given(st.sampled_from([read_cards, read_tricks, read_results, read_seat, read_deal]), st.text(max_size=30))
def test_any_text_is_read_or_refused_and_nothing_else(read, text):
    with suppress(NotationError):
        read(text)
