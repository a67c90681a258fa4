"""Parameters that cannot change a query, names as people type them, notes, and formats."""

from __future__ import annotations

import csv
import io
import json

import asking
import pytest
import rdflib
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import InputError, LimitError, QueryError
from kg.query import (
    Table,
    answer,
    answers,
    candidates,
    display_names,
    entities_called,
    find_entity,
    find_paper,
    prepare,
    query_form,
    run,
    table_text,
    teams_among,
    write,
)
from kg.query.literals import is_iri, literal

ID = "https://kg.example/id/"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with asking.graph(tmp_path_factory.mktemp("asking") / "graph", asking.papers()) as store:
        yield store


ECHO = """# title: Echo
# parameter: word (text) any text
SELECT ?word WHERE { VALUES ?word { "" } }"""


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_text_comes_back_as_it_went_in(store, text):
    table = run(store, ECHO, parameters={"word": text})
    assert table.rows == ((text,),)


@pytest.mark.parametrize(
    "text",
    [
        '" } } DELETE WHERE { ?s ?p ?o } #',
        "\\u0022 } ASK { } #",
        "\\\\u0022",
        "\\U00000022 . ?s ?p ?o",
        "\\",
        "a\\",
        "}\n{",
        "'''\"\"\"",
        "$& \\1 \\g<0>",
        "\u2028\u202e",
    ],
)
def test_a_hostile_text_stays_a_text(store, text):
    assert run(store, ECHO, parameters={"word": text}).rows == ((text,),)
    # the same through rdflib's own parser, which undoes \u before it parses
    found = rdflib.Graph().query(f"SELECT ({literal(text)} AS ?x) {{}}")
    assert [str(row[0]) for row in found] == [text]


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
def test_a_text_that_rdf_cannot_hold_is_refused(text):
    with pytest.raises(QueryError, match="no text may hold"):
        literal(text)


@pytest.mark.parametrize(
    "name",
    [
        "https://kg.example/id/method/x> } DELETE WHERE { ?s ?p ?o } #",
        "<https://kg.example/x> . <y>",
        'BeaconNet" } #',
        "BeaconNet\\u0022 } #",
    ],
)
def test_a_hostile_name_is_an_unknown_name(store, name):
    with pytest.raises(QueryError, match="no entity is called"):
        find_entity(store, name)
    with pytest.raises(QueryError, match="no paper is called"):
        find_paper(store, name)


def test_a_title_that_shares_a_word_alone_is_not_near(store):
    with pytest.raises(QueryError, match=r"nearest: 'Gates are enough'.*identifier or an IRI"):
        find_paper(store, "Enough are gates")
    with pytest.raises(QueryError, match=r"is called 'Enough sleep'; (?!.*'Gates are enough')"):
        find_paper(store, "Enough sleep")


@pytest.mark.parametrize(
    ("name", "parameters", "complaint"),
    [
        ("top-methods", {"limit": "5; ASK"}, "'limit' must be a whole number, not '5; ASK'"),
        ("top-methods", {"limit": "-1"}, "whole number"),
        ("top-methods", {"limit": "٣٣٣٣٣٣٣٣٣٣٣"}, "whole number"),
        ("top-methods", {"since": "20251"}, "a year such as 2025, not '20251'"),
        ("top-methods", {"venus": "ACL"}, "no parameter 'venus'; it takes since, until, venue"),
        ("first-seen", {"type": "Methd"}, "did you mean 'method'"),
        ("support", {"relation": "outperforms, beats"}, "not 'beats'"),
        ("papers-about", {}, "needs a value for 'entity'"),
        ("papers-about", {"entity": "any"}, "no entity is called 'any'"),
        ("methods-for-task", {"task": "GateRNN"}, "there is 'GateRNN', a Method"),
        ("methods-for-task", {"task": "machine translaton"}, "nearest: 'machine translation'"),
        ("SELECT * { ?s ?p ?o }", {"x": "1"}, "it takes none"),
    ],
)
def test_a_parameter_at_fault_is_named(store, name, parameters, complaint):
    with pytest.raises(QueryError) as error:
        run(store, name, parameters=parameters)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("GateRNN", "method/gaternn"),
        ("gaternn", "method/gaternn"),
        ("  GATERNN ", "method/gaternn"),
        ("sgd", "method/stochastic-gradient-descent"),
        ("Transformers", "method/transformer"),
        ("transformer", "method/transformer"),
        ("WebTalk (Benchmark)", "benchmark/webtalk"),
        ("webtalk (benchmark)", "benchmark/webtalk"),
        (f"{ID}metric/bleu", "metric/bleu"),
        (f"<{ID}metric/bleu>", "metric/bleu"),
        ("question answering (Task)", "task/question-answering"),
        ("Stochastic-Gradient Descents", "method/stochastic-gradient-descent"),
    ],
)
def test_a_name_as_typed_finds_its_entity(store, name, end):
    assert find_entity(store, name) == ID + end


def test_an_ambiguous_name_lists_the_candidates(store):
    with pytest.raises(QueryError) as error:
        find_entity(store, "LN")
    message = str(error.value)
    assert "'LN' names 2 entities" in message
    assert message.index("LanternNet (Method), 5 papers") < message.index(
        "Layer normalisation (Method), 1 paper,"
    )
    assert f"{ID}method/lanternnet" in message


def test_a_type_settles_an_ambiguous_name(store):
    assert len(entities_called(store, "question ANSWERING")) == 2
    assert find_entity(store, "question ANSWERING", types=["Task"]).endswith(
        "task/question-answering"
    )
    assert entities_called(store, "GateRNN", types=["Task"]) == []


@pytest.mark.parametrize(
    "name",
    ["beacon", "doi:10.5555/beacon.1", "BEACONNET for long documents", "doi:10.5555%2Fbeacon.1"],
)
def test_a_paper_is_found_by_identifier_and_title(store, name):
    assert find_paper(store, name) == f"{ID}paper/doi:10.5555%2Fbeacon.1"


def test_names_are_shown_for_iris_of_every_kind(store):
    undated = find_paper(store, "undated")
    shown = display_names(
        store,
        [f"{ID}metric/bleu", undated, "https://kg.example/ontology#usedFor", "urn:x:y",
         "http://www.w3.org/2004/02/skos/core#broader", "http://purl.org/dc/terms/title"],
    )  # fmt: skip
    assert shown == {
        f"{ID}metric/bleu": "BLEU",
        undated: "GateRNN is older than all of these, and serves machine translation.",
        "https://kg.example/ontology#usedFor": "usedFor",
        "urn:x:y": "urn:x:y",
        "http://www.w3.org/2004/02/skos/core#broader": "subclassOf",
        "http://purl.org/dc/terms/title": "dcterms:title",
    }


def test_candidates_come_with_types_and_papers(store):
    found = candidates(store, [f"{ID}metric/bleu", f"{ID}method/gaternn"])
    assert [(c.label, c.types, c.papers) for c in found] == [
        ("GateRNN", ("Method",), 9),
        ("BLEU", ("Metric",), 3),
    ]


@pytest.mark.parametrize(
    ("query", "parameters", "said"),
    [
        ("SELECT ?x { ?x kg:propose ?y }", {}, "there is no kg:propose (kg:proposes?)"),
        ("SELECT ?x { ?x kg:venue 'X' } # kg:wrong", {}, "the graph holds 14 papers of"),
        ("top-methods", {"venue": "EMNLP"}, "its venues are ACL, ICML, NeurIPS"),
        ("top-methods", {"since": "2030"}, "since=2030; the graph holds 14 papers of 2022 to 2026"),
        ("methods-for-task", {"task": "sequential prediction"},
         "'sequential prediction' (Task) stands in 1 paper, none of which says this of it"),
    ],
)  # fmt: skip
def test_an_empty_answer_says_why(store, query, parameters, said):
    table = run(store, query, parameters=parameters)
    assert table.rows == ()
    assert said in table.note
    assert "kg:wrong" not in table.note


def test_values_are_plain_and_iris_stand_beside(store):
    table = run(
        store,
        "SELECT ?e (COUNT(?p) AS ?n) (1.5 AS ?half) ?gone"
        " { ?p kg:evaluatesOn ?e } GROUP BY ?e ?gone ORDER BY DESC(?n)",
        limit=1,
    )
    assert table.rows == (("WebTalk", 3, 1.5, None),)
    assert table.iris == ((f"{ID}benchmark/webtalk", None, None, None),)
    wide = table.with_iris()
    assert wide.columns == ("e", "e_iri", "n", "half", "gone")
    assert wide.rows == (("WebTalk", f"{ID}benchmark/webtalk", 3, 1.5, None),)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("SELECT * {}", "SELECT"),
        ("  ask {}", "ASK"),
        ("# ASK\nPREFIX a: <x#ASK>\nBASE <http://x/>\nCONSTRUCT WHERE {}", "CONSTRUCT"),
        ("PREFIX : <urn:x> describe :a", "DESCRIBE"),
        ("nonsense", "SELECT"),
    ],
)
def test_the_form_of_a_query_is_its_first_word(text, form):
    assert query_form(text) == form


def test_ask_is_answered_by_yes_or_no(store):
    assert run(store, "ASK { ?p kg:proposes ?x }").rows == (("yes",),)
    assert run(store, "ASK { ?p kg:proposes 7 }").rows == (("no",),)


@pytest.mark.parametrize("query", ["CONSTRUCT WHERE { ?s kg:proposes ?o }", "DESCRIBE kg:Paper"])
def test_rdf_is_no_table(store, query):
    with pytest.raises(QueryError, match="gives RDF"):
        run(store, query)


def written(store, query, **options):
    sink = io.BytesIO()
    write(store, prepare(store, query), sink, **options)
    return sink.getvalue().decode()


def test_a_saved_query_is_written_by_name_and_on_request_by_iri(store):
    rows = list(csv.reader(io.StringIO(written(store, "top-datasets", format="csv"))))
    assert rows == [
        ["dataset", "papers", "proposing", "first", "last"],
        ["PaperPile-9", "1", "0", "2024", "2024"],
    ]
    raw = written(store, "top-datasets", format="csv", names=False)
    assert f"{ID}dataset/paperpile-9" in raw
    assert written(store, "top-datasets", format="md").splitlines()[1:] == [
        "| --- | ---: | ---: | ---: | ---: |",
        "| PaperPile-9 | 1 | 0 | 2024 | 2024 |",
    ]


def test_own_sparql_is_written_in_the_standard_formats(store):
    query = "SELECT ?e { ?p kg:uses ?e . ?e a kg:Dataset }"
    found = json.loads(written(store, query, format="json"))
    assert found["results"]["bindings"] == [
        {"e": {"type": "uri", "value": f"{ID}dataset/paperpile-9"}}
    ]
    assert "<uri>" in written(store, query, format="xml")
    assert json.loads(written(store, query, format="json", names=True)) == [{"e": "PaperPile-9"}]


def test_rdf_is_written_as_rdf(store):
    query = "CONSTRUCT WHERE { ?s kg:trainedOn ?o }"
    found = rdflib.Graph().parse(data=written(store, query, format="ttl"), format="turtle")
    assert {str(o) for o in found.objects()} == {f"{ID}dataset/paperpile-9"}


@pytest.mark.parametrize(
    ("query", "format"),
    [("ASK {}", "ttl"), ("CONSTRUCT WHERE { ?s ?p ?o }", "csv"), ("SELECT * {}", "docx")],
)
def test_a_format_that_does_not_fit_lists_those_that_do(store, query, format):  # noqa: A002
    with pytest.raises(QueryError, match=f"cannot be written as '{format}'; use "):
        written(store, query, format=format)


def test_a_file_of_ones_own_is_asked_with_its_parameters(store, tmp_path):
    path = tmp_path / "mine.rq"
    path.write_bytes(("\ufeff" + ECHO).encode())
    assert run(store, str(path), parameters={"word": "é"}).rows == (("é",),)
    with pytest.raises(InputError, match=r"gone\.rq"):
        run(store, str(tmp_path / "gone.rq"))
    with pytest.raises(QueryError, match="empty"):
        run(store, "  ")


def test_the_limit_cuts_own_sparql_in_every_format(store):
    question = prepare(store, "SELECT ?p { ?p a kg:Paper }")
    assert len(answer(store, question, limit=3).rows) == 3
    sink = io.BytesIO()
    write(store, question, sink, format="csv", limit=3)
    assert len(sink.getvalue().splitlines()) == 4


HOSTILE = Table(("a|b", "n"), (("x|y\n<b>\\", 1), (None, 2.5), ("t\tb", None)), ((None, None),) * 3)


def test_a_table_is_written_whole_in_each_format():
    assert table_text(HOSTILE, "md").splitlines() == [
        "| a\\|b | n |",
        "| --- | ---: |",
        "| x\\|y &lt;b>\\\\ | 1 |",
        "|  | 2.5 |",
        "| t b |  |",
    ]
    assert list(csv.reader(io.StringIO(table_text(HOSTILE, "csv"))))[1] == ["x|y\n<b>\\", "1"]
    assert table_text(HOSTILE, "tsv").splitlines()[3] == "t b\t"
    assert json.loads(table_text(HOSTILE, "json"))[0] == {"a|b": "x|y\n<b>\\", "n": 1}
    with pytest.raises(QueryError, match="'docx'"):
        table_text(HOSTILE, "docx")


@pytest.mark.parametrize(
    ("known", "teams"),
    [
        ({}, 3),
        ({"p": {"a"}, "q": {"b"}, "r": {"c"}}, 3),
        ({"p": {"a"}, "q": {"a"}, "r": {"c"}}, 2),
        ({"p": {"a"}, "q": {"a", "b"}, "r": {"b"}}, 1),
        ({"p": {"a"}, "q": {"a"}}, 2),
    ],
)
def test_papers_that_an_author_joins_are_one_team(known, teams):
    assert teams_among(["p", "q", "r"], {p: frozenset(a) for p, a in known.items()}) == teams


@pytest.mark.parametrize(
    ("text", "legal"),
    [("https://x/y", True), ("urn:a", True), ("a b", False), ("x", False), ("http://a>b", False),
     ("http://a\\u003E", False), ("1http://a", False)],
)  # fmt: skip
def test_an_iri_can_stand_in_angle_brackets(text, legal):
    assert is_iri(text) is legal


def test_a_table_has_an_end(store, monkeypatch):
    monkeypatch.setattr(answers, "MOST_ROWS", 10)
    query = "SELECT ?s ?o { ?s a ?o }"
    with pytest.raises(LimitError, match="more than 10 rows"):
        run(store, query)
    assert len(run(store, query, limit=11).rows) == 11
    assert written(store, query, format="csv").count("\n") > 11
