"""`aluette logs`: what a bot printed in a match, from a run over gRPC."""

import pytest
from referee.cli.shell import invoke, refused

BOT = """
import sys
import aluette

print("imported")

class Chatty(aluette.Bot):
    def play(self, view):
        if view.position == 0:
            print(f"leads in deal {view.deal.number}")
        return view.hand[-1]

    def on_match_end(self, ended):
        print(f"ended {ended.points.ns}-{ended.points.ew}", file=sys.stderr)
"""
FILE = """
[tournament]
name = "Logs"
blocks = 2
seed = 3
[rules]
deals = 2
[[team]]
name = "Ana"
bot = "chatty.py:Chatty"
[[team]]
name = "Bea"
bot = "lowest"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    (folder / "chatty.py").write_text(BOT)
    (folder / "club.toml").write_text(FILE)
    result = invoke("tournament", "run", "club.toml", "--tables", "4", cwd=folder)
    assert result.exit_code == 0, result.stderr
    return folder


def matches(folder) -> list[str]:
    listed = invoke("replay", "club.db", cwd=folder).stdout.splitlines()
    return [line.split()[0] for line in listed]


def test_the_lines_of_a_match_come_before_those_of_the_process(folder):
    for match in matches(folder):
        seat = "N" if match.endswith("-1") else "E"
        said = invoke("logs", "club.db", match, seat, cwd=folder).stdout.splitlines()
        assert said[0] == f"For match {match}, {seat} (Ana, bot 1):"
        own = next((place for place, line in enumerate(said) if line.startswith("By the process")), len(said))
        texts = [line[11:] for line in said[1:own]]
        assert {text.split(" in ")[0] for text in texts[:-1]} == {"leads"}
        assert {text[-1] for text in texts[:-1]} <= {"1", "2"}
        assert all(float(line[:9]) > 0 for line in said[1:own])


def test_what_was_printed_before_the_first_match_is_the_process_s(folder):
    said = [
        invoke("logs", "club.db", match, "N", cwd=folder) for match in matches(folder) if match.endswith("-1")
    ]
    assert sum("imported" in result.stdout for result in said) >= 1


def test_who_printed_nothing_is_said(folder):
    match = next(match for match in matches(folder) if match.endswith("-1"))
    said = invoke("logs", "club.db", match, "E", cwd=folder)
    assert (said.exit_code, said.stdout) == (0, f"E (Bea, bot 1) printed nothing in match {match}.\n")


def test_a_seat_or_match_that_there_is_not_is_said(folder):
    assert "is no seat" in refused("logs", "club.db", matches(folder)[0], "X", cwd=folder)
    assert "there is no match" in refused("logs", "club.db", "zzz", "N", cwd=folder)


def test_an_answer_that_was_dropped_is_a_warning_that_can_be_read(tmp_path):
    bot = "python -m aluette_bots.scripted stale --deal 1 --trick 3"
    text = FILE.replace('"chatty.py:Chatty"', f'"{bot}"').replace("blocks = 2", "blocks = 1")
    (tmp_path / "club.toml").write_text(text)
    assert invoke("tournament", "run", "club.toml", cwd=tmp_path).exit_code == 0
    (match,) = (match for match in matches(tmp_path) if match.endswith("-1"))
    shown = invoke("replay", "club.db", match, cwd=tmp_path).stdout.splitlines()[-1]
    warned = (
        f"Warning: S (Ana 2 ({bot})) gave 2 answers that nobody had asked for: aluette logs club.db {match} S"
    )
    assert shown == warned
    said = invoke("logs", "club.db", match, "S", cwd=tmp_path).stdout
    assert (
        len(
            [
                line
                for line in said.splitlines()
                if line[9:] == "* dropped: an answer to turn 0, which is not open"
            ]
        )
        == 2
    )
    seen = invoke("replay", "club.db", match, "--seat", "E", cwd=tmp_path).stdout
    assert "Warning" not in seen


def test_what_went_to_stderr_is_told_apart_and_what_is_printed_at_the_end_of_a_match_is_that_match_s(folder):
    for match in matches(folder):
        seat = "N" if match.endswith("-1") else "E"
        said = invoke("logs", "club.db", match, seat, cwd=folder).stdout.splitlines()
        of_match = said[1 : next((n for n, line in enumerate(said) if line.startswith("By the")), None)]
        assert {line[9] for line in of_match if "leads" in line} <= {" "}
        assert len([line for line in of_match if line[9:].startswith("! ended ")]) == 1
