"""`aluette match`: one match of four bots, and a quick contest of two."""

import json
import re

import pytest
from referee.cli.club import BOTS
from referee.cli.shell import aluette, invoke, processes_in, refused

from aluette.record import replay, to_bytes
from aluette.rules import RuleSet
from aluette.seats import Seat
from aluette.testing import play_match
from aluette_referee.report.transcript import transcript

FOUR = ("random", "clubbots.py:highest", "lowest", "clubbots.py:Lively")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "clubbots.py").write_text(BOTS, encoding="utf-8")
    return tmp_path


def test_four_bots_over_the_wire_make_the_record_that_they_make_in_one_process(folder):
    played = aluette("match", *FOUR, "--json", "--seed", "7", cwd=folder)
    assert (played.returncode, played.stderr) == (0, "")
    bots = [f"{folder}/{bot}" if ":" in bot else bot for bot in FOUR]
    record = play_match(bots, seed="7")
    assert played.stdout.encode() == to_bytes(record) + b"\n"
    again = invoke("match", *FOUR, "--json", "--seed", "7", "--in-process", cwd=folder)
    assert again.stdout_bytes == played.stdout.encode()
    assert processes_in(folder) == []


def test_four_bots_as_a_transcript(folder):
    result = invoke("match", *FOUR, "--in-process", cwd=folder)
    assert (result.exit_code, result.stderr) == (0, "")
    record = json.loads(invoke("match", *FOUR, "--in-process", "--json", cwd=folder).stdout)
    assert result.stdout.splitlines() == list(transcript(record, dict(zip(Seat, FOUR, strict=True))))
    assert result.stdout.splitlines()[1] == (
        "N random   E clubbots.py:highest   S lowest   W clubbots.py:Lively"
    )


@pytest.mark.parametrize("count", [2, 4])
def test_what_bots_print_in_this_process_does_not_spoil_the_json(count, folder):
    (folder / "loud.py").write_text(
        "print('loaded')\ndef bot(view):\n    print('hm')\n    return view.hand[0]\n"
    )
    args = ("match", "loud.py:bot", *["lowest"] * (count - 1), "--in-process", "--json")
    result = invoke(*args, cwd=folder)
    assert json.loads(result.stdout)
    assert {"loaded", "hm"} <= set(result.stderr.splitlines())


def test_a_seed_says_everything(folder):
    once, again, other = (
        invoke("match", *FOUR, "--in-process", "--seed", seed, cwd=folder).stdout_bytes for seed in "112"
    )
    assert once == again
    assert once != other


def test_rule_options(folder):
    options = {"seating": "draw", "cut": "player", "chant": "always", "deals": "2", "notice": "0.25"}
    pairs = [part for name, value in options.items() for part in ("--set", f"{name}={value}")]
    result = invoke("match", *FOUR, *pairs, "--in-process", "--json", cwd=folder)
    record = json.loads(result.stdout)
    assert RuleSet.parse(record["rules"]) == RuleSet.of(options)
    assert len(record["deals"]) == 2
    assert replay(record).draw is not None


def test_at_a_partner_draw_the_bots_sit_down_anew(folder):
    args = ("match", *FOUR, "--set", "seating=draw", "--in-process")
    record = json.loads(invoke(*args, "--json", cwd=folder).stdout)
    chairs = record["draw"]["chairs"]
    assert chairs != {seat: seat for seat in "NESW"}
    seated = {Seat[chairs[seat]]: bot for seat, bot in zip("NESW", FOUR, strict=True)}
    assert invoke(*args, cwd=folder).stdout.splitlines() == list(transcript(record, seated))


def test_who_is_at_fault_is_told_with_the_evidence(folder):
    args = ("match", "lowest", "clubbots.py:Forgetful", "lowest", "lowest", "--in-process")
    result = next(
        result
        for seed in range(50)
        if "Fault" in (result := invoke(*args, "--seed", seed, cwd=folder)).stdout
    )
    assert result.exit_code == 0
    assert "\nFault: E failed in deal 5, trick " in result.stdout
    assert result.stdout.endswith("; NS wins NS 5, EW 0\n")
    assert re.search(
        r"^E \(clubbots.py:Forgetful\): failed in deal 5, trick \d\n", result.stderr, re.MULTILINE
    )
    assert "\n  legal: one of " in result.stderr
    assert "\n  Traceback (most recent call last):\n" in result.stderr
    assert result.stderr.rstrip().splitlines()[-1].startswith("  ValueError: what is one to do with ")


def test_two_bots_play_mirrored_blocks(folder):
    args = ("match", "clubbots.py:highest", "lowest", "--blocks", "3", "--in-process")
    result = invoke(*args, cwd=folder)
    assert result.exit_code == 0
    assert result.stderr.startswith("6 of 6 matches played")
    table = [line.split() for line in result.stdout.splitlines() if line.strip()]
    assert table[0] == ["#", "Team", "Played", "Won", "Drawn", "Lost", "Points", "Elo", "Deals", "Faults"]
    assert {line[1] for line in table[2:-1]} == {"clubbots.py:highest", "lowest"}
    assert result.stdout.splitlines()[-1].startswith(
        "Points: 1 a win, ½ a draw. Elo: strength over the mean (+100 scores 64 %), "
    )
    told = json.loads(invoke(*args, "--json", cwd=folder).stdout)
    assert [team["played"] for team in told["standings"]] == [6, 6]
    assert (told["matches_played"], told["matches_void"]) == (6, 0)


@pytest.mark.slow
def test_two_bots_over_the_wire_play_one_block_unless_told_otherwise(folder):
    args = ("match", "clubbots.py:Lively", "lowest", "--json", "--seed", "3")
    played = aluette(*args, "--tables", "2", cwd=folder)
    assert played.returncode == 0
    assert json.loads(played.stdout)["matches_played"] == 2
    assert invoke(*args, "--in-process", cwd=folder).stdout == played.stdout


def test_a_bot_against_itself_is_two_teams(folder):
    told = json.loads(invoke("match", "random", "random", "--json", "--in-process", cwd=folder).stdout)
    assert {team["name"] for team in told["standings"]} == {"random (1)", "random (2)"}


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["random"], "a match has four bots and a contest two, not 1"),
        (["random", "lowest", "random"], "a match has four bots and a contest two, not 3"),
        (
            ["lowest"] * 4 + ["--blocks", "2"],
            "--blocks is for a contest of two bots; four bots play one match",
        ),
        (["lowest", "random", "--set", "tie"], "--set tie: write name=value, such as --set tie=extra_deals"),
        (
            ["lowest", "random", "--set", "tie=extra"],
            "tie = 'extra': must be one of draw, extra_deals (did you mean 'extra_deals'?)",
        ),
        (["lowest", "random", "--set", "seatin=draw"], "'seatin' is no rule option: did you mean 'seating'?"),
        (
            ["lowest", "random", "--set", "deals=many", "--set", "notice=2"],
            "deals = 'many': must be a whole number from 1 to 100; notice = '2': must be a number from 0 to 1",
        ),
        (
            ["lowest", "random", "--set", "seating=draw"],
            "a contest plays the same packs twice: cut=player and seating=draw are for one match of four bots",
        ),
        (
            ["lowest", "random", "--set", "cut=player"],
            "a contest plays the same packs twice: cut=player and seating=draw are for one match of four bots",
        ),
    ],
)
def test_what_cannot_be_played(args, sentence, folder):
    assert refused("match", *args, cwd=folder) == f"aluette: {sentence}\n"


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        ("lowst", ["'lowst' is neither a built-in bot nor a program", "did you mean 'lowest'?"]),
        ("clubbot.py:highest", ["there is no bot file clubbot.py", "did you mean clubbots.py?"]),
        ("nowhere.at.all:Bot", ["there is no", "'nowhere.at.all'"]),
        ("./nowhere --level 3", ["there is no program ./nowhere"]),
        ("", ["a bot is empty: write a built-in name, file.py:Class, a command line, or external"]),
        ('"', ["is no command line: No closing quotation"]),
    ],
)
@pytest.mark.parametrize("count", [2, 4])
def test_a_bot_that_is_not_found(bot, words, count, folder):
    told = refused("match", *([bot] + ["lowest"] * (count - 1)), cwd=folder)
    assert all(word in told for word in words), told


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("clubbots.py:Livley", "has no 'Livley'; did you mean 'Lively'?"),
        ("clubbots.py:aluette", "is neither a bot class nor a function"),
        ("python -c 0", "cannot be played in this process"),
        ("external", "cannot be played in this process"),
    ],
)
def test_what_one_process_cannot_play(bot, sentence, folder):
    assert sentence in refused("match", bot, "lowest", "--in-process", cwd=folder)
