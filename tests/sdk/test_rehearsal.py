"""A bot put back into a position of a record: the same views, the same memory, the same answer."""

import pytest

from aluette.bot import Bot
from aluette.errors import Misuse
from aluette.loading import load_bot
from aluette.record import forfeited, record_of
from aluette.rehearsal import rehearse
from aluette.rules import Ask, Chant, Look, Match, Play, RuleSet
from aluette.seats import SEATS, Seat, Side
from aluette.session import Failed
from aluette.testing import match_key, play_match

RULES = RuleSet(deals=3)
KEY = match_key(5)


class Remembers(Bot):
    """Writes down every turn, and plays its weakest card."""

    def __init__(self, turns):
        self.turns = turns
        self.deals = 0

    def on_deal_end(self, ended):
        self.deals += 1

    def play(self, view):
        self.turns.append((self.deals, view))
        return min(view.hand, key=lambda card: (card.strength, card))


@pytest.fixture(scope="module")
def played():
    """A record, and the turns of each seat as they were."""
    turns = {seat: [] for seat in SEATS}
    record = play_match(
        [Remembers] * 4, key=KEY, rules=RULES, options=[{"turns": turns[seat]} for seat in SEATS]
    )
    return record, turns


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("place", [(1, 1), (1, 9), (2, 4), (3, 9)])
def test_every_turn_up_to_there_is_asked_again_as_it_was(played, seat, place):
    record, turns = played
    again = []
    found = rehearse(record, seat, place, Remembers, options={"turns": again})
    count = 9 * (place[0] - 1) + place[1]
    assert again == turns[seat][:count]
    assert found.view == turns[seat][count - 1][1]
    assert found.reply == found.recorded
    assert found.others == ()


def test_random_numbers_are_those_of_the_match():
    record = play_match(["random"] * 4, key=KEY, rules=RULES)
    for seat in SEATS:
        found = rehearse(record, seat, (3, 5), load_bot("random"), seed=KEY.bot_seed(seat))
        assert found.reply == found.recorded
        assert found.others == ()


def test_another_bot_does_not_change_how_the_match_went(played):
    record, _ = played
    found = rehearse(record, Seat.N, (2, 4), load_bot("random"))
    assert isinstance(found.recorded, Play)
    assert found.others != ()


def test_an_answer_that_is_not_legal_is_called_so(played):
    record, _ = played

    def anothers(view):
        return next(card for trick in view.deal.tricks for _, card in trick.plays)

    found = rehearse(record, Seat.N, (2, 4), anothers)
    assert "is not in the hand" in found.illegal
    assert rehearse(record, Seat.N, (2, 4), load_bot("lowest")).illegal == ""


def test_the_position_is_shown_before_the_bot_is_asked_anything(played):
    record, _ = played
    shown = []

    def stuck(view):
        assert shown
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rehearse(record, Seat.N, (2, 4), stuck, show=shown.append)
    assert shown[0].deal.number == 2


def test_before_the_first_trick_the_last_turn_counts(played):
    record, _ = played
    found = rehearse(record, Seat[record["deals"][0]["votes"][0][0]], (1, 0), load_bot("lowest"))
    assert found.view.asked is Ask.CHANT
    assert isinstance(found.reply, Chant)


def test_where_a_fault_ended_the_match_the_bot_is_asked_what_it_failed_at():
    match = Match(RULES, KEY)
    while len(match.deal.played) < 6:
        seat = match.asked[0]
        done = {Ask.LOOK: Look(), Ask.CHANT: Chant(yes=False)}
        match.do(seat, done.get(match.ask) or Play(match.deal.hands[seat][-1]))
    (seat,) = match.asked
    fault = {"type": "failed", "seat": seat.name, "deal": 1, "trick": 2}
    record = record_of(match, forfeited(match, Side.EW if seat.side is Side.NS else Side.NS, fault))

    def fails(view):
        raise ValueError(f"with {len(view.hand)} cards")

    found = rehearse(record, seat, (1, 2), fails)
    assert found.recorded is None
    assert isinstance(found.reply, Failed)
    assert "ValueError: with 8 cards" in found.reply.message
    assert len(found.others) == 1


def test_a_turn_that_there_was_not_is_said(played):
    with pytest.raises(Misuse, match=r"^N had no turn in deal 4, trick 1 of this match$"):
        rehearse(played[0], Seat.N, (4, 1), Remembers, options={"turns": []})
