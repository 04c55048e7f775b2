"""What `careful` does at each place at the table, and that it is worth its name."""

import pytest
from bots.positions import seat_at, view

from aluette import Ask, Card, RuleSet, Seat, Signal
from aluette.testing import play_blocks
from aluette_bots.careful import Careful


def played(**position: object) -> str:
    return str(seat_at(Careful).play(view(**position)))


def test_the_last_hand_wins_as_cheaply_as_it_can():
    assert played(hand="3D KC 9S 4B", table="5C 6D 8B") == "9S"


def test_the_last_hand_leaves_the_trick_to_its_partner():
    # E led, S (the partner) is ahead.
    assert played(hand="3D KC 9S 4B", table="5C AD 8B") == "4B"


def test_the_last_hand_gives_the_weakest_when_it_cannot_win():
    assert played(hand="KC 9S 4B 3S", table="3D 5C 6D") == "3S"


def test_second_hand_plays_low():
    assert Card.parse(played(hand="3D KC 9S 4B 3S", table="5C")).strength < 8


def test_third_hand_plays_higher_than_a_weak_partner():
    # S led a four and W a five: what N plays must beat E, who plays last.
    assert Card.parse(played(hand="AC KC 4S 3S", table="4B 5C", won="NEWN")).strength >= 10


def test_it_stops_the_opponent_who_collects():
    # W has three tricks and is ahead with an ace; nobody else has any.
    assert played(hand="2S 9S 4B 3S", table="4D 4C AS", won="WWWE") == "2S"


@pytest.mark.parametrize(
    ("hand", "shown"),
    [
        ("3D 3C 5B 5C 5D 5S 4B 4C 4D", Signal.MONSIEUR),
        ("2S KC 5B 5C 5D 5S 4B 4C 4D", Signal.DEUX_DECRIT),
        ("AD AC 5B 5C 5D 5S 4B 4C 4D", None),
    ],
)
def test_it_shows_its_best_card_if_that_has_a_name(hand: str, shown: object):
    assert seat_at(Careful).look(view(hand, asked=Ask.LOOK)) == shown


def test_it_trusts_its_partners_signal():
    # S, who plays after N, has shown Monsieur: N need not spend la Vache on W's ace.
    position = {"hand": "2C 9S 4B 3S", "table": "AS"}
    told = seat_at(Careful).play(view(**position, seen=[(Seat.S, Signal.MONSIEUR)]))
    assert told.strength < Card.C2.strength


def test_a_strong_hand_refuses_the_chant():
    assert seat_at(Careful).chant(view("3D 3C 2D 2C AD AC KD KC 4B", asked=Ask.CHANT)) is False


def test_it_keeps_the_rules_of_discarding():
    bot = seat_at(Careful, RuleSet(chant_discard="lowest"))
    hand = "3D 3C 2D KD KC QD QC JD JC 8D 7D 6D 5D 4D 3S"
    assert sorted(card.strength for card in bot.discard(view(hand, asked=Ask.DISCARD))) == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
@pytest.mark.parametrize("other", ["random", "lowest"])
def test_it_wins_nine_matches_in_ten(other: str):
    score = play_blocks(["careful"] * 2, [other] * 2, blocks=60, seed="strength")
    assert score.won + score.drawn / 2 > 0.87 * 120
