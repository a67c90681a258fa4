"""Answers queries in a process of its own, which can be killed: Oxigraph cannot stop a query.

Run as a script with the store's path. It reads one request a line (JSON) from standard input and
answers each with a line of JSON that tells the size of the bytes that follow. It imports nothing
of kg, so that it is up in a tenth of a second.
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from typing import Any

import pyoxigraph as ox

#: Kind, value, datatype, language.
Term = tuple[str, str, str, str]


def answer(store: ox.Store, request: dict[str, Any]) -> bytes:
    """The answer to one request as bytes; raises what Oxigraph raises."""
    wanted = request["wanted"]
    if wanted == "rows":
        columns, rows = select(store, request)
        return json.dumps({"columns": columns, "rows": rows}).encode()
    found = _query(store, request)
    if wanted == "ask" and isinstance(found, ox.QueryBoolean):
        return b"true" if found else b"false"
    if wanted == "triples" and isinstance(found, ox.QueryTriples):
        return found.serialize(format=ox.RdfFormat.N_TRIPLES) or b""
    if wanted in _RESULTS and not isinstance(found, ox.QueryTriples):
        return found.serialize(format=_RESULTS[wanted]) or b""
    raise TypeError(wanted)


def select(store: ox.Store, request: dict[str, Any]) -> tuple[list[str], list[list[Term | None]]]:
    """The columns and rows of a SELECT."""
    found = _query(store, request)
    if not isinstance(found, ox.QuerySolutions):
        raise TypeError(request["wanted"])
    columns = [variable.value for variable in found.variables]
    return columns, [[term(value) for value in row] for row in islice(found, request["limit"])]


def _query(
    store: ox.Store, request: dict[str, Any]
) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
    named = request["named_graphs"]
    default = request["default_graphs"]
    return store.query(
        request["query"],
        prefixes=request["prefixes"],
        # given together with a choice of graphs, it would undo that choice
        use_default_graph_as_union=request["union"],
        default_graph=[ox.NamedNode(iri) for iri in default] if default else None,
        named_graphs=[ox.NamedNode(iri) for iri in named] if named or default else None,
    )


def term(value: object) -> Term | None:
    """A term as kind, value, datatype and language."""
    if value is None:
        return None
    if isinstance(value, ox.NamedNode):
        return "iri", value.value, "", ""
    if isinstance(value, ox.Literal):
        return "literal", value.value, value.datatype.value, value.language or ""
    if isinstance(value, ox.BlankNode):
        return "bnode", value.value, "", ""
    return "literal", str(value), "", ""  # a triple term, which only a query itself can make


_RESULTS = {
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
}


def main() -> None:
    """Serve until standard input ends."""
    store = ox.Store.read_only(sys.argv[1])
    for line in sys.stdin.buffer:
        head: dict[str, Any] = {}
        body = b""
        try:
            body = answer(store, json.loads(line))
        except SyntaxError as error:
            head = {"error": "syntax", "message": str(error)}
        except TypeError as error:
            head = {"error": "form", "message": str(error)}
        except (ValueError, RuntimeError, OSError) as error:
            head = {"error": "run", "message": str(error)}
        sys.stdout.buffer.write(json.dumps(head | {"size": len(body)}).encode() + b"\n" + body)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
