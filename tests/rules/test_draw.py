"""The partner draw: who gets cards, who sits where, and who deals."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules.play import QUICK
from rules.table import cards, clockwise

from aluette.cards import CARDS, Card
from aluette.errors import Misuse
from aluette.packs import BlockKey
from aluette.rules import Match, RuleSet, draw_partners
from aluette.seats import Seat

MONSIEUR, MADAME, BORGNE, VACHE = LUETTES = cards("3D 3C 2D 2C")
packs = st.integers(0, 2**32 - 1).map(lambda seed: random.Random(seed).sample(CARDS, 48))


@pytest.mark.parametrize("first", Seat)
@pytest.mark.parametrize("order", list(itertools.permutations(LUETTES)), ids=str)
def test_madame_keeps_her_chair_the_cow_is_left_monsieur_opposite_the_one_eyed_right(order, first):
    draw = draw_partners(order, first)
    chairs = dict(zip(order, clockwise(first), strict=True))
    assert draw.holders == chairs
    madame, left, opposite, right = clockwise(chairs[MADAME])
    assert draw.first_dealer is madame
    assert draw.chairs == {
        chairs[MADAME]: madame, chairs[VACHE]: left, chairs[MONSIEUR]: opposite, chairs[BORGNE]: right,
    }  # fmt: skip


def test_whoever_holds_a_luette_gets_no_more_cards():
    # N gets 3D, E 4D, S 2C, W 5D; then only E and W: E 6D, W 3C; then E alone.
    draw = draw_partners(cards("3D 4D 2C 5D 6D 3C 7D 8D 2D 9D"), Seat.N)
    assert draw.holders == {MONSIEUR: Seat.N, VACHE: Seat.S, MADAME: Seat.W, BORGNE: Seat.E}


def test_a_seat_may_wait_for_its_card_to_the_end_of_the_pack():
    pack = (*cards("3D 3C 2D"), *(card for card in CARDS if card not in LUETTES), VACHE)
    draw = draw_partners(pack, Seat.S)
    assert draw.holders[VACHE] is Seat.E
    assert draw.cards == pack


@QUICK
@given(packs, st.sampled_from(Seat))
def test_every_card_drawn_is_kept_and_the_fourth_luette_ends_it(pack, first):
    draw = draw_partners(pack, first)
    last = max(pack.index(luette) for luette in LUETTES)
    assert draw.cards == tuple(pack[: last + 1])
    assert draw.first is first


@QUICK
@given(packs, st.sampled_from(Seat))
def test_each_seat_holds_one_luette_dealt_one_card_at_a_time(pack, first):
    # Told the other way round: deal the same cards to piles, passing over the piles that end in a luette.
    piles: dict[Seat, list[Card]] = {seat: [] for seat in Seat}
    seats = itertools.cycle(clockwise(first))
    draw = draw_partners(pack, first)
    left = list(draw.cards)
    while left:
        seat = next(seats)
        if not {*piles[seat]} & {*LUETTES}:
            piles[seat].append(left.pop(0))
    assert draw.holders == {piles[seat][-1]: seat for seat in Seat}
    assert len(set(draw.chairs.values())) == len(draw.chairs) == 4


@pytest.mark.parametrize("missing", LUETTES, ids=str)
def test_a_pack_without_a_luette_is_the_callers_mistake(missing):
    with pytest.raises(Misuse, match="does not hold all four luettes"):
        draw_partners([card for card in CARDS if card is not missing], Seat.N)


def test_players_sit_by_the_draw_and_without_one_where_they_were_brought():
    fixed = Match(RuleSet(), BlockKey(bytes(32)))
    assert fixed.chairs == {seat: seat for seat in Seat}
    drawn = Match(RuleSet(seating="draw"), BlockKey(bytes(32)))
    assert drawn.draw is not None
    assert drawn.chairs == drawn.draw.chairs
