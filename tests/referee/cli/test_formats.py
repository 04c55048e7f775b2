"""Tournaments of each format through the command line: played to the end, gone on with, and the same live."""

import functools
import json
import re
import shutil

import pytest
from referee.cli.shell import aluette, invoke, refused

BOTS = ("random", "lowest", "lowest", "random", "lowest")
SETTINGS = {
    "gauntlet": "challengers = 2",
    "swiss": "rounds = 3",
    "knockout": "extra_blocks = 2",
    "individual": "",
}


def write(folder, kind: str, bots=BOTS, settings: str = "", blocks: int = 1) -> None:
    head = f'[tournament]\nname = "T"\nformat = "{kind}"\nblocks = {blocks}\nseed = "x"\n{settings or SETTINGS[kind]}\n'
    table, key = ("bot", "run") if kind == "individual" else ("team", "bot")
    entered = "".join(
        f'[[{table}]]\nname = "{bot} {place}"\n{key} = "{bot}"\n' for place, bot in enumerate(bots)
    )
    (folder / "t.toml").write_text(head + "[rules]\ndeals = 2\n" + entered, encoding="utf-8")


def run(folder, *options: str):
    return invoke("tournament", "run", "t.toml", "--in-process", *options, cwd=folder)


@pytest.fixture(scope="module")
def of_kind(tmp_path_factory):
    """A folder with a tournament of a kind that has been played, made once; to be looked at only."""

    @functools.cache
    def made(kind: str):
        folder = tmp_path_factory.mktemp(kind)
        write(folder, kind)
        return folder, run(folder)

    return made


def rows(folder) -> list[dict]:
    return json.loads(invoke("tournament", "show", "t.db", "--json", cwd=folder).stdout)["standings"]


@pytest.mark.parametrize("kind", SETTINGS)
def test_it_is_played_to_its_end_and_holds(kind, of_kind):
    folder, result = of_kind(kind)
    assert result.exit_code == 0, result.output
    assert f"T: {kind}" in result.stdout
    assert "still to be played" not in result.stdout
    total = int(re.search(r"^(\d+) of \1 matches played", result.stderr, re.MULTILINE)[1])
    played = [row["played"] for row in rows(folder)]
    assert sum(played) == total * (4 if kind == "individual" else 2)
    assert invoke("verify", "t.db", cwd=folder).stdout.startswith(f"{total} matches hold.")
    again = run(folder)
    assert again.stderr == ""
    assert again.stdout == result.stdout


@pytest.mark.slow
@pytest.mark.parametrize("kind", SETTINGS)
def test_live_it_is_the_same(kind, tmp_path):
    write(tmp_path, kind)
    (tmp_path / "live").mkdir()
    write(tmp_path / "live", kind)
    assert run(tmp_path).exit_code == 0
    assert aluette("tournament", "run", "t.toml", cwd=tmp_path / "live").returncode == 0
    one, other = (
        invoke("export", "t.db", cwd=folder).stdout_bytes for folder in (tmp_path, tmp_path / "live")
    )
    assert one == other


def test_a_gauntlet_is_of_the_first_against_the_others(of_kind):
    folder, _ = of_kind("gauntlet")
    assert {row["name"]: row["played"] for row in rows(folder)} == {
        "random 0": 6, "lowest 1": 6, "lowest 2": 4, "random 3": 4, "lowest 4": 4,
    }  # fmt: skip


def test_a_swiss_counts_byes_and_no_pairing_is_there_twice(of_kind):
    folder, result = of_kind("swiss")
    told = result.stdout
    assert "Points are with those of byes." in told
    assert sum(row["byes"] for row in rows(folder)) == 3 * 2
    assert {row["played"] + row["byes"] for row in rows(folder)} == {6}
    lines = [json.loads(line) for line in invoke("export", "t.db", cwd=folder).stdout.splitlines()]
    pairings = [tuple(sorted(line["teams"].values())) for line in lines if line["leg"] == 1]
    assert len(set(pairings)) == len(pairings) == 6


def test_a_knockout_is_ranked_by_how_far_each_came(tmp_path):
    write(tmp_path, "knockout", bots=("careful", "lowest", "lowest", "lowest"), blocks=2)
    run(tmp_path)
    first, second, *_ = rows(tmp_path)
    assert (first["name"], first["played"]) == ("careful 0", 8)
    assert second["played"] >= 8


@pytest.mark.parametrize("kind", ["swiss", "knockout"])
@pytest.mark.parametrize(
    "change",
    [
        ("lowest 2", "somebody", "holds a {kind} of other teams: somebody, lowest 2 came, left or changed"),
        (
            'bot = "random"',
            'bot = "careful"',
            "holds a {kind} of other teams: random 0, random 3 came, left or changed",
        ),
        ("blocks = 1", "blocks = 2", "blocks were 1 and are now 2"),
    ],
)
def test_where_rounds_go_by_results_nothing_of_them_can_change(kind, change, of_kind, tmp_path):
    old, new, said = change
    shutil.copytree(of_kind(kind)[0], tmp_path, dirs_exist_ok=True)
    before = invoke("tournament", "show", "t.db", cwd=tmp_path).stdout
    file = tmp_path / "t.toml"
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert said.format(kind=kind) in refused("tournament", "run", "t.toml", "--in-process", cwd=tmp_path)
    assert invoke("tournament", "show", "t.db", cwd=tmp_path).stdout == before


def test_bots_that_are_entered_alone_have_a_table_of_their_own(of_kind):
    folder, result = of_kind("individual")
    told = result.stdout
    assert "T: individual, 1 cycle, standard/1+deals=2" in told
    assert {row["played"] for row in rows(folder)} == {8}
    listed = invoke("replay", "t.db", cwd=folder).stdout.splitlines()
    assert len(listed) == 10
    ns, ew = re.match(r"\S+   (.*) - (.*)   \d+-\d+", listed[0]).groups()
    assert len({*ns.split(" + "), *ew.split(" + ")}) == 4


# -- the plan ------------------------------------------------------------------------------------------------


def planned(folder, *options: str) -> str:
    result = invoke("tournament", "plan", "t.toml", *options, cwd=folder)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.parametrize("kind", SETTINGS)
def test_a_plan_is_what_is_played(kind, of_kind, tmp_path):
    write(tmp_path, kind)
    rounds = json.loads(planned(tmp_path, "--json"))
    assert not (tmp_path / "t.db").exists()
    folder, _ = of_kind(kind)
    lines = [json.loads(line) for line in invoke("export", "t.db", cwd=folder).stdout.splitlines()]
    played = [sorted(line["teams"].values()) for line in lines if line["leg"] == 1]
    known = [
        sorted(" + ".join(sorted(side)) for side in block["sides"])
        for each in rounds
        for block in each["blocks"]
    ]
    assert known == played[: len(known)]
    assert len(known) == (len(played) if kind in {"gauntlet", "individual"} else 2 if kind == "swiss" else 1)
    text = planned(tmp_path)
    assert text.startswith("Round 1: ")
    assert ("drawn when the one before is over" in text) == (kind in {"swiss", "knockout"})
    assert re.search(
        rf"^{len(lines) if kind != 'knockout' else 8} matches( at least)?, of about ", text, re.MULTILINE
    )


def test_a_plan_shows_how_even_it_is(tmp_path):
    write(tmp_path, "individual", blocks=4)
    lines = [line.split() for line in planned(tmp_path).splitlines()]
    assert ["random", "0", "32", "8", "8", "8", "8", "8", "4"] in lines
    assert "Each two are partners in 8 matches." in planned(tmp_path)
    assert "Each two are opponents in 16 matches." in planned(tmp_path)
    assert ["1", "random", "0", "8/16", "8/16", "8/16", "8/16"] in lines


def test_how_long_it_may_take_follows_from_the_time_of_a_decision(tmp_path):
    write(tmp_path, "gauntlet")
    assert "when a decision takes 10 ms" in planned(tmp_path)
    assert "days when a decision takes 3.6e+06 ms" in planned(tmp_path, "--think", "3600000")


# -- mistakes in the file ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "settings", "bots", "said"),
    [
        ("swiss", "challengers = 2", BOTS, 'tournament.challengers = 2: is only for format = "gauntlet"'),
        ("gauntlet", "rounds = 2", BOTS, 'tournament.rounds = 2: is only for format = "swiss"'),
        ("swiss", "extra_blocks = 2", BOTS, 'tournament.extra_blocks = 2: is only for format = "knockout"'),
        ("gauntlet", "challengers = 5", BOTS, "must leave somebody to play against: 5 teams are entered"),
        ("individual", "", BOTS[:3], "an individual contest needs four bots at least, each with a [[bot]]"),
        ("swiss", "", BOTS[:1], "a contest needs two teams at least, each with a [[team]] of its own"),
    ],
)
def test_a_setting_of_another_format_is_a_mistake(kind, settings, bots, said, tmp_path):
    write(tmp_path, kind, bots, settings or "")
    assert said in refused("tournament", "run", "t.toml", cwd=tmp_path)


def test_teams_and_bots_are_told_apart(tmp_path):
    write(tmp_path, "individual")
    file = tmp_path / "t.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"individual"', '"swiss"'), encoding="utf-8")
    said = refused("tournament", "run", "t.toml", cwd=tmp_path)
    assert 'bots alone are entered with format = "individual"; in this one, each in a [[team]]' in said
    file.write_text(text.replace("[[bot]]", "[[team]]").replace("run =", "bot ="), encoding="utf-8")
    said = refused("tournament", "run", "t.toml", cwd=tmp_path)
    assert "an individual contest has no teams: enter each bot with a [[bot]] of its own" in said
