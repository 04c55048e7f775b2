"""`aluette verify`: what was played holds, and what was changed afterwards is named."""

import json
import sqlite3
from contextlib import closing

import pytest
from referee.cli.club import Club, lines, record, with_fault
from referee.cli.shell import invoke

from aluette.record import digest


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


def test_a_root_that_is_none_is_not_taken_for_another(played):
    for wrong in ("abc", root_of(played)[:10], ""):
        result = invoke("verify", "club.db", "--root", wrong, cwd=played.folder)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "--root is the whole root as it was printed" in result.stderr


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
    assert f"1 matches of the schedule are not there, first {last}: still to be played" in result.stdout
    result = invoke("verify", "club.db", "--root", root_of(club), cwd=club.folder)
    assert result.exit_code == 1
    assert "records were changed, added or removed since" in result.stderr
    assert f"the first that is not there is match {last}\n" in result.stderr


def test_a_match_that_counts_without_a_record(club):
    match = lines(club)[0]
    tamper(club, "DELETE FROM record WHERE match = ?", match["id"])
    result = invoke("verify", "club.db", cwd=club.folder)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"aluette: match {match['id']} does not hold: it counts, but has no record\n"
