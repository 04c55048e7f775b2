"""Between the model and the wire: turns and events arrive as they were, and with nothing a seat may not know."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rules.play import QUICK, keys, play_out, rule_sets, seeds, steps
from rules.test_properties import OtherLuck, changed, hidden_from, unnoticed
from sdk.matches import played
from sdk.scripted import event_message, turn_message

from aluette.cards import CARDS, Card
from aluette.codec import (
    TurnWriter,
    Written,
    read_event,
    read_move,
    read_turn,
    write_answer,
    write_event,
    write_turn,
)
from aluette.events import DealEnded, MatchBegun, MatchEnded, Reason
from aluette.packs import BlockKey
from aluette.rules import STANDARD, Ask, Drop, Kind, Match, Play, RuleSet, Signal
from aluette.rules.scoring import DealScore
from aluette.seats import SEATS, Seat, Side
from aluette.session import Answer, Turn
from aluette.v1 import game_pb2 as game
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points, PublicDeal, View, deal_ended, public_deal, view_of

TABLE = 2**64 - 1


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
    number = 0
    while True:
        public = public_deal(match)
        for seat in SEATS:
            number += 1
            turn = Turn(TABLE, number, asked_view(match, seat, public))
            assert read_turn(turn_message(turn), seat) == turn
        if next(moves, None) is None:
            break


@settings(QUICK, max_examples=30)
@given(rule_sets(max_deals=3), keys, seeds, st.sampled_from([None, 1.5]))
def test_turns_written_from_a_match_are_the_bytes_of_their_views(rules, key, seed, time_left):
    """Whichever of its turns are written: the writer keeps what it wrote before."""
    match, rng = Match(rules, key), random.Random(seed)
    every, some = TurnWriter(match), TurnWriter(match)
    for number, _ in enumerate(steps(match, rng), start=1):
        for seat in match.asked:
            expected = write_turn(Turn(TABLE, number, view_of(match, seat, time_left=time_left)))
            assert every.write(seat, TABLE, number, time_left) == Written(TABLE, number, expected)
            if rng.random() < 0.3:
                assert some.write(seat, TABLE, number, time_left).message == expected


def test_turn_number_0_asks_whether_the_seat_is_ready():
    match = Match(STANDARD, BlockKey(bytes(32)))
    written = TurnWriter(match).write(Seat.E, TABLE, 0, 2.0)
    assert written.message == write_turn(Turn(TABLE, 0, None))


@settings(QUICK, max_examples=20)
@given(rule_sets(max_deals=2), keys, seeds)
def test_what_is_known_of_a_match_changes_nothing_of_what_is_read(rules, key, seed):
    """From whatever moment of the match, later ones of the same deal included, as after a stream was taken up again."""
    match, rng = Match(rules, key), random.Random(seed)
    turns = [Turn(TABLE, 0, asked_view(match, Seat.N))]
    turns += [
        Turn(TABLE, number, asked_view(match, Seat.N)) for number, _ in enumerate(steps(match, rng), start=1)
    ]
    for turn in turns:
        for before in (turns[max(0, turn.number - 1)], *rng.choices(turns, k=5)):
            assert read_turn(turn_message(turn), Seat.N, before.view.deal) == turn


def test_the_first_turn_of_a_match_is_nothing_but_its_table():
    message = turn_message(Turn(7, 0, None))
    assert message == wire.Turn(table=7, asked=game.ASK_READY)
    assert read_turn(message, Seat.N) == Turn(7, 0, None)


def test_a_turn_of_a_table_where_no_match_began_has_no_view():
    turn = Turn(7, 3, view_of(played(STANDARD, stop=0), Seat.N))
    assert read_turn(turn_message(turn), None) == Turn(7, 3, None)


VIEW = view_of(played(STANDARD, stop=0), Seat.E)


@pytest.mark.parametrize(
    ("seconds", "arrives"), [(None, None), (0, 0), (1.5, 1.5), (0.0019, 0.001), (-0.001, 0), (-7, 0)]
)
def test_time_left_is_in_milliseconds_and_never_negative(seconds, arrives):
    message = turn_message(Turn(1, 1, VIEW._replace(time_left=seconds)))
    assert message.HasField("time_left_ms") == (seconds is not None)
    assert read_turn(message, Seat.E).view == VIEW._replace(time_left=arrives)


@settings(QUICK, max_examples=30)
@given(st.floats(-1e3, 1e6))
def test_a_bot_is_never_promised_more_time_than_it_has(seconds):
    view = read_turn(turn_message(Turn(1, 1, VIEW._replace(time_left=seconds))), Seat.E).view
    assert view.time_left == 0 or 0 <= seconds - view.time_left < 0.0011


def test_a_card_or_a_flag_of_the_public_history_is_one_byte():
    turn = turn_message(Turn(1, 1, asked_view(played(RuleSet(signals=False), seed=3, stop=30), Seat.N)))
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
    return turns


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
    message = event_message(TABLE, event)
    assert message.table == TABLE
    assert read_event(message) == event


@settings(QUICK, max_examples=20)
@given(rule_sets(max_deals=2), keys, seeds)
def test_every_deals_end_arrives_as_it_was(rules, key, seed):
    match = Match(rules, key)
    play_out(match, random.Random(seed))
    for deal in match.deals:
        event = deal_ended(match, deal)
        assert read_event(event_message(1, event)) == event


@pytest.mark.parametrize("kind", list(Kind))
def test_a_deals_end_of_each_kind_arrives_as_it_was(kind):
    scored = kind in (Kind.PLAIN, Kind.MORDIENNE)
    score = DealScore(Side.EW, 2, Seat.W, kind) if scored else DealScore(None, 0, None, kind)
    event = DealEnded(
        PublicDeal(120, Seat.W, False, (), (), (None,) * 9, Points(3, 240)), score, Points(3, 242)
    )
    assert read_event(event_message(1, event)) == event


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
    assert read_event(event_message(1, event)) == event


def test_an_event_of_a_kind_not_known_here_is_none():
    assert read_event(wire.Event(table=3)) is None


def test_an_end_without_a_reason_counts_as_void():
    message = wire.Event(table=1, match_ended=wire.MatchEnded())
    assert read_event(message) == MatchEnded(Reason.VOID, None, Points(0, 0))


# -- additions within the major version ------------------------------------------------------------

UNKNOWN_FIELDS = bytes([0xFA, 0x3E, 3]) + b"abc" + bytes([0xF0, 0x3E, 5])
"""Field 1007 with three bytes, field 1006 with the number 5."""


def test_fields_not_known_here_are_ignored():
    turn = Turn(5, 9, asked_view(played(STANDARD, seed=2, stop=30), Seat.W))
    message = wire.Turn.FromString(write_turn(turn) + UNKNOWN_FIELDS)
    assert read_turn(message, Seat.W) == turn
    move = write_answer(Answer(5, 9, Play(Card.C3)))
    assert read_move(wire.Move.FromString(move + UNKNOWN_FIELDS), Ask.PLAY) == Play(Card.C3)
    event = MatchBegun(Seat.N, STANDARD, 5)
    message = wire.Event.FromString(write_event(5, event) + UNKNOWN_FIELDS)
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
