"""The standings for a terminal, for programs and for spreadsheets."""

import csv
import io
import json
import re

import pytest
from rich.cells import cell_len, set_cell_size
from rich.console import Console

from aluette_referee.contest.standings import Result, Row, standings
from aluette_referee.report.tables import as_csv, as_json, as_table, half_points

LONG = "Amicale des joueurs d'aluette du Pays de Retz et de l'estuaire é"
WIDE = "東京の仲間たち" * 9
PLAIN = "[red]:smile:[/red] \\[x]"
FIELDS = ["rank", "name", "played", "won", "drawn", "lost", "match_points", "points_for", "points_against", "faults", "margin"]  # fmt: skip


def text(rows: list[Row], width: int = 80) -> list[str]:
    """The table as it comes out of a pipe, without blank lines and blanks at the ends of lines."""
    out = io.StringIO()
    Console(file=out, width=width).print(as_table(rows, width))
    assert "\x1b" not in out.getvalue()
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert all(cell_len(line) <= width for line in lines)
    return [line for line in lines if line]


def block(name: str, *scores: float) -> list[Result]:
    """A block of Ana against Bea in which Ana has these scores."""
    points = {1.0: (4, 1), 0.5: (2, 2), 0.0: (0, 5)}
    return [Result(name, "Ana", "Bea", *points[score], score, 1 - score) for score in scores]


FAULT = Result("fault", "Ana", "Bea", 0, 5, 0, 1, faults=1)


def test_a_table_for_a_terminal():
    results = [result for name in "1234567" for result in block(name, 1.0, 0.5 * (int(name) % 3))]
    rows = standings(["Bea", "Ana", "Zoé"], results)
    assert text(rows) == [
        " #  Team          Played  Won  Drawn  Lost  Points     Deals  Faults",
        " ───────────────────────────────────────────────────────────────────",
        " 1  Ana               14    9      3     2  10½ ± 2.6  42-25",
        " 2  Bea               14    2      3     9  3½  ± 2.6  25-42",
        " 3  Zoé                0    0      0     0  0            0-0",
    ]
    assert text([]) == [
        " #  Team          Played  Won  Drawn  Lost  Points  Deals  Faults",
        " ────────────────────────────────────────────────────────────────",
    ]


def test_half_points_and_faults_are_shown():
    rows = standings(["Ana", "Bea"], [*block("1", 1, 1), *block("2", 0.5, 1), FAULT])
    assert text(rows)[2:] == [
        " 1  Ana                5    3      1     1  3½      14-10       1",
        " 2  Bea                5    1      1     3  1½      10-14",
    ]


@pytest.mark.parametrize("width", [120, 80, 60, 50, 40, 30])
def test_a_long_name_is_folded_and_loses_nothing(width):
    rows = [
        Row(LONG, 1, 100_000, 49_999, 10_000, 40_001, 54_999.5, 250_000, 240_000, 17, 123.4),
        Row(WIDE, 2, 100_000, 40_001, 10_000, 49_999, 45_000.5, 240_000, 250_000),
        Row(PLAIN, 3),
    ]
    lines = text(rows, width)
    assert "".join(lines).count("54999½ ± 123.4") == 1
    end = lines[0].index(lines[0].split()[2])  # where the names end
    folded = [set_cell_size(line, end)[4:] for line in lines]
    wide = [re.sub(r"[^東京の仲間たち]", "", line) for line in lines]
    assert "".join(wide) == WIDE
    for name in (LONG, PLAIN):
        assert name.replace(" ", "") in "".join(folded).replace(" ", "")


@pytest.mark.parametrize(
    ("width", "headings"),
    [
        (120, ["Played", "Won", "Drawn", "Lost", "Points", "Deals", "Faults"]),
        (80, ["Played", "Won", "Drawn", "Lost", "Points", "Deals", "Faults"]),
        (79, ["Played", "Points", "Deals", "Faults"]),
        (60, ["Played", "Points", "Deals", "Faults"]),
        (59, ["Points", "Deals", "Faults"]),
        (45, ["Points", "Deals", "Faults"]),
        (44, ["Points"]),
        (24, ["Points"]),
    ],
)
def test_where_there_is_little_room_columns_are_left_out(width, headings):
    results = [result for name in "1234567" for result in block(name, 1.0, 0.5 * (int(name) % 3))]
    lines = text(standings(["Bea", "Ana", "Zoé"], results), width)
    assert lines[0].split() == ["#", "Team", *headings]
    assert [line.split()[:2] for line in lines[2:]] == [["1", "Ana"], ["2", "Bea"], ["3", "Zoé"]]
    assert "10½ ± 2.6" in lines[2]
    assert "…" not in "".join(lines)


@pytest.mark.parametrize("width", [80, 60, 45])
def test_large_numbers_push_out_columns_sooner(width):
    row = Row("Ana", 1, 100_000, 49_999, 10_000, 40_001, 54_999.5, 250_000, 240_000, 17, 123.4)
    assert "…" not in "".join(text([row], width))
    assert "Won" not in text([row], width)[0]


@pytest.mark.parametrize(
    ("points", "shown"),
    [(0, "0"), (0.5, "½"), (1, "1"), (1.5, "1½"), (10, "10"), (100.5, "100½"), (12345, "12345")],
)
def test_points_in_halves(points, shown):
    assert half_points(points) == shown


def test_a_table_as_json():
    rows = standings(["Ana", "Bea"], [*block("1", 1, 1), FAULT])
    told = json.loads(json.dumps(as_json(rows, 3, 1)))
    assert list(told) == ["teams", "matches_played", "matches_void"]
    assert (told["matches_played"], told["matches_void"]) == (3, 1)
    assert [list(team) for team in told["teams"]] == [FIELDS, FIELDS]
    assert told["teams"][0] == {
        "rank": 1, "name": "Ana", "played": 3, "won": 2, "drawn": 0, "lost": 1, "match_points": 2.0,
        "points_for": 8, "points_against": 7, "faults": 1, "margin": None,
    }  # fmt: skip


def test_the_margin_is_told_to_programs():
    rows = standings(
        ["Ana", "Bea"], [result for name in "123456" for result in block(name, 1, int(name) % 2)]
    )
    margin, other = (team["margin"] for team in as_json(rows, 12, 0)["teams"])
    assert margin == other == rows[0].margin
    assert margin is not None
    first, _ = csv.DictReader(io.StringIO(as_csv(rows)))
    assert first["margin"] == str(margin)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana", "Ana"),
        ("=1+1", "'=1+1"),
        ("+33 2", "'+33 2"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ('say "=", say', 'say "=", say'),
        ("a\u2028b", "a\u2028b"),
        ("'quoted'", "'quoted'"),
    ],
)
def test_a_name_in_csv_computes_nothing_and_loses_nothing(name, shown):
    read = list(csv.reader(io.StringIO(as_csv([Row(name, 1, points_for=-0)]), newline="")))
    assert read[0] == FIELDS
    assert read[1:] == [["1", shown, "0", "0", "0", "0", "0.0", "0", "0", "0", ""]]


def test_csv_has_a_line_for_each_team():
    assert as_csv([]) == ",".join(FIELDS) + "\n"
    assert as_csv(standings(["Ana", "Bea"], block("1", 1, 1))).splitlines()[1:] == [
        "1,Ana,2,2,0,0,2.0,8,2,0,",
        "2,Bea,2,0,0,2,0.0,2,8,0,",
    ]
