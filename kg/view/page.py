"""A network, its layout and its details in, the text of one self-contained HTML page out.

Data stand in `application/json` blocks that no browser runs; scripts and styles are inline and
named by their hash in a Content-Security-Policy that allows nothing else, no network least of all.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import jinja2

from kg import vocab
from kg.layout import UNCONNECTED
from kg.schema import ROLES
from kg.style import (
    FAMILIES,
    OTHER_COLOUR,
    community_colour,
    edge_family,
    kind_label,
    node_colour,
    node_shape,
    type_order,
)
from kg.view import vis

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import networkx as nx

    from kg.layout import Layout
    from kg.view.details import Details, Statement

RENDERERS = ("vis", "sigma")
#: Nodes that vis-network still draws well; more are drawn by sigma.js.
VIS_UP_TO = 500
_DRAWN_BY = {"vis": ("renderer.js",), "sigma": ("programs.js", "sigma.js")}
#: In this order, since each runs once, from its first line to its last.
_SCRIPTS = (
    "details.js", "table.js", "app.js", "filters.js", "search.js", "address.js", "start.js",
)  # fmt: skip
#: Characters of JSON above which a block is packed.
_PACK_FROM = 1_000_000
#: Venues with a tick of their own.
_VENUES = 40
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def page(
    network: nx.MultiDiGraph,
    places: Layout,
    details: Details,
    *,
    title: str,
    note: str = "",
    focus: str | None = None,
    renderer: str | None = None,
) -> str:
    """The page of `network`.

    `note` says under the title what is shown and what was left out; `focus` is the node selected at
    the start; `renderer` is "vis" (vis-network) or "sigma" (sigma.js), by the size where not given.
    Raises ValueError for another renderer.
    """
    renderer = renderer or ("vis" if len(network) <= VIS_UP_TO else "sigma")
    if renderer not in RENDERERS:
        raise ValueError(f"no renderer {renderer!r}; known: {', '.join(RENDERERS)}")
    order = sorted(network.nodes, key=lambda n: (-int(network.nodes[n].get("papers", 1)), n))
    number = {node: i for i, node in enumerate(order)}
    graph = _graph(network, places, number, details)
    graph |= {
        "title": title,
        "note": note,
        "focus": number.get(focus) if focus else None,
    }
    assets = files("kg.view") / "assets"
    if renderer == "vis":
        graph["vis"] = vis.drawing(network, places, number)
        library = vis.library()
    else:
        library = (assets / "vendor" / "sigma.min.js").read_text("utf-8")
    names = ("model.js", "labels.js", *_DRAWN_BY[renderer], *_SCRIPTS)
    scripts = [
        library,
        '(async () => {\n"use strict";\n'
        + "\n".join((assets / name).read_text("utf-8") for name in names)
        + "\n})();",
    ]
    for script in scripts:
        if "</script" in script.lower():
            raise ValueError("a script of the page closes its own element")
    style = (assets / "page.css").read_text("utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string((assets / "page.html.j2").read_text("utf-8"))
    return template.render(
        title=vocab.clean(title),
        policy=policy(scripts=scripts, style=style),
        style=style,
        scripts=scripts,
        blocks=[
            ("graph-data", *_block(graph)),
            ("evidence-data", *_block(_evidence(network, details, order))),
        ],
    )


def policy(*, scripts: Sequence[str], style: str) -> str:
    """A Content-Security-Policy that allows these scripts and this style and nothing else."""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src " + (" ".join(_hash(s) for s in scripts) or "'none'"),
            f"style-src {_hash(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _block(data: object) -> tuple[str, str]:
    """Media type and text of a data block: JSON, or gzip in base64 where that would be large."""
    text = script_json(data)
    if len(text) < _PACK_FROM:
        return "application/json", text
    packed = gzip.compress(text.encode(), compresslevel=7, mtime=0)
    return "application/gzip", base64.b64encode(packed).decode()


def script_json(data: object) -> str:
    """`data` as JSON that cannot end its script element nor hold a character HTML forbids."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return vocab.clean(text.translate(_ESCAPES))


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _graph(
    network: nx.MultiDiGraph, places: Layout, number: Mapping[str, int], details: Details
) -> dict[str, Any]:
    """Nodes, edges and their tables of types and kinds, without anything a renderer needs."""
    kinds = sorted(
        {k for _, _, k in network.edges(keys=True)},
        key=lambda k: (FAMILIES.index(edge_family(k)), k),
    )
    types = sorted({str(t) for _, t in network.nodes(data="type", default="")}, key=type_order)
    kind_number = {k: i for i, k in enumerate(kinds)}
    roles = [r for r in ROLES if any(r.name in of for of in details.roles.values())]
    role_number = {r.name: i for i, r in enumerate(roles)}
    venues = _venues(details)
    venue_number = {v: i for i, v in enumerate(venues)}
    other = len(venues) - 1

    def venues_of(names: Iterable[str]) -> list[int]:
        return sorted({venue_number.get(v, other) for v in names})

    return {
        "roles": [{"name": r.name, "label": r.label} for r in roles],
        "venues": venues,
        "types": [{"name": t, "colour": node_colour(t), "shape": node_shape(t)} for t in types],
        "kinds": [
            {"name": k, "label": _label(network, k), "family": FAMILIES.index(edge_family(k))}
            for k in kinds
        ],
        "families": [
            {"title": f.title, "colour": f.colour, "dark": f.dark, "stroke": f.stroke}
            for f in FAMILIES
        ],
        "communities": [
            {
                "name": c.name,
                "strongest": list(c.strongest or (c.name,)),
                "size": c.size,
                "loose": c.name == UNCONNECTED,
                "colour": OTHER_COLOUR if c.name == UNCONNECTED else community_colour(c.number),
            }
            for c in places.communities
        ],
        "nodes": [
            {
                "iri": node,
                "label": str(network.nodes[node].get("label") or node),
                "type": types.index(str(network.nodes[node].get("type", ""))),
                "also": [a for a in str(network.nodes[node].get("aliases", "")).split(" | ") if a],
                "papers": int(network.nodes[node].get("papers", 0)),
                "first": network.nodes[node].get("first_year"),
                "last": network.nodes[node].get("last_year"),
                "confidence": network.nodes[node].get("confidence"),
                "roles": sorted(role_number[r] for r in details.roles.get(node, ())),
                "venues": venues_of(details.venues.get(node, ())),
                "community": places.community[node],
                "x": places.places[node][0],
                "y": places.places[node][1],
                "r": places.radii[node],
            }
            for node in number
        ],
        "edges": [
            {
                "from": number[u],
                "to": number[v],
                "kind": kind_number[k],
                "papers": int(network.edges[u, v, k].get("papers", 0)),
                "confidence": network.edges[u, v, k].get("confidence"),
                "first": network.edges[u, v, k].get("first_year"),
                "last": network.edges[u, v, k].get("last_year"),
                "venues": venues_of(details.edge_venues.get((u, v, k), ())),
            }
            for u, v, k in sorted(network.edges(keys=True))
        ],
    }


def _venues(details: Details) -> list[str]:
    """The venues of most nodes first; what is too rare for a tick of its own is one "Other"."""
    found = Counter(v for names in details.venues.values() for v in names)
    order = sorted(found, key=lambda v: (-found[v], v))
    return [*order[:_VENUES], "Other venues"] if len(order) > _VENUES else order


def _label(network: nx.MultiDiGraph, kind: str) -> str:
    """The schema's word for a kind; for kinds of a query's own, what its edges say."""
    if (label := kind_label(kind)) != kind:
        return label
    said = next(d.get("label") for *_, k, d in network.edges(keys=True, data=True) if k == kind)
    return str(said or kind)


def _evidence(network: nx.MultiDiGraph, details: Details, order: Sequence[str]) -> dict[str, Any]:
    """Papers, and the statements of every node and edge, which the page reads when first asked."""
    papers = sorted(details.papers)
    number = {p: i for i, p in enumerate(papers)}

    def said(statements: Iterable[Statement]) -> list[dict[str, Any]]:
        return [
            {
                "paper": number.get(s.paper),
                "kind": kind_label(s.kind),
                "confidence": round(s.confidence, 2),
                "parts": parts(s),
            }
            for s in statements
        ]

    return {
        "papers": [
            {"title": p.title, "year": p.year, "venue": p.venue, "authors": p.authors, "url": p.url}
            for p in (details.papers[i] for i in papers)
        ],
        "nodes": [
            {
                "years": sorted(details.years.get(n, {}).items()),
                "said": said(details.nodes.get(n, ())),
            }
            for n in order
        ],
        "edges": [said(details.edges.get(edge, ())) for edge in sorted(network.edges(keys=True))],
    }


def parts(statement: Statement) -> list[tuple[str, str]]:
    """The sentence cut at its marks: ("", text), ("head", text) or ("tail", text) in turn.

    Cut here, since JavaScript counts UTF-16 units where our offsets count characters.
    """
    spans = [(s, e, "head") for s, e in [statement.head] if s < e] if statement.head else []
    if statement.tail:
        spans.append((*statement.tail, "tail"))
    cut: list[tuple[str, str]] = []
    at = 0
    for start, end, which in sorted(spans):
        if start < at:
            continue
        cut += [("", statement.sentence[at:start]), (which, statement.sentence[start:end])]
        at = end
    cut.append(("", statement.sentence[at:]))
    return [(which, text) for which, text in cut if text]
