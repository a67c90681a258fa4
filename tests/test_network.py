"""Projections and filters of the network, on a graph known by construction."""

from __future__ import annotations

import math

import asking
import building
import pytest
from building import extraction

from kg.errors import QueryError
from kg.network import PROJECTIONS, network, patterns
from kg.part import Part
from kg.schema import TYPE_BY_NAME

ID = "https://kg.example/id/"
LANTERN, GATE = f"{ID}method/lanternnet", f"{ID}method/gaternn"
WEBTALK = f"{ID}benchmark/webtalk"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with asking.graph(tmp_path_factory.mktemp("asking") / "graph", asking.papers()) as store:
        yield store


def ends(found):
    return {(u.removeprefix(ID), k, v.removeprefix(ID)) for u, v, k in found.edges(keys=True)}


def test_entities_carry_names_types_papers_and_years(store):
    found = network(store)
    assert found.nodes[LANTERN] == {
        "label": "LanternNet",
        "type": "Method",
        "types": "Method",
        "papers": 5,
        "first_year": 2023,
        "last_year": 2025,
        "years": "2023|2024|2025",
        "aliases": "LN",
        "confidence": 0.8,
    }
    assert "aliases" not in found.nodes[WEBTALK]
    assert found.number_of_nodes() == 23


def test_an_edge_carries_its_support_and_surest_sentence(store):
    edge = network(store).edges[LANTERN, GATE, "outperforms"]
    assert edge == {
        "kind": "outperforms",
        "label": "outperforms",
        "papers": 2,
        "weight": 2.0,
        "confidence": 0.7,
        "first_year": 2023,
        "last_year": 2024,
        "years": "2023|2024",
        "evidence": edge["evidence"],
        "paper": edge["paper"],
    }
    assert "outperforms" in edge["evidence"]
    assert edge["paper"].startswith(f"{ID}paper/")


def test_edges_of_different_kinds_between_one_pair_stay_apart(store):
    found = network(store, Part(focus="BeaconNet"))
    kinds = set(found[f"{ID}method/beaconnet"][LANTERN])
    assert kinds == {"basedOn", "outperforms"}


def test_support_leaves_out_weak_edges_and_what_they_alone_held(store):
    assert ends(network(store, Part(min_support=2))) == {
        ("benchmark/webtalk", "measuredBy", "metric/bleu"),
        ("method/dusknet", "evaluatedOn", "benchmark/pagequiz"),
        ("method/dusknet", "usedFor", "task/machine-translation"),
        ("method/gaternn", "evaluatedOn", "benchmark/webtalk"),
        ("method/gaternn", "usedFor", "task/machine-translation"),
        ("method/lanternnet", "outperforms", "method/gaternn"),
    }
    assert set(network(store, Part(min_support=2))) == {
        end for u, _, v in ends(network(store, Part(min_support=2))) for end in (ID + u, ID + v)
    }


def test_top_keeps_the_nodes_of_the_most_papers(store):
    found = network(store, Part(top=3))
    assert {data["papers"] for _, data in found.nodes(data=True)} == {9, 7, 5}
    assert network(store, Part(top=1, focus="BLEU")).nodes[f"{ID}metric/bleu"]["papers"] == 3


@pytest.mark.parametrize("top", [1, 4, 9, 16, 40])
def test_the_most_named_are_the_same_whether_all_are_counted_or_not(store, top):
    few = network(store, Part(top=top))
    # a choice of all types leaves out none, but has every entity counted
    all_ = network(store, Part(top=top, types=tuple(TYPE_BY_NAME)))
    assert list(few.nodes(data=True)) == list(all_.nodes(data=True))
    assert list(few.edges(keys=True, data=True)) == list(all_.edges(keys=True, data=True))


def test_types_and_years_choose_entities_and_papers(store):
    found = network(store, Part(types=("Method",), years=(2023, 2023)))
    assert ends(found) == {
        ("method/lanternnet", "basedOn", "method/transformer"),
        ("method/lanternnet", "outperforms", "method/gaternn"),
    }
    assert found.nodes[GATE]["papers"] == 1
    assert found.edges[LANTERN, GATE, "outperforms"]["papers"] == 1
    # an undated paper belongs to no span of years
    assert network(store, Part(years=(None, 3000))).nodes[GATE]["papers"] == 8
    assert network(store, Part(years=(None, None))).nodes[GATE]["papers"] == 9


def test_the_focus_keeps_what_is_within_its_hops(store):
    one = network(store, Part(focus="paperpile-9"))
    assert {n.removeprefix(ID) for n in one} == {"dataset/paperpile-9", "method/beaconnet"}
    two = network(store, Part(focus="paperpile-9", hops=2))
    assert LANTERN in two
    assert WEBTALK in two
    assert f"{ID}metric/bleu" not in two
    assert set(network(store, Part(focus="paperpile-9", hops=0))) == {f"{ID}dataset/paperpile-9"}


def test_a_focus_of_another_type_than_asked_for_stays(store):
    found = network(store, Part(focus="WebTalk", types=("Metric",)))
    assert {n.removeprefix(ID) for n in found} == {"benchmark/webtalk", "metric/bleu"}


def test_cooccurrence_counts_papers_and_sets_them_against_chance(store):
    found = network(store, Part(min_support=3), projection="cooccurrence")
    edge = found.edges[WEBTALK, GATE, "cooccurrence"]
    # in 4 papers together; WebTalk stands in 4, GateRNN in 9
    assert edge["papers"] == 4
    assert edge["weight"] == 4.0
    papers = len(asking.papers())
    assert edge["association"] == pytest.approx(4 / (papers * 4 / papers * 9 / papers), abs=1e-6)
    # among the papers of one year, chance is what these papers have it be
    late = network(store, Part(years=(2025, 2025)), projection="cooccurrence")
    count = len(network(store, Part(years=(2025, 2025)), projection="papers"))
    here, there = (late.nodes[n]["papers"] for n in (WEBTALK, GATE))
    other = late.edges[WEBTALK, GATE, "cooccurrence"]
    assert other["association"] == pytest.approx(count * other["papers"] / (here * there), abs=1e-6)
    assert (edge["first_year"], edge["last_year"]) == (2022, 2025)
    assert "evidence" not in edge
    assert all(u < v for u, v in found.edges())


def test_papers_are_tied_by_what_they_share(store):
    found = network(store, Part(focus="scale"), projection="papers")
    scale, dusk = (
        next(n for n, d in found.nodes(data=True) if d["label"] == label)
        for label in ("DuskNet at scale", "DuskNet: dim but quick")
    )
    edge = found.edges[min(scale, dusk), max(scale, dusk), "shares"]
    # DuskNet and PageQuiz of 2 papers, machine translation of 7
    assert edge["shared"] == 3
    named = [
        {e for _, e in network(store, projection="bipartite").out_edges(p)} for p in (scale, dusk)
    ]
    assert edge["jaccard"] == pytest.approx(3 / len(named[0] | named[1]), abs=1e-6)
    assert edge["weight"] == pytest.approx(2 / math.log(2) + 1 / math.log(7), abs=1e-6)
    assert found.nodes[scale]["type"] == "Paper"
    assert found.nodes[scale]["venue"] == "NeurIPS"


def test_an_entity_of_too_many_papers_ties_none(tmp_path):
    many = [
        extraction(
            f"Paper {n}",
            f"We use [Everything|e1] and [thing {n % 26}|e2].",
            "e1 Method uses, e2 Method uses",
        )
        for n in range(52)
    ]
    with asking.graph(tmp_path / "graph", many) as store:
        found = network(store, projection="papers")
        assert {d["shared"] for *_, d in found.edges(data=True)} == {1}
        assert found.number_of_edges() == 26


def test_methods_and_what_they_are_evaluated_on(tmp_path):
    papers = [
        extraction(
            "Kite",
            "We propose [Kite|e1], evaluate on [SkyTest|e2] against [Glider|e3], trained"
            " on [Air|e4] with [Adam|e5].",
            "e1 Method proposes, e2 Benchmark evaluatesOn, e3 Method comparesWith,"
            " e4 Dataset uses, e5 Method uses",
        ),
        extraction(
            "Glider again",
            "We study [Glider|e1] on [SkyTest|e2].",
            "e1 Method studies, e2 Benchmark evaluatesOn",
        ),
    ]
    with asking.graph(tmp_path / "graph", papers) as store:
        found = network(store, projection="benchmarks")
        names = dict(found.nodes(data="label"))
        # neither what a paper trains on, nor a tool it uses
        assert {(names[u], names[v], d["papers"]) for u, v, d in found.edges(data=True)} == {
            ("Kite", "SkyTest", 1),
            ("Glider", "SkyTest", 2),
        }
        assert set(names.values()) == {"Kite", "Glider", "SkyTest"}


def test_papers_and_entities_are_tied_by_role(store):
    found = network(store, Part(focus="BLEU"), projection="bipartite")
    assert {k for *_, k in found.edges(keys=True)} == {"measures"}
    _, _, data = next(iter(found.edges(data=True)))
    assert data["evidence"]
    assert data["label"] == "measures"
    assert found.in_degree(f"{ID}metric/bleu") == 3


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_attributes_are_plain_and_the_order_fixed(store, projection):
    found = network(store, projection=projection)
    assert list(found) == sorted(found)
    edges = list(found.edges(keys=True))
    assert edges == sorted(edges)
    for data in [d for _, d in found.nodes(data=True)] + [d for *_, d in found.edges(data=True)]:
        assert all(type(value) in (str, int, float) for value in data.values())
        assert "" not in data.values()


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_the_network_does_not_depend_on_the_order_of_papers(store, projection, tmp_path):
    with asking.graph(tmp_path / "graph", asking.papers()[::-1]) as other:
        here, there = network(store, projection=projection), network(other, projection=projection)
    assert list(here.nodes(data=True)) == list(there.nodes(data=True))
    assert list(here.edges(keys=True, data=True)) == list(there.edges(keys=True, data=True))


def test_one_scan_of_all_gives_what_asking_for_each_gives(store, monkeypatch):
    few = network(store)
    monkeypatch.setattr(patterns, "FEW", 0)
    monkeypatch.setattr(patterns, "MANY", 0)
    many = network(store)
    assert list(few.nodes(data=True)) == list(many.nodes(data=True))
    assert list(few.edges(keys=True, data=True)) == list(many.edges(keys=True, data=True))


@pytest.mark.parametrize(
    ("options", "projection", "complaint"),
    [
        ({}, "authors", "no projection 'authors'; known: entities, cooccurrence"),
        ({"types": ("Methods",)}, "entities", "no entity type 'Methods'; known: Method, Task"),
        ({"roles": ("likes",)}, "entities", "no role 'likes'; known: proposes, evaluatesOn"),
        ({"relations": ("beats",)}, "entities", "no relation 'beats'; known: usedFor, partOf"),
        ({"venues": ("ICMLL",)}, "papers", "no paper is of the venue 'ICMLL'; known: .*ICML"),
        ({"relations": ("usedFor",)}, "papers", "no relations like 'usedFor' .* 'papers'"),
        ({"focus": "nobody knows"}, "entities", "no entity is called 'nobody knows'"),
        ({"focus": "nobody knows"}, "papers", "'nobody knows'"),
        ({"years": (2024, 2020)}, "entities", "end before they begin"),
        ({"top": 0}, "entities", "top is 0; it must be 1 or more"),
        ({"min_confidence": 80}, "entities", r"min_confidence is 80; it must lie in \[0, 1\]"),
    ],
)
def test_what_is_not_known_is_named(store, options, projection, complaint):
    with pytest.raises(QueryError, match=complaint):
        network(store, Part(**options), projection=projection)


@pytest.mark.parametrize("projection", PROJECTIONS)
def test_an_empty_graph_gives_an_empty_network(projection, tmp_path):
    with asking.graph(tmp_path / "graph", []) as store:
        assert len(network(store, projection=projection)) == 0


def test_a_paper_of_no_entities_is_a_node_of_its_own(tmp_path):
    with asking.graph(tmp_path / "graph", [extraction("Silence", "Nothing here.", "")]) as store:
        assert len(network(store)) == 0
        assert [d["label"] for _, d in network(store, projection="papers").nodes(data=True)] == [
            "Silence"
        ]


def test_the_sample_is_connected_by_its_relations(store):
    stated = {kind for one in building.sample() for kind in (r.type for r in one.relations)}
    assert stated <= {k for *_, k in network(store).edges(keys=True)}
