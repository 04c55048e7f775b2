"""A bot's process against a scripted referee: what it says, in which order, and when."""

import threading

import pytest
from sdk.scripted import GOODBYE, SECONDS, WELCOME, batch, begun, kinds, play, referee, strongest, turn

from aluette import client
from aluette.bot import BatchBot, Bot
from aluette.client import Disconnected, connect
from aluette.events import MatchEnded, Reason
from aluette.outbox import MOST_MOVES
from aluette.session import Session
from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL, PROTOCOL_MINOR, __version__
from aluette.view import Points

# -- the conversation ------------------------------------------------------------------------------


def test_it_says_hello_first_with_its_token_and_ends_at_goodbye():
    def script(client):
        hello = client.hello()
        assert hello == wire.Hello(
            protocol=PROTOCOL,
            protocol_minor=PROTOCOL_MINOR,
            bot_name="Mine",
            bot_version="1.2",
            sdk=f"aluette-python {__version__}",
            capacity=17,
        )
        assert client.metadata["authorization"] == "Bearer secret"
        yield WELCOME
        yield GOODBYE

    play(strongest, script, version="1.2", capacity=17)


def test_names_are_cut_to_what_the_protocol_takes():
    def script(client):
        hello = client.hello()
        assert (hello.bot_name, hello.bot_version) == ("n" * 64, "v" * 64)
        yield GOODBYE

    with referee(script) as address:
        connect(Session(strongest), address, "t", name="n" * 99, version="v" * 99)


def test_it_answers_in_order_and_echoes_table_and_number():
    def script(client):
        client.hello()
        yield WELCOME
        yield batch(begun(7), begun(2**64 - 1), turn(7, 0, None), turn(2**64 - 1, 0, None))
        assert kinds(client.moves(2)) == [(7, 0, "ready"), (2**64 - 1, 0, "ready")]
        yield batch(turn(2**64 - 1, 1, "look"), turn(7, 1, "play"))
        look, card = client.moves(2)
        assert kinds([look, card]) == [(2**64 - 1, 1, "look"), (7, 1, "play")]
        yield batch(turn(7, 2, "chant"), turn(2**64 - 1, 2, "discard"))
        assert kinds(client.moves(2)) == [(7, 2, "chant"), (2**64 - 1, 2, "discard")]
        yield GOODBYE

    play(strongest, script)


def test_many_turns_come_back_each_once_and_in_order():
    tables = range(1, 1001)

    def script(client):
        client.hello()
        yield batch(*map(begun, tables), *(turn(table, 0, None) for table in tables))
        assert kinds(client.moves(1000)) == [(table, 0, "ready") for table in tables]
        for number in (1, 2, 3):
            yield batch(*(turn(table, number) for table in tables))
            assert kinds(client.moves(1000)) == [(table, number, "play") for table in tables]
        assert len(client.sizes) < 2000
        yield GOODBYE

    play(strongest, script)


def test_events_come_before_the_turns_of_their_batch():
    heard = []

    class Mine(Bot):
        def play(self, view):
            return view.hand[0]

        def on_match_end(self, ended):
            heard.append(ended)

    over = MatchEnded(Reason.FAULT, None, Points(0, 0))

    def script(client):
        client.hello()
        yield batch(begun(1), turn(1, 0, None))
        client.moves(1)
        yield batch((1, over), turn(1, 1))
        (move,) = client.moves(1)
        assert move.failed.message == "the match of this table has not begun"
        yield GOODBYE

    play(Mine, script)
    assert heard == [over]


def test_a_failing_bot_fails_its_turn_and_the_process_goes_on(capsys):
    class Mine(Bot):
        def play(self, view):
            if self.match.begun.seed == 13:
                raise ValueError("half a character: \ud800")
            return view.hand[0]

    def script(client):
        client.hello()
        yield batch(begun(1, 13), begun(2), turn(1, 0, None), turn(2, 0, None))
        client.moves(2)
        yield batch(turn(1, 1), turn(2, 1))
        one, two = client.moves(2)
        assert one.failed.message.endswith("ValueError: half a character: \\ud800\n")
        assert two.WhichOneof("answer") == "play"
        yield GOODBYE

    play(Mine, script)


def test_what_this_version_does_not_know_is_passed_over():
    unknown_field = bytes([0xFA, 0x3E, 3]) + b"abc"

    def script(client):
        client.hello()
        yield wire.PlayResponse.FromString(unknown_field)
        yield wire.PlayResponse(batch=wire.Batch(events=[wire.Event(table=3)]))
        yield wire.PlayResponse.FromString(
            batch(begun(1), turn(1, 0, None)).SerializeToString() + unknown_field
        )
        assert kinds(client.moves(1)) == [(1, 0, "ready")]
        yield GOODBYE

    play(strongest, script)


def test_a_batch_larger_than_grpcs_default_limit_arrives():
    def script(client):
        client.hello()
        large = batch(begun(1), turn(1, 0, None))
        large.batch.events.append(
            wire.Event(
                table=2, match_begun=wire.MatchBegun(seat=1, rules="standard/1", names=["x" * 5_000_000])
            )
        )
        yield large
        assert kinds(client.moves(1)) == [(1, 0, "ready")]
        yield GOODBYE

    play(strongest, script)


def test_many_long_tracebacks_do_not_make_a_message_larger_than_grpcs_default_limit(capsys):
    class Mine(BatchBot):
        def play(self, turns):
            raise ValueError("é" * 10_000)

    tables = range(1, 601)

    def script(talk):
        talk.hello()
        yield batch(*map(begun, tables), *(turn(table, 0, None) for table in tables))
        talk.moves(600)
        yield batch(*(turn(table, 1) for table in tables))
        assert {move.WhichOneof("answer") for move in talk.moves(600)} == {"failed"}
        assert max(talk.sizes) <= MOST_MOVES
        yield GOODBYE

    play(Mine, script)


# -- handing over ----------------------------------------------------------------------------------


def test_answers_that_are_ready_are_under_way_before_a_slow_one_is_there():
    arrived = threading.Event()

    class Mine(Bot):
        def play(self, view):
            if self.match.begun.seed == 13:
                # As slow as it takes: until the referee has the answers before this one.
                assert arrived.wait(SECONDS)
            return view.hand[0]

    def script(client):
        client.hello()
        yield batch(begun(1), begun(2), begun(3, 13), *(turn(table, 0, None) for table in (1, 2, 3)))
        client.moves(3)
        yield batch(*(turn(table, 1) for table in (1, 2, 3)))
        assert kinds(client.moves(2)) == [(1, 1, "play"), (2, 1, "play")]
        arrived.set()
        assert kinds(client.moves(1)) == [(3, 1, "play")]
        yield GOODBYE

    play(Mine, script)


def test_an_answer_that_took_its_time_is_handed_over_before_the_next_begins(monkeypatch):
    """With no time allowed between two hand-overs, each answer is a message of its own."""
    monkeypatch.setattr(client, "HAND_OVER_SECONDS", -1.0)

    def script(client):
        client.hello()
        yield batch(begun(1), begun(2), turn(1, 0, None), turn(2, 0, None))
        client.moves(2)
        yield batch(turn(1, 1), turn(2, 1))
        client.moves(2)
        assert client.sizes == [1, 1, 1, 1]
        yield GOODBYE

    play(strongest, script)


def test_when_the_stream_has_ended_nobody_thinks_on():
    asked = []
    broken = threading.Event()

    class Mine(Bot):
        def play(self, view):
            asked.append(view)
            assert broken.wait(SECONDS)
            return view.hand[0]

    tables = range(1, 50)

    def script(client):
        client.hello()
        yield batch(*map(begun, tables), *(turn(table, 0, None) for table in tables))
        client.moves(len(tables))
        yield batch(*(turn(table, 1) for table in tables))
        client.breaks("the referee stumbled")

    class Watched(client.Outbox):
        def close(self):
            super().close()
            broken.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "Outbox", Watched)
        with pytest.raises(Disconnected, match=r"^the stream to the referee broke: the referee stumbled$"):
            play(Mine, script)
    assert len(asked) <= 1
