"""Between the model and the wire: what is written and read is the same, and no bot's answer is trusted."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.play import QUICK, keys, play_out, rule_sets, seeds, steps
from rules.test_properties import OtherLuck, changed, hidden_from, unnoticed
from sdk.matches import played

from aluette.cards import CARDS, Card
from aluette.codec import (
    FAILED_SIZE,
    DealWriter,
    Malformed,
    read_event,
    read_move,
    read_turn,
    write_answer,
    write_event,
    write_turn,
)
from aluette.events import DealEnded, MatchBegun, MatchEnded, Reason
from aluette.rules import (
    STANDARD,
    Ask,
    Chant,
    Cut,
    Discard,
    Drop,
    Kind,
    Look,
    Match,
    Play,
    RuleSet,
    Sign,
    Signal,
    aces,
)
from aluette.rules.scoring import DealScore
from aluette.seats import SEATS, Seat, Side
from aluette.session import Answer, Failed, Ready, Turn
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points, PublicDeal, View, deal_ended, public_deal, view_of

TABLE = 2**64 - 1


def sent(message):
    """A message as it arrives."""
    return type(message).FromString(message.SerializeToString())


def asked_view(match: Match, seat: Seat, public: PublicDeal | None = None) -> View:
    """The view of a seat, also of one that is not asked just now."""
    view = view_of(match, seat, public)
    return view._replace(asked=view.asked or Ask.PLAY)


# -- turns -----------------------------------------------------------------------------------------


@settings(QUICK, max_examples=20)
@given(rule_sets(max_deals=1), keys, seeds)
def test_every_view_of_every_seat_arrives_as_it_was(rules, key, seed):
    match = Match(rules, key)
    moves = steps(match, random.Random(seed))
    deals = DealWriter()
    number = 0
    while True:
        public = public_deal(match)
        for seat in SEATS:
            number += 1
            turn = Turn(TABLE, number, asked_view(match, seat, public))
            assert read_turn(sent(write_turn(turn)), seat) == turn
            batch = wire.Batch()
            write_turn(turn, batch.turns.add(), deals.write)
            assert list(batch.turns) == [write_turn(turn)]
        if next(moves, None) is None:
            break


def test_the_first_turn_of_a_match_is_nothing_but_its_table():
    message = write_turn(Turn(7, 0, None))
    assert message == wire.Turn(table=7, asked=game.ASK_READY)
    assert read_turn(sent(message), Seat.N) == Turn(7, 0, None)


def test_a_turn_of_a_table_where_no_match_began_has_no_view():
    turn = Turn(7, 3, view_of(played(STANDARD, stop=0), Seat.N))
    assert read_turn(sent(write_turn(turn)), None) == Turn(7, 3, None)


VIEW = view_of(played(STANDARD, stop=0), Seat.E)


@pytest.mark.parametrize(
    ("seconds", "arrives"), [(None, None), (0, 0), (1.5, 1.5), (0.0019, 0.001), (-0.001, 0), (-7, 0)]
)
def test_time_left_is_in_milliseconds_and_never_negative(seconds, arrives):
    message = write_turn(Turn(1, 1, VIEW._replace(time_left=seconds)))
    assert message.HasField("time_left_ms") == (seconds is not None)
    assert read_turn(sent(message), Seat.E).view == VIEW._replace(time_left=arrives)


@settings(QUICK, max_examples=30)
@given(st.floats(-1e3, 1e6))
def test_a_bot_is_never_promised_more_time_than_it_has(seconds):
    view = read_turn(write_turn(Turn(1, 1, VIEW._replace(time_left=seconds))), Seat.E).view
    assert view.time_left == 0 or 0 <= seconds - view.time_left < 0.0011


def test_a_card_or_a_flag_of_the_public_history_is_one_byte():
    turn = write_turn(Turn(1, 1, asked_view(played(RuleSet(signals=False), seed=3, stop=30), Seat.N)))
    before = turn.deal.ByteSize()
    turn.deal.cards.append(game.CARD_BK)
    turn.deal.winners.append(game.SEAT_W)
    turn.deal.votes.append(True)
    assert turn.deal.ByteSize() == before + 3


# -- what a seat may not know ----------------------------------------------------------------------


def wire_turns(match: Match, seat: Seat, actions) -> list[bytes]:
    """The bytes of the seat's turn at first and after each action."""
    turns = [write_turn(Turn(TABLE, 0, asked_view(match, seat)))]
    for number, (actor, action) in enumerate(actions, start=1):
        match.do(actor, action)
        turns.append(write_turn(Turn(TABLE, number, asked_view(match, seat))))
    return [turn.SerializeToString(deterministic=True) for turn in turns]


@QUICK
@given(rule_sets(), keys, seeds, st.sampled_from(SEATS), st.integers(0, 46))
def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_bytes(rules, key, seed, seat, stop):
    """Other hands, stock and discards, another key, other signals and noticing: all that it has not seen."""
    same = {"truthful": False, "notice": 0.5, "chant_discard": "free", "cut": "referee", "deals": 1}
    rules = RuleSet(**{**rules.changes(), **same, "seating": "fixed", "tie": "draw"})
    rng = random.Random(seed)
    first = rng.choice(SEATS)
    actions = play_out(Match(rules, key, first_dealer=first), rng)[:stop]
    one = Match(rules, key, first_dealer=first)
    expected = wire_turns(one, seat, actions)

    hidden = hidden_from(seat, one.deal)
    swap = {card: card for card in CARDS} | dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    pack = tuple(swap[card] for card in one.deal.pack)
    other = Match(rules, OtherLuck(pack, one.deal, seat, rng), first_dealer=first)
    signs = unnoticed(one.deal, seat, rng)
    assert wire_turns(other, seat, changed(actions, seat, swap, signs)) == expected


# -- events ----------------------------------------------------------------------------------------

names = st.just(()) | st.tuples(*[st.text(max_size=10)] * 4)
limits = st.none() | st.integers(0, 10**8).map(lambda milliseconds: milliseconds / 1000)


@QUICK
@given(st.sampled_from(SEATS), rule_sets(100), st.integers(0, 2**64 - 1), names, limits)
def test_a_beginning_arrives_as_it_was(seat, rules, seed, told, limit):
    event = MatchBegun(seat, rules, seed, told, limit)
    message = sent(write_event(TABLE, event))
    assert message.table == TABLE
    assert read_event(message) == event


@settings(QUICK, max_examples=20)
@given(rule_sets(max_deals=2), keys, seeds)
def test_every_deals_end_arrives_as_it_was(rules, key, seed):
    match = Match(rules, key)
    play_out(match, random.Random(seed))
    for deal in match.deals:
        event = deal_ended(match, deal)
        assert read_event(sent(write_event(1, event))) == event


@pytest.mark.parametrize("kind", list(Kind))
def test_a_deals_end_of_each_kind_arrives_as_it_was(kind):
    scored = kind in (Kind.PLAIN, Kind.MORDIENNE)
    score = DealScore(Side.EW, 2, Seat.W, kind) if scored else DealScore(None, 0, None, kind)
    event = DealEnded(
        PublicDeal(120, Seat.W, False, (), (), (None,) * 9, Points(3, 240)), score, Points(3, 242)
    )
    assert read_event(sent(write_event(1, event))) == event


@pytest.mark.parametrize(
    "event",
    [
        MatchEnded(Reason.PLAYED, Side.NS, Points(3, 2)),
        MatchEnded(Reason.PLAYED, None, Points(2, 2)),
        MatchEnded(Reason.FAULT, Side.EW, Points(0, 5), Seat.S, "late"),
        MatchEnded(Reason.VOID, None, Points(0, 0)),
    ],
)
def test_a_matchs_end_arrives_as_it_was(event):
    assert read_event(sent(write_event(1, event))) == event


def test_an_event_of_a_kind_not_known_here_is_none():
    assert read_event(wire.Event(table=3)) is None


def test_an_end_without_a_reason_counts_as_void():
    message = wire.Event(table=1, match_ended=wire.MatchEnded())
    assert read_event(message) == MatchEnded(Reason.VOID, None, Points(0, 0))


# -- answers ---------------------------------------------------------------------------------------

signs = st.none() | st.builds(Sign, st.sampled_from(Signal), st.integers(0, 2**32 - 1))
answers = st.one_of(
    st.builds(Play, st.sampled_from(CARDS), signs),
    st.builds(Look, signs),
    st.builds(Chant, st.booleans(), signs),
    st.builds(Discard, st.lists(st.sampled_from(CARDS), max_size=9).map(tuple), signs),
    st.builds(Cut, st.integers(0, 2**32 - 1), signs),
    st.just(Ready()),
    st.builds(Failed, st.text(max_size=50)),
)
ASKS = {Play: Ask.PLAY, Look: Ask.LOOK, Chant: Ask.CHANT, Discard: Ask.DISCARD, Cut: Ask.CUT, Ready: None}


@settings(QUICK, max_examples=150)
@given(st.integers(1, 2**64 - 1), st.integers(0, 2**32 - 1), answers)
def test_every_answer_arrives_as_it_was(table, number, reply):
    move = sent(write_answer(Answer(table, number, reply)))
    assert (move.table, move.number) == (table, number)
    asks = [*Ask, None] if isinstance(reply, Failed) else [ASKS[type(reply)]]
    for asked in asks:
        assert read_move(move, asked) == reply


ONE_OF_EACH = {
    "play": (Ask.PLAY, Play(Card.D3)),
    "look": (Ask.LOOK, Look()),
    "chant": (Ask.CHANT, Chant(False)),
    "discard": (Ask.DISCARD, Discard(())),
    "cut": (Ask.CUT, Cut(0)),
    "ready": (None, Ready()),
}


@pytest.mark.parametrize("kind", ONE_OF_EACH)
@pytest.mark.parametrize("asked", [*Ask, None], ids=str)
def test_an_answer_of_another_kind_than_asked_is_malformed(kind, asked):
    wanted, reply = ONE_OF_EACH[kind]
    move = sent(write_answer(Answer(1, 1, reply)))
    assert move.WhichOneof("answer") == kind
    if asked is wanted:
        assert read_move(move, asked) == reply
        return
    with pytest.raises(Malformed) as caught:
        read_move(move, asked)
    called = "readiness" if asked is None else f"a {asked}"
    assert str(caught.value) == f"the answer is a {kind}, but {called} was asked for"


@pytest.mark.parametrize("asked", [*Ask, None], ids=str)
def test_an_empty_answer_is_malformed(asked):
    with pytest.raises(Malformed, match=r"^the answer is empty, but "):
        read_move(wire.Move(table=1, number=1, sign=game.Sign(signal=game.SIGNAL_MADAME)), asked)


@pytest.mark.parametrize("number", [0, 49, 255, 2**31 - 1, -1])
def test_a_card_that_does_not_exist_is_malformed(number):
    sentence = f"^{number} is no card: cards are numbered 1 to 48$"
    with pytest.raises(Malformed, match=sentence):
        read_move(sent(wire.Move(play=number)), Ask.PLAY)
    with pytest.raises(Malformed, match=sentence):
        read_move(sent(wire.Move(discard=wire.Discards(cards=[1, number]))), Ask.DISCARD)


@pytest.mark.parametrize("number", [0, 12, 77, -5])
def test_a_signal_that_does_not_exist_is_no_fault_but_dropped_as_malformed(number):
    move = sent(wire.Move(look=wire.Looked(), sign=game.Sign(signal=number, count=2)))
    reply = read_move(move, Ask.LOOK)
    assert reply == Look(Sign(Signal.UNKNOWN, 2))
    match = played(RuleSet(truthful=False), stop=0)
    for seat in SEATS:
        match.do(seat, reply)
    assert {made.dropped for made in match.deal.signals} == {Drop.MALFORMED}


@pytest.mark.parametrize("n", [-1, 2**32, -(2**70)])
def test_a_cut_that_the_wire_cannot_carry_arrives_as_an_illegal_one(n):
    assert read_move(sent(write_answer(Answer(1, 1, Cut(n)))), Ask.CUT) == Cut(0)


def test_a_signal_comes_with_every_action_and_with_no_failure():
    for asked, reply in ONE_OF_EACH.values():
        if asked is not None:
            move = sent(write_answer(Answer(1, 1, reply._replace(sign=aces(3)))))
            assert read_move(move, asked).sign == aces(3)
    move = write_answer(Answer(1, 1, Failed("x")))
    move.sign.signal = game.SIGNAL_MADAME
    assert read_move(move, Ask.PLAY) == Failed("x")


def test_the_end_of_a_long_traceback_is_kept():
    long = "a" * FAILED_SIZE + "the end"
    move = sent(write_answer(Answer(1, 1, Failed(long))))
    assert read_move(move, Ask.PLAY) == Failed(long[-FAILED_SIZE:])
    assert read_move(wire.Move(failed=wire.Failed(message=long)), None) == Failed(long[-FAILED_SIZE:])


# -- additions within the major version ------------------------------------------------------------

UNKNOWN_FIELDS = bytes([0xFA, 0x3E, 3]) + b"abc" + bytes([0xF0, 0x3E, 5])
"""Field 1007 with three bytes, field 1006 with the number 5."""


def test_fields_not_known_here_are_ignored():
    turn = Turn(5, 9, asked_view(played(STANDARD, seed=2, stop=30), Seat.W))
    message = wire.Turn.FromString(write_turn(turn).SerializeToString() + UNKNOWN_FIELDS)
    assert read_turn(message, Seat.W) == turn
    move = write_answer(Answer(5, 9, Play(Card.C3)))
    assert read_move(wire.Move.FromString(move.SerializeToString() + UNKNOWN_FIELDS), Ask.PLAY) == Play(
        Card.C3
    )
    event = MatchBegun(Seat.N, STANDARD, 5)
    message = wire.Event.FromString(write_event(5, event).SerializeToString() + UNKNOWN_FIELDS)
    assert read_event(message) == event


def test_the_numbers_of_the_model_are_those_of_the_wire():
    for enum, prefix, message in (
        (Seat, "SEAT", game.Seat),
        (Side, "SIDE", game.Side),
        (Ask, "ASK", game.Ask),
        (Drop, "DROP", game.Drop),
        (Card, "CARD", game.Card),
    ):
        ours = {f"{prefix}_{member.name}": int(member) for member in enum}
        theirs = {name: number for name, number in message.items() if number}
        assert ours == {name: number for name, number in theirs.items() if name != "ASK_READY"}
    assert {f"SIGNAL_{signal.name}": int(signal) for signal in Signal if signal} == {
        name: number for name, number in game.Signal.items() if number
    }
    assert [f"DEAL_KIND_{kind.name}" for kind in (Kind.PLAIN, Kind.MORDIENNE, Kind.VOID)] == (
        game.DealKind.keys()[1:]
    )


def test_a_million_cards_are_refused_without_being_read():
    move = wire.Move(table=1, number=1)
    move.discard.cards.extend([1] * 1_000_000)
    with pytest.raises(Malformed, match=r"^1000000 cards are more than there are$"):
        read_move(move, Ask.DISCARD)


def test_an_answer_of_too_many_cards_is_sent_as_one_that_is_as_wrong():
    many = Discard(CARDS * 1000)
    assert read_move(sent(write_answer(Answer(1, 1, many))), Ask.DISCARD) == Discard(CARDS)
