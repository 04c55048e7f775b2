"""Who may sit down, and what the others are told."""

import pytest

from aluette.v1 import referee_pb2 as wire
from aluette.version import PROTOCOL, PROTOCOL_MINOR, __version__
from aluette_referee.clock import Limits
from aluette_referee.lobby import Lobby, Refusal


def hello(**changes: object) -> wire.PlayRequest:
    given = {"protocol": PROTOCOL, "bot_name": "careful", "bot_version": "2", "sdk": "x 1", "capacity": 64}
    return wire.PlayRequest(hello=wire.Hello(**{**given, **changes}))


def lobby() -> Lobby[str]:
    found: Lobby[str] = Lobby()
    found.expect("t0ken", "north")
    return found


def test_a_process_that_is_expected_gets_its_place():
    assert lobby().admit("t0ken", hello()) == "north"


@pytest.mark.parametrize(
    "changes",
    [
        {"capacity": 0},
        {"capacity": 1},
        {"capacity": 10_000},
        {"bot_name": ""},
        {"bot_name": "n" * 64, "bot_version": "é" * 64, "sdk": "s" * 64},
        {"protocol_minor": 99},
    ],
    ids=str,
)
def test_what_is_just_allowed(changes):
    assert lobby().admit("t0ken", hello(**changes)) == "north"


REFUSALS = [
    ("", hello(), "TOKEN", "the token is missing or not one that this referee gave: set ALUETTE_TOKEN"),
    ("other", hello(), "TOKEN", "the token is missing or not one that this referee gave: set ALUETTE_TOKEN"),
    ("t0ken", wire.PlayRequest(), "HELLO", "the first message of a stream must be a Hello"),
    (
        "t0ken", wire.PlayRequest(moves=wire.Moves()), "HELLO",
        "the first message of a stream must be a Hello",
    ),
    (
        "t0ken", wire.PlayRequest(leave=wire.Leave()), "HELLO",
        "the first message of a stream must be a Hello",
    ),
    (
        "t0ken", hello(protocol=2), "PROTOCOL",
        f"this referee speaks protocol {PROTOCOL} and the bot speaks 2: use an SDK for protocol {PROTOCOL}",
    ),
    (
        "t0ken", hello(protocol=0), "PROTOCOL",
        f"this referee speaks protocol {PROTOCOL} and the bot speaks 0: use an SDK for protocol {PROTOCOL}",
    ),
    ("t0ken", hello(bot_name="n" * 65), "HELLO", "bot_name must be up to 64 printable characters"),
    ("t0ken", hello(bot_name="a\nb"), "HELLO", "bot_name must be up to 64 printable characters"),
    ("t0ken", hello(bot_version="\x1b[2J"), "HELLO", "bot_version must be up to 64 printable characters"),
    ("t0ken", hello(sdk="s" * 65), "HELLO", "sdk must be up to 64 printable characters"),
    ("t0ken", hello(capacity=10_001), "HELLO", "a capacity is from 1 to 10000, not 10001"),
]  # fmt: skip


@pytest.mark.parametrize(("token", "first", "reason", "sentence"), REFUSALS)
def test_a_refusal_has_a_reason_and_a_sentence_and_takes_no_place(token, first, reason, sentence):
    found = lobby()
    with pytest.raises(Refusal) as refused:
        found.admit(token, first)
    assert refused.value.reason == wire.Refused.Reason.Value(f"REASON_{reason}")
    assert refused.value.message.startswith(sentence)
    assert str(refused.value) == refused.value.message
    assert found.admit("t0ken", hello()) == "north"


def test_one_stream_for_each_token():
    found = lobby()
    found.admit("t0ken", hello())
    with pytest.raises(Refusal) as refused:
        found.admit("t0ken", hello())
    assert refused.value.reason == wire.Refused.REASON_TAKEN
    assert (
        refused.value.message
        == "a stream with this token is open, or may be taken up again by who knows its secret"
    )


def test_who_knows_the_secret_of_its_welcome_takes_its_place_up_again():
    found = lobby()
    assert found.admit("t0ken", hello()) == "north"
    secret = found.welcome("t0ken", Limits(), "s3cret").welcome.resume
    assert found.admit("t0ken", hello(resume=secret)) == "north"
    assert found.welcome("t0ken", Limits()).welcome.resume == ""
    assert found.admit("t0ken", hello(resume=secret)) == "north", "it holds on"
    for wrong in ("", "guess", secret + "x"):
        with pytest.raises(Refusal) as refused:
            found.admit("t0ken", hello(resume=wrong))
        assert refused.value.reason == wire.Refused.REASON_TAKEN


def test_without_a_grace_no_secret_is_told():
    welcome = lobby().welcome("t0ken", Limits(grace=0.0), "s3cret").welcome
    assert (welcome.resume, welcome.grace_ms) == ("", 0)


def test_who_comes_back_too_late_is_told_so():
    found = lobby()
    found.admit("t0ken", hello())
    found.forget("t0ken")
    with pytest.raises(Refusal) as refused:
        found.admit("t0ken", hello(resume="s3cret"))
    assert refused.value.reason == wire.Refused.REASON_TOKEN
    assert (
        refused.value.message
        == "there is nothing to take up again: the bot was away for too long, or has lost, or all is over"
    )


def test_a_token_that_is_forgotten_is_a_strange_one():
    found = lobby()
    found.admit("t0ken", hello())
    found.forget("t0ken")
    assert found.place("t0ken") is None
    with pytest.raises(Refusal) as refused:
        found.admit("t0ken", hello())
    assert refused.value.reason == wire.Refused.REASON_TOKEN
    found.forget("t0ken")


def test_a_token_expected_anew_is_free():
    found = lobby()
    found.admit("t0ken", hello())
    found.forget("t0ken")
    found.expect("t0ken", "south")
    assert found.admit("t0ken", hello()) == "south"


def test_places_are_told_apart_by_token():
    found = lobby()
    found.expect("second", "south")
    assert (found.place("t0ken"), found.place("second"), found.place("")) == ("north", "south", None)
    assert found.admit("second", hello()) == "south"
    assert found.admit("t0ken", hello()) == "north"


def test_a_refusal_travels_as_a_message():
    refusal = Refusal(wire.Refused.REASON_TAKEN, "a sentence")
    sent = wire.Refused(reason=wire.Refused.REASON_TAKEN, message="a sentence")
    assert refusal.as_response() == wire.PlayResponse(refused=sent)


def test_the_welcome_names_versions():
    welcome = lobby().welcome("t0ken", Limits(connect=3.0, goodbye=1.5, grace=2.5), "s3cret").welcome
    assert (welcome.resume, welcome.grace_ms) == ("s3cret", 2500)
    assert (welcome.connect_ms, welcome.goodbye_ms) == (3000, 1500)
    assert (welcome.protocol, welcome.protocol_minor) == (PROTOCOL, PROTOCOL_MINOR)
    assert welcome.referee == f"aluette {__version__}"


def test_neither_tokens_nor_secrets_are_kept_as_they_are():
    found = lobby()
    found.admit("t0ken", hello())
    found.welcome("t0ken", Limits(), "s3cret")
    kept = repr(vars(found))
    assert "t0ken" not in kept
    assert "s3cret" not in kept
