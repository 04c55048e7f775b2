"""`aluette sprt`: played until it is decided, the same with any number of tables."""

import json

import pytest
from referee.cli.club import write_club
from referee.cli.shell import aluette, invoke, refused

TEST = ("sprt", "lowest", "random", "--seed", "1", "--set", "deals=2")


def outcome(folder, *options: str) -> dict:
    result = invoke(*TEST, "--in-process", "--json", *options, cwd=folder)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_weaker_is_found_out(tmp_path):
    told = outcome(tmp_path)
    assert told["decision"] == "H0"
    assert told["llr"] <= told["bounds"][0]
    assert sum(told["values"].values()) == told["blocks"] >= 16
    assert told["mean"] + told["margin"] < 0
    other = invoke("sprt", "random", "lowest", *TEST[3:], "--in-process", "--json", cwd=tmp_path)
    assert json.loads(other.stdout)["decision"] == "H1"


def test_on_results_it_is_decided_too(tmp_path):
    told = outcome(tmp_path, "--on", "results", "--h1", "50")
    assert told["decision"] == "H0"
    assert set(told["values"]) <= {"0", "0.5", "1", "1.5", "2"}


def test_it_is_told_in_words(tmp_path):
    result = invoke(*TEST, "--in-process", cwd=tmp_path)
    first, standing, decision = result.stdout.splitlines()
    assert first == "lowest against random. H0: 0 deal points a block more. H1: 0.2. Seed 1."
    assert " blocks, LLR -" in standing
    assert decision.startswith("H0 is accepted: ")


def test_it_gives_up_when_it_is_told_to(tmp_path):
    result = invoke(*TEST, "--in-process", "--max-blocks", "3", cwd=tmp_path)
    assert result.stdout.splitlines()[1].startswith("3 blocks, LLR ")
    assert result.stdout.splitlines()[2] == "Not decided."


def test_another_seed_each_time_which_is_printed(tmp_path):
    args = ("sprt", "lowest", "random", "--set", "deals=1", "--in-process", "--max-blocks", "1", "--json")
    one, other = (json.loads(invoke(*args, cwd=tmp_path).stdout)["seed"] for _ in "12")
    assert one != other


def test_blocks_with_a_fault_are_left_out_and_counted(tmp_path):
    write_club(tmp_path)
    args = (
        "sprt",
        "clubbots.py:Forgetful",
        "clubbots.py:highest",
        "--seed",
        "3",
        "--in-process",
        "--max-blocks",
        "20",
    )
    told = json.loads(invoke(*args, "--json", cwd=tmp_path).stdout)
    assert told["left_out"] > 0
    assert told["left_out"] + told["blocks"] <= 20
    assert f", {told['left_out']} left out for faults, LLR " in invoke(*args, cwd=tmp_path).stdout


@pytest.mark.slow
@pytest.mark.parametrize("tables", ["1", "16"])
def test_the_outcome_does_not_depend_on_how_many_play_at_once(tables, tmp_path):
    live = aluette(*TEST, "--json", "--tables", tables, cwd=tmp_path)
    assert json.loads(live.stdout) == outcome(tmp_path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--h0", "1", "--h1", "0"), "H0 must be below H1, not 1 and 0"),
        (("--alpha", "0.6"), "alpha is between 0 and 0.5, not 0.6"),
        (("--set", "cut=player"), "a block plays the same packs twice"),
    ],
)
def test_mistakes(options, said, tmp_path):
    assert said in refused(*TEST, *options, cwd=tmp_path)
