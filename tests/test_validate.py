from __future__ import annotations

import re

import pytest
from building import extractor, plain_resolve, sample

from kg import schema
from kg.build import build_graph
from kg.errors import StoreError
from kg.store import GraphStore
from kg.validate import Violation, compiled, shapes, validate

ID = "https://kg.example/id/"
PAPER = f"{ID}paper/arxiv:2301.00001"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"


def build(folder, found, **options):
    build_graph(
        [one.abstract for one in found], folder, extract=extractor(found), model="test/1",
        resolve=plain_resolve, **options,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("valid") / "graph"
    build(folder, sample())
    return folder


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    """The sorted N-Quads of one paper's graph: small, since pySHACL is slow."""
    folder = tmp_path_factory.mktemp("lines") / "graph"
    build(folder, sample()[:1])
    with GraphStore.open(folder) as store:
        rows = store.select("SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } }").rows
    return sorted(" ".join((*map(spelt, (s, p, o, g)), ".")) for g, s, p, o in rows)


def spelt(term):
    if term.kind == "iri":
        return f"<{term.value}>"
    text = term.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"' + (f"@{term.lang}" if term.lang else f"^^<{term.datatype}>")


def planted(folder, lines):
    with GraphStore.open(folder, create=True) as store:
        store.apply(entities=lines)
        found = {engine: validate(store, engine=engine) for engine in ("shacl", "sparql")}
    assert found["shacl"] == found["sparql"]
    return found["sparql"]


@pytest.mark.parametrize("engine", ["shacl", "sparql", None])
def test_what_we_write_is_clean(folder, engine):
    assert validate(folder, engine=engine) == []


def test_another_base_is_clean_and_still_checked(tmp_path):
    build(tmp_path / "g", sample(), base="https://x.org/")
    assert validate(tmp_path / "g", engine="sparql") == []
    with GraphStore.open(tmp_path / "g", write=True) as store:
        store.apply(entities=["<a:a> <https://x.org/ontology#uses> <a:b> <a:g> ."])
        assert any("kg:uses" in found.message for found in validate(store, engine="sparql"))


#: (what is replaced in the sorted N-Quads, by what, the rule that this breaks)
PLANTED = {
    "no abstract": (rf"<{PAPER}> <\S+/abstract> .*\n", "", "a paper has one abstract"),
    "two abstracts": (
        rf"(<{PAPER}> <\S+/abstract>) .*\n", rf'\g<0>\1 "x" <{PAPER}> .\n',
        "a paper has one abstract",
    ),
    "two years": (
        rf"(<{PAPER}> <\S+/issued>) .*\n", rf'\g<0>\1 "1999"^^<{XSD}gYear> <{PAPER}> .\n',
        "a paper appeared in at most one year",
    ),
    "a year that is none": (
        r'"2023"\^\^<\S+gYear>', '"soon"', "a paper appeared in at most one year",
    ),
    "an empty title": (
        rf'(<{PAPER}> <\S+/title>) "[^"]*"', r'\1 ""', "a paper has at most one title",
    ),
    "no label": (
        rf"<{ID}method/lanternnet> <\S+#prefLabel> .*\n", "", "an entity has one preferred label",
    ),
    "two labels": (
        rf"(<{ID}method/lanternnet> <\S+#prefLabel>) .*\n", rf'\g<0>\1 "L"@en <{ID}entities> .\n',
        "an entity has one preferred label",
    ),
    "a label in no language": (
        rf"(<{ID}method/lanternnet> <\S+#prefLabel> \S+)@en", r"\1",
        "an entity has one preferred label",
    ),
    "no type": (
        rf"<{ID}method/lanternnet> <\S+#type> <\S+#Method> .*\n", "", "an entity has one type",
    ),
    "two types": (
        rf"(<{ID}method/lanternnet> <\S+#type> <\S+#)Method> .*\n",
        rf"\g<0>\1Task> <{ID}entities> .\n", "an entity has one type",
    ),
    "an entity that nothing mentions": (
        r"\Z", f"<{ID}task/x> <{RDF}type> <http://www.w3.org/2004/02/skos/core#Concept> <a:g> .\n",
        "an entity is named by a mention",
    ),
    "a confidence over 1": (
        r'(#confidence>) "[0-9.]+"', r'\1 "1.2"', "a statement has one confidence",
    ),
    "a confidence that is a word": (
        r"(#confidence>) \S+", r'\1 "high"', "a statement has one confidence",
    ),
    "no confidence": (r"<\S+> <\S+#confidence> .*\n", "", "a statement has one confidence"),
    "no evidence": (r"<\S+> <\S+#evidence> .*\n", "", "a statement has one evidence sentence"),
    "evidence in other words": (
        r'(#evidence>) "[^"]', r'\1 "', "a statement's evidence stands in its paper's text",
    ),
    "evidence elsewhere": (
        r'(#evidenceBegin>) "\d+"', r'\1 "1"', "a statement's evidence stands in its paper's text",
    ),
    "an edge without a statement": (
        rf"(<{ID}method/lanternnet> <\S+#)outperforms(> <\S+method/)gaternn(> .*\n)",
        r"\g<0>\1basedOn\2gaternn\3", "each edge kg:basedOn has a statement",
    ),
    "a statement without its edge": (
        rf"<{ID}method/lanternnet> <\S+#outperforms> .*\n", "",
        "a statement's edge is in the graph",
    ),
    "a statement without a paper": (
        r"<\S+#s1> <\S+#wasDerivedFrom> .*\n", "", "a statement is derived from one paper",
    ),
    "a statement without a run": (
        r"<\S+#s1> <\S+#wasGeneratedBy> .*\n", "", "a statement is generated by one run",
    ),
    "the mention of another": (
        r"(#s\d+> <\S+#objectMention>) <[^>]+=(?!0,10>)[^>]+>", rf"\1 <{PAPER}#char=0,10>",
        "a statement's object is what its object mention refers to",
    ),
    "a subject without its mention": (
        r"<\S+> <\S+#subjectMention> .*\n", "", "a statement's subject is its paper",
    ),
    "a mention of nothing": (
        r"<\S+> <\S+#refersTo> .*\n", "", "a mention refers to an entity",
    ),
    "a mention in other words": (
        r'(#anchorOf>) "[^"]', r'\1 "', "a mention's text stands in its paper's text",
    ),
    "a mention elsewhere": (
        r'(#beginIndex>) "\d+"', r'\1 "3"', "a mention's address is its paper's",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_planted_errors_are_found_alike(tmp_path, lines, name):
    pattern, change, message = PLANTED[name]
    text, count = re.subn(pattern, change, "\n".join(lines) + "\n", count=1)
    assert count == 1
    found = planted(tmp_path / "g", text.rstrip("\n").split("\n"))
    assert any(violation.message.startswith(message) for violation in found), found


def test_every_shape_is_broken_by_some_graph():
    """No rule that cannot fail: each message is one that a planted error or edge brings about."""
    planted_rules = {message for _, _, message in PLANTED.values()}
    messages = {message for message, _ in compiled()}
    edges = {m for m in messages if m.startswith(("kg:", "skos:", "each edge"))}
    bare = {m for m in messages - edges if not any(m.startswith(rule) for rule in planted_rules)}
    # these are broken together by the graph of the next test
    assert bare == BARE_RULES


BARE_RULES = {
    "a paper appeared at one venue at most",
    "a statement has one subject",
    "a statement has one predicate",
    "a statement has one object",
    "a statement has one object mention",
    "a statement's subject mention is one mention",
    "a statement's evidence begins at one offset",
    "a statement's evidence ends at one offset",
    "a mention has one text",
    "a mention begins at one offset",
    "a mention ends at one offset",
    "a merge is of one name",
    "a merge is into one entity",
    "a merge has one rule",
    "a merge has one score, from 0 to 1",
}


def test_bare_nodes_break_every_rule_of_their_kind(tmp_path):
    kg = "https://kg.example/ontology#"
    nodes = [
        f"<a:{kind}> <{RDF}type> <{kg}{kind}> <a:g> ."
        for kind in ("Paper", "Statement", "Mention", "Merge")
    ]
    nodes += [f'<a:Paper> <{kg}venue> "{venue}" <a:g> .' for venue in ("A", "B")]
    nodes += [f"<a:Statement> <{kg}subjectMention> <a:nothing> <a:g> ."]
    found = {violation.message for violation in planted(tmp_path / "g", nodes)}
    assert found >= BARE_RULES


KINDS = [kind.name for kind in schema.ENTITY_TYPES]


@pytest.mark.parametrize("row", [*schema.ROLES, *schema.RELATIONS], ids=lambda row: row.name)
def test_ends_are_those_of_the_schema(tmp_path, row):
    """Each edge between each two types: the shapes complain just where the schema does."""
    kg = "https://kg.example/ontology#"
    role = isinstance(row, schema.Role)
    edge = kg + row.curie.removeprefix("kg:")
    if row.curie.startswith("skos:"):
        edge = "http://www.w3.org/2004/02/skos/core#" + row.curie.removeprefix("skos:")
    heads = ["Paper", *KINDS]
    tails = ["Paper", *KINDS]
    lines = [f"<a:{kind}> <{RDF}type> <{kg}{kind}> <a:g> ." for kind in heads]
    lines += [f"<a:{kind}/2> <{RDF}type> <{kg}{kind}> <a:g> ." for kind in tails]
    lines += [f"<a:{head}> <{edge}> <a:{tail}/2> <a:g> ." for head in heads for tail in tails]
    complaints = {
        (found.focus.removeprefix("a:"), found.value.removeprefix("a:").removesuffix("/2"))
        for found in planted(tmp_path / "g", lines)
        if found.message.startswith(f"{row.curie} ")
    }
    allowed = {("Paper", kind) for kind in row.types} if role else set(row.pairs)
    assert complaints == {(head, tail) for head in heads for tail in tails} - allowed


def test_dataset_and_benchmark_of_one_node_are_allowed(tmp_path, lines):
    kg = "https://kg.example/ontology#"
    both = [*lines, f"<{ID}benchmark/webtalk> <{RDF}type> <{kg}Dataset> <{ID}entities> ."]
    assert planted(tmp_path / "g", both) == []


def test_a_violation_is_one_line():
    assert str(Violation("a:b", "a rule", "5")) == "a:b: a rule (5)"


def test_the_shapes_are_legal_shacl():
    import pyshacl

    pyshacl.validate(shapes(), shacl_graph=shapes(), meta_shacl=True)


def test_no_graph(tmp_path):
    with pytest.raises(StoreError, match="no graph in"):
        validate(tmp_path)
