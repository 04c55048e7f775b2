"""A bot's process against a scripted referee: what it says, in which order, and how it ends."""

import threading
import time
import types

import pytest
from sdk.scripted import GOODBYE, SECONDS, WELCOME, batch, begun, referee, turn

from aluette import client
from aluette.bot import BatchBot, Bot
from aluette.client import Disconnected, connect
from aluette.errors import Misuse, Refused
from aluette.events import MatchEnded, Reason
from aluette.session import Session
from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL, PROTOCOL_MINOR, __version__
from aluette.view import Points

NO_ONE = "127.0.0.1:1"


def strongest(view):
    return view.hand[0]


def play(bot, *scripts, **named) -> None:
    """Connect a bot to a scripted referee."""
    with referee(*scripts) as address:
        connect(Session(bot), address, "secret", name="Mine", **named)


def kinds(moves):
    return [(move.table, move.number, move.WhichOneof("answer")) for move in moves]


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
        assert max(talk.sizes) <= client.MOST_MOVES
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

    class Watched(client._Outbox):
        def close(self):
            super().close()
            broken.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "_Outbox", Watched)
        with pytest.raises(Disconnected, match=r"^the stream to the referee broke: the referee stumbled$"):
            play(Mine, script)
    assert len(asked) <= 1


# -- how it ends -----------------------------------------------------------------------------------


def test_a_refusal_is_the_referees_own_sentence():
    def script(client):
        client.hello()
        yield wire.PlayResponse(refused=wire.Refused(message="your token is not known: ask for another"))

    with pytest.raises(Refused, match=r"^your token is not known: ask for another$"):
        play(strongest, script)


def test_a_stream_that_breaks_is_said_with_its_reason():
    def script(client):
        client.hello()
        yield WELCOME
        client.breaks("the referee stumbled")

    with pytest.raises(Disconnected, match=r"^the stream to the referee broke: the referee stumbled$"):
        play(strongest, script)


# -- taking a stream up again ----------------------------------------------------------------------

KEPT = wire.PlayResponse(welcome=wire.Welcome(protocol=1, resume="s3cret", grace_ms=20_000))


def breaks_after_the_first_turns(client):
    assert client.hello().resume == ""
    yield KEPT
    yield batch(begun(1), turn(1, 0, None))
    client.moves(1)
    yield batch(turn(1, 1))
    client.breaks("the line is cut")


@pytest.mark.parametrize("end", ["break", "close"])
def test_a_stream_that_ends_without_a_goodbye_is_taken_up_again_with_the_secret(end):
    made = []

    class Mine(Bot):
        def __init__(self):
            made.append(self)

        def play(self, view):
            return view.hand[0]

    def first(client):
        client.hello()
        yield KEPT
        yield batch(begun(1), turn(1, 0, None))
        client.moves(1)
        if end == "break":
            client.breaks("the line is cut")

    def second(client):
        assert client.hello().resume == "s3cret"
        assert client.metadata["authorization"] == "Bearer secret"
        yield wire.PlayResponse(welcome=wire.Welcome(protocol=1, resume="an0ther", grace_ms=20_000))
        yield batch(begun(1), turn(1, 1))
        assert kinds(client.moves(1)) == [(1, 1, "play")]
        if end == "break":
            client.breaks("again")

    def third(client):
        assert client.hello().resume == "an0ther"
        yield KEPT
        yield batch(begun(1), turn(1, 1))
        assert kinds(client.moves(1)) == [(1, 1, "play")]
        yield GOODBYE

    play(Mine, first, second, third)
    assert len(made) == 1


def test_answers_that_were_lost_with_the_stream_are_given_again_and_not_thought_out_anew():
    asked = []

    class Mine(Bot):
        def play(self, view):
            asked.append(view)
            return view.hand[0]

    def second(client):
        client.hello()
        yield batch(turn(1, 1), turn(1, 1))
        one, other = client.moves(2)
        assert one == other
        yield GOODBYE

    def first(client):
        client.hello()
        yield KEPT
        yield batch(begun(1), turn(1, 0, None))
        client.moves(1)
        yield batch(turn(1, 1))
        client.moves(1)
        client.breaks("before the answer was heard")

    play(Mine, first, second)
    assert len(asked) == 1


def test_a_stream_that_breaks_before_its_welcome_begins_no_new_grace(monkeypatch):
    pauses = []
    monkeypatch.setattr(client, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(client, "LONGEST_PAUSE", 0.001)

    def first(client):
        client.hello()
        yield wire.PlayResponse(welcome=wire.Welcome(protocol=1, resume="s3cret", grace_ms=300))

    def refuses(client):
        pauses.append(client.hello())
        client.breaks("nobody is behind this")
        yield

    began = time.monotonic()
    with pytest.raises(Disconnected, match=r"^the referee ended the stream without a goodbye$"):
        play(strongest, first, refuses, *[refuses] * 500)
    assert len(pauses) >= 1
    assert time.monotonic() - began < SECONDS


def test_who_is_not_known_any_more_ends_with_the_reason_why_the_stream_broke():
    def second(client):
        client.hello()
        yield wire.PlayResponse(refused=wire.Refused(message="you were away for too long"))

    with pytest.raises(Disconnected, match=r"^the stream to the referee broke: the line is cut$"):
        play(strongest, breaks_after_the_first_turns, second)


def test_a_referee_that_does_not_come_back_is_given_up_after_the_grace(monkeypatch):
    now = 0.0

    def sleep(seconds):
        nonlocal now
        now += seconds

    def unreachable(self, seconds):
        nonlocal now
        assert 0 < seconds <= 20.0
        now += 1.0
        raise Disconnected("no referee answers")

    def first(client):
        client.hello()
        yield KEPT

    stream = client._Player._stream

    def once(self, seconds):
        monkeypatch.setattr(client._Player, "_stream", unreachable)
        monkeypatch.setattr(client, "time", types.SimpleNamespace(monotonic=lambda: now, sleep=sleep))
        return stream(self, seconds)

    monkeypatch.setattr(client._Player, "_stream", once)
    with pytest.raises(Disconnected, match=r"^the referee ended the stream without a goodbye$"):
        play(strongest, first)
    assert 18.0 < now <= 21.0


def test_a_stream_that_ends_without_a_goodbye_is_said():
    def script(client):
        client.hello()
        yield WELCOME

    with pytest.raises(Disconnected, match=r"^the referee ended the stream without a goodbye$"):
        play(strongest, script)


def test_nobody_there_is_said_with_the_address(monkeypatch):
    monkeypatch.setattr(client, "CONNECT_SECONDS", 0.1)
    with pytest.raises(Disconnected) as caught:
        connect(Session(strongest), NO_ONE, "", name="Mine")
    assert str(caught.value) == f"no referee answers at {NO_ONE}: is it running, and is that its address?"


def test_a_proxy_for_the_web_is_not_asked_the_way_to_this_machine(monkeypatch):
    for name in ("http_proxy", "https_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, f"http://{NO_ONE}")
    for name in ("no_proxy", "no_grpc_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(client, "CONNECT_SECONDS", 2.0)

    def script(client):
        client.hello()
        yield GOODBYE

    play(strongest, script)


@pytest.mark.parametrize("token", ["two\nlines", "é"])
def test_a_token_that_cannot_be_sent_is_said(token):
    with pytest.raises(Misuse, match=r"^the token "):
        connect(Session(strongest), NO_ONE, token, name="Mine")
