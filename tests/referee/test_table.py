"""One table: seat order, who is told what, the time bank, and a record that depends on the answers alone."""

from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee.seating import HANDLES, KEY, ONE_DEAL, QUICK, TOGETHER, Seating, at_play, finish, honest_record
from rules.play import keys, rule_sets

from aluette.cards import CARDS
from aluette.events import DealEnded, MatchBegun, MatchEnded, Reason
from aluette.record import replay, to_bytes
from aluette.rules import Ask, Chant, Cut, Discard, Look, Match, Play, RuleSet, Sign, Signal
from aluette.seats import SEATS, Seat, Side
from aluette.session import Failed, Ready, Turn
from aluette.view import Points
from aluette_referee.clock import Limits
from aluette_referee.faults import FaultType
from aluette_referee.table import FLOODING, Asked, Table, Told

# -- how it begins, goes on and ends ---------------------------------------------------------------


def test_each_seat_is_told_what_concerns_it_and_then_asked_whether_it_is_ready():
    limits = {
        **dict.fromkeys(SEATS, Limits()),
        Seat.E: Limits(ready=3.0, move=0.5, bank=7.0),
        Seat.S: Limits(ready=None, move=None, bank=7.0, ceiling=99.0),
    }
    told = {**dict.fromkeys(SEATS, (2.0, 10.0, 0.0)), Seat.E: (0.5, 3.0, 7.0), Seat.S: (None, None, 0.0)}
    table = Table(Match(ONE_DEAL, KEY), KEY, HANDLES, limits, ("a", "b", "a", "b"))
    effects = table.begin()
    expected: list[Told | Asked] = []
    for seat in SEATS:
        begun = MatchBegun(seat, ONE_DEAL, KEY.bot_seed(seat), ("a", "b", "a", "b"), *told[seat])
        expected.append(Told(seat, begun))
        expected.append(Asked(seat, Turn(HANDLES[seat], 0, None), told[seat][1] or 99.0))
    assert effects == expected
    assert not table.over


@pytest.mark.parametrize("limit", [0.25, None])
def test_every_turn_has_its_seats_handle_number_view_and_limit(limit):
    seating = Seating(ONE_DEAL, limits=dict.fromkeys(SEATS, Limits(ready=9.0, move=limit)))
    seating.play()
    for seat in SEATS:
        asked = seating.asked[seat]
        assert [turn.number for _, turn, _ in asked] == list(range(len(asked)))
        assert {turn.table for _, turn, _ in asked} == {HANDLES[seat]}
        assert [given for *_, given in asked] == [9.0, *[limit or Limits().ceiling] * (len(asked) - 1)]
        views = [turn.view for _, turn, _ in asked[1:]]
        assert {(view.seat, view.time_left) for view in views} == {(seat, limit)}
        assert all(view.asked is not None for view in views)


def test_nobody_is_asked_to_play_before_all_are_ready():
    seating = Seating(ONE_DEAL)
    for number, seat in enumerate((Seat.W, Seat.N, Seat.E, Seat.S), start=1):
        assert list(seating.asked.values()) == [[seating.asked[each][0]] for each in SEATS]
        seating.answer(seat)
        assert all(len(asked) == (2 if number == 4 else 1) for asked in seating.asked.values())


@pytest.mark.parametrize("rules", [RuleSet(), RuleSet(deals=3, tie="extra_deals")], ids=str)
def test_all_are_told_of_each_deal_once_before_the_next_and_of_the_end_last(rules):
    seating = Seating(rules)
    seating.play()
    assert seating.outcome is not None
    deals = seating.outcome.record["deals"]
    for seat in SEATS:
        begun, *ended, over = seating.told[seat]
        assert isinstance(begun, MatchBegun)
        assert [event.deal.number for event in ended] == list(range(1, len(deals) + 1))
        assert all(isinstance(event, DealEnded) for event in ended)
        assert isinstance(over, MatchEnded)
    assert len({tuple(told[1:]) for told in seating.told.values()}) == 1
    table = Table(Match(rules, KEY), KEY, HANDLES, dict.fromkeys(SEATS, Limits()))
    assert not table.over


def test_the_end_says_who_won_and_the_points():
    seating = Seating(RuleSet())
    seating.play()
    assert seating.outcome is not None
    result = seating.outcome.record["result"]
    winner = Side[result["winner"]] if result["winner"] else None
    expected = MatchEnded(Reason.PLAYED, winner, Points(result["NS"], result["EW"]))
    assert [told[-1] for told in seating.told.values()] == [expected] * 4
    assert seating.outcome.faults == ()
    assert seating.table.over


def test_in_a_deal_after_the_first_the_deal_ends_before_the_next_turn():
    seating, seat = at_play(35, RuleSet(deals=2))
    effects = seating.table.answer(seat, seating.open[seat].number, seating.honest[seat])
    assert [type(effect) for effect in effects] == [Told] * 4 + [Asked] * 4
    assert [effect.seat for effect in effects[:4]] == list(SEATS)


RULES = [
    RuleSet(),
    RuleSet(chant="always", chant_discard="lowest", cut="player", truthful=False, notice=0.25),
    RuleSet(seating="draw", tie="extra_deals", deals=2, signals_per_deal=9),
    RuleSet(signals=False, chant="off", mordienne=False, deals=7),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("bot", ["random", "lowest"])
def test_without_a_fault_the_record_is_the_one_of_the_testing_module(rules, bot):
    outcome = finish(Seating(rules, bot=bot))
    assert outcome.record is not None
    assert to_bytes(outcome.record) == honest_record(rules, bot=bot)
    replay(outcome.record)


# -- seat order ------------------------------------------------------------------------------------

REPLIES = [
    Play(CARDS[0]), Look(), Chant(True), Discard(CARDS[:6]), Cut(24), Ready(), Failed("no"),
    Look(Sign(Signal.MADAME)),
]  # fmt: skip


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: type(reply).__name__)
def test_a_seat_that_is_not_asked_changes_nothing(reply):
    seating, seat = at_play(6)
    for other in SEATS:
        if other is not seat:
            number = len(seating.asked[other]) - 1
            for guess in (number - 1, number, number + 1):
                assert seating.table.answer(other, guess, reply) == []
    outcome = finish(seating)
    assert to_bytes(outcome.record) == honest_record()


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: type(reply).__name__)
def test_a_past_repeated_or_future_turn_of_the_seat_that_is_asked_changes_nothing(reply):
    seating, seat = at_play(6)
    number = seating.open[seat].number
    for other in (-1, 0, number - 1, number + 1, number + 99):
        assert seating.table.answer(seat, other, reply) == []
    outcome = finish(seating)
    assert to_bytes(outcome.record) == honest_record()


@pytest.mark.parametrize("moment", TOGETHER, ids=["ready", "look"])
def test_a_seat_cannot_answer_again_while_the_others_are_awaited(moment):
    seating = Seating(ONE_DEAL)
    if moment is not None:
        seating.play(moment)
    number, first = seating.open[Seat.S].number, seating.honest[Seat.S]
    seating.answer(Seat.S)
    for reply in (first, Look(Sign(Signal.USELESS_HAND)), Failed("changed my mind")):
        assert seating.table.answer(Seat.S, number, reply) == []
    assert to_bytes(finish(seating).record) == honest_record()


def test_what_the_open_turns_ask_is_known():
    seating = Seating(ONE_DEAL)
    assert seating.table.asks is None
    seating.play(Ask.LOOK)
    assert seating.table.asks is Ask.LOOK
    seating.play(Ask.PLAY)
    assert seating.table.asks is Ask.PLAY
    finish(seating)
    assert seating.table.asks is None


def test_a_bot_that_comes_back_is_told_all_that_its_seat_was_told():
    seating = Seating(RuleSet(deals=3), names=("a", "b", "a", "b"))
    deals = set()
    while seating.outcome is None:
        deals.add(len(seating.told[Seat.N]) - 1)
        for seat in SEATS:
            assert seating.table.events(seat) == seating.told[seat]
        seating.answer(next(iter(seating.open)))
    assert deals == {0, 1, 2}


def test_after_the_end_nothing_happens_any_more():
    seating = Seating(ONE_DEAL)
    outcome = finish(seating)
    assert outcome.record is not None
    for seat in SEATS:
        last = seating.asked[seat][-1].turn.number
        assert seating.table.answer(seat, last, Failed("late")) == []
        assert seating.table.fault(seat, FaultType.CRASHED) == []
        assert [seating.table.drop(seat) for _ in range(2 * FLOODING)] == [[]] * 2 * FLOODING
    assert seating.table.void() == []


JUNK = st.tuples(st.sampled_from(SEATS), st.integers(-1, 60), st.sampled_from(REPLIES))


@QUICK
@given(rule_sets(max_deals=1), keys, st.randoms(use_true_random=False), st.lists(JUNK, max_size=99))
def test_no_interleaving_of_honest_answers_and_junk_changes_the_result(rules, key, chance, junk):
    """Junk is any answer to a turn that is not open: wrong seats, past and future numbers, any kind."""
    seating = Seating(rules, key)
    while seating.open:
        if junk and chance.random() < 0.5:
            seat, number, reply = junk.pop()
            if seat not in seating.open or seating.open[seat].number != number:
                assert seating.table.answer(seat, number, reply) == []
            continue
        seating.answer(chance.choice(list(seating.open)))
    assert seating.outcome is not None
    assert seating.outcome.faults == ()
    assert to_bytes(seating.outcome.record) == honest_record(rules, key)


# -- the time bank ---------------------------------------------------------------------------------


def test_what_moves_take_over_their_limit_is_drawn_from_the_bank_of_the_seat():
    seating = Seating(ONE_DEAL, limits=dict.fromkeys(SEATS, Limits(move=2.0, bank=3.0)))
    seating.play(Ask.PLAY)
    left = dict.fromkeys(SEATS, 5.0)
    thinks = cycle([0.5, 2.5, 3.25, 2.0, 9.0])
    while seating.outcome is None:
        ((seat, turn),) = seating.open.items()
        assert seating.asked[seat][-1].limit == turn.view.time_left == left[seat]
        took = next(thinks)
        left[seat] = max(2.0, left[seat] - max(0.0, took - 2.0))
        seating.answer(seat, elapsed=took)
    assert seating.outcome.faults == ()


def test_getting_ready_draws_on_no_bank():
    seating = Seating(ONE_DEAL, limits=dict.fromkeys(SEATS, Limits(move=1.0, bank=3.0)))
    for seat in SEATS:
        seating.answer(seat, elapsed=9.0)
    assert {asked[-1].limit for asked in seating.asked.values()} == {4.0}
