"""Calibration: knots rise, errors are counted as defined."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.train


@settings(deadline=None)  # the first call imports PyTorch
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=200))
def test_the_line_rises_within_the_unit_square(pairs):
    from kg.train.tune import knots

    line = knots(pairs)
    assert line[0][0] == 0.0
    assert line[-1][0] == 1.0
    for (a, b), (c, d) in pairwise(line):
        assert a <= c
        assert b <= d
    assert all(0 <= y <= 1 for _, y in line)


def test_a_sure_half_wrong_score_has_an_error_of_half():
    from kg.train.tune import calibration_error

    assert calibration_error([(0.99, True), (0.99, False)]) == pytest.approx(0.49)
    assert calibration_error([(1.0, True)] * 5) == 0.0
    assert calibration_error([]) == 0.0
