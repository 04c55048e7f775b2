"""How a bot's process ends: refused, cut off, or with nobody there; and what is said then."""

import pytest
from sdk.scripted import GOODBYE, WELCOME, play, strongest

from aluette import client
from aluette.client import Disconnected, connect
from aluette.errors import Misuse, Refused
from aluette.session import Session
from aluette.v1 import referee_pb2 as wire

NO_ONE = "127.0.0.1:1"


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
