"""Student's t against scipy."""

import pytest
from scipy import stats

from aluette_referee.contest.student import MANY, t_quantile


@pytest.mark.parametrize("level", [0.001, 0.1, 0.5, 0.683, 0.9, 0.95, 0.99, 0.999])
def test_quantiles_are_those_of_scipy(level):
    freedoms = [*range(1, 32), 99, 100, 365, MANY - 2, MANY - 1, MANY, MANY + 1, 9_999, 123_456, 10**7]
    ours = [t_quantile(level, freedom) for freedom in freedoms]
    assert ours == pytest.approx(stats.t.ppf((1 + level) / 2, freedoms), rel=1e-9)


def test_a_level_next_to_one_has_a_quantile():
    assert 1e10 < t_quantile(1 - 2**-53, 1) < 1e20
    assert t_quantile(1 - 2**-53, MANY) < 10


def test_more_freedom_is_a_narrower_interval_also_where_the_method_changes():
    quantiles = [t_quantile(0.95, freedom) for freedom in (*range(1, 40), *range(MANY - 5, MANY + 5))]
    assert quantiles == sorted(quantiles, reverse=True)


@pytest.mark.parametrize(
    ("level", "freedom"), [(0.0, 5), (1.0, 5), (-0.1, 5), (1.1, 5), (float("nan"), 5), (0.95, 0), (0.95, -1)]
)
def test_bad_arguments_are_refused(level, freedom):
    with pytest.raises(ValueError, match="between 0 and 1"):
        t_quantile(level, freedom)
