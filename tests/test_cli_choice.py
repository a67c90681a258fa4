"""How the options that choose a part are read: types and years as people write them."""

from __future__ import annotations

import pytest

from kg.cli.choice import parse_types, parse_years
from kg.errors import InputError


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("2019-2023", (2019, 2023)),
        ("2019 – 2023", (2019, 2023)),
        ("2019-", (2019, None)),
        ("-2023", (None, 2023)),
        ("2021", (2021, 2021)),
        (None, None),
    ],
)
def test_years_are_read_as_people_write_them(text, years):
    assert parse_years(text) == years


@pytest.mark.parametrize("text", ["", "-", "20192023", "2019..2023", "2023-2019", "19-23", "x"])
def test_what_are_no_years_is_refused_by_name(text):
    with pytest.raises(InputError, match=repr(text).replace(".", r"\.")):
        parse_years(text)


def test_types_are_read_in_any_case():
    assert parse_types("method, Benchmark") == ("Method", "Benchmark")
    assert parse_types(None) is None


@pytest.mark.parametrize("text", ["Planet", "Method,Planet", "", ","])
def test_unknown_types_are_refused(text):
    with pytest.raises(InputError, match="Method, Task, Dataset, Benchmark, Metric"):
        parse_types(text)
