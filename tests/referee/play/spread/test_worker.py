"""What a worker does with a unit: plays it as it would be played here, or says why not."""

import json
import threading
from pathlib import Path

import pytest
from referee.cli.shell import processes_in
from referee.play.proc import until
from referee.play.spread.blocks import HERE, LIVE, block, write_bot

from aluette.version import __version__
from aluette_referee.bounds import Bounds
from aluette_referee.contest.contest import BotSpec
from aluette_referee.play.inprocess import play_in_process
from aluette_referee.play.spread import worker
from aluette_referee.play.spread.bundle import pack
from aluette_referee.play.spread.unit import How, read_answer, write_unit
from aluette_referee.play.spread.worker import play_unit

MINE = BotSpec("mine.py:mine", files=("data",))


@pytest.fixture(autouse=True)
def _bots_of_its_own(monkeypatch):
    """Each test's worker knows no bot yet."""
    monkeypatch.setattr(worker, "_bots", worker._Bots())


def records(plans):
    return [play_in_process(plan).outcome.record for plan in plans]


def test_blocks_played_at_once_are_those_played_here_and_bots_live_on(tmp_path, monkeypatch):
    monkeypatch.setattr(worker, "IDLE_SECONDS", 0.2)
    write_bot(tmp_path)
    blocks = [block(number, [MINE, "random", MINE, "random"], tmp_path) for number in range(3)]
    answers: dict[int, bytes] = {}

    def play(number: int) -> None:
        answers[number] = play_unit(write_unit(blocks[number], LIVE))

    threads = [threading.Thread(target=play, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, plans in enumerate(blocks):
        matches = read_answer(answers[number], plans).matches
        assert [played.outcome.record for played in matches] == records(plans)
        assert all(played.timing["N"]["answers"] > 0 for played in matches)
    # When no unit has come for a while all of them go home.
    until(lambda: not processes_in(tmp_path))


def test_bots_can_be_played_in_the_worker_itself(tmp_path):
    plans = block(5, [MINE, "random", MINE, "lowest"], write_bot(tmp_path))
    matches = read_answer(play_unit(write_unit(plans, HERE)), plans).matches
    assert [played.outcome.record for played in matches] == records(plans)


def test_files_that_are_not_here_are_asked_for_once(tmp_path):
    plans = block(5, [MINE, "lowest", MINE, "lowest"], write_bot(tmp_path))
    mine = next(iter(plans[0].chairs.values())).launch
    lowest = list(plans[0].chairs.values())[1].launch
    lacking = read_answer(play_unit(write_unit(plans, HERE, {})), plans)
    assert set(lacking.lacks) == {mine.content, lowest.content}
    bundles = {launch.content: pack(launch) for launch in (mine, lowest)}
    for travelling in (bundles, {}):
        matches = read_answer(play_unit(write_unit(plans, HERE, travelling)), plans).matches
        assert [played.outcome.record for played in matches] == records(plans)


def test_a_bot_that_is_another_here_is_refused(tmp_path):
    plans = block(5, [MINE, "lowest", MINE, "lowest"], write_bot(tmp_path))
    (tmp_path / "choice.py").write_text("def choose(hand, place):\n    return hand[0]\n")
    refused = read_answer(play_unit(write_unit(plans, HERE)), plans).refused
    assert "the bot mine.py:mine is another here" in refused
    assert "its files have changed since the run began" in refused


def test_a_bundle_that_lacks_what_the_bot_needs_is_refused(tmp_path):
    plans = block(5, ["mine.py:mine", "lowest", "mine.py:mine", "lowest"], write_bot(tmp_path))
    launches = {chair.launch.content: chair.launch for chair in plans[0].chairs.values()}
    other = pack(next(launch for launch in launches.values() if launch.label == "lowest"))
    refused = read_answer(play_unit(write_unit(plans, HERE, dict.fromkeys(launches, other))), plans).refused
    assert "there is no bot file mine.py" in refused


def test_work_of_another_version_is_refused_with_both_named(tmp_path):
    plans = block(5, ["lowest"] * 4, tmp_path)
    data = json.dumps({**json.loads(write_unit(plans, HERE)), "version": "9.8.7"}).encode()
    refused = read_answer(play_unit(data), plans).refused
    assert f"refuses: it has aluette {__version__}, and the work came from aluette 9.8.7" in refused


def test_a_worker_without_the_sandbox_refuses(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    plans = block(5, ["lowest"] * 4, tmp_path)
    how = How(LIVE.limits, LIVE.policy, Bounds(sandbox="bubblewrap"))
    refused = read_answer(play_unit(write_unit(plans, how)), plans).refused
    assert "bubblewrap" in refused


def test_a_referee_that_cannot_listen_is_told_and_another_way_to_play_still_works(tmp_path, monkeypatch):
    plans = block(5, ["lowest"] * 4, tmp_path)
    long = tmp_path / ("x" * 120)
    long.mkdir()
    how = How(LIVE.limits, LIVE.policy, Bounds(memory=10**9))
    with monkeypatch.context() as there:
        there.setattr(worker.tempfile, "tempdir", str(long))
        assert "cannot listen" in read_answer(play_unit(write_unit(plans, how)), plans).refused
    assert len(read_answer(play_unit(write_unit(plans, how)), plans).matches) == 2


def test_a_mistake_that_shows_while_it_plays_is_an_answer(tmp_path):
    (tmp_path / "one.py").write_text(
        "import aluette\n\ndef one(view):\n    return view.hand[0]\n\naluette.run(one, capacity=1)\n"
    )
    plans = [
        _of_one_process(plan)
        for plan in block(5, ["python one.py", "lowest", "python one.py", "lowest"], tmp_path)
    ]
    refused = read_answer(play_unit(write_unit(plans, LIVE)), plans).refused
    assert "has a capacity of 1" in refused


def _of_one_process(plan):
    chairs = {seat: chair._replace(post=chair.post._replace(slot=0)) for seat, chair in plan.chairs.items()}
    return type(plan)(plan.id, plan.rules, plan.key, plan.first_dealer, chairs)


def test_bots_find_their_files_where_they_lie(tmp_path):
    """A folder that bots write to is the one that the tournament's file is in."""
    (tmp_path / "writes.py").write_text(
        "from pathlib import Path\n\ndef writes(view):\n    Path('seen').touch()\n    return view.hand[0]\n"
    )
    plans = block(6, ["writes.py:writes", "lowest", "writes.py:writes", "lowest"], tmp_path)
    assert len(read_answer(play_unit(write_unit(plans, LIVE)), plans).matches) == 2
    assert Path(tmp_path, "seen").exists()
