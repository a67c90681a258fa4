"""The shapes over the graph: clean, or each violation in a line.

`shapes.ttl` is the one source. Small graphs go through pySHACL; for large ones the same shapes are
compiled to SPARQL, which the store answers itself. Tests hold the two equal on planted errors.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pyshacl
import rdflib
from rdflib import RDF, SH, URIRef

from kg import vocab
from kg.store import GraphStore

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHAPES = Path(__file__).with_name("shapes.ttl")
#: Triples up to which pySHACL is quick enough (about 1,700 a second).
SMALL = 8_000

_COUNTS = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
#: Constraint → the filter that finds its violations; `{x}` is the constraint's own value.
_ON_VALUES = {
    SH.datatype: "!isLiteral(?value) || DATATYPE(?value) != {x}",
    SH.minLength: "isBlank(?value) || STRLEN(STR(?value)) < {x}",
    SH.minInclusive: "!COALESCE(?value >= {x}, false)",
    SH.maxInclusive: "!COALESCE(?value <= {x}, false)",
    SH["class"]: "NOT EXISTS {{ ?value a {x} }}",
}
_UNCHECKED = {RDF.type, SH.path, SH.message, SH.nodeKind, SH.minCount, SH.maxCount}


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """The node that breaks a shape, the rule that it breaks, the value at fault ("" for none)."""

    focus: str
    message: str
    value: str = ""

    def __str__(self) -> str:
        """The violation in one line."""
        return f"{self.focus}: {self.message}" + (f" ({self.value})" if self.value else "")


def validate(
    graph: GraphStore | str | Path, *, engine: Literal["shacl", "sparql"] | None = None
) -> list[Violation]:
    """Every violation of the shapes, sorted; an empty list for a clean graph.

    `engine` "shacl" runs pySHACL, "sparql" the compiled shapes; by default the graph's size
    decides. Raises `StoreError` for a folder that holds no graph.
    """
    if not isinstance(graph, GraphStore):
        with GraphStore.open(graph) as store:
            return validate(store, engine=engine)
    if engine is None:
        count = graph.select(_COUNTS).rows[0][0]
        engine = "shacl" if count and int(count.value) <= SMALL else "sparql"
    found = _by_shacl(graph) if engine == "shacl" else _by_sparql(graph)
    return sorted(set(found))


def shapes(base: str = vocab.BASE) -> rdflib.Graph:
    """The shapes for graphs with that base."""
    text = _SHAPES.read_text(encoding="utf-8").replace(vocab.BASE, base)
    return rdflib.Graph().parse(data=text, format="turtle")


def _by_shacl(store: GraphStore) -> Iterator[Violation]:
    _, report, _ = pyshacl.validate(
        store.union(), shacl_graph=shapes(store.base), inference="none", inplace=True
    )
    if not isinstance(report, rdflib.Graph):
        raise TypeError(f"pySHACL failed: {report!r}")
    for result in report.subjects(RDF.type, SH.ValidationResult):
        focus, value = report.value(result, SH.focusNode), report.value(result, SH.value)
        yield Violation(
            str(focus),
            str(report.value(result, SH.resultMessage)),
            "" if value is None or value == focus else str(value),
        )


def _by_sparql(store: GraphStore) -> Iterator[Violation]:
    for message, query in compiled(store.base):
        for row in store.select(query).rows:
            focus, value = row[0], row[1] if len(row) > 1 else None
            if focus:
                yield Violation(focus.value, message, value.value if value else "")


def compiled(base: str = vocab.BASE) -> list[tuple[str, str]]:
    """The shapes as (message, SELECT of ?this and, for some, ?value), sorted."""
    graph = shapes(base)
    queries = []
    for shape in graph.subjects(RDF.type, SH.NodeShape):
        target = " UNION ".join(_targets(graph, shape))
        for part in graph.objects(shape, SH.property):
            message = str(graph.value(part, SH.message))
            queries += [(message, query) for query in _property(graph, part, target)]
        for part in graph.objects(shape, SH.sparql):
            head, _, body = str(graph.value(part, SH.select)).partition("{")
            select = head.replace("SELECT", "SELECT DISTINCT").replace("$this", "?this")
            queries.append((str(graph.value(part, SH.message)), f"{select}{{ {target} {body}"))
    return sorted(queries)


def _targets(graph: rdflib.Graph, shape: rdflib.term.Node) -> Iterator[str]:
    patterns = {
        SH.targetClass: "{{ ?this a {x} }}",
        SH.targetSubjectsOf: "{{ ?this {x} ?any }}",
        SH.targetObjectsOf: "{{ ?any {x} ?this }}",
    }
    for predicate, pattern in patterns.items():
        for value in sorted(graph.objects(shape, predicate), key=str):
            yield pattern.format(x=_n3(value))


def _property(graph: rdflib.Graph, part: rdflib.term.Node, target: str) -> Iterator[str]:
    """One query for each constraint of a property shape."""
    path = graph.value(part, SH.path)
    if not isinstance(path, URIRef):
        raise TypeError(f"only a predicate can be a path in {_SHAPES.name}, not {path!r}")
    values = f"{target} ?this {path.n3()} ?value ."
    for constraint, wanted in sorted(graph.predicate_objects(part), key=str):
        if constraint == SH.minCount and int(str(wanted)) == 1:
            absent = f"FILTER NOT EXISTS {{ ?this {path.n3()} ?value }}"
            yield f"SELECT DISTINCT ?this WHERE {{ {target} {absent} }}"
        elif constraint == SH.maxCount and int(str(wanted)) == 1:
            other = f"?this {path.n3()} ?other . FILTER (!sameTerm(?value, ?other))"
            yield f"SELECT DISTINCT ?this WHERE {{ {values} {other} }}"
        elif constraint == SH.nodeKind and wanted == SH.IRI:
            yield f"SELECT DISTINCT ?this ?value WHERE {{ {values} FILTER (!isIRI(?value)) }}"
        elif constraint in _ON_VALUES:
            fault = _ON_VALUES[URIRef(str(constraint))].format(x=_n3(wanted))
            yield f"SELECT DISTINCT ?this ?value WHERE {{ {values} FILTER ({fault}) }}"
        elif constraint not in _UNCHECKED or constraint in {SH.minCount, SH.maxCount, SH.nodeKind}:
            raise TypeError(f"{_SHAPES.name} uses {constraint!r} {wanted!r}, which is not compiled")


def _n3(term: rdflib.term.Node) -> str:
    return term.n3() if isinstance(term, rdflib.term.Identifier) else str(term)
