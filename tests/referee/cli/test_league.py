"""`aluette league`: what its commands print, and the sentences for mistakes; the service itself is tested elsewhere."""

import json
import re
import sqlite3
import stat
from pathlib import Path

import pytest
from referee.cli.shell import invoke, refused
from referee.league.club import fixture, play

from aluette_referee.cli.league.group import VERBS
from aluette_referee.league.counting import read_tallies
from aluette_referee.league.folder import open_folder
from aluette_referee.league.ladder import climb, rate
from aluette_referee.league.ledger import create_or_open


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = run("init", "club", "--name", "Les Pornicais", cwd=tmp_path)
    assert made == "Made a league in club. Look through club/league.toml, then: aluette league serve club\n"
    return tmp_path / "club"


@pytest.fixture
def played(folder: Path) -> Path:
    """Two bots, and three matches between them."""
    for owner, bot in (("Ana", "fox"), ("Bea", "wolf")):
        run("register", owner, cwd=folder)
        run("add", bot, "--owner", owner, cwd=folder)
    here = open_folder(folder)
    ledger = create_or_open(here.database, here.settings)
    for winner in ("NS", "EW", "NS"):
        play(ledger, fixture(ledger, (1,), (2,)), winner)
    with ledger.database.begin() as connection:
        tallies = read_tallies(connection, 1)
    rungs = climb(rate(["1", "2"], tallies), tallies, 100.0)
    ledger.keep_ladder(1, rungs, rungs)
    ledger.close()
    return folder


def run(*words: object, cwd: Path) -> str:
    result = invoke("league", *words, cwd=cwd)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_init_makes_a_folder_that_only_its_owner_can_read_and_never_a_second_league(folder):
    assert stat.S_IMODE((folder / "league.toml").stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "league.db").stat().st_mode) == 0o600
    assert "there is a league in club already" in refused("league", "init", "club", cwd=folder.parent)


def test_tokens_are_printed_alone_on_stdout_and_how_to_use_them_beside(folder):
    registered = invoke("league", "register", "Ana", cwd=folder)
    assert re.fullmatch(r"aluette_own_[a-z2-7]{32}\n", registered.stdout)
    added = invoke("league", "add", "fox", "--owner", "Ana", cwd=folder)
    token = added.stdout.strip()
    assert re.fullmatch(r"aluette_play_[a-z2-7]{32}", token)
    assert f"ALUETTE_SERVER=127.0.0.1:7000 ALUETTE_TOKEN={token} python mybot.py" in added.stderr
    more = run("token", "fox/1", "--play", "--label", "laptop", cwd=folder)
    assert more.startswith("aluette_play_")
    admin = run("token", "Ana", "--admin", cwd=folder)
    assert admin.startswith("aluette_admin_")
    run("revoke", 2, cwd=folder)
    lines = run("tokens", "Ana", cwd=folder).splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["1", "own"],
        ["2", "play"],
        ["3", "play"],
        ["4", "admin"],
    ]
    assert "revoked" in lines[1]
    assert "laptop" in lines[2]
    assert token not in "".join(lines)


def test_bots_are_entered_hosted_retired_and_renamed(folder):
    run("register", "Ana", cwd=folder)
    run("add", "fox", "--owner", "Ana", "--display", "The Fox", cwd=folder)
    hosted = run("add", "hare", "--owner", "Ana", "--run", "careful", cwd=folder)
    assert hosted == "hare/1 is entered, and hosted here.\n"
    run("version", "fox", cwd=folder)
    run("retire", "fox/1", cwd=folder)
    run("bench", "fox/2", "it floods", cwd=folder)
    run("rename", "fox", "Der Fuchs", cwd=folder)
    shown = run("show", "fox", cwd=folder)
    assert shown.startswith("Der Fuchs (fox), of Ana, since ")
    assert shown.splitlines()[1:] == ["  fox/2  benched: it floods", "  fox/1  retired"]
    run("reactivate", "fox/2", cwd=folder)
    assert run("show", "fox", cwd=folder).splitlines()[1] == "  fox/2  active"
    run("ban", "Ana", "two accounts", cwd=folder)
    assert "hare/1  banned, hosted" in run("show", "hare", cwd=folder)
    run("unban", "Ana", cwd=folder)
    run("request", "fox", "hare", "--matches", 3, cwd=folder)
    lines = run("audit", cwd=folder).splitlines()
    assert lines[0].endswith("operator request fox hare: 3")
    assert len(lines) == len(json.loads(run("audit", "--json", cwd=folder))) == 12


def test_ladder_and_matches_have_every_form(played):
    text = run("ladder", cwd=played)
    assert text.startswith("Season 1, teams\n")
    assert "provisional" in text
    ladder = json.loads(run("ladder", "--json", cwd=played))
    assert [(row["name"], row["won"], row["lost"]) for row in ladder] == [("fox/1", 2, 1), ("wolf/1", 1, 2)]
    assert (
        run("ladder", "--csv", cwd=played).splitlines()[0].startswith("place,rank,name,display,owner,rating")
    )
    assert "| fox/1 |" in run("ladder", "--markdown", cwd=played)
    assert json.loads(run("seasons", "--json", cwd=played))[0]["matches"] == 3
    matches = json.loads(run("matches", "fox", "--json", cwd=played))
    assert [row["state"] for row in matches] == ["played"] * 3
    older = json.loads(run("matches", "--before", matches[0]["begun"], "--json", cwd=played))
    assert [row["id"] for row in older] == [row["id"] for row in matches[1:]]
    told = run("replay", matches[0]["id"][:5], cwd=played)
    assert told.startswith(f"Match {matches[0]['id']}\nRules standard/1")
    run("void", matches[0]["id"], "a power cut", cwd=played)
    assert "void: by operator: a power cut" in run("matches", cwd=played)
    assert json.loads(run("seasons", "--json", cwd=played))[0]["matches"] == 2


def test_a_backup_is_a_league_and_overwrites_nothing(played, tmp_path):
    copy = tmp_path / "copy.db"
    run("backup", copy, cwd=played)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert f"{copy} is there already" in refused("league", "backup", copy, cwd=played)
    assert refused("league", "backup", tmp_path / "no" / "copy.db", cwd=played).endswith(
        "No such file or directory\n"
    )
    (played / "league.db").unlink()
    copy.rename(played / "league.db")
    assert len(json.loads(run("ladder", "--json", cwd=played))) == 2


def test_recompute_sets_right_what_a_record_does_not_say(played):
    before = run("ladder", "--json", cwd=played)
    connection = sqlite3.connect(played / "league.db")
    connection.execute("UPDATE result SET winner = 'EW', points_ns = 0, tricks = 1")
    connection.execute("DELETE FROM standing")
    connection.commit()
    connection.close()
    told = run("recompute", cwd=played).splitlines()
    assert len(told) == 4
    assert all(line.endswith("was not what its record says, and was set right.") for line in told[:3])
    assert run("ladder", "--json", cwd=played) == before
    connection = sqlite3.connect(played / "league.db")
    connection.execute("""UPDATE record SET text = replace(text, '"NS":', '"NS": ')""")
    connection.commit()
    connection.close()
    broken = invoke("league", "recompute", cwd=played)
    assert broken.exit_code == 1
    assert "was altered" in broken.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["add", "fox", "--owner", "Nobody"], "there is no owner called 'Nobody'"),
        (["add", "wolf", "--owner", "Ana", "--run", "nothing.py:Bot"], "nothing.py"),
        (["add", "wolf", "--owner", "Ana", "--run", "human"], "human cannot be hosted"),
        (["add", "wolf", "--owner", "Ana", "--run", "external"], "external cannot be hosted"),
        (
            ["add", "wolf", "--owner", "Ana", "--run", "careful", "--options", "{"],
            "--options: this is not JSON",
        ),
        (
            ["add", "wolf", "--owner", "Ana", "--run", "careful", "--options", "[]"],
            "--options must be a JSON object",
        ),
        (["token", "fox", "--play", "--admin"], "--admin and --play exclude each other"),
        (["ladder", "--season", "7"], "there is no season 7: the newest is 1"),
        (["replay", "zzzz"], "there is no match zzzz"),
        (["void", "zzzz", "why"], "there is no match zzzz"),
        (["request", "fox", "fox"], "fox cannot play against itself"),
        (["show", "fuchs"], "there is no bot called 'fuchs'"),
    ],
)
def test_a_mistake_gets_one_sentence(folder, words, sentence):
    run("register", "Ana", cwd=folder)
    run("add", "fox", "--owner", "Ana", cwd=folder)
    told = refused("league", *words, cwd=folder)
    assert sentence in told
    assert len(told.splitlines()) == 1


def test_a_folder_without_a_league_and_a_file_with_mistakes(tmp_path, folder):
    assert refused("league", "ladder", cwd=tmp_path) == (
        "aluette: there is no league in .: make one with aluette league init .\n"
    )
    (folder / "league.toml").write_text('[league]\nname = "x"\ntable = 3\n')
    told = refused("league", "serve", "club", cwd=tmp_path)
    assert (
        told == "aluette: club/league.toml: line 3, league.table = 3: no such key (did you mean 'tables'?)\n"
    )


def test_addresses_that_are_not_safe_are_refused(folder):
    (folder / "league.toml").write_text('[league]\nname = "x"\n[serve]\nbots = "0.0.0.0:7000"\n')
    told = refused("league", "serve", ".", cwd=folder)
    assert told == (
        "aluette: league.toml, [serve]: bots = 0.0.0.0:7000 can be reached from other machines: "
        "give tls_cert and tls_key, or insecure = true to send tokens and cards in the clear\n"
    )


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb, tmp_path):
    result = invoke("league", verb, "--help", cwd=tmp_path)
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")
    assert f"\n  {VERBS[verb][1]}\n" in result.stdout
