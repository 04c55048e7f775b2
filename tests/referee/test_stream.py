"""What travels on one stream: at most one batch under way, events before turns."""

import math

import pytest
from sdk.scripted import event_message, turn_message

from aluette.events import MatchBegun, MatchEnded, Reason
from aluette.packs import BlockKey
from aluette.rules import STANDARD, Match
from aluette.seats import Seat
from aluette.session import Turn
from aluette.v1 import referee_pb2 as wire
from aluette.view import Points, view_of
from aluette_referee.stream import Stream

VIEW = view_of(Match(STANDARD, BlockKey(bytes(32))), Seat.E)
BEGUN = MatchBegun(Seat.E, STANDARD, 7)
ENDED = MatchEnded(Reason.VOID, None, Points(0, 0))


class Heard(Stream):
    """A stream whose messages are read as they arrive."""

    def next_batch(self, now):
        written = super().next_batch(now)
        return None if written is None else wire.PlayResponse.FromString(written)

    def again(self, events, now):
        return wire.PlayResponse.FromString(super().again(events, now))


def stream(*tables: int) -> Heard:
    found = Heard()
    for table in tables:
        found.seats[table] = f"match {table}"
    return found


def test_a_new_stream_has_nothing_to_say():
    found = stream()
    assert (found.first, found.deadline, found.has_something) == (None, math.inf, False)
    assert found.next_batch(0.0) is None


def test_a_batch_has_all_that_waits_each_in_its_order():
    found = stream(1, 2)
    found.ask(Turn(1, 0, None), 10.0)
    found.tell(2, BEGUN)
    found.ask(Turn(2, 4, VIEW), 2.0)
    found.tell(1, ENDED)
    assert found.has_something
    events = [event_message(2, BEGUN), event_message(1, ENDED)]
    turns = [turn_message(Turn(1, 0, None)), turn_message(Turn(2, 4, VIEW))]
    assert found.next_batch(0.0) == wire.PlayResponse(batch=wire.Batch(events=events, turns=turns))
    assert not found.has_something


def test_what_comes_while_a_batch_is_under_way_waits_for_its_last_answer():
    found = stream(1, 2)
    found.ask(Turn(1, 1, VIEW), 2.0)
    found.ask(Turn(2, 1, VIEW), 2.0)
    found.next_batch(0.0)
    found.tell(1, ENDED)
    found.ask(Turn(2, 2, VIEW), 2.0)
    assert not found.has_something
    assert found.next_batch(0.5) is None
    found.answered(1, 1, 1.0)
    assert found.next_batch(1.0) is None
    found.answered(2, 1, 1.5)
    batch = found.next_batch(2.0)
    assert batch is not None
    assert [event.WhichOneof("body") for event in batch.batch.events] == ["match_ended"]
    assert [(turn.table, turn.number) for turn in batch.batch.turns] == [(2, 2)]


def test_events_alone_are_sent_at_once_and_keep_nothing_waiting():
    found = stream(1)
    found.tell(1, BEGUN)
    assert found.next_batch(0.0) is not None
    found.tell(1, ENDED)
    assert found.has_something
    assert found.next_batch(0.0) is not None


def test_the_clock_starts_with_the_batch_and_goes_from_turn_to_turn():
    found = stream(1, 2)
    found.ask(Turn(1, 1, VIEW), 2.0)
    found.ask(Turn(2, 1, VIEW), 3.0)
    assert (found.first, found.deadline) == (None, math.inf)
    found.next_batch(10.0)
    assert (found.first, found.deadline) == ((1, 1), 12.0)
    assert found.answered(1, 1, 11.5) == 1.5
    assert (found.first, found.deadline) == ((2, 1), 14.5)
    assert found.answered(2, 1, 12.0) == 0.5
    assert found.deadline == math.inf


@pytest.mark.parametrize(
    ("table", "number"), [(1, 0), (1, 2), (2, 1), (9, 1), (1, 1)],
    ids=["a past turn", "a turn that waits", "another table", "no table", "a turn that is answered"],
)  # fmt: skip
def test_an_answer_to_a_turn_that_is_not_under_way_is_known_as_such(table, number):
    found = stream(1, 2)
    found.ask(Turn(1, 1, VIEW), 2.0)
    found.next_batch(0.0)
    found.ask(Turn(1, 2, VIEW), 2.0)
    if (table, number) == (1, 1):
        found.answered(1, 1, 0.5)
    assert found.answered(table, number, 1.0) is None


def test_a_table_that_one_has_left_asks_no_more_but_what_was_sent_is_awaited():
    found = stream(1, 2)
    found.ask(Turn(1, 5, VIEW), 2.0)
    found.next_batch(0.0)
    found.ask(Turn(1, 6, VIEW), 2.0)
    found.ask(Turn(2, 3, VIEW), 2.0)
    found.tell(1, ENDED)
    found.leave(1)
    assert found.seats == {2: "match 2"}
    assert (found.first, found.deadline) == ((1, 5), 2.0)
    assert found.next_batch(0.5) is None
    assert found.answered(1, 5, 1.0) == 1.0
    batch = found.next_batch(1.0)
    assert batch is not None
    assert [event.table for event in batch.batch.events] == [1]
    assert [(turn.table, turn.number) for turn in batch.batch.turns] == [(2, 3)]


def test_a_turn_that_waited_at_a_table_one_has_left_makes_no_empty_batch():
    found = stream(1)
    found.ask(Turn(1, 5, VIEW), 2.0)
    found.leave(1)
    assert found.is_idle
    assert not found.has_something
    assert found.next_batch(0.0) is None


def test_who_sits_waits_or_is_asked_is_not_idle():
    found = stream()
    assert found.is_idle
    found.seats[1] = "match 1"
    assert not found.is_idle
    found.ask(Turn(1, 5, VIEW), 2.0)
    found.next_batch(0.0)
    found.leave(1)
    assert not found.is_idle
    found.tell(1, ENDED)
    found.answered(1, 5, 1.0)
    assert not found.is_idle
    found.next_batch(1.0)
    assert found.is_idle


def test_leaving_a_table_twice_or_one_never_sat_at_is_nothing():
    found = stream(1)
    found.leave(1)
    found.leave(1)
    found.leave(8)
    assert found.seats == {}


def test_turns_and_batches_are_counted():
    found = stream(1, 2)
    found.tell(1, BEGUN)
    found.next_batch(0.0)
    found.ask(Turn(1, 0, None), 2.0)
    found.ask(Turn(2, 0, None), 2.0)
    found.next_batch(0.0)
    assert (found.batches, found.turns) == (1, 2)


# -- coming back -----------------------------------------------------------------------------------


def turns_of(response: wire.PlayResponse) -> list[tuple[int, int]]:
    return [(turn.table, turn.number) for turn in response.batch.turns]


def test_who_comes_back_hears_its_matches_and_the_turns_it_has_not_answered_in_their_order():
    found = stream(1, 2, 3)
    for table in (1, 2, 3):
        found.ask(Turn(table, 4, VIEW), 2.0)
    found.next_batch(10.0)
    found.answered(1, 4, 10.5)
    again = found.again([(2, BEGUN), (3, BEGUN)], 11.0)
    assert list(again.batch.events) == [event_message(2, BEGUN), event_message(3, BEGUN)]
    assert list(again.batch.turns) == [turn_message(Turn(2, 4, VIEW)), turn_message(Turn(3, 4, VIEW))]
    assert (found.first, found.deadline) == ((2, 4), 12.5)


def test_what_waits_for_the_batch_under_way_is_not_said_before_it():
    found = stream(1, 2)
    found.ask(Turn(1, 4, VIEW), 2.0)
    found.next_batch(0.0)
    found.ask(Turn(2, 1, VIEW), 2.0)
    assert turns_of(found.again([], 1.0)) == [(1, 4)]
    found.answered(1, 4, 1.0)
    assert turns_of(found.again([], 1.0)) == []
    batch = found.next_batch(1.0)
    assert batch is not None
    assert turns_of(batch) == [(2, 1)]


def test_the_end_of_a_match_is_said_again_until_a_later_turn_is_answered():
    found = stream(1, 2)
    found.ask(Turn(2, 1, VIEW), 2.0)
    found.next_batch(0.0)
    found.answered(2, 1, 0.1)
    found.tell(1, ENDED)
    found.leave(1)
    found.next_batch(0.2)
    assert list(found.again([], 1.0).batch.events) == [event_message(1, ENDED)]
    found.ask(Turn(2, 2, VIEW), 2.0)
    found.next_batch(0.3)
    assert list(found.again([], 1.0).batch.events) == [event_message(1, ENDED)]
    found.answered(2, 1, 0.4)  # stale
    assert list(found.again([], 1.0).batch.events) == [event_message(1, ENDED)]
    found.answered(2, 2, 0.5)
    assert list(found.again([], 1.0).batch.events) == []
