"""`aluette tournament show`: every table in every form, of one real run."""

import csv
import io
import json
import re
import sqlite3
from collections import Counter
from contextlib import closing

import pytest
from click.testing import CliRunner
from referee.cli.club import LEGEND, MATCHES
from referee.cli.shell import invoke, refused

from aluette_referee.cli.app import cli
from aluette_referee.contest.file import read_contest
from aluette_referee.store import create_or_open, open_existing


def test_the_table_as_text_json_and_csv(played):
    show = lambda *form: invoke("tournament", "show", "club.db", *form, cwd=played.folder).stdout  # noqa: E731
    assert show() == played.printed
    told = json.loads(show("--json"))
    assert (told["matches_played"], told["matches_void"]) == (MATCHES, 0)
    assert [team["rank"] for team in told["standings"]] == [1, 2, 3]
    assert sum(team["match_points"] for team in told["standings"]) == MATCHES
    rows = list(csv.DictReader(show("--csv").splitlines()))
    # Six blocks of three teams leave four degrees of freedom: too few for an interval.
    assert [team["elo_margin"] for team in told["standings"]] == [None] * 3
    as_text = [
        {name: "" if value is None else str(value) for name, value in team.items()}
        for team in told["standings"]
    ]
    assert as_text == rows
    page = show("--markdown").splitlines()
    assert page[0] == "| \\# | Team | Played | Won | Drawn | Lost | Points | Elo | Deals | Faults |"
    assert page[5] == ""
    assert page[6].startswith("Points: 1 a win")
    faults = sum(team["faults"] for team in told["standings"])
    assert faults == played.exported.count(b'"type":"failed"')


def test_every_table_in_every_form(played):
    show = lambda *form: invoke("tournament", "show", "club.db", *form, cwd=played.folder).stdout  # noqa: E731
    told = json.loads(show("--table", "all", "--json"))
    names = list(told)[:-2]
    assert names == [
        "standings",
        "crosstable",
        "superiority",
        "blocks",
        "deals",
        "seats",
        "faults",
        "field",
        "mirroring",
    ]
    for name in names:
        rows = list(csv.reader(io.StringIO(show("--table", name, "--csv"), newline="")))
        assert rows[0] == list(told[name][0])
        assert len(rows) == 1 + len(told[name])
        assert show("--table", name, "--markdown").splitlines()[1].startswith("| --: | :-- |")
        assert show("--table", name).strip()
    pages = show("--table", "all", "--markdown")
    assert re.findall("^## (.*)$", pages, re.MULTILINE)[:2] == ["Standings", "Who against whom"]
    assert show("--table", "all").count("─ \n") == len(names)
    made = Counter(record["name"] for record in told["faults"] for _ in range(record["failed"]))
    assert made["Zoé"] == played.exported.count(b'"type":"failed"') == made.total() > 0


def test_a_table_of_strangers_is_of_bots_that_were_entered_alone(played):
    told = refused("tournament", "show", "club.db", "--table", "strangers", cwd=played.folder)
    assert told == "aluette: --table strangers is for contests in which bots are entered alone\n"
    told = refused("tournament", "show", "club.db", "--table", "all", "--csv", cwd=played.folder)
    assert told == "aluette: CSV is of one table: name it with --table\n"


def test_a_table_has_one_form(played):
    told = refused("tournament", "show", "club.db", "--json", "--csv", cwd=played.folder)
    assert told == "aluette: --json, --csv and --markdown are forms of the table: ask for one of them\n"


@pytest.mark.parametrize("width", [40, 60, 80])
def test_on_a_terminal_every_fault_is_one_line_that_fits(played, width, monkeypatch):
    monkeypatch.chdir(played.folder)
    env = {"COLUMNS": str(width), "FORCE_COLOR": "1"}
    shown = CliRunner(env=env).invoke(cli, ["tournament", "show", "club.db"], color=True).stdout
    lines = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()]
    faults = [line for line in lines if line.startswith("Fault: ")]
    assert len(faults) > 1
    assert all(len(line) == width and line.endswith("…") for line in faults)
    # How to read the table is broken between words.
    legend = lines.index(next(line for line in lines if line.startswith("Points: ")))
    assert " ".join(line.strip() for line in lines[legend : lines.index("", legend)]).startswith(LEGEND)


def test_where_half_a_block_is_played_a_fault_says_no_reason(club):
    with open_existing(club.database) as archive:
        match = next(iter(archive.faults())).match
    other = match[:-1] + ("1" if match.endswith("2") else "2")
    with closing(sqlite3.connect(club.database)) as connection, connection:
        connection.execute("DELETE FROM record WHERE match = ?", [other])
        connection.execute("DELETE FROM match WHERE id = ?", [other])
    shown = invoke("tournament", "show", "club.db", cwd=club.folder).stdout
    assert re.search(rf"^Fault: Zoé, .*, match {match}$", shown, re.MULTILINE)


def test_a_table_while_matches_are_missing(club):
    club.edit("blocks = 2", "blocks = 3")
    contest = read_contest((club.folder / "club.toml").read_text(encoding="utf-8"), built_in=["lowest"])
    with open_existing(club.database) as archive:
        entrants = archive.entrants
    create_or_open(club.database, contest, entrants)[0].close()
    shown = invoke("tournament", "show", "club.db", cwd=club.folder).stdout
    assert f"\n{MATCHES} matches played, 0 void, 6 still to be played.\n" in shown
    result = invoke("export", "club.db", cwd=club.folder)
    assert (result.stdout_bytes, result.stderr) == (club.exported, "")
