"""With `cut = player` the bot's own cut changes the deal, and whoever has the key can see that it did, and how."""

import copy

import pytest

from aluette import Bot, Card, RecordError, View
from aluette.packs import block_key
from aluette.record import Record, replay
from aluette.rules import RuleSet
from aluette.seats import Seat
from aluette.testing import play_match

KEY = block_key(bytes(32), "cut", 0)
RULES = RuleSet(deals=1, cut="player")
PACK = 48


def cutting(at: int) -> type[Bot]:
    class Cutter(Bot):
        def cut(self, view: View) -> int:
            return at

        def play(self, view: View) -> Card:
            return view.hand[0]

    return Cutter


def match(at: int, others: int = 1) -> Record:
    """The dealer is North, so West cuts."""
    bots = [cutting(others)] * 3 + [cutting(at)]
    return play_match(bots, key=KEY, rules=RULES, first_dealer=Seat.N)


def shuffled(deal: int) -> list[str]:
    return [str(card) for card in KEY.pack(deal)]


@pytest.mark.parametrize("at", [1, 7, 24, 47])
def test_the_pack_is_the_keys_shuffle_cut_where_the_bot_cut_it(at):
    (deal,) = match(at)["deals"]
    assert deal["cut"] == at
    pack = shuffled(1)
    assert deal["pack"] == pack[at:] + pack[:at]


def test_another_cut_is_another_deal_and_only_the_right_of_the_dealer_cuts():
    hands = [match(at)["deals"][0]["pack"] for at in range(1, PACK)]
    assert len({tuple(pack) for pack in hands}) == PACK - 1
    assert match(7, others=1) == match(7, others=30)


def test_a_record_holds_with_its_cut_and_with_no_other():
    one, other = match(7), match(24)
    replay(one, KEY)
    lied = copy.deepcopy(one)
    lied["deals"][0]["cut"] = 24
    with pytest.raises(RecordError):
        replay(lied, KEY)
    # Nor with the pack of that cut: another deal than the one that was played.
    lied["deals"][0]["pack"] = other["deals"][0]["pack"]
    with pytest.raises(RecordError):
        replay(lied, KEY)
