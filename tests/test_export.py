"""Files read back by parsers that we did not write."""

from __future__ import annotations

import csv
import json
import math
import re

import bibtexparser
import igraph
import networkx as nx
import pyoxigraph
import pytest
import rdflib
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from networks import HOSTILE, iri, small

from kg.errors import QueryError
from kg.export import NETWORK_FORMATS, export, write_network
from kg.export.gexf import NAMESPACE
from kg.export.measures import merged
from kg.export.papers import Cited, markdown, papers_behind, write_bib, write_markdown
from kg.layout import layout
from kg.network import PROJECTIONS, network
from kg.part import Part
from kg.store import GraphStore
from kg.style import node_colour

G = f"{{{NAMESPACE}}}"
VIZ = f"{{{NAMESPACE}/viz}}"
EDGE_ATTRIBUTES = {"papers": int, "confidence": float, "evidence": str, "paper": str}


@pytest.fixture
def gexf(tmp_path):
    write_network(small(), tmp_path / "g.gexf", format="gexf")
    return tmp_path / "g.gexf"


@pytest.fixture(scope="module")
def store(sample_graph):
    with GraphStore.open(sample_graph) as store:
        yield store


# GEXF


def test_gexf_read_by_networkx_is_the_network(gexf):
    network, read = small(), nx.read_gexf(gexf, version="1.3")
    assert set(read) == set(network)
    for node, data in network.nodes(data=True):
        for name, value in data.items():
            assert read.nodes[node][name] == value
            assert type(read.nodes[node][name]) is type(value)
    edges = {(u, v, d["relation"]): d for u, v, d in read.edges(data=True)}
    assert set(edges) == set(network.edges(keys=True))
    for edge, data in edges.items():
        for name, kind in EDGE_ATTRIBUTES.items():
            assert data[name] == network.edges[edge][name]
            assert type(data[name]) is kind
        assert data["weight"] == network.edges[edge]["weight"]
        assert data["label"] == network.edges[edge]["label"]


def test_gexf_has_the_look_of_the_page(gexf):
    network, places = small(), layout(small())
    tree = etree.parse(gexf)
    for node in tree.iter(f"{G}node"):
        name = node.get("id")
        x, y = places.places[name]
        place = node.find(f"{VIZ}position")
        assert (float(place.get("x")), -float(place.get("y"))) == (x, y)
        assert float(node.find(f"{VIZ}size").get("value")) == places.radii[name]
        colour = node.find(f"{VIZ}color")
        written = "#" + "".join(f"{int(colour.get(c)):02X}" for c in "rgb")
        assert written == node_colour(network.nodes[name]["type"]).upper()
        assert node.find(f"{VIZ}shape").get("value") in ("disc", "square", "triangle", "diamond")
    shapes = {e.find(f"{VIZ}shape").get("value") for e in tree.iter(f"{G}edge")}
    assert shapes <= {"solid", "dotted", "dashed", "double"}
    assert len(shapes) > 1


def test_gexf_has_years_as_intervals_and_kinds_for_parallel_edges(gexf):
    tree = etree.parse(gexf)
    graph = tree.find(f"{G}graph")
    assert (graph.get("mode"), graph.get("timeformat")) == ("dynamic", "double")
    times = {n.get("id"): (n.get("start"), n.get("end")) for n in tree.iter(f"{G}node")}
    assert times[iri("method/transformer")] == ("2017", "2022")
    assert times[iri("method/alone")] == (None, None)
    between = [
        e for e in tree.iter(f"{G}edge")
        if e.get("source") == iri("method/transformer") and e.get("target") == iri("method/lstm")
    ]  # fmt: skip
    assert {(e.get("kind"), e.get("start"), e.get("end")) for e in between} == {
        ("outperforms", "2017", "2019"), ("comparedWith", "2017", "2017"),
    }  # fmt: skip
    ids = [e.get("id") for e in tree.iter(f"{G}edge")]
    assert len(ids) == len(set(ids)) == small().number_of_edges()


def test_gexf_follows_the_order_and_types_of_its_schema(gexf):
    tree = etree.parse(gexf)
    assert tree.getroot().get("version") == "1.3"
    assert [c.tag for c in tree.getroot()] == [f"{G}meta", f"{G}graph"]
    parts = [c.tag.removeprefix(G) for c in tree.find(f"{G}graph")]
    assert parts == ["attributes", "attributes", "nodes", "edges"]
    for block in tree.iter(f"{G}attributes"):
        declared = {a.get("id"): a.get("type") for a in block}
        assert [*declared] == [a.get("title") for a in block]
        assert set(declared.values()) <= {"string", "integer", "double", "boolean"}
        for value in tree.iterfind(f".//{G}{block.get('class')}//{G}attvalue"):
            if value.get("for") in declared and declared[value.get("for")] == "integer":
                int(value.get("value"))
    for element in (*tree.iter(f"{G}node"), *tree.iter(f"{G}edge")):
        assert element[0].tag == f"{G}attvalues"
        assert {c.tag.startswith(VIZ) for c in element[1:]} == {True}
        if element.get("weight"):
            assert float(element.get("weight")) > 0


def test_without_years_gexf_is_static(tmp_path):
    network = nx.MultiDiGraph()
    network.add_node("a", label="A", type="Method", papers=1)
    write_network(network, tmp_path / "g.gexf", format="gexf")
    graph = etree.parse(tmp_path / "g.gexf").find(f"{G}graph")
    assert (graph.get("mode"), graph.get("timeformat")) == ("static", None)


def test_weights_that_gephi_refuses_become_one(tmp_path):
    network = small()
    for i, (*_, data) in enumerate(network.edges(data=True)):
        data["weight"] = (0.0, -2.0)[i % 2]
    write_network(network, tmp_path / "g.gexf", format="gexf")
    assert {e.get("weight") for e in etree.parse(tmp_path / "g.gexf").iter(f"{G}edge")} == {"1.0"}


# GraphML


def test_graphml_read_by_networkx_and_igraph_is_the_network(tmp_path):
    write_network(small(), tmp_path / "g.graphml", format="graphml")
    network, places = small(), layout(small())
    read = nx.read_graphml(tmp_path / "g.graphml", force_multigraph=True)
    assert set(read) == set(network)
    for node, data in network.nodes(data=True):
        assert data.items() <= read.nodes[node].items()
        assert {n: type(v) for n, v in data.items()}.items() <= {
            n: type(v) for n, v in read.nodes[node].items()
        }.items()
        assert (read.nodes[node]["x"], -read.nodes[node]["y"]) == places.places[node]
    edges = {(u, v, d["kind"]): d for u, v, d in read.edges(data=True)}
    assert {e: dict(network.edges[e]) for e in network.edges(keys=True)} == edges
    other = igraph.Graph.Read_GraphML(str(tmp_path / "g.graphml"))
    assert (other.vcount(), other.ecount()) == (len(network), network.number_of_edges())
    assert sorted(other.vs["label"]) == sorted(d for _, d in network.nodes(data="label"))
    assert sorted(other.es["kind"]) == sorted(k for *_, k in network.edges(keys=True))


# Any text


TEXT = st.text(alphabet=st.characters(exclude_categories=[]), min_size=1, max_size=30)


def cleaned(text: str) -> str:
    """What XML 1.0 can hold of `text` (its production Char), the rest as U+FFFD."""
    return "".join(
        c
        if c in "\t\n\r"
        or "\x20" <= c <= "\ud7ff"
        or "\ue000" <= c <= "\ufffd"
        or c >= "\U00010000"
        else "\ufffd"
        for c in text
    )


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(label=TEXT, aliases=TEXT, kind=st.text(min_size=1, max_size=8))
def test_any_label_survives_every_format(tmp_path, label, aliases, kind):
    network = nx.MultiDiGraph()
    network.add_node("a", label=label, type="Method", papers=1, aliases=aliases)
    network.add_node("b", label="b", type="Task", papers=1)
    network.add_edge("a", "b", key=kind, kind=kind, label=label, papers=1, weight=1.0)
    for name in NETWORK_FORMATS:
        write_network(
            network, tmp_path / ("n" if name == "neo4j" else "") / f"g.{name}", format=name
        )
    gexf = nx.read_gexf(tmp_path / "g.gexf", version="1.3")
    assert gexf.nodes["a"]["label"] == cleaned(label)
    assert gexf.nodes["a"]["aliases"] == cleaned(aliases)
    # networkx drops white space at the ends of a GraphML value
    graphml = etree.parse(tmp_path / "g.graphml")
    assert cleaned(label) in {d.text for d in graphml.iter("{*}data")}
    # JSON spells control characters out and so keeps them
    read = json.loads((tmp_path / "g.json").read_bytes())["nodes"][0]["aliases"]
    assert read == re.sub("[\ud800-\udfff\ufffe\uffff]", "\ufffd", aliases)
    with (tmp_path / "g-nodes.csv").open(encoding="utf-8", newline="") as file:
        assert next(iter(csv.DictReader(file)))["Label"] == cleaned(label)
    with (tmp_path / "n" / "g-nodes.csv").open(encoding="utf-8", newline="") as file:
        assert next(iter(csv.DictReader(file)))["aliases:string"] == re.sub(
            "[\r\n]+", " ", cleaned(aliases)
        )
    cx2 = json.loads((tmp_path / "g.cx2").read_bytes())
    assert cx2[4]["nodes"][0]["v"]["aliases"] == read
    lines = (tmp_path / "g.cypher").read_text("utf-8").split("\n")
    assert len(lines) == 5
    assert all(line.endswith(";") for line in lines[:-1])


@pytest.mark.parametrize(
    "label",
    [
        "it's",
        "back\\slash",
        "\\u0027}) DETACH DELETE n //",
        "two\nlines",
        "\\\\u0027",
        "'; MATCH (n) //",
    ],
)
def test_cypher_strings_cannot_be_left(tmp_path, label):
    network = nx.MultiDiGraph()
    network.add_node("a", label=label, type="Method", papers=1)
    write_network(network, tmp_path / "g.cypher", format="cypher")
    line = (tmp_path / "g.cypher").read_text("utf-8").split("\n")[1]
    # Neo4j before 5 undoes \uXXXX first: nothing that looks like one may stand in the script
    assert "\\u" not in line
    written = line.split(" label: ", 1)[1].rsplit(", out_degree: 0", 1)[0]
    pieces, at = [], 0
    while at < len(written):
        assert written[at] == "'"
        end = at + 1
        while written[end] != "'":
            end += 2 if written[end] == "\\" else 1
        pieces.append(written[at + 1 : end])
        at = end + 1
        if written[at:].startswith(" + "):
            at += 3
    undo = {"\\\\": "\\", "\\'": "'", "\\n": "\n"}
    text, joined, at = "", "".join(pieces), 0
    while at < len(joined):
        step = 2 if joined[at] == "\\" else 1
        text += undo.get(joined[at : at + step], joined[at])
        at += step
    assert text == label


# CSV, JSON, Cypher


def test_csv_pair_has_the_columns_that_gephi_knows(tmp_path):
    report = write_network(small(), tmp_path / "g.csv", format="csv")
    assert [p.name for p in report.paths] == ["g-nodes.csv", "g-edges.csv"]
    tables = []
    for path in report.paths:
        with path.open(encoding="utf-8", newline="") as file:
            tables.append(list(csv.DictReader(file)))
    nodes, edges = tables
    network = small()
    assert {n["Id"]: n["Label"] for n in nodes} == dict(network.nodes(data="label"))
    assert next(n for n in nodes if n["Label"] == HOSTILE)["papers"] == "2"
    assert {(e["Source"], e["Target"], e["Kind"]) for e in edges} == set(network.edges(keys=True))
    assert all(e["relation"] == e["Kind"] for e in edges)
    times = {n["Label"]: n["Timeset"] for n in nodes}
    assert times["Transformer"] == "<[2017, 2022]>"
    assert times["lonely method"] == ""
    # Gephi goes by the names of columns whatever their case, and takes none twice
    for table in tables:
        names = [name.lower() for name in table[0]]
        assert len(names) == len(set(names))
    assert {e["Type"] for e in edges} == {"Directed"}
    assert all(float(e["Weight"]) > 0 for e in edges)


def test_json_is_node_link(tmp_path):
    write_network(small(), tmp_path / "g.json", format="json")
    read = nx.node_link_graph(json.loads((tmp_path / "g.json").read_text("utf-8")), edges="edges")
    network, places = small(), layout(small())
    assert set(read.edges(keys=True)) == set(network.edges(keys=True))
    for node, data in network.nodes(data=True):
        assert data.items() <= read.nodes[node].items()
        assert math.dist((read.nodes[node]["x"], read.nodes[node]["y"]), places.places[node]) == 0


def test_cypher_names_types_and_kinds(tmp_path):
    write_network(small(), tmp_path / "g.cypher", format="cypher")
    lines = (tmp_path / "g.cypher").read_text("utf-8").splitlines()
    assert lines[0].startswith("CREATE CONSTRAINT")
    assert sum(line.startswith("MERGE (n:Entity {iri: '") for line in lines) == len(small())
    assert sum("-[r:BASED_ON]->" in line for line in lines) == 1
    assert sum(", n:Benchmark;" in line for line in lines) == 1


# Cytoscape, neo4j-admin, measures, merged edges


def test_cx2_is_the_network_with_its_look(tmp_path):
    write_network(small(), tmp_path / "g.cx2", format="cx2")
    aspects = json.loads((tmp_path / "g.cx2").read_text("utf-8"))
    by_name = {name: items for aspect in aspects for name, items in aspect.items()}
    assert aspects[0] == {"CXVersion": "2.0", "hasFragments": False}
    assert by_name["status"] == [{"success": True, "error": ""}]
    for meta in by_name["metaData"]:
        assert len(by_name[meta["name"]]) == meta["elementCount"]
    drawn, places = small(), layout(small())
    nodes = {n["id"]: n for n in by_name["nodes"]}
    assert {n["v"]["iri"]: n["v"]["name"] for n in nodes.values()} == dict(
        drawn.nodes(data="label")
    )
    for node in nodes.values():
        assert (node["x"], node["y"]) == places.places[node["v"]["iri"]]
    iris = {i: n["v"]["iri"] for i, n in nodes.items()}
    edges = {(iris[e["s"]], iris[e["t"]], e["v"]["interaction"]) for e in by_name["edges"]}
    assert edges == set(drawn.edges(keys=True))
    [declared] = by_name["attributeDeclarations"]
    python = {"string": str, "integer": int, "double": float, "boolean": bool}
    for of in ("nodes", "edges"):
        for item in by_name[of]:
            for name, value in item["v"].items():
                assert type(value) is python[declared[of][name]["d"]]
    [look] = by_name["visualProperties"]
    colours = look["nodeMapping"]["NODE_BACKGROUND_COLOR"]["definition"]["map"]
    assert {c["v"]: c["vp"] for c in colours} == {
        t: node_colour(t) for t in set(dict(drawn.nodes(data="type")).values())
    }


def test_neo4j_tables_have_typed_headers(tmp_path):
    report = write_network(small(), tmp_path / "g.csv", format="neo4j")
    tables = []
    for path in report.paths:
        with path.open(encoding="utf-8", newline="") as file:
            tables.append(list(csv.DictReader(file)))
    nodes, edges = tables
    assert {n["iri:ID"]: n["label:string"] for n in nodes} == dict(small().nodes(data="label"))
    glue = next(n for n in nodes if n["label:string"] == "GLUE")
    assert (glue[":LABEL"], glue["papers:long"]) == ("Entity;Benchmark", "3")
    ends = {(e[":START_ID"], e[":END_ID"], e["kind:string"]) for e in edges}
    assert ends == set(small().edges(keys=True))
    assert {e[":TYPE"] for e in edges if e["kind:string"] == "basedOn"} == {"BASED_ON"}


def rank_by_walking(drawn: nx.MultiDiGraph) -> dict[str, float]:
    """PageRank as its definition says: where a walker is who jumps anywhere once in 0.15."""
    rank = dict.fromkeys(drawn, 1 / len(drawn))
    for _ in range(300):
        there = dict.fromkeys(drawn, 0.15 / len(drawn))
        for node in drawn:
            out = [(v, d["weight"]) for _, v, d in drawn.out_edges(node, data=True)]
            out = out or [(v, 1.0) for v in drawn]
            for v, weight in out:
                there[v] += 0.85 * rank[node] * weight / sum(w for _, w in out)
        rank = there
    return rank


def test_measures_are_as_defined(tmp_path):
    write_network(small(), tmp_path / "g.graphml", format="graphml")
    read = nx.read_graphml(tmp_path / "g.graphml", force_multigraph=True)
    drawn, places = small(), layout(small())
    ranks = rank_by_walking(drawn)
    for node, data in read.nodes(data=True):
        assert data["degree"] == drawn.degree(node)
        assert (data["in_degree"], data["out_degree"]) == (
            drawn.in_degree(node),
            drawn.out_degree(node),
        )
        assert data["pagerank"] == pytest.approx(ranks[node], abs=1e-6)
        assert data["community"] == places.community[node]
        assert data["community_name"] == places.communities[data["community"]].name


def test_edges_without_direction_are_written_so(store, tmp_path):
    for projection in ("cooccurrence", "papers"):
        for name in ("gexf", "csv", "json"):
            export(store, tmp_path / f"g.{name}", projection=projection)
        assert not nx.read_gexf(tmp_path / "g.gexf", version="1.3").is_directed()
        read = json.loads((tmp_path / "g.json").read_text("utf-8"))
        drawn = nx.node_link_graph(read, edges="edges")
        assert not drawn.is_directed()
        with (tmp_path / "g-edges.csv").open(encoding="utf-8", newline="") as file:
            assert {row["Type"] for row in csv.DictReader(file)} == {"Undirected"}
        # both ways alike: the rank does not depend on which end comes first
        both = drawn.to_directed()
        ranks = rank_by_walking(both)
        for node, data in drawn.nodes(data=True):
            assert "in_degree" not in data
            assert data["degree"] == drawn.degree(node)
            assert data["pagerank"] == pytest.approx(ranks[node], abs=1e-6)


def test_any_figure_of_an_edge_can_be_its_weight(store, tmp_path):
    export(store, tmp_path / "g.json", projection="cooccurrence", weight="association")
    edges = json.loads((tmp_path / "g.json").read_text("utf-8"))["edges"]
    assert all(e["weight"] == e["association"] for e in edges)
    assert len({e["weight"] for e in edges}) > 1
    for name in ("evidence", "nothing"):
        with pytest.raises(QueryError, match=f"'{name}'; their figures are .*papers"):
            export(store, tmp_path / "g.json", weight=name)


def test_an_edge_has_the_same_id_in_every_file(store, tmp_path):
    ids = []
    for top in (None, 12):
        export(store, tmp_path / "g.gexf", Part(top=top))
        tree = etree.parse(tmp_path / "g.gexf")
        edges = tree.iter(f"{G}edge")
        ids.append({(e.get("source"), e.get("kind"), e.get("target")): e.get("id") for e in edges})
    export(store, tmp_path / "g.csv")
    with (tmp_path / "g-edges.csv").open(encoding="utf-8", newline="") as file:
        ids.append({(r["Source"], r["Kind"], r["Target"]): r["Id"] for r in csv.DictReader(file)})
    assert ids[1].items() <= ids[0].items()
    assert ids[2] == ids[0]
    assert 0 < len(ids[1]) < len(ids[0])


def test_parallel_edges_merge_on_request():
    one = merged(small())
    assert {(u, v) for u, v, _ in one.edges(keys=True)} == set(small().to_directed().edges())
    assert one.number_of_edges() == small().number_of_edges() - 1
    [edge] = one[iri("method/transformer")][iri("method/lstm")].values()
    assert edge["kinds"] == "comparedWith|outperforms"
    assert edge["label"] == "compared with, outperforms"
    assert (edge["weight"], edge["papers"]) == (3.0, 2)
    assert (edge["first_year"], edge["last_year"]) == (2017, 2019)
    [other] = one[iri("method/bert")][iri("benchmark/glue")].values()
    assert other == small().edges[iri("method/bert"), iri("benchmark/glue"), "evaluatedOn"]


@pytest.mark.parametrize("name", NETWORK_FORMATS)
def test_order_of_nodes_and_edges_changes_no_byte(tmp_path, name):
    network = small()
    other = nx.MultiDiGraph()
    other.add_nodes_from(reversed(list(network.nodes(data=True))))
    other.add_edges_from(reversed(list(network.edges(keys=True, data=True))))
    one = write_network(network, tmp_path / f"one.{name}", format=name)
    two = write_network(other, tmp_path / f"two.{name}", format=name)
    assert [p.read_bytes() for p in one.paths] == [p.read_bytes() for p in two.paths]


# From a store


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_every_projection_to_gexf(store, tmp_path, projection):
    report = export(store, tmp_path / "out" / "g.gexf", projection=projection)
    read = nx.read_gexf(tmp_path / "out" / "g.gexf", version="1.3")
    assert (len(read), read.number_of_edges()) == (report.nodes, report.edges)
    assert report.edges > 0


def spelt(term: rdflib.term.Node) -> tuple[str, str, str]:
    """A term without the datatype that RDF 1.1 leaves out or writes out for plain strings."""
    kind = str(getattr(term, "datatype", None) or "").replace(str(rdflib.XSD.string), "")
    return str(term), kind, getattr(term, "language", None) or ""


# rdflib's own reader of JSON-LD still makes one
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    ("name", "parsed", "oxigraph"),
    [
        ("ttl", "turtle", "TURTLE"),
        ("trig", "trig", "TRIG"),
        ("nq", "nquads", "N_QUADS"),
        ("nt", "nt", "N_TRIPLES"),
        ("jsonld", "json-ld", "JSON_LD"),
    ],
)
def test_rdf_formats_hold_the_whole_graph(store, tmp_path, name, parsed, oxigraph):
    [path] = export(store, tmp_path / f"g.{name}").paths
    everything = (None, None, None)
    live = {tuple(map(spelt, t[:3])) for t in store.rdflib().triples(everything)}
    read = rdflib.Dataset(default_union=True)
    read.parse(path, format=parsed)
    assert {tuple(map(spelt, t[:3])) for t in read.triples(everything)} == live
    quads = set(pyoxigraph.parse(path=path, format=getattr(pyoxigraph.RdfFormat, oxigraph)))
    assert len({q.triple for q in quads}) == len(live)
    named = {q.graph_name for q in quads} - {pyoxigraph.DefaultGraph()}
    assert bool(named) == (name in ("trig", "nq", "jsonld"))


def test_a_construct_goes_to_rdf_and_to_a_network(store, tmp_path):
    query = "CONSTRUCT { ?a kg:basedOn ?b } WHERE { ?a kg:basedOn ?b }"
    report = export(store, tmp_path / "g.nt", query=query)
    triples = rdflib.Graph().parse(report.paths[0], format="nt")
    drawn = export(store, tmp_path / "g.graphml", query=query)
    read = nx.read_graphml(tmp_path / "g.graphml", force_multigraph=True)
    assert {(str(s), str(o)) for s, _, o in triples} == set(read.edges())
    assert {k for *_, k in read.edges(data="kind")} == {"basedOn"}
    assert drawn.edges == len(triples) > 0


def test_filters_reach_the_file(store, tmp_path):
    export(store, tmp_path / "g.json", Part(types=("Method",), top=3))
    nodes = json.loads((tmp_path / "g.json").read_text("utf-8"))["nodes"]
    assert [n["type"] for n in nodes] == ["Method"] * 3


def test_merged_edges_reach_the_file(store, tmp_path):
    apart = export(store, tmp_path / "a.graphml", projection="bipartite")
    one = export(store, tmp_path / "b.graphml", projection="bipartite", merge=True)
    ends = nx.DiGraph(nx.read_graphml(tmp_path / "a.graphml", force_multigraph=True)).edges()
    assert one.edges == len(ends) <= apart.edges


def test_papers_behind_an_edge_are_those_that_state_it(store):
    drawn = network(store, Part(min_support=1))
    for edge in list(drawn.edges(keys=True))[:6]:
        part = drawn.edge_subgraph([edge]).copy()
        behind = papers_behind(store, part)
        head, tail, kind = edge
        kind = "skos:broader" if kind == "subclassOf" else f"kg:{kind}"
        asked = store.select(
            f"SELECT DISTINCT ?paper {{ ?s rdf:subject <{head}> ; rdf:object <{tail}> ;"
            f" rdf:predicate {kind} ; prov:wasDerivedFrom ?paper }}"
        )
        assert {p.iri for p in behind} == {row[0].value for row in asked.rows}
        assert all(p.said for p in behind)


def test_papers_of_a_selection_as_bibtex_and_markdown(store, tmp_path):
    report = export(store, tmp_path / "p.bib")
    library = bibtexparser.parse_file(str(tmp_path / "p.bib"))
    assert not library.failed_blocks
    assert len(library.entries) == report.papers > 3
    assert all(e["title"] for e in library.entries)
    assert {e["year"] for e in export_years(store, tmp_path)} == {"2024"}
    text = (export(store, tmp_path / "p.md").paths[0]).read_text("utf-8")
    assert text.count("\n- **") == report.papers
    assert text.count("\n  > ") >= report.papers


def export_years(store, tmp_path):
    export(store, tmp_path / "y.bib", Part(years=(2024, 2024)))
    return bibtexparser.parse_file(str(tmp_path / "y.bib")).entries


def test_nothing_in_a_title_is_markup(tmp_path):
    title = "100% of {x} & y_1 \\input{z} <img src=x onerror=alert(1)> [a](javascript:b) **c**"
    paper = Cited("https://kg.example/id/paper/p-1", {"title": title, "url": "javascript:1"}, ())
    for write, name in (
        (write_bib, "p.bib"),
        (lambda p, s: write_markdown(p, s, title=title), "p.md"),
    ):
        with (tmp_path / name).open("w", encoding="utf-8") as sink:
            write([paper], sink)
    bib = (tmp_path / "p.bib").read_text("utf-8")
    assert "javascript:1" not in bib
    assert r"100\% of \{x\} \& y\_1 \textbackslash{}input\{z\}" in bib
    # every bracket, star and sign has a backslash before it
    line = (tmp_path / "p.md").read_text("utf-8").splitlines()[-1]
    inner = line.removeprefix("- **").removesuffix("**")
    assert inner == markdown(title)
    assert not re.search(r"(?<!\\)[<>\[\]*_`]", inner)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("g.xlsx", {}, "'g.xlsx' tells no format"),
        ("g", {"format": "gexff"}, "'gexff' tells no format"),
        ("g.ttl", {"part": Part(top=3)}, "holds the whole graph"),
        ("g.nq", {"projection": "papers"}, "holds the whole graph"),
        ("g.ttl", {"weight": "papers"}, "holds the whole graph"),
        ("g.gexf", {"projection": "triangles"}, "'triangles'"),
        (
            "g.gexf",
            {"query": "ASK { ?s a kg:Method }", "part": Part(top=3)},
            "leave out the filters",
        ),
        ("g.ttl", {"query": "SELECT ?s { ?s a kg:Method }"}, "use a CONSTRUCT query"),
        ("g.gexf", {"part": Part(years=(1801, 1802))}, "nothing to write"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(store, tmp_path, name, options, words):
    with pytest.raises(QueryError) as caught:
        export(store, tmp_path / name, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())
