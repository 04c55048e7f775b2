"""Units and answers as bytes: what is written is what is read, and the same work is the same bytes."""

import json
from dataclasses import replace

import pytest
from referee.play.spread.blocks import HERE, LIVE, block, write_bot

from aluette.errors import Misuse
from aluette.record import to_bytes
from aluette.rules import RuleSet
from aluette.seats import Seat
from aluette.version import __version__
from aluette_referee.bounds import Bounds
from aluette_referee.clock import Limits
from aluette_referee.contest.contest import BotSpec
from aluette_referee.faults import Fault, FaultType, Policy
from aluette_referee.play.inprocess import play_in_process
from aluette_referee.play.output import Log
from aluette_referee.play.runner import MatchPlayed
from aluette_referee.play.spread.unit import (
    Answer,
    How,
    SentBot,
    read_answer,
    read_unit,
    write_answer,
    write_unit,
)
from aluette_referee.table import Outcome

MINE = BotSpec("mine.py:mine", env={"A": "b"}, files=("data",))
BOTS = [MINE, "lowest", MINE, BotSpec("random", options={})]


@pytest.mark.parametrize(
    "how",
    [
        LIVE,
        HERE,
        How(
            Limits(ready=None, move=None, bank=3.5, pace=0.25),
            Policy(strikes=3),
            Bounds(memory=1, cpu=2.5, processes=3, files=4, sandbox="bubblewrap", max_bots=5),
        ),
    ],
)
def test_a_unit_is_read_as_it_was_written(tmp_path, how):
    plans = [
        replace(plan, rules=RuleSet(deals=2, tie="extra_deals"), names=True)
        for plan in block(3, BOTS, write_bot(tmp_path))
    ]
    unit = read_unit(write_unit(plans, how))
    launches = {chair.launch.content: chair.launch for plan in plans for chair in plan.chairs.values()}
    assert unit.how == how
    assert {bot.content: bot for bot in unit.bots} == {
        content: SentBot(launch.spec, launch.label, content, str(tmp_path), None)
        for content, launch in launches.items()
    }
    read = unit.plans([launches[bot.content] for bot in unit.bots])
    assert [plan.key.secret for plan in read] == [plan.key.secret for plan in plans]
    assert [replace(plan, key=None) for plan in read] == [replace(plan, key=None) for plan in plans]


def test_the_same_work_is_the_same_bytes_and_other_work_is_not(tmp_path):
    base = write_bot(tmp_path)
    assert write_unit(block(3, BOTS, base), LIVE) == write_unit(block(3, BOTS, base), LIVE)
    assert write_unit(block(3, BOTS, base), LIVE) != write_unit(block(4, BOTS, base), LIVE)


def test_where_files_are_not_seen_no_folder_of_ours_is_told_and_bundles_travel(tmp_path):
    plans = block(3, BOTS, write_bot(tmp_path))
    content = plans[0].chairs[Seat.N].launch.content
    data = write_unit(plans, LIVE, {content: b"\0files\xff"})
    assert str(tmp_path).encode() not in data
    assert {(bot.folder, bot.bundle) for bot in read_unit(data).bots} == {
        (None, b"\0files\xff"),
        (None, None),
    }


def test_another_version_is_refused_with_both_named(tmp_path):
    data = write_unit(block(3, BOTS, write_bot(tmp_path)), LIVE)
    other = json.dumps({**json.loads(data), "version": "9.8.7"}).encode()
    with pytest.raises(Misuse, match=f"it has aluette {__version__}, and the work came from aluette 9.8.7"):
        read_unit(other)


def test_an_answer_is_read_as_it_was_written(tmp_path):
    plans = block(3, ["lowest", "random", "lowest", "random"], tmp_path)
    honest = play_in_process(plans[0])
    honest.timing = {"N": {"answers": 3, "seconds": 0.25, "longest": 0.125, "dropped": 0}}
    honest.logs = {Seat.E: Log("said ‘é’ \x00", "")}
    fault = Fault(FaultType.LATE, Seat.W, 1, 2, "evidence", 2.5, 2.0, "legal", "output")
    void = MatchPlayed(plans[1], Outcome(None, (fault,), (fault._replace(seat=Seat.S),)), voids=["a bug"])
    read = read_answer(write_answer(Answer((honest, void))), plans).matches
    assert [each.outcome for each in read] == [honest.outcome, void.outcome]
    assert [each.outcome.faults for each in read] == [(), (fault,)]
    assert isinstance(read[1].outcome.faults[0].type, FaultType)
    assert isinstance(read[1].outcome.faults[0].seat, Seat)
    assert [(each.timing, each.logs, each.voids) for each in read] == [
        (honest.timing, honest.logs, []),
        ({}, {}, ["a bug"]),
    ]
    assert [each.written for each in read] == [to_bytes(honest.outcome.record).decode(), ""]
    assert [each.plan for each in read] == plans


def test_what_is_lacking_and_why_it_was_refused_are_answers(tmp_path):
    plans = block(3, ["lowest"] * 4, tmp_path)
    for answer in (Answer(lacks=("one", "other")), Answer(refused="because")):
        assert read_answer(write_answer(answer), plans) == answer
