"""`aluette.run`, a bot's last line: where it finds its referee, and how the process ends."""

import os
import sys

import pytest
from sdk.scripted import GOODBYE, SECONDS, WELCOME, batch, begun, referee, turn

from aluette import client
from aluette.bot import Bot
from aluette.cards import Card
from aluette.client import run
from aluette.v1 import referee_pb2 as wire

NO_ONE = "127.0.0.1:1"


def strongest(view):
    return view.hand[0]


@pytest.fixture
def run_it(monkeypatch, capsys):
    """`aluette.run` as a bot's last line calls it: its exit status and what it wrote to stderr."""
    for name in list(os.environ):
        if name.startswith("ALUETTE_"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(client, "CONNECT_SECONDS", 0.1)

    def call(bot, *arguments, **environment):
        monkeypatch.setattr(sys, "argv", ["mybot.py", *arguments])
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        try:
            run(bot)
        except SystemExit as ended:
            return ended.code, capsys.readouterr().err
        return 0, capsys.readouterr().err

    return call


def ready_then_goodbye(seen):
    def script(client):
        hello = client.hello()
        seen.append((hello.bot_name, client.metadata["authorization"]))
        yield batch(begun(1), turn(1, 0, None))
        seen.append(client.moves(1)[0].WhichOneof("answer"))
        yield GOODBYE

    return script


class Levelled(Bot):
    levels = []  # noqa: RUF012

    def __init__(self, level):
        self.levels.append(level)


def test_run_ends_quietly_at_goodbye_with_all_it_needs_from_the_environment(run_it, monkeypatch):
    monkeypatch.setattr(client, "CONNECT_SECONDS", SECONDS)
    seen = []
    with referee(ready_then_goodbye(seen)) as address:
        ended = run_it(Levelled, ALUETTE_SERVER=address, ALUETTE_TOKEN="t1", ALUETTE_OPTIONS='{"level": 3}')
    assert ended == (0, "")
    assert seen == [("Levelled", "Bearer t1"), "ready"]
    assert Levelled.levels[-1] == 3


def test_arguments_go_before_the_environment_and_the_bots_own_are_left_alone(run_it, monkeypatch):
    monkeypatch.setattr(client, "CONNECT_SECONDS", SECONDS)
    seen = []
    with referee(ready_then_goodbye(seen)) as address:
        ended = run_it(
            Levelled,
            *("--server", address, "--token", "t2", "--options", '{"level": 4}'),
            *("--serv", "not ours", "--opt", "not ours", "positional", "--verbose"),
            ALUETTE_SERVER=NO_ONE,
            ALUETTE_TOKEN="t1",
            ALUETTE_OPTIONS='{"level": 3}',
        )
    assert ended == (0, "")
    assert seen == [("Levelled", "Bearer t2"), "ready"]
    assert Levelled.levels[-1] == 4


def test_a_mistake_in_the_call_ends_with_2(run_it):
    told = "no referee to connect to: play this bot with `aluette match`, or give --server and --token"
    assert run_it(strongest) == (2, f"aluette: {told}\n")
    assert run_it(strongest, ALUETTE_SERVER="") == (2, f"aluette: {told}\n")
    assert run_it(Levelled(1), "--server", NO_ONE) == (
        2,
        "aluette: a bot is named by its class, Levelled, not by an instance of it\n",
    )


def test_a_refusal_ends_with_3(run_it, monkeypatch):
    monkeypatch.setattr(client, "CONNECT_SECONDS", SECONDS)

    def script(client):
        client.hello()
        yield wire.PlayResponse(refused=wire.Refused(message="a stream is already open"))

    with referee(script) as address:
        ended = run_it(strongest, "--server", address)
    assert ended == (3, "aluette: the referee refused this bot: a stream is already open\n")


def test_nobody_there_ends_with_4(run_it):
    code, told = run_it(strongest, "--server", NO_ONE)
    assert code == 4
    assert told == f"aluette: no referee answers at {NO_ONE}: is it running, and is that its address?\n"


def test_a_broken_stream_ends_with_4(run_it, monkeypatch):
    monkeypatch.setattr(client, "CONNECT_SECONDS", SECONDS)

    def script(client):
        client.hello()
        yield WELCOME
        client.breaks("the referee stumbled")

    with referee(script) as address:
        ended = run_it(strongest, "--server", address)
    assert ended == (4, "aluette: the stream to the referee broke: the referee stumbled\n")


def test_an_interrupt_ends_with_130(run_it, monkeypatch):
    def interrupted(*arguments, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr(client, "connect", interrupted)
    assert run_it(strongest, "--server", NO_ONE) == (130, "aluette: interrupted\n")


def test_a_callable_without_a_name_has_one_for_people(run_it, monkeypatch):
    monkeypatch.setattr(client, "CONNECT_SECONDS", SECONDS)

    class Callable:
        def __call__(self, view):
            return Card.D3

    seen = []
    with referee(ready_then_goodbye(seen)) as address:
        assert run_it(Callable(), "--server", address) == (0, "")
    assert seen[0][0] == "bot"
