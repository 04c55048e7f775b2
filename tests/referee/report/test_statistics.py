"""What was measured beside the table, as sheets: marks, colours, intervals, and denominators."""

import io

import pytest
from rich.console import Console

from aluette.seats import Seat
from aluette_referee.contest.counts import Counts, PerDeal, play_of, total_of
from aluette_referee.contest.encounters import block_scores, encounters, mirroring, with_strangers
from aluette_referee.contest.ranking import Ranking, ranking
from aluette_referee.contest.ratio import Ratio
from aluette_referee.contest.summary import Summary
from aluette_referee.contest.tally import Tally
from aluette_referee.report import statistics
from aluette_referee.report.sheet import Cell, Column, Sheet, as_csv, as_markdown, as_tables
from aluette_referee.report.statistics import tone

NAMES = ["Ana", "Bea", "Cid"]


def blocks(one: str, other: str, *ends: tuple[float, float, int]) -> list[Tally]:
    """So many blocks of each end: what `one` scored in both legs."""
    return [
        Tally((one,), (other,), legs, (1 - legs[0], 1 - legs[1]), count, round(6 * sum(legs)) * count, 6 * count, 9 * count, 9 * count)
        for *legs, count in ends
        for legs in (tuple(legs),)
    ]  # fmt: skip


PLAYED = [
    *blocks("Ana", "Bea", (1, 1, 9), (1, 0, 6), (0, 0, 1)),
    *blocks("Ana", "Cid", (1, 1, 14), (1, 0.5, 1), (0, 0, 1)),
    *blocks("Bea", "Cid", (1, 0, 14), (1, 1, 1), (0, 0, 1)),
]


def texts(sheet: Sheet) -> list[list[str]]:
    return [[cell.text.strip() for cell in row] for row in sheet.rows]


def shown(sheet: Sheet, width: int = 80, *, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=colour, color_system="standard" if colour else None
    )
    for table in as_tables(sheet, width):
        console.print(table)
    return out.getvalue()


@pytest.fixture(scope="module")
def ranked() -> Ranking:
    return ranking(NAMES, PLAYED)


def test_a_crosstable_marks_who_is_told_apart(ranked):
    sheet = statistics.crosstable(ranked, encounters(PLAYED))
    assert texts(sheet) == [
        ["1", "Ana", "·", "24++", "29½++"],
        ["2", "Bea", "8--", "·", "16"],
        ["3", "Cid", "2½--", "16", "·"],
    ]
    assert [cell.tone for cell in sheet.rows[0]] == [0, 0, 0, 2, 2]
    assert sheet.records[0] == {
        "name": "Ana", "opponent": "Bea", "matches": 32, "match_points": 24.0, "deal_points": 48,
        "superiority": round(ranked.results.superiority("Ana", "Bea"), 4), "superiority_by": "results",
    }  # fmt: skip
    assert sheet.notes[0].startswith("Match points, of 32 matches,")


def test_colours_say_what_the_marks_say(ranked):
    sheet = statistics.crosstable(ranked, encounters(PLAYED))
    plain, coloured = shown(sheet), shown(sheet, colour=True)
    assert "\x1b" not in plain
    assert "\x1b[1;36m29½++\x1b[0m" in coloured
    assert "\x1b[1;33m2½--\x1b[0m" in coloured


@pytest.mark.parametrize(
    ("likelihood", "expected"),
    [(None, 0), (0.5, 0), (0.975, 0), (0.976, 1), (0.995, 1), (0.996, 2), (0.025, 0), (0.024, -1), (0.004, -2), (1.0, 2), (0.0, -2)],
)  # fmt: skip
def test_how_sure_is_sure(likelihood, expected):
    assert tone(likelihood) == expected


def test_who_is_stronger_and_where_that_is_not_known(ranked):
    sheet = statistics.superiority(ranked)
    assert texts(sheet)[0] == ["1", "Ana", "·", ">99", ">99"]
    likely = round(100 * ranked.results.superiority("Bea", "Cid"))
    assert 50 < likely < 97
    assert (texts(sheet)[1][4], texts(sheet)[2][3]) == (str(likely), str(100 - likely))
    few = ranking(NAMES, blocks("Ana", "Bea", (1, 0, 1), (1, 1, 1)))
    assert texts(statistics.superiority(few))[0] == ["1", "Ana", "·", "?", "?"]
    assert statistics.superiority(few).records[0]["superiority"] is None


def test_who_won_every_match_is_told_apart_by_deal_points():
    played = [
        Tally(("Ana",), ("Bea",), (1.0, 1.0), (0.0, 0.0), 4, 40, 8, 4 * 64, 4 * 32),
        Tally(("Ana",), ("Bea",), (1.0, 1.0), (0.0, 0.0), 4, 24, 16, 4 * 4, 4 * 2),
    ]
    of_two = ranking(["Ana", "Bea"], played)
    assert of_two.results.superiority("Ana", "Bea") is None
    sheet = statistics.crosstable(of_two, encounters(played))
    assert texts(sheet)[0] == ["1", "Ana", "·", "16++"]
    assert sheet.records[0]["superiority_by"] == "deal points"
    assert texts(statistics.superiority(of_two))[0] == ["1", "Ana", "·", ">99"]


def test_where_some_have_met_more_often_each_cell_says_of_how_many():
    played = PLAYED[:3]
    few = [*played, *blocks("Bea", "Cid", (1, 1, 2), (0, 0, 2))]
    sheet = statistics.crosstable(ranking(NAMES, few), encounters(few))
    assert texts(sheet)[0][3].startswith("24/32")
    assert texts(sheet)[1][4] == "4/8"
    assert sheet.notes[0].startswith("Match points/matches ")


def test_blocks_by_score(ranked):
    sheet = statistics.blocks(ranked, block_scores(PLAYED))
    assert [column.heading for column in sheet.columns] == ["#", "Team", "0", "½", "1", "1½", "2", "Mean"]
    assert texts(sheet)[0] == ["1", "Ana", "2", "", "6", "1", "23", "1.67"]


def summary(**counts: int) -> Summary:
    return Summary(deals=100, tricks=900, **counts)


COUNTS = [
    Counts(("Ana",), ("Bea",), 1, 20, summary(spoiled=90, chants=10, mordiennes_ns=3, mordiennes_ew=1, won_n=40, won_w=20)),
    Counts(("Ana",), ("Bea",), 2, 20, summary(spoiled=0, mordiennes_ns=2, won_e=50, won_s=10)),
]  # fmt: skip
PER_DEAL = [
    PerDeal(("Ana",), ("Bea",), Ratio(20, 50, 200, 400, 2000, 500), Ratio(20, 110, 200, 700, 2000, 1100))
]


def test_play_is_counted_by_deals_tricks_and_chairs(ranked):
    play, total = play_of(NAMES, COUNTS, PER_DEAL), total_of(COUNTS, PER_DEAL)
    sheet = statistics.deals(ranked, play, total)
    # 20 blocks of 10 deals; the sum of (y - x / 4)^2 is 400 - 2 * 500 / 4 + 2000 / 16 = 275, and t of 19 is 2.0930.
    width = 2.0930 * (275 * 20 / 19) ** 0.5 / 200
    assert texts(sheet) == [
        ["1", "Ana", "200", f"+0.25 ± {width:.2f}", "3-3", "5.0", "5.0"],
        ["2", "Bea", "200", f"-0.25 ± {width:.2f}", "3-3", "5.0", "5.0"],
        ["3", "Cid", "0", "", "0-0", "", ""],
        ["", "all", "200", "", "6", "5.0", "5.0"],
    ]
    assert sheet.records[0]["points_a_deal_margin"] == pytest.approx(width, abs=1e-4)
    chairs = statistics.seats(ranked, play, total)
    assert texts(chairs) == [
        ["1", "Ana", "40.0", "50.0", "0.0", "0.0"],
        ["2", "Bea", "0.0", "0.0", "10.0", "20.0"],
        ["3", "Cid", "", "", "", ""],
        ["", "all", "20.0", "25.0", "5.0", "10.0"],
    ]
    field = statistics.field(total)
    # The sum of (y - x 55 / 100)^2 is 700 - 2 * 1100 * 0.55 + 2000 * 0.55^2 = 95.
    width = 100 * 2.0930 * (95 * 20 / 19) ** 0.5 / 200
    assert texts(field) == [
        ["", "deals won by the dealer's side", "110", "200", f"55.0 ± {width:.1f}"],
        ["", "spoiled tricks", "90", "1800", "5.0"],
        ["", "deals with a chant that all agreed to", "10", "200", "5.0"],
        ["", "mordiennes", "6", "200", "3.0"],
    ]
    assert field.records[0]["margin"] == pytest.approx(width / 100, abs=1e-4)
    assert play["Ana"].sat[Seat.N] == 100


def test_faults_have_a_denominator(ranked):
    made = {("Ana", "late", False): 2, ("Ana", "late", True): 1, ("Cid", "crashed", False): 1}
    sheet = statistics.faults(ranked, made)
    heads = ["#", "Team", "Matches", "Faults", "a hundred", "Mended", "crashed", "late"]
    assert [column.heading for column in sheet.columns] == heads
    assert texts(sheet) == [
        ["1", "Ana", "64", "3", "4.7", "1", "", "3"],
        ["2", "Bea", "64", "", "", "", "", ""],
        ["3", "Cid", "64", "1", "1.6", "", "1", ""],
    ]
    assert sheet.records[0] == {
        "name": "Ana",
        "matches": 64,
        "faults": 3,
        "mended": 1,
        "crashed": 0,
        "late": 3,
    }


def test_partners_of_another_program():
    played = [Tally(("A", "B"), ("C", "D"), (1.0, 0.5), (0.0, 0.5), 8, 24, 16, 96, 48)]
    alone = ranking("ABCD", played)
    sheet = statistics.strangers(alone, with_strangers({"A": "x", "B": "y", "C": "z", "D": "z"}, played))
    # 8 blocks: the sum of (y - x / 2)^2 is 96 - 16 + 8 = 88, and t of 7 is 2.3646.
    width = 2.3646 * (88 * 8 / 7) ** 0.5 / 16
    assert texts(sheet) == [
        ["1", "A", "16", "75.0", f"+0.50 ± {width:.2f}"], ["1", "B", "16", "75.0", f"+0.50 ± {width:.2f}"],
        ["3", "C", "0", "", ""], ["3", "D", "0", "", ""],
    ]  # fmt: skip


def test_what_mirroring_was_worth():
    found = mirroring(PLAYED)
    assert texts(statistics.mirroring(found))[0] == ["", "match results", f"{found.results:.2f}", "48"]
    assert texts(statistics.mirroring(mirroring([])))[1] == ["", "deal points", "?", "0"]


def wide(count: int) -> Sheet:
    columns = [Column("#"), Column("Team"), *(Column(str(number)) for number in range(1, count + 1))]
    rows = [
        [Cell(str(row)), Cell(f"team {row}"), *(Cell("10½++") for _ in range(count))] for row in range(count)
    ]
    return Sheet("wide", "Wide", columns, rows, [{"x": 1}])


def test_a_terminal_without_columns_and_a_name_that_would_command_it():
    sheet = Sheet(
        "x",
        "X",
        [Column("#"), Column("Team"), Column("N")],
        [[Cell("1"), Cell("\x1b]0;x\x07\u202e"), Cell("7")]],
        [],
    )
    (table,) = as_tables(sheet, 0)
    out = io.StringIO()
    Console(file=out, width=80).print(table)
    assert "\\x1b]0;x\\x07\\u202e" in out.getvalue()


@pytest.mark.parametrize("width", [20, 40, 80])
def test_a_table_that_is_too_wide_comes_in_parts_and_loses_nothing(width):
    parts = shown(wide(25), width)
    assert all(len(line) <= width for line in parts.splitlines())
    assert parts.count("10½++") == 25 * 25
    assert "…" not in parts


def test_a_table_of_nothing():
    empty = Sheet("x", "X", [Column("#"), Column("Team")], [], [])
    assert list(as_tables(empty, 80)) == []
    assert as_csv(empty) == ""
    assert as_markdown(empty).count("\n") == 2
