"""Strikes: what is played for a seat at fault, who is told, and when the match is lost all the same."""

import pytest
from referee.seating import ONE_DEAL, Seating, finish

from aluette.events import SeatFaulted
from aluette.record import replay
from aluette.rules import Ask, RuleSet
from aluette.seats import SEATS, Seat
from aluette_referee.clock import Limits
from aluette_referee.faults import Fault, FaultType, Policy

THREE = Policy(3)
MENDED = [FaultType.ILLEGAL, FaultType.FAILED, FaultType.MALFORMED, FaultType.LATE]


@pytest.mark.parametrize("kind", MENDED)
def test_a_strike_plays_the_weakest_card_and_all_are_told(kind):
    seating = Seating(ONE_DEAL, policy=THREE)
    seating.play(Ask.PLAY, played=6)
    (seat,) = seating.open
    weakest = min(seating.open[seat].view.hand, key=lambda card: (card.strength, card))
    assert seating.table.mends(seat, kind)
    seating.fault(seat, kind)
    assert all(told[-1] == SeatFaulted(seat, kind.value) for told in seating.told.values())
    outcome = finish(seating)
    assert (outcome.faults, [strike.public for strike in outcome.strikes]) == ((), [Fault(kind, seat, 1, 2)])
    assert outcome.record["result"]["fault"] is None
    assert outcome.record["deals"][0]["tricks"][1][2] == str(weakest)
    replay(outcome.record)


@pytest.mark.parametrize(
    ("moment", "rules"),
    [
        (Ask.CUT, RuleSet(deals=1, cut="player")),
        (Ask.LOOK, ONE_DEAL),
        (Ask.CHANT, ONE_DEAL),
        (Ask.DISCARD, RuleSet(deals=1, chant="always")),
        (Ask.DISCARD, RuleSet(deals=1, chant="always", chant_discard="lowest")),
    ],
)
def test_a_strike_at_any_turn_does_the_dullest_thing(moment, rules):
    seating = Seating(rules, policy=THREE)
    seating.play(moment)
    for seat in list(seating.open):
        seating.fault(seat, FaultType.FAILED)
    outcome = finish(seating)
    assert outcome.faults == ()
    (deal,) = outcome.record["deals"]
    assert moment is not Ask.LOOK or "look" not in {signal["when"] for signal in deal["signals"]}
    assert moment is not Ask.CUT or deal["cut"] == 24
    assert moment is not Ask.CHANT or deal["votes"] == [[deal["votes"][0][0], False]]
    replay(outcome.record)


def test_the_last_strike_of_a_seat_loses_the_match_whatever_the_others_did():
    seating = Seating(ONE_DEAL, policy=THREE)
    seating.play(Ask.PLAY)
    made = dict.fromkeys(SEATS, 0)
    order = []
    while seating.outcome is None:
        (seat,) = seating.open
        order.append(seat)
        made[seat] += 1
        assert seating.table.mends(seat, FaultType.LATE) is (made[seat] < 3)
        seating.fault(seat, FaultType.LATE)
    (fault,) = seating.outcome.faults
    assert made[fault.seat] == 3
    assert len(seating.outcome.strikes) == len(order) - 1
    assert seating.outcome.record["result"]["winner"] == fault.seat.side.other.name


@pytest.mark.parametrize("kind", [kind for kind in FaultType if kind not in MENDED])
def test_who_is_not_there_any_more_loses_at_once(kind):
    seating = Seating(ONE_DEAL, policy=THREE)
    seating.play(Ask.PLAY, played=6)
    (seat,) = seating.open
    assert not seating.table.mends(seat, kind)
    seating.fault(seat, kind)
    assert [fault.type for fault in seating.outcome.faults] == [kind]


def test_who_does_not_get_ready_loses_at_once():
    seating = Seating(ONE_DEAL, policy=THREE)
    assert not seating.table.mends(Seat.N, FaultType.FAILED)
    for seat in SEATS:
        seating.fault(seat, FaultType.FAILED)
    assert len(seating.outcome.faults) == 4


def test_a_late_strike_empties_the_bank():
    seating = Seating(ONE_DEAL, limits=dict.fromkeys(SEATS, Limits(move=2.0, bank=3.0)), policy=THREE)
    seating.play(Ask.PLAY)
    (seat,) = seating.open
    seating.take(seating.table.fault(seat, FaultType.LATE, "", 5.0))
    seating.open.pop(seat)
    while seat not in seating.open:
        seating.answer(next(iter(seating.open)))
    assert seating.asked[seat][-1].limit == 2.0
