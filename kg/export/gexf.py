"""A network to GEXF 1.3 as Gephi reads it (https://gexf.net), written as a stream.

Labels, typed attributes, colour, size, shape and place of every node, kind and weight of every
edge, and the years of both as spells for the timeline. networkx' own writer neither passes the
schema of 1.3 nor keeps kinds, and writes broken XML for a label with a control character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO
from xml.sax.saxutils import quoteattr

from kg import vocab
from kg.export.attributes import Column, Value, columns, directed, edge_id, spells, written
from kg.style import edge_family, node_colour, node_shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import networkx as nx

    from kg.layout import Layout

NAMESPACE = "http://gexf.net/1.3"
#: As numbers, since parsers make line feeds or blanks of them; some know the breaks of XML 1.1 too.
_BREAKS = {c: f"&#{ord(c)};" for c in "\n\r\t\x85\u2028"}
_STATIC = 'mode="static"'
#: What GEXF has elements and attributes of its own for.
_NOT_COLUMNS = ("label", "weight", "kind")


def write_gexf(network: nx.MultiDiGraph, places: Layout, sink: TextIO, *, title: str) -> None:
    """Write `network` with its layout to `sink`, nodes and edges sorted.

    Ids of nodes are their IRIs, those of edges come from their ends and kind. `y` is turned upside
    down, since it grows upwards in Gephi. Weights that are not above 0 are written as 1, as Gephi
    needs them.
    """
    sink.writelines(_document(network, places, title))


def attribute(text: object) -> str:
    """`text` as an XML attribute in quotes; line breaks survive, what XML forbids is U+FFFD."""
    return quoteattr(vocab.clean(str(text)), _BREAKS)


def _document(network: nx.MultiDiGraph, places: Layout, title: str) -> Iterator[str]:
    nodes = sorted(network.nodes(data=True))
    edges = sorted(network.edges(keys=True, data=True), key=lambda e: e[:3])
    timed = any("first_year" in d for _, d in nodes)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<gexf xmlns="{NAMESPACE}" xmlns:viz="{NAMESPACE}/viz" version="1.3">\n'
    yield "<meta>\n<creator>kg</creator>\n"
    yield f"<description>{_element(title)}</description>\n</meta>\n"
    # "double" is the format of plain numbers that Gephi knows by name; "integer" it passes over
    dynamic = 'mode="dynamic" timeformat="double" timerepresentation="interval"'
    way = "directed" if directed(network) else "undirected"
    yield f'<graph defaultedgetype="{way}" {dynamic if timed else _STATIC}>\n'
    of_nodes = columns(_row(d) for _, d in nodes)
    of_edges = columns(_row(d) for *_, d in edges)
    yield from _declared("node", of_nodes)
    yield from _declared("edge", of_edges)
    yield f'<nodes count="{len(nodes)}">\n'
    for node, data in nodes:
        label = attribute(data.get("label") or node)
        yield f"<node id={attribute(node)} label={label}{_time(data)}>\n"
        yield from _values(of_nodes, data)
        yield from _spells(data)
        yield from _look(str(data.get("type", "")), places.places[node], places.radii[node])
        yield "</node>\n"
    yield f'</nodes>\n<edges count="{len(edges)}">\n'
    for u, v, kind, data in edges:
        weight = float(data.get("weight", 1.0))
        yield (
            f'<edge id="{edge_id(u, kind, v)}" source={attribute(u)} target={attribute(v)}'
            f' type="{way}"'
            f" kind={attribute(kind)} label={attribute(data.get('label') or kind)}"
            f' weight="{weight if weight > 0 else 1.0!r}"{_time(data)}>\n'
        )
        yield from _values(of_edges, data)
        yield from _spells(data)
        family = edge_family(kind)
        yield f'{_colour(family.colour)}<viz:shape value="{family.stroke}"/>\n</edge>\n'
    yield "</edges>\n</graph>\n</gexf>\n"


def _row(data: Mapping[str, Value]) -> dict[str, Value]:
    """The attributes that become columns. `kind` is one too: not every reader knows GEXF's own."""
    row = {k: v for k, v in data.items() if k not in _NOT_COLUMNS}
    if "kind" in data:
        row["relation"] = data["kind"]
    return row


def _element(text: str) -> str:
    return attribute(text)[1:-1].replace("&quot;", '"')


def _declared(of: str, all_columns: tuple[Column, ...]) -> Iterator[str]:
    """Titles are ids as well: some readers (graphology) know a column by its id alone."""
    if not all_columns:
        return
    yield f'<attributes class="{of}">\n'
    for column in all_columns:
        name = attribute(column.name)
        yield f'<attribute id={name} title={name} type="{column.type}"/>\n'
    yield "</attributes>\n"


def _values(all_columns: tuple[Column, ...], data: Mapping[str, Value]) -> Iterator[str]:
    row = _row(data)
    if not row:
        return
    yield "<attvalues>\n"
    for column in all_columns:
        if column.name in row:
            value = row[column.name]
            text = written(float(value)) if column.type == "double" else written(value)
            yield f"<attvalue for={attribute(column.name)} value={attribute(text)}/>\n"
    yield "</attvalues>\n"


def _time(data: Mapping[str, Value]) -> str:
    """From the first to the last year, both included, unless there are several spells."""
    runs = spells(data)
    return f' start="{runs[0][0]}" end="{runs[0][1]}"' if len(runs) == 1 else ""


def _spells(data: Mapping[str, Value]) -> Iterator[str]:
    runs = spells(data)
    if len(runs) > 1:
        yield "<spells>\n"
        yield from (f'<spell start="{first}" end="{last}"/>\n' for first, last in runs)
        yield "</spells>\n"


def _look(node_type: str, place: tuple[float, float], radius: float) -> Iterator[str]:
    x, y = place
    yield _colour(node_colour(node_type))
    yield f'<viz:position x="{x}" y="{-y if y else 0.0}" z="0.0"/>'
    yield f'<viz:size value="{radius}"/><viz:shape value="{node_shape(node_type)}"/>\n'


def _colour(hex_colour: str) -> str:
    r, g, b = (int(hex_colour[i : i + 2], 16) for i in (1, 3, 5))
    return f'<viz:color r="{r}" g="{g}" b="{b}"/>'
