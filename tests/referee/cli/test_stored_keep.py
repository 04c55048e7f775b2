"""A tournament that was played with `keep = "faults"`: the same table, and what is said where no record is."""

import json
import sqlite3
from contextlib import closing

import pytest
from referee.cli.club import Club, lines, write_club
from referee.cli.shell import aluette, invoke, refused


@pytest.fixture(scope="module")
def sparing(tmp_path_factory: pytest.TempPathFactory) -> Club:
    """The tournament of `played`, with records of matches with a fault alone. Not to be changed."""
    folder = tmp_path_factory.mktemp("sparing")
    write_club(folder)
    with (folder / "club.toml").open("a", encoding="utf-8") as file:
        file.write('\n[store]\nkeep = "faults"\n')
    run = aluette("tournament", "run", "club.toml", cwd=folder)
    assert run.returncode == 0, run.stderr
    exported = invoke("export", "club.db", cwd=folder)
    return Club(folder, run.stdout, run.stderr, exported.stdout_bytes)


def left_out(played: Club) -> list[str]:
    names = [str(line["id"]) for line in lines(played) if not line["result"]["fault"]]
    assert 1 < len(names) < len(lines(played))
    return names


def test_the_table_and_the_root_are_the_same(played, sparing):
    assert sparing.printed == played.printed
    for form in ("--json", "--csv"):
        shown = [invoke("tournament", "show", "club.db", form, cwd=each.folder) for each in (played, sparing)]
        assert shown[0].stdout == shown[1].stdout != ""


def test_verify_says_how_many_records_were_not_kept(played, sparing):
    root = played.printed.partition("Root of the records: ")[2].split()[0]
    out = len(left_out(played))
    for options in ([], ["--root", root]):
        result = invoke("verify", "club.db", *options, cwd=sparing.folder)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == (
            f"{12 - out} matches hold. Root {root}\n"
            f'{out} records were not kept (keep = "faults"): the points of these matches cannot be checked; '
            "their digests are in the root.\n"
        )


def test_one_that_was_not_kept_is_one(played, sparing, tmp_path):
    """As if the run had gone on with keep = "faults", and all but one were kept."""
    others = left_out(played)[1:]
    club = sparing.copy(tmp_path)
    with closing(sqlite3.connect(played.database)) as connection:
        rows = connection.execute("SELECT match, text, timing FROM record").fetchall()
    with closing(sqlite3.connect(club.database)) as connection, connection:
        connection.executemany(
            "INSERT INTO record (match, text, timing) VALUES (?, ?, ?)",
            [row for row in rows if row[0] in others],
        )
    said = invoke("verify", "club.db", cwd=club.folder)
    assert said.stdout.startswith("11 matches hold. Root ")
    assert said.stdout.splitlines()[1] == (
        '1 record was not kept (keep = "faults"): the points of this match cannot be checked; '
        "its digest is in the root."
    )
    told = invoke("export", "club.db", cwd=club.folder).stderr
    assert told == '1 match is left out: its record was not kept (keep = "faults").\n'


def test_a_record_of_a_fault_that_was_removed_is_damage(played, sparing, tmp_path):
    club = sparing.copy(tmp_path)
    match = lines(club)[0]["id"]
    with closing(sqlite3.connect(club.database)) as connection, connection:
        connection.execute("DELETE FROM record WHERE match = ?", [match])
    for command in (["verify", "club.db"], ["export", "club.db", "-o", "out"]):
        result = invoke(*command, cwd=club.folder)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"aluette: match {match} does not hold: it counts, but has no record\n"
    assert not (club.folder / "out").exists()


def test_a_commitment_is_checked_without_a_record(sparing, played, tmp_path):
    club = sparing.copy(tmp_path)
    block = next(
        line["block"]
        for line, other in zip(lines(played)[::2], lines(played)[1::2], strict=True)
        if not line["result"]["fault"] and not other["result"]["fault"]
    )
    with closing(sqlite3.connect(club.database)) as connection, connection:
        connection.execute("UPDATE block SET commitment = '00' WHERE id = ?", [block])
    result = invoke("verify", "club.db", cwd=club.folder)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("the block's key is not the one that was committed to\n")


def test_all_matches_are_listed_and_marked(played, sparing):
    marked = [
        line + "   no record" * (line.split()[0] in left_out(played))
        for line in invoke("replay", "club.db", cwd=played.folder).stdout.splitlines()
    ]
    assert invoke("replay", "club.db", cwd=sparing.folder).stdout.splitlines() == marked


def test_a_match_without_a_record_is_refused_in_a_sentence(played, sparing):
    match = left_out(played)[0]
    sentence = (
        f'aluette: the record and the logs of match {match} were not kept: it was played with keep = "faults", '
        'and no bot made a fault in it (to see such matches, set keep = "all" in [store] and play into another '
        "database)\n"
    )
    where = ("--until", "1.2", "--seat", "N", "--bot", "lowest")
    for command in (
        ["replay", "club.db", match],
        ["replay", "club.db", match, *where],
        ["logs", "club.db", match, "N"],
    ):
        assert refused(*command, cwd=sparing.folder) == sentence


def test_a_match_with_a_fault_is_shown(played, sparing):
    for match in lines(sparing):
        # The evidence names the folder and the time.
        seat = next(seat for seat in "NESW" if seat != match["result"]["fault"]["seat"])
        command = ("replay", "club.db", match["id"], "--seat", seat)
        whole, other = (invoke(*command, cwd=each.folder).stdout for each in (played, sparing))
        assert whole == other != ""
        assert invoke("logs", "club.db", match["id"], "N", cwd=sparing.folder).exit_code == 0


def test_an_export_is_of_what_is_there(played, sparing):
    out = left_out(played)
    there = [line for line in played.exported.splitlines() if json.loads(line)["id"] not in out]
    assert sparing.exported.splitlines() == there
    assert invoke("export", "club.db", cwd=sparing.folder).stderr == (
        f'{len(out)} matches are left out: their records were not kept (keep = "faults").\n'
    )
