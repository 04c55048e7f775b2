"""What is done with a stored contest: `replay` and `export`; and where there is none, by any command."""

import json
import re
import shlex
import signal
import sqlite3
import subprocess
from contextlib import closing

import pytest
from referee.cli.club import lines, record, with_fault
from referee.cli.shell import COMMAND, ENVIRONMENT, invoke, processes_in, refused, started, until

from aluette.seats import Seat
from aluette_referee.report.transcript import transcript

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
        "aluette: --seat shows one match: say which, by its id; with the database alone the ids are listed\n"
    )
    where = ("--until", "1.2", "--bot", "lowest")
    assert "--bot is put back into one match" in refused("replay", "club.db", *where, cwd=played.folder)
    assert "--sandbox is for a bot" in refused("replay", "club.db", "--sandbox", cwd=played.folder)


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


def test_a_bot_is_put_back_into_the_position_of_its_fault(played):
    match = with_fault(played)
    fault = match["result"]["fault"]
    whole = invoke("replay", "club.db", match["id"], cwd=played.folder).stdout
    (command,) = re.findall(r"^  to that position: aluette (.*)$", whole, re.MULTILINE)
    said = invoke(*shlex.split(command), cwd=played.folder)
    assert said.exit_code == 1
    assert (
        f"{fault['seat']}, in deal {fault['deal']}, trick {fault['trick']}: clubbots.py:Forgetful"
        in said.stdout
    )
    assert "\nThe record ends here.\nIt answers with an exception:\nTraceback" in said.stdout
    assert "\nValueError: what is one to do with " in said.stdout


def test_a_bot_that_hangs_is_shown_where_it_is(club):
    (club.folder / "stuck.py").write_text("def stuck(view):\n    raise KeyboardInterrupt\n", encoding="utf-8")
    match = lines(club)[0]["id"]
    said = invoke(
        "replay",
        "club.db",
        match,
        "--until",
        "1.2",
        "--seat",
        "N",
        "--bot",
        "stuck.py:stuck",
        cwd=club.folder,
    )
    assert said.exit_code == 130
    assert "\n  Hand         " in said.stdout
    assert re.search(r"Traceback \(most recent call last\):\n  File \S*stuck.py\"", said.stdout)


def test_a_bot_that_was_mended_is_said_to_be(played):
    match = with_fault(played)
    fault = match["result"]["fault"]
    where = ("--until", f"{fault['deal']}.{fault['trick']}", "--seat", fault["seat"])
    said = invoke("replay", "club.db", match["id"], *where, "--bot", "lowest", cwd=played.folder)
    assert said.exit_code == 0
    assert said.stdout.endswith("\nThat is no fault: here it was at fault when the match was played.\n")


def test_an_answer_that_is_illegal_is_no_repair(club):
    (club.folder / "none.py").write_text(
        "def none(view):\n    return next(c for c in aluette.Card if c not in view.hand)\nimport aluette\n",
        encoding="utf-8",
    )
    match = lines(club)[0]["id"]
    said = invoke(
        "replay", "club.db", match, "--until", "1.2", "--seat", "N", "--bot", "none.py:none", cwd=club.folder
    )
    assert said.exit_code == 1
    assert re.search(r"It answers (\w+), which is illegal: \1 cannot be played", said.stdout)


@pytest.mark.parametrize(
    ("sin", "code", "sentence"),
    [
        ("raise", 1, "It answers with an exception:\nValueError: no card is good enough\n"),
        ("crash", 1, "It is at fault in deal 1, trick 2: crashed: the process ended with exit code 3.\n"),
        ("come-back", 0, "It answers "),
    ],
)
def test_a_command_is_started_and_put_back(played, sin, code, sentence):
    bot = f"python -m aluette_bots.scripted {sin} --deal 1 --trick 2"
    where = ("--until", "1.2", "--seat", "N", "--bot", bot)
    said = invoke("replay", "club.db", lines(played)[0]["id"], *where, cwd=played.folder)
    assert (said.exit_code, said.stderr) == (code, "")
    assert f", N, in deal 1, trick 2: {bot}\n\n  Asked        play\n  Hand         " in said.stdout
    assert sentence in said.stdout


def test_a_command_that_hangs_is_ended_by_ctrl_c_and_shown_is_what_it_printed(club):
    (club.folder / "stuck.py").write_text(
        "import aluette, time\n"
        "def stuck(view):\n    print('stuck here')\n    open('stuck', 'w').close()\n    time.sleep(1e6)\n"
        "aluette.run(stuck)\n",
        encoding="utf-8",
    )
    where = ("--until", "1.2", "--seat", "N", "--bot", "python stuck.py")
    with started("replay", "club.db", lines(club)[0]["id"], *where, cwd=club.folder) as process:
        until((club.folder / "stuck").exists, process)
        process.send_signal(signal.SIGINT)
        told, complaint = process.communicate()
    still = "aluette: interrupted, with its answer in deal 1, trick 1 still to come\n"
    assert (process.returncode, complaint) == (130, still)
    assert "\n  Hand         " in told
    assert told.endswith("It printed:\n  stuck here\n")
    assert processes_in(club.folder) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--until", "2.4"), "--until and --bot go together"),
        (("--bot", "lowest"), "--until and --bot go together"),
        (("--until", "x", "--bot", "lowest", "--seat", "N"), "--until x is no position"),
        (("--until", "9.1", "--bot", "lowest", "--seat", "N"), "N had no turn in deal 9, trick 1"),
        (
            ("--until", "1.1", "--bot", "nobody", "--seat", "N"),
            "'nobody' is neither a built-in bot nor a program",
        ),
        (("--until", "1.1", "--bot", "human", "--seat", "N"), "human cannot be put back"),
        (("--until", "1.1", "--bot", "external", "--seat", "N"), "external cannot be put back"),
        (("--until", "9.1", "--bot", "python raw.py", "--seat", "N"), "N had no turn in deal 9, trick 1"),
    ],
)
def test_what_cannot_be_put_back_is_said(played, arguments, sentence):
    assert sentence in refused("replay", "club.db", lines(played)[0]["id"], *arguments, cwd=played.folder)


def test_where_nobody_was_at_fault_the_seat_must_be_said(played):
    match = next(line for line in lines(played) if line["result"]["fault"] is None)
    told = refused("replay", "club.db", match["id"], "--until", "1.1", "--bot", "lowest", cwd=played.folder)
    assert "say with --seat where the bot is to sit" in told


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
        ("club.db", "club.db is the database itself; write into another file"),
        ("../same.db", "../same.db is the database itself; write into another file"),
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
