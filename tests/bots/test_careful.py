"""What `careful` does at each place at the table, and that it is worth its name."""

import pytest
from bots.positions import seat_at, view

from aluette import Ask, Card, RuleSet, Seat, Signal
from aluette.testing import play_blocks
from aluette_bots.careful import Careful
from aluette_bots.memory import Memory


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


def test_the_last_hand_spoils_a_trick_rather_than_spend_monsieur():
    # E led a king and is ahead; with the trick spoiled E leads again, and N is last again.
    assert played(hand="3D KC 4B 3S", table="KD 4C 5S", won="NEWE") == "KC"


def test_second_hand_spoils_as_well():
    assert played(hand="3D KC 4B 3S", table="KD", won="NEWE") == "KC"


def test_it_wins_where_a_spoiled_trick_would_not_do():
    # W has three of four tricks: an ace takes this one, a king would only spoil it.
    assert played(hand="AC KC 4B 3S", table="4D 4C KS", won="WWWE") == "AC"


def test_it_overtakes_nobody_for_a_trick_its_collecting_partner_has():
    assert played(hand="3D 3C 9S 4B", table="5C AD 8B", won="SSSE") == "4B"


def test_it_keeps_its_masters_together_for_a_mordienne():
    # Monsieur to la Vache are the last four tricks, and two points, if N takes none before them.
    assert played(hand="3D 3C 2D 2C 4B", table="5C 6D 8B", won="WEWE") == "4B"


def test_without_mordienne_it_takes_what_it_can():
    rules = RuleSet(mordienne=False)
    position = view(hand="3D 3C 2D 2C AC", table="5C 6D 8B", won="WEWE")
    assert seat_at(Careful, rules).play(position) == Card.CA


def test_it_breaks_a_run_that_would_be_a_mordienne():
    # W has won the last three and has le Borgne on the table; N holds what beats it.
    assert played(hand="3C 9S 4B", table="2D", won="SNEWWW") == "3C"


def test_nothing_is_spent_on_a_deal_that_is_lost():
    assert played(hand="3D 9S 4B", won="WWWWWN", table="2D") == "4B"


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


def test_it_believes_opponents_only_where_signals_are_true():
    position = view(hand="3C 9S 4B", seen=[(Seat.E, Signal.MONSIEUR)], won="SNEWWN")
    for truthful, placed in ((True, [19]), (False, [])):
        assert Memory(position, trusting=truthful).shown[Seat.E] == placed


def test_no_signal_is_wasted_where_none_is_accepted():
    assert seat_at(Careful, RuleSet(signals_per_deal=0)).look(view("3D KC", asked=Ask.LOOK)) is None


POOR = "3S 3B 4D 4C 4S 4B 5D 5C 5S"
FAIR = "2D 9D AC KC 8S 7B 6C 5C 4S"
RICH = "3D 3C 2D 2C AD AC KD KC 4B"


@pytest.mark.parametrize(
    ("hand", "dealer", "agrees"),
    [
        # The dealer receives: with a fair hand six more cards make it strong.
        (POOR, Seat.N, False), (FAIR, Seat.N, True), (RICH, Seat.N, False),
        # S deals, so S and W receive: N agrees only if it has nothing to lose.
        (POOR, Seat.S, True), (FAIR, Seat.S, False), (RICH, Seat.S, False),
    ],
)  # fmt: skip
def test_it_votes_by_its_hand_and_by_who_receives(hand: str, dealer: Seat, agrees: bool):
    asked = view(hand, asked=Ask.CHANT)
    asked = asked._replace(deal=asked.deal._replace(dealer=dealer))
    assert seat_at(Careful).chant(asked) is agrees


def test_it_keeps_the_rules_of_discarding():
    bot = seat_at(Careful, RuleSet(chant_discard="lowest"))
    hand = "3D 3C 2D KD KC QD QC JD JC 8D 7D 6D 5D 4D 3S"
    assert sorted(card.strength for card in bot.discard(view(hand, asked=Ask.DISCARD))) == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
@pytest.mark.parametrize("other", ["random", "lowest"])
def test_it_wins_nine_matches_in_ten(other: str):
    score = play_blocks(["careful"] * 2, [other] * 2, blocks=60, seed="strength")
    assert score.won + score.drawn / 2 > 0.9 * 120
