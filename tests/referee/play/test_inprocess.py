"""Matches in this process: the records of live play, faults too, for bots that can be loaded."""

import signal
from pathlib import Path

import pytest
from referee import sinners

from aluette.errors import Misuse
from aluette.packs import BlockKey
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import SEATS, Seat
from aluette.testing import play_match
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import FORFEIT, FaultType
from aluette_referee.play.inprocess import play_in_process
from aluette_referee.play.launch import resolve
from aluette_referee.play.live import Interrupted, Settings, play_plans
from aluette_referee.play.pool import Post
from aluette_referee.play.runner import Chair, MatchPlan

KEY = BlockKey(bytes(range(32)))
ONE_DEAL = RuleSet(deals=1)


def plan_of(bots: list[str | BotSpec], base: Path, rules: RuleSet = ONE_DEAL, **more: object) -> MatchPlan:
    chairs: dict[Seat, Chair] = {}
    for seat, bot in zip(SEATS, bots, strict=True):
        spec = BotSpec(bot) if isinstance(bot, str) else bot
        chairs[seat] = Chair(Post(spec.run, int(seat), 1), resolve(spec, base), f"team {seat}")
    return MatchPlan("m", rules, KEY, Seat.E, chairs, **more)


@pytest.mark.parametrize(
    "rules",
    [
        RuleSet(),
        RuleSet(seating="draw", deals=2),
        RuleSet(chant="always", cut="player", signals=False, deals=1),
    ],
    ids=str,
)
def test_a_match_has_the_record_of_the_testing_module(tmp_path, rules):
    bots = ["random", "lowest", "lowest", "random"]
    played = play_in_process(plan_of(bots, tmp_path, rules))
    expected = play_match(bots, key=KEY, rules=rules, first_dealer=Seat.E)
    assert to_bytes(played.outcome.record) == to_bytes(expected)
    assert played.outcome.faults == ()


@pytest.mark.parametrize(
    ("name", "kind", "place"),
    [
        ("Illegal", FaultType.ILLEGAL, (1, 2)),
        ("Raises", FaultType.FAILED, (1, 2)),
        ("RaisesInInit", FaultType.FAILED, (0, 0)),
    ],
)
def test_a_fault_is_the_one_of_live_play(tmp_path, name, kind, place, capsys):
    sinners.write(tmp_path)
    played = play_in_process(plan_of(["lowest", "lowest", f"sinners.py:{name}", "lowest"], tmp_path))
    (fault,) = played.outcome.faults
    assert fault[:4] == (kind, Seat.S, *place)
    assert played.outcome.record["result"]["winner"] == "EW"


def test_options_and_names_reach_the_bots(tmp_path):
    (tmp_path / "mybot.py").write_text(
        "import aluette\n"
        "class MyBot(aluette.Bot):\n"
        "    def __init__(self, said):\n"
        "        assert said == 'this'\n"
        "    def play(self, view):\n"
        "        assert self.match.names == ('team N', 'team E', 'team S', 'team W')\n"
        "        return view.hand[0]\n",
        encoding="utf-8",
    )
    bot = BotSpec("mybot.py:MyBot", options={"said": "this"})
    played = play_in_process(plan_of([bot, "lowest", bot, "lowest"], tmp_path, names=True))
    assert played.outcome.faults == ()


@pytest.mark.parametrize("bot", ["external", "sh -c 'exit 1'", "human"])
def test_what_is_no_python_bot_cannot_be_played_so(tmp_path, bot):
    with pytest.raises(Misuse, match=r"cannot be played in this process: it is a program of its own"):
        play_in_process(plan_of(["lowest", bot, "lowest", "lowest"], tmp_path))


def test_a_file_without_a_name_is_asked_for_one(tmp_path):
    (tmp_path / "mybot.py").write_text("import aluette\n", encoding="utf-8")
    with pytest.raises(Misuse) as mistake:
        play_in_process(plan_of(["lowest", "mybot.py", "lowest", "lowest"], tmp_path))
    assert str(mistake.value) == (
        "the bot mybot.py cannot be played in this process: it is a program of its own; "
        "name the class or function in it, mybot.py:NAME"
    )


@pytest.mark.parametrize("ended", [SystemExit(0), GeneratorExit(), BaseException("odd")], ids=repr)
def test_a_bot_that_would_end_its_process_loses_its_match_and_not_the_run(tmp_path, ended):
    kind = type(ended).__name__
    (tmp_path / "leaver.py").write_text(
        f"import aluette\nclass Leaver(aluette.Bot):\n    def play(self, view):\n        raise {kind}(0)\n"
    )
    played = play_in_process(plan_of(["lowest", "leaver.py:Leaver", "lowest", "lowest"], tmp_path))
    (fault,) = played.outcome.faults
    assert (fault.type, fault.seat) == (FaultType.CRASHED, Seat.E)
    assert kind in fault.evidence


def test_a_ctrl_c_that_somebody_swallows_is_not_lost(tmp_path):
    (tmp_path / "deaf.py").write_text(
        "import os, signal\n"
        "def deaf(view):\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        for _ in range(1000): pass\n"
        "    except KeyboardInterrupt:\n"
        "        pass\n"
        "    return view.hand[0]\n",
        encoding="utf-8",
    )
    before = signal.getsignal(signal.SIGINT)
    plans = [plan_of(["deaf.py:deaf", "lowest", "lowest", "lowest"], tmp_path)] * 3
    saved = []
    with pytest.raises(Interrupted):
        play_plans(plans, Settings(Limits(), FORFEIT, 1, in_process=True), saved.extend)
    assert len(saved) == 1
    assert signal.getsignal(signal.SIGINT) is before
