"""`aluette tournament`: running one again, extending and changing it; one real run serves all."""

import json
import re
import sqlite3
from contextlib import closing

import pytest
from referee.cli.club import LEGEND, MATCHES, Club, write_club
from referee.cli.shell import invoke, processes_in, refused

from aluette_referee.play import tournament
from aluette_referee.store import create_or_open, open_existing


def in_process(club: Club, *options: str):
    """Run the tournament within this process: by the core promise it makes no difference."""
    return invoke("tournament", "run", "club.toml", "--in-process", *options, cwd=club.folder)


def exported(club: Club, database: str = "club.db") -> list[bytes]:
    result = invoke("export", database, cwd=club.folder)
    assert result.exit_code == 0
    return result.stdout_bytes.splitlines()


def content(club: Club) -> list[str]:
    """All that the database holds."""
    with closing(sqlite3.connect(club.database)) as connection:
        return list(connection.iterdump())


def of_teams(lines: list[bytes], *names: str) -> list[bytes]:
    """Those matches that were played between these teams."""
    return [line for line in lines if set(json.loads(line)["teams"].values()) <= set(names)]


# -- one run ------------------------------------------------------------------------------------------------


def test_what_a_run_prints(played):
    lines = [line.rstrip() for line in played.printed.splitlines() if line.strip()]
    assert lines[0] == "Soirée [club]: round-robin, 2 blocks a pairing, standard/1"
    assert lines[1].split() == [
        "#",
        "Team",
        "Played",
        "Won",
        "Drawn",
        "Lost",
        "Points",
        "Elo",
        "Deals",
        "Faults",
    ]
    assert {line.split()[1] for line in lines[3:6]} == {"Ana", "Béa", "Zoé"}
    assert {line.split()[2] for line in lines[3:6]} == {"8"}
    assert lines[6] == LEGEND
    assert lines[7].split() == ["#", "Team", "1", "2", "3"]
    assert [line.split()[1 + rank] for rank, line in enumerate(lines[9:12], start=1)] == ["·", "·", "·"]
    assert lines[12].startswith("Match points, of 4 matches, ")
    del lines[7:13]
    assert lines[7] == f"{MATCHES} matches played, 0 void."
    assert lines[8] == "Faults: forfeit. Clock: 60 s a move."
    assert re.fullmatch(r"Packs: open \(seed ouest\). Root of the records: [0-9a-f]{64}", lines[9])
    fault = (
        r"Fault: Zoé, bot [12], failed in deal 5, trick [1-9], match [0-9a-z]{12}-[12]: "
        r"ValueError: what is one to do with (3D|3C)\?"
    )
    assert all(re.fullmatch(fault, line) for line in lines[10:-1])
    assert lines[-1].endswith("see one with: aluette replay club.db MATCH)")
    assert len(lines) > 11
    assert "\x1b" not in played.printed
    assert f"{MATCHES} of {MATCHES} matches played" in played.told


def test_nothing_is_left_behind_but_the_database(played):
    names = {path.name for path in played.folder.iterdir()} - {"__pycache__"}
    assert names == {"club.toml", "clubbots.py", "club.db"}
    assert processes_in(played.folder) == []


def test_one_process_makes_the_same_export_byte_for_byte(club):
    result = in_process(club, "--db", "other.db")
    assert result.exit_code == 0
    assert b"".join(line + b"\n" for line in exported(club, "other.db")) == club.exported
    assert result.stdout.replace("other.db", "club.db") == club.printed


# -- running it again ---------------------------------------------------------------------------------------


def test_a_second_run_plays_nothing_and_prints_the_table_at_once(club, monkeypatch):
    monkeypatch.setattr(tournament, "play_plans", None)
    monkeypatch.setattr(tournament, "check_launches", None)
    before = content(club)
    result = invoke("tournament", "run", "club.toml", cwd=club.folder)
    assert (result.exit_code, result.stdout, result.stderr) == (0, club.printed, "")
    assert content(club) == before


def test_more_blocks_are_played_in_addition(club):
    club.edit("blocks = 2", "blocks = 3")
    result = in_process(club)
    assert result.exit_code == 0
    assert f"\n{MATCHES + 6} matches played, 0 void.\n" in result.stdout
    assert f"{MATCHES + 6} of {MATCHES + 6} matches played" in result.stderr
    assert exported(club)[:MATCHES] == club.exported.splitlines()


def test_fewer_blocks_leave_the_rest_out_of_the_table(club):
    club.edit("blocks = 2", "blocks = 1")
    result = in_process(club)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "\n6 matches played, 0 void.\n" in result.stdout
    assert exported(club) == club.exported.splitlines()[:6]


def test_a_third_team_extends_a_tournament_of_two(played, tmp_path):
    club = played._replace(folder=tmp_path)
    write_club(tmp_path)
    club.edit('[[team]]\nname = "Zoé"\nbot = "clubbots.py:Forgetful"\n', "")
    assert "\n4 matches played, 0 void.\n" in in_process(club).stdout
    write_club(tmp_path)
    result = in_process(club)
    assert result.exit_code == 0
    assert result.stderr.splitlines()[0] == "Zoé is new."
    assert f"\n{MATCHES} matches played, 0 void.\n" in result.stdout
    # The order is that of a schedule of three; the matches are those of a tournament that always had three.
    assert exported(club) == club.exported.splitlines()


def test_a_team_that_is_taken_out_leaves_the_table(club):
    club.edit('[[team]]\nname = "Zoé"\nbot = "clubbots.py:Forgetful"\n', "")
    result = in_process(club)
    assert result.stderr == "Zoé is not in the file any more: its matches leave the table.\n"
    assert "\n4 matches played, 0 void.\n" in result.stdout
    assert exported(club) == of_teams(club.exported.splitlines(), "Ana", "Béa")


def test_a_changed_bot_plays_anew(club):
    club.edit('bots = ["clubbots.py:highest", "clubbots.py:lowest"]', 'bot = "clubbots.py:lowest"')
    result = in_process(club)
    assert result.exit_code == 0
    assert result.stderr.splitlines()[0] == (
        "The bots of Béa have changed: it plays anew, its old matches leave the table."
    )
    assert f"\n{MATCHES} matches played, 0 void.\n" in result.stdout
    old, new = club.exported.splitlines(), exported(club)
    assert of_teams(new, "Ana", "Zoé") == of_teams(old, "Ana", "Zoé")
    assert set(of_teams(new, "Ana", "Béa")).isdisjoint(old)
    assert json.loads(new[0])["key"] == json.loads(old[0])["key"]  # the packs are the same
    assert invoke("verify", "club.db", cwd=club.folder).exit_code == 0


def test_a_changed_bot_file_changes_all_teams_that_play_with_it(club):
    club.edit("return view.hand[0]", "return view.hand[1 - len(view.hand)]", "clubbots.py")
    result = in_process(club)
    said = "have changed: it plays anew, its old matches leave the table."
    assert result.stderr.splitlines()[:3] == [f"The bots of {name} {said}" for name in ("Ana", "Béa", "Zoé")]
    # A match of before the change can still be looked at.
    old = json.loads(club.exported.splitlines()[0])
    assert invoke("replay", "club.db", old["id"], cwd=club.folder).exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        (
            "[clock]",
            '[rules]\ntie = "extra_deals"\n[clock]',
            "rules were standard/1 and are now standard/1+tie=extra_deals",
        ),
        ('move = "60s"', 'move = "none"', "clock.move was 60 s and is now off"),
        ('seed = "ouest"', "", "seed was ouest and is now secret"),
        ("blocks = 2", "blocks = 2\nnames = true", "names were off and are now on"),
        ("Soirée [club]", "Matinée", "name was Soirée [club] and is now Matinée"),
    ],
)
def test_what_may_not_change_is_refused_with_the_difference(club, old, new, difference):
    before = content(club)
    club.edit(old, new)
    assert refused("tournament", "run", "club.toml", "--in-process", cwd=club.folder) == (
        f"aluette: club.db holds a contest that is played otherwise: {difference}"
        " (change that back, or give this contest a database of its own)\n"
    )
    assert content(club) == before


def test_what_bots_print_in_this_process_is_not_among_the_results(played, tmp_path):
    club = played.copy(tmp_path)
    write_club(tmp_path)
    club.edit("import aluette\n", "import aluette\nprint('loaded')\n", "clubbots.py")
    club.edit("return view.hand[0]", "print('highest'); return view.hand[0]", "clubbots.py")
    result = in_process(club, "--db", "other.db")
    assert result.exit_code == 0
    assert not {"loaded", "highest"} & set(result.stdout.splitlines())
    assert {"loaded", "highest"} <= set(result.stderr.splitlines())
    assert result.stdout.startswith("\nSoirée [club]: ")


# -- where the results go -----------------------------------------------------------------------------------


def test_a_database_that_another_run_has_open(club):
    with open_existing(club.database) as archive:
        contest, entrants = archive.contest, archive.entrants
    store, _ = create_or_open(club.database, contest, entrants)
    with store:
        told = refused("tournament", "run", "club.toml", "--in-process", cwd=club.folder)
        assert told == "aluette: club.db is in use by another run\n"
        # Looking at it is no run.
        assert invoke("tournament", "show", "club.db", cwd=club.folder).stdout == club.printed


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("club.toml", "club.toml cannot be opened: file is not a database"),
        (".", ". is a folder, not a database file"),
        ("nowhere/club.db", "nowhere/club.db cannot be "),
        ("foreign.db", "foreign.db is not a contest's database: it is an SQLite file of another program"),
        ("empty.db", "empty.db is an empty file, not a database"),
    ],
)
def test_a_place_that_cannot_be_the_database(place, sentence, tmp_path):
    write_club(tmp_path)
    (tmp_path / "empty.db").touch()
    with closing(sqlite3.connect(tmp_path / "foreign.db")) as connection:
        connection.execute("CREATE TABLE cards (name TEXT)")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    told = refused("tournament", "run", "club.toml", "--db", place, "--in-process", cwd=tmp_path)
    assert told.startswith(f"aluette: {sentence}")
    assert len(told.splitlines()) == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_a_database_elsewhere(club):
    assert in_process(club, "--db", "sub.db").exit_code == 0
    assert (club.folder / "sub.db").stat().st_mode & 0o077 == 0  # its key is nobody else's business
