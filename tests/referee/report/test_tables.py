"""The standings for a terminal, for programs, for spreadsheets and for pages."""

import csv
import io
import json
import re

import numpy as np
import pytest
from rich.cells import cell_len, set_cell_size
from rich.console import Console

from aluette_referee.contest.ranking import Ranking, ranking
from aluette_referee.contest.ratings import Fit
from aluette_referee.contest.standings import Row
from aluette_referee.contest.tally import Result, faults_of, tallies
from aluette_referee.report.sheet import as_csv, as_markdown, as_tables
from aluette_referee.report.tables import half_points, standings

LONG = "Amicale des joueurs d'aluette du Pays de Retz et de l'estuaire é"
WIDE = "東京の仲間たち" * 9
PLAIN = "[red]:smile:[/red] \\[x]"
FIELDS = [
    "rank", "name", "played", "won", "drawn", "lost", "match_points", "byes", "points_for", "points_against", "faults",
    "elo", "elo_margin", "elo_shrunk", "deal_points", "deal_points_margin",
]  # fmt: skip


def of_rows(*rows: Row, elo: float = 0.0, deviation: float = 0.0) -> Ranking:
    """Rows as they are, each with this strength."""
    names = tuple(row.name for row in rows)
    fit = Fit(names, np.full(len(rows), elo), np.eye(len(rows)) * deviation**2, 10_000, frozenset())
    return Ranking(list(rows), fit, fit)


def text(ranked: Ranking, width: int = 80) -> list[str]:
    """The table as it comes out of a pipe, without blank lines and blanks at the ends of lines."""
    out = io.StringIO()
    (table,) = as_tables(standings(ranked), width)
    Console(file=out, width=width).print(table)
    assert "\x1b" not in out.getvalue()
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    assert all(cell_len(line) <= width for line in lines)
    return [line for line in lines if line]


def block(name: str, *scores: float) -> list[Result]:
    """A block of Ana against Bea in which Ana has these scores."""
    points = {1.0: (4, 1), 0.5: (2, 2), 0.0: (0, 5)}
    return [
        Result(name, ("Ana",), ("Bea",), *points[score], score, 1 - score, (0,), (0,)) for score in scores
    ]


def ranked(names: list[str], results: list[Result], **more: object) -> Ranking:
    return ranking(names, tallies(results), faults=faults_of(results), **more)


def legend(of: Ranking) -> str:
    return " ".join(standings(of).notes)


FAULT = Result("fault", ("Ana",), ("Bea",), 0, 5, 0, 1, (1,), (0,), True)
SEVEN = [result for name in "1234567" for result in block(name, 1.0, 0.5 * (int(name) % 3))]


def test_a_table_for_a_terminal():
    assert text(ranked(["Bea", "Ana", "Zoé"], SEVEN)) == [
        " #  Team  Played  Won  Drawn  Lost  Points  Elo       Deals  Faults",
        " ──────────────────────────────────────────────────────────────────",
        " 1  Ana       14    9      3     2  10½     +95 ± 87  42-25",
        " 2  Bea       14    2      3     9  3½      -95 ± 87  25-42",
        " 3  Zoé        0    0      0     0  0                   0-0",
    ]
    assert "a guess" not in legend(ranked(["Ana", "Bea"], SEVEN))


def test_half_points_and_faults_are_shown():
    of_two = ranked(["Ana", "Bea"], [*block("1", 1, 1), *block("2", 0.5, 1), FAULT])
    assert text(of_two)[2:] == [
        " 1  Ana        5    3      1     1  3½      +74  14-10       1",
        " 2  Bea        5    1      1     3  1½      -74  10-14",
    ]


@pytest.mark.parametrize("width", [120, 80, 60, 50, 40, 30])
def test_a_long_name_is_folded_and_loses_nothing(width):
    rows = of_rows(
        Row(LONG, 1, 100_000, 49_999, 10_000, 40_001, 54_999.5, 250_000, 240_000, 17),
        Row(WIDE, 2, 100_000, 40_001, 10_000, 49_999, 45_000.5, 240_000, 250_000),
        Row(PLAIN, 3),
    )
    lines = text(rows, width)
    assert "".join(lines).count("54999½") == 1
    end = lines[0].index(lines[0].split()[2])  # where the names end
    folded = [set_cell_size(line, end)[4:] for line in lines]
    wide = [re.sub(r"[^東京の仲間たち]", "", line) for line in lines]
    assert "".join(wide) == WIDE
    for name in (LONG, PLAIN):
        assert name.replace(" ", "") in "".join(folded).replace(" ", "")


@pytest.mark.parametrize(
    ("width", "headings"),
    [
        (120, ["Played", "Won", "Drawn", "Lost", "Points", "Elo", "Deals", "Faults"]),
        (80, ["Played", "Won", "Drawn", "Lost", "Points", "Elo", "Deals", "Faults"]),
        (79, ["Played", "Points", "Elo", "Deals", "Faults"]),
        (60, ["Played", "Points", "Elo", "Deals", "Faults"]),
        (59, ["Points", "Elo", "Deals", "Faults"]),
        (54, ["Points", "Elo", "Faults"]),
        (49, ["Points", "Elo"]),
        (44, ["Points"]),
        (24, ["Points"]),
    ],
)
def test_where_there_is_little_room_columns_are_left_out(width, headings):
    lines = text(ranked(["Bea", "Ana", "Zoé"], SEVEN), width)
    assert lines[0].split() == ["#", "Team", *headings]
    assert [line.split()[:2] for line in lines[2:]] == [["1", "Ana"], ["2", "Bea"], ["3", "Zoé"]]
    assert "10½" in lines[2]
    assert "…" not in "".join(lines)


@pytest.mark.parametrize("width", [80, 60, 45])
def test_large_numbers_push_out_columns_sooner(width):
    row = Row("Ana", 1, 1_000_000, 499_999, 100_000, 400_001, 549_999.5, 2_500_000, 2_400_000, 17)
    lines = text(of_rows(row, elo=-1234.4, deviation=60.0), width)
    assert "…" not in "".join(lines)
    assert "Won" not in lines[0]


@pytest.mark.parametrize(
    ("points", "shown"),
    [(0, "0"), (0.5, "½"), (1, "1"), (1.5, "1½"), (10, "10"), (100.5, "100½"), (12345, "12345")],
)
def test_points_in_halves(points, shown):
    assert half_points(points) == shown


def test_a_table_for_programs():
    told = json.loads(json.dumps(standings(ranked(["Ana", "Bea"], [*block("1", 1, 0.5), FAULT])).records))
    assert [list(team) for team in told] == [FIELDS, FIELDS]
    assert told[0] == {
        "rank": 1, "name": "Bea", "played": 3, "won": 1, "drawn": 1, "lost": 1, "match_points": 1.5, "byes": 0,
        "points_for": 8, "points_against": 6, "faults": 0, "elo": 0.0, "elo_margin": None, "elo_shrunk": False,
        "deal_points": 0.3333, "deal_points_margin": None,
    }  # fmt: skip


def test_strengths_are_told_to_programs():
    of_two = ranked(["Ana", "Bea"], SEVEN)
    first, second = standings(of_two).records
    assert (first["elo"], first["elo_margin"]) == (-second["elo"], second["elo_margin"])
    assert first["elo_margin"] == round(of_two.results.margin("Ana"), 2)
    assert first["deal_points"] == round(of_two.points.strength("Ana"), 4)
    read, _ = csv.DictReader(io.StringIO(as_csv(standings(of_two))))
    assert read["elo_margin"] == str(first["elo_margin"])


def test_a_guess_is_marked_and_explained():
    won_all = ranked(["Ana", "Bea"], [*block("1", 1, 1), *block("2", 1, 1)])
    assert "≈+" in text(won_all)[2]
    assert "±" not in text(won_all)[2]
    assert "≈: all won, all lost" in legend(won_all)
    assert standings(won_all).records[0]["elo_shrunk"] is True


def test_points_of_byes_are_said():
    with_bye = ranked(["Ana", "Bea"], block("1", 1, 0.5), byes={"Bea": 2})
    assert [row.match_points for row in with_bye.rows] == [2.5, 1.5]
    assert legend(with_bye).endswith("Points are with those of byes.")


def test_a_table_in_markdown_obeys_no_name():
    results = [result._replace(one=("|a|<b>*x*",)) for result in SEVEN]
    lines = as_markdown(standings(ranked(["|a|<b>*x*", "Bea"], results))).splitlines()
    assert lines[0].startswith("| \\# | Team | Played |")
    assert lines[1].startswith("| --: | :-- | --: |")
    assert lines[2].startswith("| 1 | \\|a\\|\\<b\\>\\*x\\* | 14 |")
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines[:4]} == {11}
    assert lines[4] == ""
    assert lines[5].startswith(
        "Points: 1 a win, ½ a draw. Elo: strength over the mean \\(\\+100"[:60].replace("\\+", "+")
    )


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
    read = list(csv.reader(io.StringIO(as_csv(standings(of_rows(Row(name, 1)))), newline="")))
    assert read[0] == FIELDS
    assert read[1][:8] == ["1", shown, "0", "0", "0", "0", "0.0", "0"]


def test_csv_has_a_line_for_each_team():
    lines = as_csv(standings(ranked(["Ana", "Bea"], block("1", 1, 0)))).splitlines()
    assert lines[0] == ",".join(FIELDS)
    assert lines[1] == "1,Bea,2,1,0,1,1.0,0,6,4,0,0.0,,False,0.5,"
    assert lines[2] == "2,Ana,2,1,0,1,1.0,0,4,6,0,0.0,,False,-0.5,"
