"""Names, years and identifiers in one spelling."""

from __future__ import annotations

import pytest

from kg.readers.identifiers import identifiers
from kg.readers.people import people, year_of


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("Ada Lee", ["Ada Lee"]),
        ("Lee, Ada", ["Ada Lee"]),
        ("Ada Lee, Jane Roe", ["Ada Lee", "Jane Roe"]),
        ("Ada Lee and Jane Roe", ["Ada Lee", "Jane Roe"]),
        ("Ada Lee, Jane Roe, and Kim Poe", ["Ada Lee", "Jane Roe", "Kim Poe"]),
        ("Lee, Ada and Roe, Jane", ["Ada Lee", "Jane Roe"]),
        ("Lee, Ada; Roe, Jane", ["Ada Lee", "Jane Roe"]),
        ("Lee, A., Roe, J. K.", ["A. Lee", "J. K. Roe"]),
        ("Lee A., Roe J.", ["Lee A.", "Roe J."]),
        ("Ada Lee;Jane Roe; ", ["Ada Lee", "Jane Roe"]),
        ("Ada Lee|Jane Roe", ["Ada Lee", "Jane Roe"]),
        ("Martin King, Jr.", ["Martin King, Jr."]),
        ("Alexander Anderson", ["Alexander Anderson"]),
        ("", []),
        (None, []),
        (17, []),
        (["Lee, Ada", "  Jane   Roe "], ["Ada Lee", "Jane Roe"]),
        (["Ada Lee", "Ada Lee", "et al."], ["Ada Lee"]),
        ([{"name": "Ada Lee"}, {"full_name": "Jane Roe"}, {"x": 1}], ["Ada Lee", "Jane Roe"]),
        ([{"given": "Ada", "family": "Lee"}, {"firstName": "Jane", "lastName": "Roe"}],
         ["Ada Lee", "Jane Roe"]),
        ([["Lee", "Ada", ""], ["Roe"], []], ["Ada Lee", "Roe"]),
        ({"value": ["Ada Lee"]}, ["Ada Lee"]),
    ],
)  # fmt: skip
def test_people(given, names):
    assert list(people(given)) == names


@pytest.mark.parametrize(
    ("given", "year"),
    [
        (2031, 2031), (2031.0, 2031), ("2031", 2031), ("2031.0", 2031), ("2031-05-01", 2031),
        ("2031-05-01T10:00:00Z", 2031), ("20310501", 2031), ("Mon, 2 Apr 2007 19:18:42 GMT", 2007),
        ("2031 May 1", 2031), ("2031/05/01/", 2031), ("May 2031", 2031), (1695000000000, 2023),
        ([2031, 5], 2031), (["2031"], 2031), ("in press", None), ("12031", None), (3, None),
        (True, None), (None, None), (float("nan"), None), (float("inf"), None), (10**400, None),
        ([], None), ([[]], None), ("9" * 5000, None),
    ],
)  # fmt: skip
def test_years(given, year):
    assert year_of(given) == year


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([("doi", "10.1234/AbC")], ["doi:10.1234/abc"]),
        ([("doi", "https://doi.org/10.1234%2FAbC")], ["doi:10.1234/abc"]),
        ([("doi", "doi: 10.1234/abc.")], ["doi:10.1234/abc"]),
        ([("doi", "10.1016/S0140(20)30001-2")], ["doi:10.1016/s0140(20)30001-2"]),
        ([("", "(see https://doi.org/10.1234/abc)")], ["doi:10.1234/abc"]),
        ([("doi", "10.48550/arXiv.3101.01234")], ["arxiv:3101.01234"]),
        ([("doi", "10.48550/arXiv.3101.01234"), ("arxiv", "3101.01234v3")], ["arxiv:3101.01234"]),
        ([("arxiv", "arXiv:3101.01234v2")], ["arxiv:3101.01234"]),
        ([("arxiv", "cs/0112017v1")], ["arxiv:cs/0112017"]),
        ([("arxiv", "math.GT/0309136")], ["arxiv:math.gt/0309136"]),
        ([("", "https://arxiv.org/pdf/3101.01234v1.pdf")], ["arxiv:3101.01234"]),
        ([("", "3101.01234v1")], ["arxiv:3101.01234"]),
        ([("", "10.1234/abc")], ["doi:10.1234/abc"]),
        ([("", "https://openreview.net/pdf?id=aB3_x-Yz12")], ["openreview:aB3_x-Yz12"]),
        ([("", "https://aclanthology.org/P31-1001/")], ["acl:p31-1001"]),
        ([("", "https://www.aclweb.org/anthology/P31-1001.pdf")], ["acl:p31-1001"]),
        ([("doi", "10.18653/v1/2031.acl-long.7")],
         ["doi:10.18653/v1/2031.acl-long.7", "acl:2031.acl-long.7"]),
        ([("pmid", 123)], ["pmid:123"]),
        ([("pmid", "PMID: 123")], ["pmid:123"]),
        ([("", "https://pubmed.ncbi.nlm.nih.gov/123/")], ["pmid:123"]),
        ([("doi", "n/a"), ("arxiv", "x"), ("pmid", ""), ("acl", None), ("", True)], []),
        ([("", "paper-17"), ("", "1234"), ("", "../../etc/passwd")], []),
        ([("", "doi:10.1234/abc"), ("", "s2:77"), ("", "openreview:aB3_x-Yz12")],
         ["doi:10.1234/abc", "openreview:aB3_x-Yz12", "s2:77"]),
        ([("", "x" * 5000)], []),
    ],
)  # fmt: skip
def test_identifiers(given, expected):
    assert list(identifiers(given)) == expected
