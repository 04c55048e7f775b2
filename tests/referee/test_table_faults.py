"""Faults at a table: which there are, where they are, what they cost, and what is said of them."""

from itertools import product

import pytest
from referee.seating import HANDLES, KEY, ONE_DEAL, Seating, at_look, at_play, finish, honest_record

from aluette.cards import CARDS
from aluette.events import MatchEnded, Reason
from aluette.record import replay, to_bytes
from aluette.rules import Ask, Chant, Look, Match, Play, RuleSet
from aluette.seats import SEATS, Seat, Side
from aluette.session import Failed, Ready
from aluette.view import Points
from aluette_referee.clock import Limits
from aluette_referee.faults import Fault, FaultType
from aluette_referee.table import FLOODING, Ended, Outcome, Table, forfeit

# -- faults ----------------------------------------------------------------------------------------


def not_held(seating: Seating, seat: Seat) -> Play:
    view = seating.open[seat].view
    assert view is not None
    return Play(next(card for card in CARDS if card not in view.hand))


@pytest.mark.parametrize(
    ("reply", "kind", "evidence"),
    [
        (None, FaultType.ILLEGAL, "cannot be played: it is not in the hand"),
        (Look(), FaultType.ILLEGAL, "a play is asked for, not a look"),
        (Ready(), FaultType.MALFORMED, "it answered that it is ready, in mid-match"),
        (Failed("Traceback: oh"), FaultType.FAILED, "Traceback: oh"),
    ],
    ids=["illegal", "another kind", "ready", "failed"],
)
@pytest.mark.parametrize(("played", "trick"), [(0, 1), (6, 2), (35, 9)])
def test_a_bad_answer_loses_the_match_for_its_side(reply, kind, evidence, played, trick):
    seating, seat = at_play(played)
    cards = played_in(seating)
    seating.answer(seat, not_held(seating, seat) if reply is None else reply)
    assert seating.outcome is not None
    (fault,) = seating.outcome.faults
    assert fault[:4] == (kind, seat, 1, trick)
    assert evidence in fault.evidence
    record = seating.outcome.record
    assert record is not None
    assert record["result"] == {
        **{side.name: 1 if side is seat.side.other else 0 for side in Side},
        "winner": seat.side.other.name,
        "fault": {"type": kind.value, "seat": seat.name, "deal": 1, "trick": trick},
    }
    assert [card for cards in record["deals"][0]["tricks"] for card in cards] == cards
    assert seating.told[Seat.N][-1] == MatchEnded(
        Reason.FAULT, seat.side.other, Points(record["result"]["NS"], record["result"]["EW"]), seat, kind
    )


def played_in(seating: Seating) -> list[str]:
    (turn,) = seating.open.values()
    assert turn.view is not None
    return [str(card) for card in turn.view.deal.cards]


@pytest.mark.parametrize("reply", [Look(), Play(CARDS[0]), Chant(True)], ids=lambda reply: str(reply)[:4])
def test_who_is_asked_to_get_ready_must_answer_that(reply):
    seating = Seating(ONE_DEAL)
    seating.answer(Seat.E, reply)
    for seat in (Seat.N, Seat.S, Seat.W):
        seating.answer(seat)
    expected = Fault(FaultType.MALFORMED, Seat.E, 0, 0, "it was asked whether it is ready", 0.0, 10.0)
    assert seating.outcome is not None
    assert seating.outcome.faults == (expected,)


@pytest.mark.parametrize("kind", FaultType)
@pytest.mark.parametrize("seat", SEATS)
def test_every_kind_of_fault_of_every_seat_is_kept_as_it_is(kind, seat):
    seating, asked = at_play(4)
    seating.fault(seat, kind, "as seen")
    if asked is not seat:
        assert seating.outcome is None, "who is asked is awaited"
        seating.answer(asked)
    assert seating.outcome is not None
    (fault,) = seating.outcome.faults
    assert fault.public == Fault(kind, seat, 1, 2)
    assert fault.evidence == "as seen"
    assert seating.outcome.record["result"]["winner"] == seat.side.other.name


def test_the_place_of_a_fault_is_the_deal_and_trick_under_way():
    seating, seat = at_play(13, RuleSet(deals=3), deal=3)
    seating.fault(seat, FaultType.LATE)
    assert seating.outcome is not None
    assert seating.outcome.faults[0][2:4] == (3, 4)
    looking = at_look(RuleSet(deals=3))
    looking.play(Ask.LOOK, deal=2)
    for asked in SEATS:
        looking.fault(asked, FaultType.LATE)
    assert looking.outcome is not None
    assert {fault[2:4] for fault in looking.outcome.faults} == {(2, 0)}


def test_once_the_match_is_lost_who_is_awaited_is_judged_but_no_card_is_played():
    for reply, faulty in ((None, 1), (Failed("oh"), 2)):
        seating, seat = at_play(6)
        cards = played_in(seating)
        seating.fault(seat.left, FaultType.CRASHED)
        seating.answer(seat, reply)
        assert seating.outcome is not None
        assert len(seating.outcome.faults) == faulty
        record = seating.outcome.record
        assert record is not None
        assert [card for cards in record["deals"][0]["tricks"] for card in cards] == cards
        replay(record)


def test_evidence_is_told_to_no_seat_and_not_in_the_record():
    seating, seat = at_play(0)
    seating.fault(seat, FaultType.CRASHED, "the hand was 3D 3C")
    assert seating.outcome is not None
    assert "3D 3C" not in repr([*seating.told.values(), seating.outcome.record])


@pytest.mark.parametrize("deals", [1, 5, 100])
def test_a_forfeit_gives_as_many_points_as_a_match_has_deals(deals):
    seating = Seating(RuleSet(deals=deals))
    seating.fault(Seat.W, FaultType.NOT_STARTED)
    for seat in (Seat.N, Seat.E, Seat.S):
        seating.answer(seat)
    assert seating.outcome is not None
    result = seating.outcome.record["result"]
    assert (result["NS"], result["EW"], result["winner"]) == (deals, 0, "NS")


def test_a_forfeit_counts_not_what_was_won_before_it():
    seating, seat = at_play(0, RuleSet(), deal=4)
    seating.fault(seat, FaultType.LATE)
    assert seating.outcome is not None
    result = seating.outcome.record["result"]
    assert sorted((result["NS"], result["EW"])) == [0, 5]


@pytest.mark.parametrize("faulty", [(Seat.N, Seat.E), (Seat.S, Seat.W), tuple(SEATS)], ids=str)
def test_faults_on_both_sides_lose_the_match_for_both(faulty):
    match = Match(RuleSet(), KEY)
    result = forfeit(match, [Fault(FaultType.LATE, seat, 0, 0) for seat in faulty])
    fault = {"type": "late", "seat": faulty[0].name, "deal": 0, "trick": 0}
    assert result == {"NS": 0, "EW": 0, "winner": None, "fault": fault}


def test_partners_at_fault_lose_once():
    result = forfeit(Match(RuleSet(), KEY), [Fault(FaultType.LATE, seat, 0, 0) for seat in Side.EW.seats])
    assert (result["NS"], result["EW"], result["winner"], result["fault"]["seat"]) == (5, 0, "NS", "E")


# -- flooding and void -----------------------------------------------------------------------------


def test_a_hundred_answers_that_nobody_asked_for_are_a_fault():
    seating, seat = at_play(5)
    number = seating.open[seat].number
    for _ in range(FLOODING - 1):
        assert seating.table.answer(seat, number - 1, Play(CARDS[0])) == []
    seating.take(seating.table.answer(seat, number - 1, Play(CARDS[0])))
    assert seating.outcome is not None
    (fault,) = seating.outcome.faults
    assert fault[:4] == (FaultType.FLOODING, seat, 1, 2)
    assert fault.evidence == "100 answers came to turns that were not open"


def test_they_are_counted_for_each_seat():
    seating, _ = at_play(5)
    for _ in range(FLOODING - 1):
        for seat in SEATS:
            assert seating.table.drop(seat) == []
    assert to_bytes(finish(seating).record) == honest_record()


def test_a_flood_from_a_seat_that_is_not_asked_lets_the_open_turn_be_answered():
    seating, seat = at_play(5)
    flooder = seat.left
    for _ in range(3 * FLOODING):
        assert seating.table.drop(flooder) == []
    assert not seating.table.over
    seating.answer(seat)
    assert seating.outcome is not None
    assert [(fault.type, fault.seat) for fault in seating.outcome.faults] == [(FaultType.FLOODING, flooder)]


def test_a_void_match_counts_for_nobody():
    seating, _ = at_play(5)
    seating.take(seating.table.void())
    assert seating.outcome == Outcome(None, ())
    assert seating.table.over
    expected = MatchEnded(Reason.VOID, None, Points(0, 0))
    assert [told[-1] for told in seating.told.values()] == [expected] * 4


@pytest.mark.parametrize(("one", "other"), list(product([Seat.N, Seat.E], [Seat.S, Seat.W])))
def test_an_end_is_the_last_effect_and_comes_after_all_are_told(one, other):
    table = Table(Match(ONE_DEAL, KEY), KEY, HANDLES, dict.fromkeys(SEATS, Limits()))
    table.begin()
    for seat in SEATS:
        if seat not in (one, other):
            table.answer(seat, 0, Ready())
    assert table.fault(one, FaultType.LATE) == []
    *told, ended = table.fault(other, FaultType.LATE)
    assert [effect.seat for effect in told] == list(SEATS)
    assert isinstance(ended, Ended)


# -- what a fault says -----------------------------------------------------------------------------


def test_a_fault_says_how_long_it_took_and_what_would_have_been_right():
    seating, seat = at_play(6)
    turn = seating.open[seat]
    hand = turn.view.hand
    seating.take(seating.table.answer(seat, turn.number, Play(next(c for c in CARDS if c not in hand)), 1.25))
    (fault,) = seating.outcome.faults
    assert (fault.elapsed, fault.limit) == (1.25, 2.0)
    assert fault.legal == f"one of {' '.join(map(str, hand))}"
    assert fault.public == Fault(FaultType.ILLEGAL, seat, 1, 2)


@pytest.mark.parametrize(
    ("moment", "rules", "legal"),
    [
        (Ask.CUT, RuleSet(deals=1, cut="player"), "a cut from 1 to 47"),
        (Ask.LOOK, ONE_DEAL, "a signal, or none"),
        (Ask.CHANT, ONE_DEAL, "yes or no"),
        (Ask.DISCARD, RuleSet(deals=1, chant="always"), "six of "),
        (Ask.PLAY, ONE_DEAL, "one of "),
    ],
)
def test_what_would_have_been_right_is_said_for_everything_that_is_asked(moment, rules, legal):
    seating = Seating(rules)
    seating.play(moment)
    for seat in list(seating.open):
        seating.fault(seat, FaultType.LATE)
    assert all(fault.legal.startswith(legal) for fault in seating.outcome.faults)


def test_a_seat_that_was_not_asked_has_neither_time_nor_right_answers():
    seating, seat = at_play(6)
    seating.fault(seat.left, FaultType.CRASHED)
    seating.answer(seat)
    (fault,) = seating.outcome.faults
    assert (fault.elapsed, fault.limit, fault.legal) == (None, None, "")
