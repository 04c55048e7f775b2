"""`aluette report`: the page of a contest, whatever was played of it."""

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from referee.cli.club import Club
from referee.cli.shell import invoke, refused
from referee.cli.test_formats import run, write
from referee.store.club import entrant

from aluette_referee.contest.file import read_contest
from aluette_referee.store import create_or_open, open_existing


def page_of(folder, *options, database="club.db") -> str:
    """What is written; nothing is printed, and nothing else is left."""
    before = set(folder.iterdir())
    result = invoke("report", database, "-o", "page.html", *options, cwd=folder)
    assert (result.exit_code, result.output) == (0, "")
    assert {path.name for path in set(folder.iterdir()) - before} <= {"page.html"}
    return (folder / "page.html").read_text(encoding="utf-8")


def shown(page: str) -> list[str]:
    """The ids of the matches that can be looked at."""
    found = re.search(r'<script type="application/json" id="matches">(.*?)</script>', page, re.DOTALL)
    return [] if found is None else [match["id"] for match in json.loads(found[1])]


def cells(page: str, heading: str) -> list[list[str]]:
    """The body of the first table after a heading, as text."""
    body = re.search(rf">{heading}</h[23]>.*?<tbody>(.*?)</tbody>", page, re.DOTALL)[1]
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [
        [re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in rows
    ]


def test_a_page_says_what_the_terminal_says(club: Club):
    page = page_of(club.folder)
    told = json.loads(
        invoke("tournament", "show", "club.db", "--table", "all", "--json", cwd=club.folder).stdout
    )
    assert [(row[0], row[1]) for row in cells(page, "Standings")] == [
        (str(team["rank"]), team["name"]) for team in told["standings"]
    ]
    assert cells(page, "Blocks by score")[0][1] == told["blocks"][0]["name"]
    assert len(cells(page, "Likelihood of superiority")) == 3
    with open_existing(club.database) as archive:
        assert f"--root {archive.root()}" in page
        assert "open (seed ouest)" in page
        assert len(shown(page)) == archive.matches_played() == 12
        # The key of each block, and what was committed to.
        for of_block in archive.schedule():
            key = of_block.key(archive.key)
            assert key.commitment in page
            assert key.secret.hex() in page
    assert "ValueError: what is one to do with" in page
    assert "Traceback" not in page
    assert "12 matches played" in page


def test_the_file_on_the_page_plays_the_same_again(club: Club):
    page = page_of(club.folder)
    text = (
        re.search(r'<pre class="file">(.*?)</pre>', page, re.DOTALL)[1]
        .replace("&#34;", '"')
        .replace("&#39;", "'")
    )
    (club.folder / "again.toml").write_text(text, encoding="utf-8")
    assert invoke("tournament", "run", "again.toml", "--in-process", cwd=club.folder).exit_code == 0
    assert invoke("export", "again.db", cwd=club.folder).stdout_bytes == club.exported


def test_the_same_bytes_each_time(club: Club):
    assert page_of(club.folder) == page_of(club.folder)


def test_the_values_of_an_environment_are_not_on_it(club: Club):
    club.edit('"clubbots.py:highest"', '{ run = "clubbots.py:highest", env = { TOKEN = "hunter2" } }')
    run_again = invoke("tournament", "run", "club.toml", "--in-process", cwd=club.folder)
    assert run_again.exit_code == 0
    page = page_of(club.folder)
    assert "TOKEN" in page
    assert "hunter2" not in page


def test_what_a_bot_says_of_its_environment_is_not_on_it(club: Club):
    club.edit(
        'bot = "clubbots.py:Forgetful"',
        'bot = { run = "clubbots.py:Forgetful", env = { TOKEN = "hunter2" } }',
    )
    club.edit('f"what is one to do with {view.hand[0]}?"', '"my token is hunter2"', "clubbots.py")
    assert invoke("tournament", "run", "club.toml", "--in-process", cwd=club.folder).exit_code == 0
    page = page_of(club.folder)
    assert "ValueError: my token is ..." in page
    assert "hunter2" not in page
    with open_existing(club.database) as archive:
        match = next(iter(archive.faults())).match
    assert invoke("replay", "club.db", match, "--html", "m.html", cwd=club.folder).exit_code == 0
    page = (club.folder / "m.html").read_text(encoding="utf-8")
    assert "my token is ..." in page
    assert not any(word in page for word in ("hunter2", str(club.folder), "Traceback"))


def test_as_many_matches_as_one_asks_for(club: Club):
    ids = shown(page_of(club.folder, "--matches", 4))
    assert len(ids) == 4
    with open_existing(club.database) as archive:
        faulty = {blame.match for blame in archive.faults()}
    assert {name in faulty for name in ids[:2]} == {True}
    none = page_of(club.folder, "--matches", 0)
    assert shown(none) == []
    assert "<script" not in none
    assert "script-src" not in none


def test_without_charts(club: Club):
    assert '<svg class="chart"' in page_of(club.folder)
    assert '<svg class="chart"' not in page_of(club.folder, "--no-charts")


def test_without_matplotlib_one_is_told_what_to_do(club: Club):
    code = "import sys; sys.modules['matplotlib'] = None; from aluette_referee.cli import main; main()"
    words = [sys.executable, "-c", code, "report", "club.db", "-o", "page.html"]
    done = subprocess.run(words, cwd=club.folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "aluette: charts need matplotlib, which is not installed: python -m pip install matplotlib, or --no-charts\n"
    )
    assert not list(club.folder.glob("*page.html*"))
    assert subprocess.run([*words, "--no-charts"], cwd=club.folder, check=False).returncode == 0


def test_where_it_cannot_be_written(club: Club):
    assert refused("report", "club.db", "-o", ".", cwd=club.folder).startswith("aluette: . is a folder;")
    assert "is the database itself" in refused("report", "club.db", "-o", "club.db", cwd=club.folder)
    assert "cannot be written" in refused("report", "club.db", "-o", "no/page.html", cwd=club.folder)
    assert refused("report", "other.db", "-o", "page.html", cwd=club.folder).startswith("aluette: ")
    assert not (club.folder / "page.html").exists()


@pytest.mark.parametrize("kind", ["individual", "knockout", "swiss"])
def test_formats_of_all_kinds(tmp_path, kind):
    write(tmp_path, kind)
    assert run(tmp_path).exit_code == 0
    page = page_of(tmp_path, database="t.db")
    assert ("With strangers" in page) is (kind == "individual")
    assert ('<th scope="col" class="name">Bot</th>' in page) is (kind == "individual")


def test_a_contest_that_has_not_begun(club: Club):
    (club.folder / "club.db").unlink()
    contest = read_contest(club.file.read_text(encoding="utf-8"), built_in=[])
    create_or_open(club.database, contest, [entrant(team.name) for team in contest.teams])[0].close()
    page = page_of(club.folder)
    assert "0 matches played, 12 still to be played" in page
    assert "Nobody has met anybody yet." in page
    assert "No bot was at fault." in page


def test_of_a_block_that_is_not_complete_nothing_is_shown(club: Club):
    with open_existing(club.database) as archive:
        first = next(iter(archive.faults())).match
        other = first[:-1] + ("1" if first.endswith("2") else "2")
        key = next(block for block in archive.schedule() if block.id == first[:-2]).key(archive.key)
    with closing(sqlite3.connect(club.database)) as connection, connection:
        connection.execute("DELETE FROM record WHERE match = ?", [other])
        connection.execute("DELETE FROM match WHERE id = ?", [other])
    page = page_of(club.folder)
    assert first not in shown(page)
    assert len(shown(page)) == 10
    assert key.secret.hex() not in page
    row = next(row for row in cells(page, "Faults") if row)
    assert row


def test_matches_whose_records_were_not_kept_are_left_out(club: Club):
    (club.folder / "club.db").unlink()
    club.edit("[clock]", '[store]\nkeep = "faults"\n\n[clock]')
    assert invoke("tournament", "run", "club.toml", "--in-process", cwd=club.folder).exit_code == 0
    page = page_of(club.folder)
    with open_existing(club.database) as archive:
        faulty = {blame.match for blame in archive.faults()}
    assert set(shown(page)) == faulty != set()
