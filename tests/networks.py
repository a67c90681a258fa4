"""Small networks for tests, as `kg.network` makes them: plain attributes, edge key = kind."""

from __future__ import annotations

import networkx as nx

ENTITY = "https://kg.example/id/"
#: A name that would run if a page wrote it as HTML, end a script, or hide its own direction.
HOSTILE = "</script><img src=x onerror=alert(1)>"


def iri(name: str) -> str:
    return ENTITY + name


def small() -> nx.MultiDiGraph:
    """Two groups tied by one edge, two edges between one pair, one node alone, one hostile name."""
    network = nx.MultiDiGraph()

    def node(name: str, label: str, kind: str, papers: int, *years: int, **more: str) -> None:
        network.add_node(
            iri(name), label=label, type=kind, types=kind, papers=papers, confidence=0.9, **more
        )
        if years:
            network.nodes[iri(name)].update(first_year=years[0], last_year=years[1])

    def edge(head: str, kind: str, tail: str, label: str, papers: int, *years: int) -> None:
        network.add_edge(
            iri(head), iri(tail), key=kind, kind=kind, label=label, papers=papers,
            weight=float(papers), confidence=0.75, evidence=f"{head} {label} {tail}.",
            paper=iri("paper/p1"),
        )  # fmt: skip
        if years:
            network.edges[iri(head), iri(tail), kind].update(
                first_year=years[0], last_year=years[1]
            )

    node("method/transformer", "Transformer", "Method", 9, 2017, 2022, aliases="transformers")
    node("method/bert", "BERT", "Method", 6, 2018, 2021)
    node("method/lstm", "LSTM", "Method", 4, 1997, 2017, aliases="LSTMs | long short-term memory")
    node("task/translation", "machine translation", "Task", 5, 2014, 2020)
    node("benchmark/glue", "GLUE", "Benchmark", 3, 2018, 2020)
    node("dataset/wiki", "Wikipedia & books", "Dataset", 2, 2018, 2018)
    node("metric/bleu", "BLEU", "Metric", 3, 2014, 2017)
    node("method/hostile", HOSTILE, "Method", 2, 2019, 2020)
    node("method/alone", "lonely method", "Method", 1)
    edge("method/bert", "basedOn", "method/transformer", "based on", 3, 2018, 2020)
    edge("method/bert", "evaluatedOn", "benchmark/glue", "evaluated on", 2, 2018, 2019)
    edge("method/bert", "trainedOn", "dataset/wiki", "trained on", 1, 2018, 2018)
    edge("method/transformer", "usedFor", "task/translation", "used for", 2, 2017, 2018)
    edge("method/transformer", "outperforms", "method/lstm", "outperforms", 2, 2017, 2019)
    edge("method/transformer", "comparedWith", "method/lstm", "compared with", 1, 2017, 2017)
    edge("task/translation", "measuredBy", "metric/bleu", "measured by", 2)
    edge("method/hostile", "partOf", "method/bert", "part of", 1, 2019, 2019)
    return network


def clusters(groups: int, size: int) -> nx.MultiDiGraph:
    """`groups` rings of `size` nodes, each tied to the next ring by one edge."""
    network = nx.MultiDiGraph()
    for g in range(groups):
        for i in range(size):
            network.add_node(
                iri(f"method/{g}-{i}"), label=f"m {g} {i}", type="Method", papers=1 + i
            )
    for g in range(groups):
        for i in range(size):
            for step in (1, 2):
                network.add_edge(
                    iri(f"method/{g}-{i}"), iri(f"method/{g}-{(i + step) % size}"),
                    key="basedOn", kind="basedOn", label="based on", papers=1, weight=1.0,
                )  # fmt: skip
        network.add_edge(
            iri(f"method/{g}-0"), iri(f"method/{(g + 1) % groups}-3"),
            key="usedFor", kind="usedFor", label="used for", papers=1, weight=1.0,
        )  # fmt: skip
    return network


#: Names that files are known to break on: characters that XML forbids, halves of a pair, marks that
#: turn the direction of text, white space at the ends, markup, and none at all.
AWKWARD = (
    HOSTILE,
    "bell\x07 and null\x00",
    "half \ud83d of a pair",
    "no character \ufffe\uffff\x85\u2028",
    "\u202eright to left\u202c \u2067isolated\u2069 \u200f",
    "  two\r\nlines\tand ]]> &amp; \"quotes\" 'too' ",
    "",
    "名前 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 🦜",
)


def awkward() -> nx.MultiDiGraph:
    """A ring of the awkward names, each with years that have gaps, follow one another, or none."""
    network = nx.MultiDiGraph()
    years = ("2001|2003|2004|2009", "2001|2002", "")
    for i, name in enumerate(AWKWARD):
        times = {"years": years[i % 3], "first_year": 2001, "last_year": 2002 + 7 * (i % 3 == 0)}
        network.add_node(
            iri(f"method/{i}"), label=name, type="Method", types="Method", papers=i + 1,
            aliases=f"{name} | {name}!", **(times if years[i % 3] else {}),
        )  # fmt: skip
    for i, name in enumerate(AWKWARD):
        tail = iri(f"method/{(i + 1) % len(AWKWARD)}")
        for kind in ("basedOn", name or "partOf"):
            network.add_edge(
                iri(f"method/{i}"), tail, key=kind, kind=kind, label=name, papers=1, weight=1.0,
                evidence=f"{name} is said.", years="1999|2003", first_year=1999, last_year=2003,
            )  # fmt: skip
    return network
