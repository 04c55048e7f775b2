"""Where the drawing of a bot's ratings has its lines and names."""

import itertools
import re
from datetime import UTC, datetime, timedelta

from aluette_referee.league.queries import RatingPoint
from aluette_referee.web.plot import HEIGHT, MOST, WIDTH, plot

START = datetime(2026, 1, 1, tzinfo=UTC)


def points(version: str, *values: float, margin: float | None = 50.0, hours: float = 10) -> list[RatingPoint]:
    return [
        RatingPoint(
            version,
            (START + timedelta(hours=hours * number)).isoformat(timespec="milliseconds"),
            number + 1,
            value,
            margin,
        )
        for number, value in enumerate(values)
    ]


def places(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", path)]


def test_nothing_is_drawn_of_nothing():
    assert plot([]) is None


def test_higher_is_higher_later_is_further_right_and_all_is_within():
    drawn = plot(points("fox/1", 1500, 1550, 1450))
    (curve,) = drawn.curves
    (first, second, third) = places(curve.line)
    assert first[0] < second[0] < third[0] == curve.x
    assert second[1] < first[1] < third[1] == curve.y
    band = places(curve.band)
    assert len(band) == 6
    assert band[0][1] < first[1] < band[-1][1]
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in band)
    assert curve.told == "fox/1: 1450 ± 50 after 3 matches"


def test_one_point_without_an_interval():
    drawn = plot(points("fox/1", 1500, margin=None))
    assert drawn.curves[0].band == ""
    assert len(places(drawn.curves[0].line)) == 1
    assert [tick.text for tick in drawn.times] == ["01-01 00:00"]
    assert "1500" in {tick.text for tick in drawn.ratings}


def test_ticks_are_round_and_few():
    for spread in (1, 30, 99, 400, 3000):
        drawn = plot(points("fox/1", 1500, 1500 + spread, margin=0.0))
        values = [float(tick.text) for tick in drawn.ratings]
        assert 3 <= len(values) <= 8
        assert values == sorted(values)
        assert len({round(b - a, 6) for a, b in itertools.pairwise(values)}) == 1
    days = plot(points("fox/1", 1500, 1510, hours=100)).times
    assert [days[0].text, days[-1].text] == ["2026-01-01", "2026-01-05"]


def test_names_do_not_lie_upon_each_other_and_the_newest_versions_are_shown():
    every = [point for number in range(1, 9) for point in points(f"fox/{number}", 1500, 1500 + number)]
    drawn = plot(every)
    assert [curve.name for curve in drawn.curves] == [f"fox/{number}" for number in range(9 - MOST, 9)]
    labels = sorted(curve.label for curve in drawn.curves)
    assert all(b - a >= 14 for a, b in itertools.pairwise(labels))
    assert 0 < labels[0] < labels[-1] < HEIGHT


def test_long_histories_keep_their_end():
    drawn = plot(points("fox/1", *(1500 + number % 7 for number in range(5000)), hours=0.1))
    assert len(places(drawn.curves[0].line)) < 300
    assert "after 5000 matches" in drawn.curves[0].told
