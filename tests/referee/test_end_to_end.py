"""Everything for real - gRPC, processes, the command line - with honest bots and with every kind of sinner.

All sinners play in one run, each in a match of its own against honest bots, so that the file is quick.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from referee import sinners
from referee.play.proc import DEADLINE, alive, until

import aluette
from aluette.packs import block_key
from aluette.record import replay, to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette.testing import play_match
from aluette_bench.faults import bots_alive
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import FaultType, Policy
from aluette_referee.play import pool
from aluette_referee.play.launch import resolve
from aluette_referee.play.live import Settings, play_plans
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan, MatchPlayed
from aluette_referee.play.warden import descendants

ALUETTE = str(Path(sys.executable).parent / "aluette")
DEALS = 2
RULES = RuleSet(deals=DEALS)
LIMITS = Limits(connect=DEADLINE, ready=5.0, move=5.0, grace=2.0)
"""Honest bots need milliseconds; a machine that is busy with other things may take a second of its own."""


def plan_of(
    name: str, bots: Sequence[str], base: Path, posts: Mapping[Seat, Post] | None = None
) -> MatchPlan:
    chairs = {
        seat: Chair((posts or {}).get(seat, Post(name, int(seat), 1)), resolve(BotSpec(bot), base), bot)
        for seat, bot in zip(SEATS, bots, strict=True)
    }
    return MatchPlan(name, RULES, block_key(bytes(32), "end to end", 0), Seat.N, chairs)


def play(
    plans: Sequence[MatchPlan], limits: Limits = LIMITS, tables: int | None = None
) -> dict[str, MatchPlayed]:
    """Play in this process, which must have no process below it afterwards that it had not before."""
    before = bots_alive()
    ended: dict[str, MatchPlayed] = {}
    play_plans(
        plans,
        Settings(limits, Policy(), cores=2, tables=tables),
        lambda some: ended.update({each.plan.id: each for each in some}),
    )
    assert bots_alive() <= before
    return ended


def last_card(view: aluette.View) -> aluette.Card:
    """What the programs that speak the raw wire play when they are honest."""
    return view.hand[-1]


# -- honest play -----------------------------------------------------------------------------------


def test_a_match_of_four_processes_has_the_record_of_the_testing_module(tmp_path):
    (played,) = play([plan_of("honest", ["random", "lowest"] * 2, tmp_path)]).values()
    expected = play_match(["random", "lowest"] * 2, key=played.plan.key, rules=RULES)
    assert to_bytes(played.outcome.record) == to_bytes(expected)
    assert played.outcome.faults == ()
    assert all(seat["answers"] > 2 * 9 for seat in played.timing.values())


# -- sinners ---------------------------------------------------------------------------------------

SINS: dict[str, tuple[str, FaultType, tuple[int, int], str]] = {
    "Illegal": ("sinners.py:Illegal", FaultType.ILLEGAL, (1, 2), "cannot be played: it is not in the hand"),
    "NoCard": ("sinners.py:NoCard", FaultType.FAILED, (1, 2), "TypeError: play returned"),
    "Raises": ("sinners.py:Raises", FaultType.FAILED, (1, 2), "ValueError: no card is good enough"),
    "RaisesAtTheEndOfADeal": (
        "sinners.py:RaisesAtTheEndOfADeal", FaultType.FAILED, (2, 0), "ValueError: no deal is good enough",
    ),
    "RaisesInInit": ("sinners.py:RaisesInInit", FaultType.FAILED, (0, 0), "ValueError: it cannot be made"),
    "Exits": ("sinners.py:Exits", FaultType.CRASHED, (1, 2), "exit code 6"),
    "Vanishes": ("sinners.py:Vanishes", FaultType.CRASHED, (1, 2), "exit code 3\nI vanish"),
    "Dies": ("sinners.py:Dies", FaultType.CRASHED, (1, 2), "ended by signal 9"),
    "Hangs": ("sinners.py:Hangs", FaultType.LATE, (1, 2), "no answer came in time"),
    "HangsInInit": ("sinners.py:HangsInInit", FaultType.LATE, (0, 0), "it did not get ready in time"),
    "Stops": ("sinners.py:Stops", FaultType.LATE, (1, 2), "no answer came in time"),
    "LeavesOthers": ("sinners.py:LeavesOthers", FaultType.LATE, (1, 2), "no answer came in time"),
    "broken": ("broken.py:Bot", FaultType.NOT_STARTED, (0, 0), "RuntimeError: broken at once"),
    "no class": ("sinners.py:Sinner", FaultType.NOT_STARTED, (0, 0), "has no 'Sinner'"),
    "no program": ("sh -c 'exit 9'", FaultType.NOT_STARTED, (0, 0), "exit code 9"),
    "protocol2": (
        "protocol2.py", FaultType.REFUSED, (0, 0), "this referee speaks protocol 1 and the bot speaks 2",
    ),
    "wrong_token": (
        "wrong_token.py", FaultType.NOT_STARTED, (0, 0), "refused: the token is missing or not one",
    ),
    "hello_twice": ("hello_twice.py", FaultType.MALFORMED, (1, 2), "a second Hello came"),
    "garbage": ("garbage.py", FaultType.MALFORMED, (1, 2), "no message of the protocol"),
    "hangs_up": ("hangs_up.py", FaultType.DISCONNECTED, (1, 2), "the stream ended and was not taken up again"),
    "sends_no_more": (
        "sends_no_more.py", FaultType.DISCONNECTED, (1, 2), "the stream ended and was not taken up again",
    ),
    "floods": ("floods.py", FaultType.FLOODING, (1, 2), "100 answers came for tables"),
    "floods_its_table": ("floods_its_table.py", FaultType.FLOODING, (1, 2), "100 answers came to turns"),
    "malformed": ("malformed.py", FaultType.MALFORMED, (1, 2), "77 is no card"),
}  # fmt: skip
INNOCENT = ["honest", "two_streams", "chatters", "comes_back", "takes_over", "is_cut_off"]


@pytest.fixture(scope="module")
def all_played(tmp_path_factory) -> dict[str, MatchPlayed]:
    """A match for each sinner at E, or at S, against honest bots that share one process."""
    folder = tmp_path_factory.mktemp("sinners")
    sinners.write(folder)
    commands = {name: sin[0] for name, sin in SINS.items()} | {name: f"{name}.py" for name in INNOCENT}
    plans: list[MatchPlan] = []
    for number, (name, command) in enumerate(commands.items()):
        seat = (Seat.E, Seat.S)[number % 2]
        bots = [command if each is seat else "lowest" for each in SEATS]
        posts = {each: Post("honest", 0, 0) for each in SEATS if each is not seat}
        plans.append(plan_of(name, bots, folder, posts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "START_TRIES", 1)  # more of the same would only take time
        return play(plans, tables=len(plans))


@pytest.mark.parametrize("name", SINS)
def test_a_sinner_is_told_apart_and_loses(all_played, name):
    command, kind, place, evidence = SINS[name]
    played = all_played[name]
    (seat,) = [seat for seat, chair in played.plan.chairs.items() if chair.name == command]
    (fault,) = played.outcome.faults
    assert (fault.type, fault.seat, fault.place) == (kind, seat, place)
    assert evidence in f"{fault.evidence}\n{fault.output}"
    record = played.outcome.record
    winner = seat.side.other
    assert record["result"] == {
        **{side.name: DEALS if side is winner else 0 for side in (Seat.N.side, Seat.E.side)},
        "winner": winner.name,
        "fault": {"type": kind.value, "seat": seat.name, "deal": place[0], "trick": place[1]},
    }
    assert played.voids == []
    replay(record)


@pytest.mark.parametrize("name", INNOCENT)
def test_who_does_no_harm_plays_the_honest_match(all_played, name):
    played = all_played[name]
    bots = ["lowest" if chair.name == "lowest" else last_card for chair in played.plan.chairs.values()]
    assert played.outcome.faults == ()
    assert to_bytes(played.outcome.record) == to_bytes(play_match(bots, key=played.plan.key, rules=RULES))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "evidence"),
    [("no_hello", "no hello came within 4 s"), ("no_connection", "no hello came within 4 s")],
)
def test_a_bot_that_says_no_hello_is_not_connected(tmp_path, monkeypatch, name, evidence):
    monkeypatch.setattr(pool, "START_TRIES", 1)
    sinners.write(tmp_path)
    posts = {seat: Post("honest", 0, 0) for seat in SEATS if seat is not Seat.W}
    plan = plan_of(name, ["lowest", "lowest", "lowest", f"{name}.py"], tmp_path, posts)
    (played,) = play([plan], limits=Limits(connect=4.0)).values()
    (fault,) = played.outcome.faults
    assert fault[:4] == (FaultType.NOT_CONNECTED, Seat.W, 0, 0)
    assert evidence in f"{fault.evidence}\n{fault.output}"


# -- the command line ------------------------------------------------------------------------------


def command(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ALUETTE, *arguments], cwd=cwd, capture_output=True, text=True, timeout=4 * DEADLINE, check=False
    )


def test_a_match_from_the_command_line_has_the_record_of_the_testing_module(tmp_path):
    sinners.write(tmp_path)
    bots = ["random", "lowest", "random", "honest.py"]
    done = command("match", *bots, "--seed", "7", "--set", "deals=1", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    expected = play_match(["random", "lowest", "random", last_card], seed=7, rules=RuleSet(deals=1))
    assert to_bytes(json.loads(done.stdout)) == to_bytes(expected)


def test_bots_that_cannot_play_end_the_run_before_it_begins(tmp_path):
    sinners.write(tmp_path)
    bots = ["sinners.py:RaisesInInit", "lowest", "protocol2.py", "broken.py:Bot"]
    done = command("match", *bots, "--json", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    for sentence in (
        "the bot sinners.py:RaisesInInit cannot play: failed: ",
        "ValueError: it cannot be made",
        "the bot protocol2.py cannot play: refused: this referee speaks protocol 1 and the bot speaks 2",
        "the bot broken.py:Bot cannot play: not started: ",
        "RuntimeError: broken at once",
    ):
        assert sentence in done.stderr
    assert "the bot lowest" not in done.stderr


def test_a_fault_is_shown_with_its_evidence(tmp_path):
    sinners.write(tmp_path)
    bots = ["lowest", "sinners.py:Raises", "lowest", "lowest"]
    done = command("match", *bots, "--in-process", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ValueError: no card is good enough" in done.stderr


def test_an_external_bot_connects_with_the_address_and_token_that_are_printed(tmp_path):
    sinners.write(tmp_path)
    words = [ALUETTE, "match", "lowest", "external", "lowest", "lowest", "--set", "deals=1", "--json"]
    with subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        try:
            assert run.stderr is not None
            printed = next(line for line in run.stderr if "ALUETTE_TOKEN" in line)
            given = dict(re.findall(r"(ALUETTE_\w+)=(\S+)", printed))
            assert set(given) == {"ALUETTE_SERVER", "ALUETTE_TOKEN"}
            bot = subprocess.run(
                [sys.executable, "honest.py"], cwd=tmp_path, env={**os.environ, **given},
                capture_output=True, timeout=DEADLINE, check=False,
            )  # fmt: skip
            out, _ = run.communicate(timeout=DEADLINE)
        finally:
            run.kill()
    assert (run.returncode, bot.returncode) == (0, 0), bot.stderr
    expected = play_match(["lowest", last_card, "lowest", "lowest"], rules=RuleSet(deals=1))
    assert to_bytes(json.loads(out)) == to_bytes(expected)


@pytest.mark.parametrize(
    ("sign", "code"),
    [
        pytest.param(signal.SIGINT, 130, id="Ctrl-C"),
        pytest.param(signal.SIGKILL, -9, id="kill -9", marks=pytest.mark.slow),
    ],
)
def test_a_run_that_is_ended_from_outside_leaves_no_process(tmp_path, sign, code):
    sinners.write(tmp_path)
    words = [ALUETTE, "match", "sinners.py:LeavesOthers", *["lowest"] * 3, "--no-clock"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        try:
            # Four wardens, four bots, and what one of them has started.
            until(lambda: len(descendants(run.pid)) == 9 and has_slept(run.pid))
            found = descendants(run.pid)
            run.send_signal(sign)
            assert run.wait(DEADLINE) == code
        finally:
            run.kill()
    until(lambda: not any(map(alive, found)), seconds=5.0)


def has_slept(pid: int) -> bool:
    """Whether the process that a bot starts and leaves behind is there."""
    commands = [Path(f"/proc/{each}/cmdline") for each in descendants(pid)]
    return any(b"time.sleep(1000)" in path.read_bytes() for path in commands if path.exists())
