"""Answers on the wire: each arrives as it was, and no bot's is trusted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.play import QUICK
from sdk.matches import played
from sdk.scripted import move_message

from aluette.cards import CARDS, Card
from aluette.codec import FAILED_SIZE, Malformed, read_move
from aluette.rules import Ask, Chant, Cut, Discard, Drop, Look, Play, RuleSet, Sign, Signal, aces
from aluette.seats import SEATS
from aluette.session import Answer, Failed, Ready
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire

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
    move = move_message(Answer(table, number, reply))
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
    move = move_message(Answer(1, 1, reply))
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
        read_move(wire.Move(play=number), Ask.PLAY)
    with pytest.raises(Malformed, match=sentence):
        read_move(wire.Move(discard=wire.Discards(cards=[1, number])), Ask.DISCARD)


@pytest.mark.parametrize("number", [0, 12, 77, -5])
def test_a_signal_that_does_not_exist_is_no_fault_but_dropped_as_malformed(number):
    move = wire.Move(look=wire.Looked(), sign=game.Sign(signal=number, count=2))
    reply = read_move(move, Ask.LOOK)
    assert reply == Look(Sign(Signal.UNKNOWN, 2))
    match = played(RuleSet(truthful=False), stop=0)
    for seat in SEATS:
        match.do(seat, reply)
    assert {made.dropped for made in match.deal.signals} == {Drop.MALFORMED}


@pytest.mark.parametrize("n", [-1, 2**32, -(2**70)])
def test_a_cut_that_the_wire_cannot_carry_arrives_as_an_illegal_one(n):
    assert read_move(move_message(Answer(1, 1, Cut(n))), Ask.CUT) == Cut(0)


def test_a_signal_comes_with_every_action_and_with_no_failure():
    for asked, reply in ONE_OF_EACH.values():
        if asked is not None:
            move = move_message(Answer(1, 1, reply._replace(sign=aces(3))))
            assert read_move(move, asked).sign == aces(3)
    move = move_message(Answer(1, 1, Failed("x")))
    move.sign.signal = game.SIGNAL_MADAME
    assert read_move(move, Ask.PLAY) == Failed("x")


def test_the_end_of_a_long_traceback_is_kept():
    long = "a" * FAILED_SIZE + "the end"
    move = move_message(Answer(1, 1, Failed(long)))
    assert read_move(move, Ask.PLAY) == Failed(long[-FAILED_SIZE:])
    assert read_move(wire.Move(failed=wire.Failed(message=long)), None) == Failed(long[-FAILED_SIZE:])


def test_a_million_cards_are_refused_without_being_read():
    move = wire.Move(table=1, number=1)
    move.discard.cards.extend([1] * 1_000_000)
    with pytest.raises(Malformed, match=r"^1000000 cards are more than there are$"):
        read_move(move, Ask.DISCARD)


def test_an_answer_of_too_many_cards_is_sent_as_one_that_is_as_wrong():
    many = Discard(CARDS * 1000)
    assert read_move(move_message(Answer(1, 1, many)), Ask.DISCARD) == Discard(CARDS)
