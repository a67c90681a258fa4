"""What `kg export` writes, read by schemas and by programs that others wrote.

networkx, igraph, lxml, graphology (in Node), the CX2 library of NDEx. What is read must be the
network: nodes, edges, attributes and their types.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import igraph
import networkx as nx
import pytest
from lxml import etree
from ndex2.cx2 import RawCX2NetworkFactory
from networks import awkward, small

from kg import vocab
from kg.export import write_network
from kg.export.attributes import directed, edge_id
from kg.export.measures import measure, merged
from kg.layout import layout
from kg.network import PROJECTIONS, network
from kg.store import GraphStore
from kg.style import node_colour

HERE = Path(__file__).parent
NODE = HERE / "node"
GEXF = "{http://gexf.net/1.3}"


@pytest.fixture(scope="module", params=[*PROJECTIONS, "awkward", "merged", "small"])
def drawn(request, sample_graph):
    """Each projection of the sample, and networks made to be hard to write, with their measures."""
    if request.param in PROJECTIONS:
        with GraphStore.open(sample_graph) as store:
            found = network(store, projection=request.param)
    else:
        make = {"awkward": awkward, "small": small, "merged": lambda: merged(awkward())}
        found = make[request.param]()
    assert found.number_of_edges() > 2
    measure(found, layout(found))
    return found


def cleaned(value):
    return vocab.clean(value) if isinstance(value, str) else value


def edges_of(network):
    """The attributes of every edge by its id."""
    return {edge_id(u, k, v): (u, v, d) for u, v, k, d in network.edges(keys=True, data=True)}


def same(given, read, *, but=()):
    """Whether `read` holds all of `given`, of the same types (whole numbers may be fractions)."""
    for name, value in given.items():
        if name in but:
            continue
        assert read[name] == cleaned(value), name
        assert isinstance(read[name], str) == isinstance(value, str), name


# Schemas


def without_viz(tree: etree._ElementTree) -> etree._ElementTree:
    for element in list(tree.iter(f"{{{GEXF[1:-1]}/viz}}*")):
        element.getparent().remove(element)
    return tree


def test_gexf_is_valid(drawn, tmp_path):
    write_network(drawn, tmp_path / "g.gexf", format="gexf")
    tree = etree.parse(tmp_path / "g.gexf")
    etree.RelaxNG(etree.parse(HERE / "gexf-1.3.rng")).assertValid(tree)
    ids = [e.get("id") for e in tree.iter(f"{GEXF}node", f"{GEXF}edge")]
    assert len(ids) == len(set(ids)) == len(drawn) + drawn.number_of_edges()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('version="1.3"', 'version="1.2"'),
        ('defaultedgetype="directed"', 'defaultedgetype="both"'),
        ('mode="dynamic"', 'mode="static"'),
        ('type="integer"', 'type="whole"'),
        ('start="2017"', 'start="a year"'),
        ('start="2017"', 'begin="2017"'),
        ('weight="1.0"', 'weight="heavy"'),
        ("<viz:color r=", "<viz:colour r="),
        ("</attvalues>", "</attvalues><attvalues/>"),
        (' source="', ' from="'),
    ],
)
def test_the_grammar_tells_what_is_no_gexf(tmp_path, old, new):
    write_network(small(), tmp_path / "g.gexf", format="gexf")
    text = (tmp_path / "g.gexf").read_text("utf-8")
    assert old in text
    grammar = etree.RelaxNG(etree.parse(HERE / "gexf-1.3.rng"))
    assert grammar.validate(etree.fromstring(text.encode()))
    assert not grammar.validate(etree.fromstring(text.replace(old, new, 1).encode()))


@pytest.mark.skipif(
    "GEXF_XSD" not in os.environ,
    reason="needs GEXF_XSD=…/gexf.xsd, the schema of https://gexf.net with the files beside it",
)
def test_gexf_without_viz_is_valid_by_the_published_schema(drawn, tmp_path):
    write_network(drawn, tmp_path / "g.gexf", format="gexf")
    schema = etree.XMLSchema(etree.parse(os.environ["GEXF_XSD"]))
    schema.assertValid(without_viz(etree.parse(tmp_path / "g.gexf")))


# The timeline


def lives(element) -> set[int]:
    """The years in which a node or edge is there, by its spells or its own start and end."""
    spells = element.findall(f"{GEXF}spells/{GEXF}spell") or [element]
    return {
        year
        for spell in spells
        if spell.get("start")
        for year in range(int(spell.get("start")), int(spell.get("end")) + 1)
    }


def test_nodes_and_edges_live_in_the_years_of_their_papers(sample_graph, tmp_path):
    with GraphStore.open(sample_graph) as store:
        found = network(store)
        papers = store.select(
            "SELECT DISTINCT ?entity ?year { ?paper ?role ?entity ; dcterms:issued ?year ."
            " ?entity a/rdfs:subClassOf? ?type . FILTER(?role != rdf:type) }"
        ).rows
    write_network(found, tmp_path / "g.gexf", format="gexf")
    tree = etree.parse(tmp_path / "g.gexf")
    years: dict[str, set[int]] = {}
    for entity, year in papers:
        years.setdefault(entity.value, set()).add(int(year.value))
    nodes = {n.get("id"): lives(n) for n in tree.iter(f"{GEXF}node")}
    assert nodes == {n: years[n] for n in found}
    assert any(len(y) < max(y) - min(y) + 1 for y in nodes.values())
    for edge in tree.iter(f"{GEXF}edge"):
        # an edge is never there without its ends
        assert lives(edge) <= nodes[edge.get("source")] & nodes[edge.get("target")]
        assert lives(edge)


def test_the_tables_tell_the_same_years(tmp_path):
    found = awkward()
    write_network(found, tmp_path / "g.csv", format="csv")
    write_network(found, tmp_path / "g.gexf", format="gexf")
    tree = etree.parse(tmp_path / "g.gexf")
    for part in ("node", "edge"):
        with (tmp_path / f"g-{part}s.csv").open(encoding="utf-8", newline="") as file:
            sets = {row["Id"]: row["Timeset"] for row in csv.DictReader(file)}
        for element in tree.iter(f"{GEXF}{part}"):
            runs = re.findall(r"\[(\d+), (\d+)\]", sets[element.get("id")])
            assert lives(element) == {y for a, b in runs for y in range(int(a), int(b) + 1)}
    assert "<[2001, 2001]; [2003, 2004]; [2009, 2009]>" in (tmp_path / "g-nodes.csv").read_text()


# networkx, igraph


def test_networkx_reads_the_network_from_gexf(drawn, tmp_path):
    write_network(drawn, tmp_path / "g.gexf", format="gexf")
    read = nx.read_gexf(tmp_path / "g.gexf", version="1.3")
    assert read.is_directed() == directed(drawn)
    assert set(read) == set(drawn)
    for node, data in drawn.nodes(data=True):
        same(data | {"label": data["label"] or node}, read.nodes[node])
        assert {type(read.nodes[node][n]) for n in ("papers", "degree")} == {int}
    known = edges_of(drawn)
    assert {d["id"] for *_, d in read.edges(data=True)} == set(known)
    for u, v, data in read.edges(data=True):
        head, tail, given = known[data["id"]]
        assert (u, v) == (head, tail) if directed(drawn) else {u, v} == {head, tail}
        renamed = given | {"label": given["label"] or given["kind"], "relation": given["kind"]}
        same(renamed, data, but=("kind",))


def test_networkx_and_igraph_read_the_network_from_graphml(drawn, tmp_path):
    write_network(drawn, tmp_path / "g.graphml", format="graphml")
    read = nx.read_graphml(tmp_path / "g.graphml", force_multigraph=True)
    other = igraph.Graph.Read_GraphML(str(tmp_path / "g.graphml"))
    assert read.is_directed() == other.is_directed() == directed(drawn)
    assert set(read) == set(other.vs["id"]) == set(drawn)
    # white space at the ends, and empty texts, are lost to the readers
    for vertex in other.vs:
        given = drawn.nodes[vertex["id"]]
        for name, value in given.items():
            for found in (vertex[name], read.nodes[vertex["id"]].get(name, "")):
                if isinstance(value, str):
                    assert found.strip() == cleaned(value).strip()
                else:
                    assert found == value
        assert type(read.nodes[vertex["id"]]["papers"]) is int
        shade = "#" + "".join(f"{int(vertex[c]):02x}" for c in "rgb")
        assert shade == node_colour(given["type"]).lower()
    known = edges_of(drawn)
    assert {k for *_, k in read.edges(keys=True)} == set(known)
    # igraph 1.0 gives edges the ids of nodes
    others = {}
    for edge in other.es:
        u, v = (other.vs[i]["id"] for i in edge.tuple)
        others[u, edge["kind"], v] = others[v, edge["kind"], u] = edge
        if directed(drawn):
            del others[v, edge["kind"], u]
    for key, (u, v, given) in known.items():
        data, edge = read.edges[u, v, key], others[u, cleaned(given["kind"]), v]
        for name, value in given.items():
            for found in (edge[name], data.get(name, "")):
                if isinstance(value, str):
                    assert found.strip() == cleaned(value).strip()
                else:
                    assert found == value


# graphology


@pytest.mark.parametrize("name", ["gexf", "graphml"])
def test_graphology_reads_the_network(drawn, tmp_path, name):
    node = shutil.which("node")
    if not node or not (NODE / "node_modules").is_dir():
        pytest.skip("needs node and tests/node/node_modules: make test installs it where npm is")
    write_network(drawn, tmp_path / f"g.{name}", format=name)
    ran = subprocess.run(
        [node, NODE / "read.cjs", tmp_path / f"g.{name}"], capture_output=True, check=True
    )
    read = json.loads(ran.stdout)
    places = layout(drawn)
    nodes = {n["key"]: n["attributes"] for n in read["nodes"]}
    assert set(nodes) == set(drawn)
    for key, given in drawn.nodes(data=True):
        # its reader of GraphML leaves out empty texts
        label = given["label"] or (key if name == "gexf" else "")
        same(given | {"label": label}, {"label": ""} | nodes[key])
        x, y = places.places[key]
        assert (nodes[key]["x"], nodes[key]["y"]) == (x, -y)
        assert nodes[key]["size"] == places.radii[key]
    known = edges_of(drawn)
    assert {e["key"] for e in read["edges"]} == set(known)
    for edge in read["edges"]:
        u, v, given = known[edge["key"]]
        assert (edge["source"], edge["target"]) == (u, v)
        assert edge["undirected"] != directed(drawn)
        label = given["label"] or (given["kind"] if name == "gexf" else "")
        same(given | {"label": label}, {"label": ""} | edge["attributes"])


# CX2


def test_the_library_of_ndex_reads_the_network_from_cx2(drawn, tmp_path):
    write_network(drawn, tmp_path / "g.cx2", format="cx2")
    read = RawCX2NetworkFactory().get_cx2network(str(tmp_path / "g.cx2"))
    nodes = {n["v"]["iri"]: n for n in read.get_nodes().values()}
    assert set(nodes) == set(drawn)
    spelt = lambda value: json.loads(vocab.clean(json.dumps(value, ensure_ascii=False)))  # noqa: E731
    for node, data in drawn.nodes(data=True):
        given = {k: spelt(v) for k, v in data.items() if k != "label"}
        assert nodes[node]["v"] == given | {"iri": node, "name": spelt(data["label"]) or node}
    iris = {n["id"]: n["v"]["iri"] for n in read.get_nodes().values()}
    edges = {
        (iris[e["s"]], spelt(e["v"]["interaction"]), iris[e["t"]]): e["v"]
        for e in read.get_edges().values()
    }
    assert len(edges) == drawn.number_of_edges()
    for u, v, kind, data in drawn.edges(keys=True, data=True):
        given = {k: spelt(value) for k, value in data.items() if k != "kind"}
        assert edges[u, spelt(kind), v] == given | {"interaction": spelt(kind)}
    style = read.get_visual_properties()
    assert {"default", "nodeMapping", "edgeMapping"} <= set(style)
