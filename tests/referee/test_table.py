"""One table: seat order, faults, who is told what, and a record that depends on the answers alone."""

from itertools import cycle, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee.seating import HANDLES, KEY, Seating
from rules.play import keys, rule_sets

from aluette.cards import CARDS
from aluette.events import DealEnded, MatchBegun, MatchEnded, Reason, SeatFaulted
from aluette.packs import BlockKey
from aluette.record import replay, to_bytes
from aluette.rules import Ask, Chant, Cut, Discard, Look, Match, Play, RuleSet, Sign, Signal
from aluette.seats import SEATS, Seat, Side
from aluette.session import Failed, Ready, Turn
from aluette.testing import play_match
from aluette.view import Points
from aluette_referee.clock import Limits
from aluette_referee.faults import Fault, FaultType, Policy
from aluette_referee.table import FLOODING, Asked, Ended, Outcome, Table, Told, forfeit

QUICK = settings(max_examples=25, deadline=None, derandomize=True)
TOGETHER = [None, Ask.LOOK]  # getting ready, and the first look
ONE_DEAL = RuleSet(deals=1)


def honest_record(rules: RuleSet = ONE_DEAL, key: BlockKey = KEY, bot: str = "random") -> bytes:
    return to_bytes(play_match([bot] * 4, key=key, rules=rules))


def at_look(rules: RuleSet = ONE_DEAL) -> Seating:
    found = Seating(rules)
    found.play(Ask.LOOK)
    return found


def at_play(played: int, rules: RuleSet = ONE_DEAL, deal: int = 1) -> tuple[Seating, Seat]:
    """A table with so many cards played, and the one seat that is asked."""
    found = Seating(rules)
    found.play(Ask.PLAY, deal, played)
    (seat,) = found.open
    return found, seat


def finish(seating: Seating) -> Outcome:
    seating.play()
    assert seating.outcome is not None
    return seating.outcome


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


# -- several at once -------------------------------------------------------------------------------

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


# -- strikes ---------------------------------------------------------------------------------------

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
