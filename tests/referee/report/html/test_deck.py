"""The drawn cards: all there, each with its index, and no larger than is good for a page."""

import re
from xml.etree import ElementTree as ET

import pytest

from aluette.cards import CARDS, NAMED
from aluette_referee.report.html.deck import sprite

SVG = "{http://www.w3.org/2000/svg}"
ROOT = ET.fromstring(sprite())
SYMBOLS = {symbol.get("id"): symbol for symbol in ROOT.iter(f"{SVG}symbol")}


def texts(card):
    return ["".join(text.itertext()) for text in SYMBOLS[f"card-{card}"].iter(f"{SVG}text")]


def signs(card):
    uses = [use.get("href") for use in SYMBOLS[f"card-{card}"].iter(f"{SVG}use")]
    return uses.count(f"#suit-{card.suit.letter}"), {use for use in uses if not use.startswith("#suit-")}


def test_every_card_has_a_symbol_and_so_has_the_back():
    assert {name for name in SYMBOLS if name.startswith("card-")} == {f"card-{card}" for card in CARDS} | {
        "card-back"
    }


def test_every_id_is_there_once_and_what_is_used_is_there():
    ids = re.findall(r'\bid="([^"]*)"', sprite())
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]*)"', sprite())) <= set(ids)


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_shows_its_index_twice_and_its_name(card):
    assert texts(card) == [str(card), str(card), *([NAMED[card]] if card in NAMED else [])]


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_shows_as_many_signs_as_its_rank_says(card):
    count, drawn = signs(card)
    faces = drawn & {"#monsieur", "#borgne"}  # these are coins themselves
    court = card.rank > 9
    assert count + len(faces) == (1 if court else card.rank)
    assert (f"#court-{card.rank.letter}" in drawn) == court


def test_it_is_small_and_brings_nothing_from_elsewhere():
    assert len(sprite().encode()) < 60_000
    assert re.findall(r"https?://[^\"]*", sprite()) == ["http://www.w3.org/2000/svg"]
    assert {element.tag.removeprefix(SVG) for element in ROOT.iter()} == {
        "svg", "symbol", "circle", "ellipse", "path", "rect", "g", "text", "use",
    }  # fmt: skip
