"""Answers do not depend on how often a store gives a triple that several graphs hold.

Oxigraph and Virtuoso give it once a graph, stores that keep to RDF's merge of graphs once.
"""

from __future__ import annotations

import io

import asking
import pyoxigraph as ox
import pytest
from test_queries import ANSWERS, QUERIES

from kg.query import run
from kg.store import Rows, Term, worker


class Merged:
    """The graphs of a store, and as the default graph their merge, each triple once."""

    folder = None
    model = ""

    def __init__(self, store) -> None:
        self.base, self.prefixes = store.base, store.prefixes
        lines = io.BytesIO()
        store.dump(lines)
        self._store = ox.Store()
        self._store.load(lines.getvalue(), ox.RdfFormat.N_QUADS)
        self._store.extend([ox.Quad(q.subject, q.predicate, q.object) for q in self._store])

    def select(self, sparql, *, timeout=None, limit=None):
        found = self._store.query(sparql, prefixes=self.prefixes)
        rows = [tuple(map(worker.term, row)) for row in found]
        return Rows(
            tuple(variable.value for variable in found.variables),
            [tuple(None if t is None else Term(*t) for t in row) for row in rows[:limit]],
        )

    def ask(self, sparql, *, timeout=None):
        return bool(self._store.query(sparql, prefixes=self.prefixes))


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    with asking.graph(tmp_path_factory.mktemp("union") / "graph", asking.papers()) as store:
        yield store, Merged(store)


def test_the_two_differ_in_that(stores):
    counted = "SELECT (COUNT(*) AS ?n) { ?method kg:evaluatedOn ?benchmark }"
    once_a_graph, once = (store.select(counted).rows[0][0].value for store in stores)
    assert int(once) < int(once_a_graph)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [(name, parameters) for name, parameters, *_ in ANSWERS],
    ids=[f"{number}-{case[0]}" for number, case in enumerate(ANSWERS)],
)
def test_saved_queries(stores, name, parameters):
    ours, theirs = (run(store, name, parameters=parameters, folder=QUERIES) for store in stores)
    assert (theirs.columns, theirs.rows, theirs.iris) == (ours.columns, ours.rows, ours.iris)
