"""How far a run has come: a bar on a terminal, now and then a line elsewhere; and what is told of void matches."""

import json

import pytest
from referee.cli.club import BOTS, write_club
from referee.cli.shell import invoke

from aluette_referee.cli import match, progress
from aluette_referee.cli.options import PlayOptions
from aluette_referee.cli.progress import PlayProgress
from aluette_referee.clock import Limits
from aluette_referee.faults import Policy
from aluette_referee.play import tournament
from aluette_referee.play.runner import MatchPlayed
from aluette_referee.table import Outcome

WHY = "the process of S was lost: [bold]see above[/bold]"


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set forward."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return now


def all_void(plans, settings, save):
    for plan in plans:
        save([MatchPlayed(plan, Outcome(None), {}, [WHY, WHY])])


def test_elsewhere_than_on_a_terminal_a_line_tells_now_and_then(clock, capsys):
    with PlayProgress(10, done=2) as told:
        for _ in range(4):
            clock[0] += 4
            told.advance()
        assert capsys.readouterr().err == "5 of 10 matches played, 0.2 a second, 20 s left\n"
        told.say("[see] this :smile:")
        for _ in range(4):
            told.advance()
    assert capsys.readouterr().err == "[see] this :smile:\n10 of 10 matches played, 0.5 a second\n"


def test_where_nothing_was_played_nothing_is_told(clock, capsys):
    with PlayProgress(10, done=10):
        pass
    assert capsys.readouterr() == ("", "")


def test_on_a_terminal_there_is_a_bar(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with PlayProgress(10, done=2) as told:
        told.say("[see] this")
        told.advance()
        assert told._bar is not None
        told._bar.refresh()
    out, err = capsys.readouterr()
    assert out == ""
    assert "[see] this" in err
    assert "Playing" in err
    assert "3/10" in err


def test_a_match_that_stays_void_is_told(tmp_path, monkeypatch):
    write_club(tmp_path)
    monkeypatch.setattr(tournament, "play_plans", all_void)
    result = invoke("tournament", "run", "club.toml", "--in-process", cwd=tmp_path)
    assert result.exit_code == 0
    told = result.stderr
    assert told.count(f" could not be played: {WHY}; {WHY}") == 12
    assert "\n0 matches played, 24 void, which do not count, 12 still to be played.\n" in result.stdout


def test_a_match_of_four_that_stays_void_is_a_mistake(tmp_path, monkeypatch):
    (tmp_path / "clubbots.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.setattr(match, "play_plans", all_void)
    result = invoke("match", *["clubbots.py:lowest"] * 4, "--in-process", cwd=tmp_path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"aluette: the match could not be played: {WHY}; {WHY}\n"


def test_void_matches_of_two_are_told_and_counted(tmp_path, monkeypatch):
    (tmp_path / "clubbots.py").write_text(BOTS, encoding="utf-8")
    monkeypatch.setattr(match, "play_plans", all_void)
    args = ("match", "clubbots.py:lowest", "clubbots.py:highest", "--in-process", "--json")
    result = invoke(*args, cwd=tmp_path)
    told = json.loads(result.stdout)
    assert (told["matches_played"], told["matches_void"]) == (0, 2)
    assert result.stderr.count(f"a match could not be played: {WHY}; {WHY}") == 2


def test_options_of_play():
    limits = Limits(connect=1, ready=2, move=3, goodbye=4)
    settings = PlayOptions(tables=5, no_clock=False, in_process=True).settings(limits, Policy(3))
    assert settings.policy == Policy(3)
    assert (settings.limits, settings.tables, settings.in_process) == (limits, 5, True)
    assert settings.cores >= 1
    untimed = PlayOptions(tables=None, no_clock=True, in_process=False).settings(limits, Policy())
    assert untimed.limits == Limits(connect=1, ready=None, move=None, goodbye=4)
