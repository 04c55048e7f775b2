"""What is done with a stored contest: `replay`, `export`, `verify`."""

import json
import re
import shlex
import sqlite3
import subprocess
from contextlib import closing

import pytest
from referee.cli.club import Club
from referee.cli.shell import COMMAND, ENVIRONMENT, invoke, refused

from aluette.record import digest
from aluette.seats import Seat
from aluette_referee.report.transcript import transcript


def lines(club: Club) -> list[dict[str, object]]:
    return [json.loads(line) for line in club.exported.splitlines()]


def record(line):
    return {name: value for name, value in line.items() if list(line).index(name) > 5}


def with_fault(club: Club):
    return next(line for line in lines(club) if line["result"]["fault"])


# -- replay -------------------------------------------------------------------------------------------------


def test_without_an_id_the_matches_are_listed(played):
    listed = invoke("replay", "club.db", cwd=played.folder).stdout.splitlines()
    matches = lines(played)
    assert [line.split()[0] for line in listed] == [match["id"] for match in matches]
    for line, match in zip(listed, matches, strict=True):
        assert f"{match['result']['NS']}-{match['result']['EW']}" in line


def test_a_match_is_printed_by_the_beginning_of_its_id(played):
    match, *others = sorted(lines(played), key=lambda line: line["result"]["fault"] is not None)
    result = invoke("replay", "club.db", match["id"], cwd=played.folder)
    assert (result.exit_code, result.stderr) == (0, "")
    printed = result.stdout.splitlines()
    assert printed[0] == f"Match {match['id']}: {match['teams']['NS']} - {match['teams']['EW']} (NS - EW)"
    slots = dict(zip("NESW", (1, 1, 2, 2), strict=True))
    teams = dict(zip("NESW", 2 * [match["teams"]["NS"], match["teams"]["EW"]], strict=True))
    seated = {seat: f"{teams[seat.name]} {slots[seat.name]} ({match['seats'][seat.name]})" for seat in Seat}
    assert printed[1:] == list(transcript(record(match), seated))
    begin = next(
        match["id"][:size]
        for size in range(1, 15)
        if not any(other["id"].startswith(match["id"][:size]) for other in others)
    )
    assert invoke("replay", "club.db", begin.upper(), cwd=played.folder).stdout == result.stdout


@pytest.mark.parametrize("seat", ["N", "e", "S", "w"])
def test_a_match_as_one_seat_saw_it(played, seat):
    match = lines(played)[-1]
    result = invoke("replay", "club.db", match["id"], "--seat", seat, cwd=played.folder)
    expected = list(transcript(record(match), None, Seat[seat.upper()]))
    assert result.stdout.splitlines()[1] == f"Rules standard/1, as seen from {seat.upper()}"
    assert result.stdout.splitlines()[3:][: len(expected) - 1] == expected[1:]
    assert "Stock" not in result.stdout


def test_the_evidence_of_a_fault_is_for_its_own_seat_and_for_who_may_see_all(played):
    match = with_fault(played)
    at_fault = match["result"]["fault"]["seat"]
    whole = invoke("replay", "club.db", match["id"], cwd=played.folder).stdout
    assert re.search(rf"^{at_fault} \(Zoé . \(.*\)\): failed in deal 5, trick \d$", whole, re.MULTILINE)
    assert "\n  Traceback (most recent call last)" in whole
    assert re.search(r"^  ValueError: what is one to do with ..\?$", whole, re.MULTILINE)
    for seat in "NESW":
        seen = invoke("replay", "club.db", match["id"], "--seat", seat, cwd=played.folder).stdout
        assert f"Fault: {at_fault} failed in deal 5" in seen
        assert ("ValueError" in seen) == (seat == at_fault)


def test_a_seat_is_of_one_match(played):
    assert refused("replay", "club.db", "--seat", "N", cwd=played.folder) == (
        "aluette: --seat shows one match: say which, by its id; without --seat the ids are listed\n"
    )


@pytest.mark.parametrize("seat", ["X", "", "NS", "north"])
def test_a_seat_that_there_is_not(played, seat):
    assert refused("replay", "club.db", lines(played)[0]["id"], "--seat", seat, cwd=played.folder) == (
        f"aluette: {seat!r} is no seat: write N, E, S or W\n"
    )


def test_a_match_that_there_is_not(played):
    first = lines(played)[0]["id"]
    wrong = ("0" if first[0] != "0" else "1") + first[1:]
    assert refused("replay", "club.db", wrong, cwd=played.folder) == (
        f"aluette: there is no match {wrong!r} in club.db: did you mean {first!r}?\n"
    )
    told = refused("replay", "club.db", first[:-2], cwd=played.folder)
    assert told == f"aluette: {first[:-2]!r} is the beginning of several ids: {first[:-1]}1, {first[:-1]}2\n"


# -- export -------------------------------------------------------------------------------------------------


def test_an_export_into_a_file_is_the_same(club):
    for _ in range(2):  # it may be written again
        result = invoke("export", "club.db", "--output", "club.jsonl", cwd=club.folder)
        assert (result.exit_code, result.output) == (0, "")
        assert (club.folder / "club.jsonl").read_bytes() == club.exported
    assert len(list(club.folder.glob(".*"))) == 0


def test_an_export_with_timing(played):
    result = invoke("export", "club.db", "--timing", cwd=played.folder)
    for line, plain in zip(map(json.loads, result.stdout.splitlines()), lines(played), strict=True):
        timing = line.pop("timing")
        assert line == plain
        assert set(timing) == set("NESW")
        assert all(clock["answers"] > 10 for clock in timing.values())


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("nowhere/club.jsonl", "nowhere/club.jsonl cannot be written: No such file or directory"),
        (".", ". is a folder; give the name of a file"),
        ("club.db", "club.db is the database itself; export into another file"),
        ("../same.db", "../same.db is the database itself; export into another file"),
    ],
)
def test_where_an_export_cannot_go(club, place, sentence):
    (club.folder.parent / "same.db").unlink(missing_ok=True)
    (club.folder.parent / "same.db").symlink_to(club.database)
    before = club.database.read_bytes(), sorted(club.folder.iterdir())
    told = refused("export", "club.db", "-o", place, cwd=club.folder)
    assert told == f"aluette: {sentence}\n"
    assert (club.database.read_bytes(), sorted(club.folder.iterdir())) == before


def test_an_export_leaves_out_half_a_block_and_says_so(club):
    last = lines(club)[-1]["id"]
    with closing(sqlite3.connect(club.database)) as connection, connection:
        connection.execute("DELETE FROM record WHERE match = ?", [last])
        connection.execute("DELETE FROM match WHERE id = ?", [last])
    result = invoke("export", "club.db", cwd=club.folder)
    assert result.exit_code == 0
    assert result.stdout_bytes == b"".join(line + b"\n" for line in club.exported.splitlines()[:-2])
    assert result.stderr == ("1 match is left out: the other match of its block is still to be played.\n")
    told = refused("replay", "club.db", last[:-1] + "1", cwd=club.folder)
    assert "cannot be shown yet: the other leg of its block is still to be played" in told


def test_a_reader_that_has_seen_enough(played):
    """As in `aluette export club.db | head -1`."""
    process = subprocess.Popen(
        [COMMAND, "export", "club.db"],
        cwd=played.folder,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


# -- verify -------------------------------------------------------------------------------------------------


def root_of(club: Club) -> str:
    return club.printed.partition("Root of the records: ")[2].split()[0]


def test_what_was_played_holds(played):
    root = root_of(played)
    for options in ([], ["--root", root], ["--root", f" {root.upper()}"]):
        result = invoke("verify", "club.db", *options, cwd=played.folder)
        assert (result.exit_code, result.stdout) == (0, f"12 matches hold. Root {root}\n")


def test_another_root_than_the_one_that_was_printed(played):
    wrong = root_of(played)[::-1]
    result = invoke("verify", "club.db", "--root", wrong, cwd=played.folder)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"aluette: the root is {root_of(played)}, not {wrong}: records were changed, added or removed since\n"
    )


def tamper(club: Club, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(club.database)) as connection, connection:
        assert connection.execute(statement, values).rowcount >= 1


def swap_cards(club: Club, match, where) -> None:
    """Two cards change places in the record, and its digest is made to fit."""
    changed = json.loads(json.dumps(record(match)))
    cards = where(changed)
    cards[0], cards[-1] = cards[-1], cards[0]
    text = json.dumps(changed, ensure_ascii=False, separators=(",", ":"))
    tamper(club, "UPDATE record SET text = ? WHERE match = ?", text, match["id"])
    tamper(club, "UPDATE match SET digest = ? WHERE id = ?", digest(changed), match["id"])


def test_what_was_changed_in_the_database_is_named_with_match_and_place(club):
    match = next(line for line in lines(club)[4:] if not line["result"]["fault"])
    pack = match["deals"][2]["pack"]
    swap_cards(club, match, lambda changed: changed["deals"][2]["pack"])
    result = invoke("verify", "club.db", cwd=club.folder)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"aluette: match {match['id']} does not hold: "
        f"deal 3: pack.1 is '{pack[-1]}'; by the rules it is '{pack[0]}'\n"
    )
    # Without a key it is still no match by the rules.
    assert invoke("replay", "club.db", match["id"], cwd=club.folder).exit_code == 1


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "UPDATE record SET text = replace(text, '3D', '3C') WHERE match = '{id}'",
            "the record is not the one that its digest was made of",
        ),
        (
            "UPDATE match SET points_ns = points_ns + 1 WHERE id = '{id}'",
            "the table counts ({more}, {EW}, {winner!r}), but the record says ({NS}, {EW}, {winner!r})",
        ),
        (
            (
                'UPDATE match SET faults = \'[{{"type": "late", "seat": "N", "deal": 1, "trick": 1, '
                '"evidence": ""}}]\' WHERE id = \'{id}\''
            ),
            (
                "result is {result}; by the faults it is {{'NS': 0, 'EW': 5, 'winner': 'EW', 'fault': "
                "{{'type': 'late', 'seat': 'N', 'deal': 1, 'trick': 1}}}}"
            ),
        ),
        (
            "UPDATE block SET commitment = '00' WHERE id = '{block}'",
            "the block's key is not the one that was committed to",
        ),
        (
            "UPDATE contest SET settings = replace(settings, 'standard/1', 'standard/1+tie=extra_deals')",
            "rules is 'standard/1'; the contest's are 'standard/1+tie=extra_deals'",
        ),
    ],
    ids=["record", "points", "faults", "commitment", "rules"],
)
def test_every_kind_of_tampering_ends_with_1(club, statement, sentence):
    match = lines(club)[0]
    words = {**match, **match["result"], "more": match["result"]["NS"] + 1}
    tamper(club, statement.format_map(words))
    result = invoke("verify", "club.db", cwd=club.folder)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"aluette: match {match['id']} does not hold: {sentence.format_map(words)}\n"


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "UPDATE contest SET key = zeroblob(32)",
            "the contest was altered: its key is not that of seed ouest",
        ),
        (
            "UPDATE contest SET key = 'short'",
            "the contest was altered: it is not in the form in which it is stored",
        ),
        (
            "UPDATE contest SET blocks = 0",
            "the contest was altered: it is not in the form in which it is stored",
        ),
        ("DELETE FROM contest", "the contest itself was removed from club.db"),
    ],
)
def test_an_altered_contest_is_named(club, statement, sentence):
    tamper(club, statement)
    result = invoke("verify", "club.db", cwd=club.folder)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", f"aluette: {sentence}\n")


def test_a_team_whose_name_was_altered_is_named(club):
    tamper(club, "UPDATE team SET name = name || '!' WHERE position = 0")
    result = invoke("verify", "club.db", cwd=club.folder)
    assert result.exit_code == 1
    assert "!' was altered" in result.stderr


def test_a_fault_that_was_taken_away(club):
    match = with_fault(club)
    tamper(club, "UPDATE match SET faults = NULL WHERE id = ?", match["id"])
    result = invoke("verify", "club.db", cwd=club.folder)
    assert result.exit_code == 1
    assert result.stderr == (
        f"aluette: match {match['id']} does not hold: result names a fault, but none is stored\n"
    )


def test_a_match_that_was_taken_away_is_seen_by_the_root(club):
    last = lines(club)[-1]["id"]
    tamper(club, "DELETE FROM record WHERE match = ?", last)
    tamper(club, "DELETE FROM match WHERE id = ?", last)
    result = invoke("verify", "club.db", cwd=club.folder)
    assert (result.exit_code, result.stdout.partition(".")[0]) == (0, "10 matches hold")
    result = invoke("verify", "club.db", "--root", root_of(club), cwd=club.folder)
    assert result.exit_code == 1
    assert "records were changed, added or removed since" in result.stderr


def test_a_match_that_counts_without_a_record(club):
    match = lines(club)[0]
    tamper(club, "DELETE FROM record WHERE match = ?", match["id"])
    result = invoke("verify", "club.db", cwd=club.folder)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"aluette: block {match['block']} does not hold: both its matches count, but not both have a record\n"
    )


@pytest.mark.parametrize("command", [["verify"], ["export"], ["tournament", "show"], ["replay", "M"]])
@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("nowhere.db", "there is no database nowhere.db"),
        (".", ". is a folder, not a database file"),
        ("club.toml", "club.toml cannot be opened: file is not a database"),
    ],
)
def test_a_database_that_is_not_there(command, place, sentence, played):
    *command, match = [*command, None] if command[0] != "replay" else command
    args = [*command, place] + ([match] if match else [])
    assert refused(*args, cwd=played.folder) == f"aluette: {sentence}\n"
    assert not (played.folder / "nowhere.db").exists()


def test_a_bot_is_put_back_into_the_position_of_its_fault(played):
    match = with_fault(played)
    fault = match["result"]["fault"]
    whole = invoke("replay", "club.db", match["id"], cwd=played.folder).stdout
    (command,) = re.findall(r"^  to that position: aluette (.*)$", whole, re.MULTILINE)
    said = invoke(*shlex.split(command), cwd=played.folder)
    assert said.exit_code == 0
    assert (
        f"{fault['seat']}, in deal {fault['deal']}, trick {fault['trick']}: clubbots.py:Forgetful"
        in said.stdout
    )
    assert "\nThe record ends here.\nIt answers with an exception:\nTraceback" in said.stdout
    assert "\nValueError: what is one to do with " in said.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--until", "2.4"), "--until and --bot go together"),
        (("--bot", "lowest"), "--until and --bot go together"),
        (("--until", "x", "--bot", "lowest", "--seat", "N"), "--until x is no position"),
        (("--until", "9.1", "--bot", "lowest", "--seat", "N"), "N had no turn in deal 9, trick 1"),
        (("--until", "1.1", "--bot", "nobody", "--seat", "N"), "'nobody' is no built-in bot"),
    ],
)
def test_what_cannot_be_put_back_is_said(played, arguments, sentence):
    assert sentence in refused("replay", "club.db", lines(played)[0]["id"], *arguments, cwd=played.folder)


def test_where_nobody_was_at_fault_the_seat_must_be_said(played):
    match = next(line for line in lines(played) if line["result"]["fault"] is None)
    told = refused("replay", "club.db", match["id"], "--until", "1.1", "--bot", "lowest", cwd=played.folder)
    assert "say with --seat where the bot is to sit" in told
