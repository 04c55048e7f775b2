"""Seats that are asked together: whatever they do, in any order, the result is the same."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee.seating import ONE_DEAL, QUICK, TOGETHER, Seating, at_look

from aluette.cards import CARDS
from aluette.rules import Ask, Look, Play, Sign, Signal
from aluette.seats import SEATS, Seat, Side
from aluette.session import Failed
from aluette_referee.faults import FaultType
from aluette_referee.table import Outcome

CONDUCTS = ("honest", "failed", "illegal", "malformed", "late")


def behave(seating: Seating, seat: Seat, conduct: str) -> None:
    match conduct:
        case "honest":
            seating.answer(seat)
        case "failed":
            seating.answer(seat, Failed(f"{seat} failed"))
        case "illegal":
            seating.answer(seat, Play(CARDS[0]))
        case "malformed":
            seating.fault(seat, FaultType.MALFORMED, "no card")
        case _:
            seating.fault(seat, FaultType.LATE, "no answer")


def outcome_of(moment: Ask | None, conducts: dict[Seat, str]) -> Outcome | None:
    """What comes of four seats that are asked together, answering in the order of `conducts`."""
    seating = Seating(ONE_DEAL) if moment is None else at_look()
    for number, (seat, conduct) in enumerate(conducts.items(), start=1):
        assert seating.outcome is None
        behave(seating, seat, conduct)
        if number < len(SEATS):
            assert seating.open
    return seating.outcome


@pytest.mark.parametrize("moment", TOGETHER, ids=["ready", "look"])
@pytest.mark.parametrize(
    "conducts",
    [
        ("late", "honest", "honest", "honest"),
        ("honest", "illegal", "honest", "failed"),
        ("failed", "illegal", "malformed", "late"),
        ("honest", "illegal", "illegal", "honest"),
    ],
    ids=" ".join,
)
def test_the_result_of_seats_asked_together_depends_on_no_order(moment, conducts):
    behaviour = dict(zip(SEATS, conducts, strict=True))
    outcomes = [
        outcome_of(moment, {seat: behaviour[seat] for seat in order}) for order in permutations(SEATS)
    ]
    assert outcomes[0] is not None
    assert all(outcome == outcomes[0] for outcome in outcomes)
    faulty = [seat for seat in SEATS if behaviour[seat] != "honest"]
    assert [fault.seat for fault in outcomes[0].faults] == faulty
    result = outcomes[0].record["result"]
    assert result["fault"]["seat"] == faulty[0].name
    both = {seat.side for seat in faulty} == set(Side)
    assert result["winner"] == (None if both else faulty[0].side.other.name)
    assert max(result["NS"], result["EW"]) == (0 if both else 1)


@QUICK
@given(
    st.sampled_from(TOGETHER),
    st.tuples(*[st.sampled_from(CONDUCTS)] * 4),
    st.permutations(SEATS),
    st.permutations(SEATS),
)
def test_any_conduct_in_any_two_orders_gives_the_same(moment, conducts, one, other):
    behaviour = dict(zip(SEATS, conducts, strict=True))
    first, second = (outcome_of(moment, {seat: behaviour[seat] for seat in order}) for order in (one, other))
    assert first == second


def test_looks_given_before_a_fault_ends_the_match_take_no_effect():
    for order in permutations(SEATS):
        seating = at_look()
        for seat in order:
            if seat is Seat.S:
                seating.fault(seat, FaultType.LATE)
            else:
                seating.answer(seat, Look(Sign(Signal.USELESS_HAND)))
        assert seating.outcome is not None
        assert seating.outcome.record["deals"][0]["signals"] == []


@pytest.mark.parametrize("asked", [Ask.LOOK, Ask.PLAY])
def test_a_seat_is_at_fault_once(asked):
    seating = Seating(ONE_DEAL)
    seating.play(asked)
    idle = next(seat for seat in SEATS if asked is Ask.LOOK or seat not in seating.open)
    seating.fault(idle, FaultType.CRASHED, "first")
    seating.fault(idle, FaultType.LATE, "second")
    for seat in list(seating.open):
        seating.answer(seat)
    assert seating.outcome is not None
    assert [(fault.type, fault.evidence) for fault in seating.outcome.faults] == [
        (FaultType.CRASHED, "first")
    ]
