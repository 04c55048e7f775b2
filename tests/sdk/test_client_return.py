"""A stream that broke is taken up again: with its secret, the same bots, and for so long."""

import time
import types

import pytest
from sdk.scripted import GOODBYE, SECONDS, batch, begun, kinds, play, strongest, turn

from aluette import client
from aluette.bot import Bot
from aluette.client import Disconnected
from aluette.errors import Refused
from aluette.events import Reason
from aluette.v1 import referee_pb2 as wire

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


LASTING = wire.PlayResponse(welcome=wire.Welcome(protocol=1, resume="s3cret", grace_ms=200, lasting=True))
COME_AGAIN = wire.PlayResponse(goodbye=wire.Goodbye(message="a new version", come_again=True))


class Told(Bot):
    ends: list[Reason] = []  # noqa: RUF012 - of all matches

    def on_match_end(self, ended):
        Told.ends.append(ended.reason)

    def play(self, view):
        return view.hand[0]


def test_to_a_lasting_referee_that_has_forgotten_it_a_bot_comes_again_as_new(capsys):
    Told.ends.clear()

    def first(client):
        client.hello()
        yield LASTING
        yield batch(begun(1), turn(1, 0, None))
        client.moves(1)
        client.breaks("the power is off")

    def knows_nothing(client):
        assert client.hello().resume == "s3cret"
        yield wire.PlayResponse(refused=wire.Refused(message="there is nothing to take up again"))

    def anew(client):
        assert client.hello().resume == ""
        assert Told.ends == [Reason.VOID]
        yield LASTING
        yield batch(begun(1), turn(1, 0, None), turn(1, 1))
        client.moves(2)
        yield GOODBYE

    play(Told, first, knows_nothing, anew)
    assert "the power is off; coming again as soon as it can be reached" in capsys.readouterr().err


def test_who_is_told_to_come_again_does_so_at_once_and_as_new():
    def first(client):
        client.hello()
        yield LASTING
        yield COME_AGAIN

    def anew(client):
        assert client.hello().resume == ""
        yield GOODBYE

    play(Told, first, anew)


def test_who_is_barred_meanwhile_ends_with_the_reason():
    def first(client):
        client.hello()
        yield LASTING
        yield COME_AGAIN

    def barred(client):
        client.hello()
        yield wire.PlayResponse(refused=wire.Refused(reason="REASON_BARRED", message="it was retired"))

    with pytest.raises(Refused, match="it was retired"):
        play(Told, first, barred)


def test_a_lasting_referee_is_looked_for_until_patience_is_over(monkeypatch):
    monkeypatch.setattr(client, "PATIENCE_DAYS", 0.0)

    def first(client):
        client.hello()
        yield wire.PlayResponse(welcome=wire.Welcome(protocol=1, lasting=True))

    with pytest.raises(Disconnected, match="without a goodbye"):
        play(Told, first)
