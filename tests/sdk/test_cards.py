"""The forty-eight cards, against the table of the printed rules."""

import re

import pytest
from rules.table import STRENGTHS

from aluette.cards import CARDS, NAMED, PACK_SIZE, STRENGTH, Card, Rank, Suit

RANKS, SUITS = "A23456789JQK", "DCSB"
TEXTS = [rank + suit for suit in SUITS for rank in RANKS]
TITLES = {
    "3D": "Monsieur", "3C": "Madame", "2D": "le Borgne", "2C": "la Vache", "9C": "Grand-neuf",
    "9D": "Petit-neuf", "2B": "Deux de chêne", "2S": "Deux d'écrit",
}  # fmt: skip


def test_there_are_48_cards_numbered_suit_by_suit_from_ace_to_king():
    assert len(CARDS) == PACK_SIZE == 48
    assert [int(card) for card in CARDS] == list(range(1, 49))
    assert [str(card) for card in CARDS] == TEXTS


@pytest.mark.parametrize("text", TEXTS)
def test_text_reads_back_to_the_same_card(text):
    card = Card.parse(text)
    assert str(card) == repr(card) == f"{card}" == text
    assert f"{card:>4}" == f"  {text}"
    assert Card.parse(f" {text.lower()}\n") is card
    assert card is Card[text[1] + text[0]]


@pytest.mark.parametrize("text", TEXTS)
def test_rank_and_suit_are_those_of_the_text(text):
    card = Card.parse(text)
    assert (card.rank.letter, card.suit.letter) == tuple(text)
    assert card.rank is Rank(RANKS.index(text[0]) + 1)
    assert card.suit is Suit(SUITS.index(text[1]))


def test_suits_are_coins_cups_swords_batons():
    assert [(suit.name, suit.letter) for suit in Suit] == [
        ("COINS", "D"), ("CUPS", "C"), ("SWORDS", "S"), ("BATONS", "B"),
    ]  # fmt: skip


@pytest.mark.parametrize(("strength", "texts"), STRENGTHS.items())
def test_strengths_are_those_of_the_printed_table(strength, texts):
    assert {str(card) for card in CARDS if card.strength == strength} == set(texts.split())
    assert {str(card) for card in CARDS if STRENGTH[card] == strength} == set(texts.split())


def test_every_card_is_in_the_table():
    assert sorted(" ".join(STRENGTHS.values()).split()) == sorted(TEXTS)


@pytest.mark.parametrize("text", TEXTS)
def test_eight_cards_have_a_name(text):
    assert Card.parse(text).title == TITLES.get(text, "")


def test_the_named_cards_are_listed_strongest_first():
    assert [str(card) for card in NAMED] == list(TITLES)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "3",
        "D",
        "D3",
        "3DD",
        "33D",
        "10D",
        "1D",
        "0C",
        "TS",
        "3X",
        "3H",
        "3 D",
        "Monsieur",
        "3Đ",
        "３D",
    ],
)
def test_what_is_no_card_is_refused_with_a_sentence(text):
    with pytest.raises(ValueError, match=rf"^{re.escape(repr(text))} is no card: write a rank "):
        Card.parse(text)
