"""The labelled pairs of names beside the project: how many are merged, and how many wrongly."""

import csv
import re
from pathlib import Path

import pytest
from test_resolve import paper

from kg.resolve import resolve

PAIRS = Path(__file__).parents[3] / "shared" / "identity" / "pairs-dev.tsv"


def side(kind, name):
    """A paper for one side; "CE (cross-entropy)" is a paper that defines the short form."""
    defined = re.fullmatch(r"(.+?) \((.+)\)", name)
    return paper((kind, *(defined.group(2, 1) if defined else (name,))))


@pytest.mark.shared
@pytest.mark.parametrize("in_one_graph", [False, True])
def test_same_pairs_are_merged_and_different_ones_are_not(in_one_graph):
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    papers = {}
    for i, row in enumerate(rows):
        papers |= {f"{i}a": side(row["type"], row["a"]), f"{i}b": side(row["type"], row["b"])}
    whole = resolve(papers).links if in_one_graph else {}
    merged = {"0": [], "1": []}
    for i, row in enumerate(rows):
        pair = {key: papers[key] for key in (f"{i}a", f"{i}b")}
        links = whole or resolve(pair).links
        merged[row["same"]].append(links[f"{i}a"]["e1"] == links[f"{i}b"]["e1"])
    assert sum(merged["1"]) >= 0.9 * len(merged["1"])
    assert sum(merged["0"]) <= 0.02 * len(merged["0"])
