"""Charts as SVG: well-formed, the same bytes, and no name is more than text."""

import itertools
import warnings
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from aluette_referee.contest.encounters import block_scores
from aluette_referee.contest.ranking import ranking
from aluette_referee.contest.tally import Tally
from aluette_referee.report.html.charts import block_chart, rating_chart
from aluette_referee.report.html.contest_page import bars

NAMES = ["<script>alert(1)</script>", "$x^2$ & $y", "東京の仲間", "a" * 64, "never played"]
SVG = ""  # within HTML an element of SVG needs no namespace


def played(names: list[str], blocks: int = 9) -> list[Tally]:
    """Each against the next: most blocks are won by the first, some not."""
    found = []
    for one, other in itertools.pairwise(names):
        for legs, count in (((1.0, 1.0), blocks), ((1.0, 0.0), 3), ((0.0, 0.5), 1)):
            points = round(6 * sum(legs)) * count
            found.append(
                Tally(
                    (one,),
                    (other,),
                    legs,
                    tuple(1 - leg for leg in legs),
                    count,
                    points,
                    6 * count,
                    40 * count,
                    20 * count,
                )
            )
    return found


def charts(names: list[str]) -> list[str]:
    tallies = played(names[:-1])
    ranked = ranking(names, tallies)
    return [rating_chart(ranked), block_chart(ranked, block_scores(tallies))]


@pytest.mark.parametrize("number", [0, 1])
def test_a_chart_is_svg_and_names_are_text(number):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = charts(NAMES)[number]
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"<script>alert(1)</script>", "$x^2$ & $y", "東京の仲間", "a" * 27 + "…"} <= texts
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{name}"
        for name in ("svg", "g", "path", "text", "defs", "use", "clipPath", "rect", "style", "metadata")
    }
    assert "currentColor" in svg
    assert "#0a0b0c" not in svg
    # Nothing is fetched: links lead to what is in it.
    assert {
        value[:1] for element in root.iter() for name, value in element.items() if name.endswith("href")
    } <= {"#"}


def test_a_name_may_be_that_of_a_colour():
    for svg in charts(["#0a0b0c", "#0a0b0d", "A", "B"]):
        assert {"#0a0b0c", "#0a0b0d"} <= {text.text for text in ET.fromstring(svg).iter("text")}


def test_the_same_bytes():
    assert charts(NAMES) == charts(NAMES)


def test_two_charts_on_one_page_share_no_ids():
    ids = [
        {element.get("id") for element in ET.fromstring(svg).iter(f"{SVG}clipPath")} for svg in charts(NAMES)
    ]
    assert all(ids)
    assert not ids[0] & ids[1]


def test_a_hundred_teams():
    one, other = charts([f"team {number}" for number in range(100)])
    assert one.count("team ") >= 100
    assert other.count("team ") >= 100


def test_of_nobody_who_played():
    ranked = ranking(["A", "B"], [])
    assert rating_chart(ranked)
    assert block_chart(ranked, {"A": Counter()})


def test_bars_are_on_one_scale():
    ranked = ranking(NAMES[:3], played(NAMES[:3]))
    drawn = bars([ranked.elo(row) for row in ranked.rows])
    third, second, first = sorted(drawn, key=lambda bar: bar.value)
    assert first.zero == second.zero == third.zero
    assert 3 <= third.low < third.value < second.zero == second.value < first.value < first.high <= 97
    assert min(bar.low for bar in drawn) == 3
    assert max(bar.high for bar in drawn) == 97
    assert first.label.startswith("+")


def test_a_bar_where_nothing_is_known():
    (one, two) = bars([ranking(["A", "B"], []).elo(row) for row in ranking(["A", "B"], []).rows])
    assert (one.low, one.value) == (None, one.zero)
    assert one[:4] == two[:4]
