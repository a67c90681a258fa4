"""Whether a remote store holds what the graph does, by the number of triples in each graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.store import RemoteStore

if TYPE_CHECKING:
    from kg.store import GraphStore

_AT_ONCE = 500


def differing_graphs(store: GraphStore, queries: str) -> list[str]:
    """The graphs with another number of triples at the endpoint `queries` than in `store`, sorted.

    Raises what `RemoteStore.open` does.
    """
    ours = {name: content.count(b"\n") for name, content in store.graphs()}
    theirs: dict[str, int] = {}
    names = sorted(ours)
    with RemoteStore.open(queries) as remote:
        for start in range(0, len(names), _AT_ONCE):
            wanted = " ".join(f"<{name}>" for name in names[start : start + _AT_ONCE])
            rows = remote.select(
                f"SELECT ?g (COUNT(*) AS ?n) {{ VALUES ?g {{ {wanted} }} GRAPH ?g {{ ?s ?p ?o }} }}"
                " GROUP BY ?g"
            ).rows
            theirs.update((name.value, int(n.value)) for name, n in rows if name and n)
    return [name for name in names if theirs.get(name, 0) != ours[name]]
