"""Each saved query, by its answer on a graph known by construction (`asking.papers`)."""

from __future__ import annotations

import io
import re
from pathlib import Path

import asking
import pytest
import rdflib

from kg.errors import InputError, QueryError
from kg.query import find_query, prepare, run, saved_queries
from kg.query.library import PARAMETER_TYPES, parse_query

QUERIES = Path(__file__).parent.parent / "queries"
LIBRARY = saved_queries(QUERIES)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with asking.graph(tmp_path_factory.mktemp("asking") / "graph", asking.papers()) as store:
        yield store


#: Query, parameters, the columns looked at, and the rows; "…" at the end: more rows may follow.
ANSWERS = [
    # overview
    ("top-methods", {"limit": "3"}, "method papers proposing first last", [
        ("GateRNN", 9, 0, 2022, 2026), ("LanternNet", 5, 1, 2023, 2025),
        ("BeaconNet", 3, 1, 2024, 2026)]),
    ("top-methods", {"since": "2024", "until": "2024", "venue": "ICML"}, "method papers", [
        ("LanternNet", 2), ("BeaconNet", 1), ("GateRNN", 1)]),
    ("top-tasks", {}, "task papers", [
        ("machine translation", 7), ("summarisation", 3), ("question answering", 2),
        ("online learning", 1), ("sequential prediction", 1)]),
    ("top-datasets", {}, "dataset papers first last", [("PaperPile-9", 1, 2024, 2024)]),
    ("top-metrics", {}, "metric papers", [("BLEU", 3), ("regret", 1), ("ROUGE", 1)]),
    ("top-benchmarks", {}, "benchmark evaluating papers first last", [
        ("WebTalk", 3, 4, 2023, 2025), ("PageQuiz", 2, 2, 2026, 2026),
        ("QuizBowl & co", 1, 1, 2024, 2024)]),
    ("papers-by-year", {}, "year venue papers", [
        (None, None, 1), (2022, "ACL", 1), (2023, None, 1), (2023, "NeurIPS", 1),
        (2024, "ACL", 1), (2024, "ICML", 2), (2024, "NeurIPS", 1), (2025, "ACL", 1),
        (2025, "ICML", 2), (2026, "ACL", 1), (2026, "NeurIPS", 2)]),
    ("first-seen", {"year": "2024", "min_papers": "1"}, "year entity that_year papers", [
        (2024, "BeaconNet", 1, 3), (2024, "$\\mu$Gate", 1, 1),
        (2024, "Question answering", 1, 1)]),
    ("first-seen", {"type": "benchmarks", "min_papers": "2"}, "year entity that_year papers", [
        (2026, "PageQuiz", 2, 2), (2022, "WebTalk", 1, 4)]),
    # papers
    ("proposals", {"paper": "dusk"}, "paper proposed confidence sentence", [
        ("DuskNet: dim but quick", "DuskNet", 0.8, "DuskNet: dim but quick")]),
    ("proposals", {"type": "Benchmark"}, "proposed", [("WebTalk",)]),
    ("paper", {"paper": "A check of lanterns"}, "subject relation object", [
        ("A check of lanterns", "comparesWith", "GateRNN"),
        ("A check of lanterns", "studies", "LanternNet"),
        ("LanternNet", "outperforms", "GateRNN")]),
    ("papers-about", {"entity": "lanternnet", "role": "compares with, uses"}, "paper year role", [
        ("Gates are enough", 2025, "comparesWith"), ("Summaries by lantern light", 2025, "uses"),
        ("BeaconNet for long documents", 2024, "comparesWith")]),
    ("papers-with-both", {"one": "BeaconNet", "other": "WebTalk"},
        "paper year role_of_one role_of_other",
        [("A second look at BeaconNet", 2025, "studies", "evaluatesOn")]),
    # 3 of 4 things shared: DuskNet (2 papers), PageQuiz (2), machine translation (7)
    ("similar-papers", {"paper": "scale", "limit": "1"}, "similar shared score", [
        ("DuskNet: dim but quick", 3, 1.143)]),
    # methods
    ("methods-for-task", {"task": "summarisation"}, "method papers first", [
        ("BeaconNet", 1, 2024), ("GateRNN", 1, 2024), ("LanternNet", 1, 2025)]),
    ("methods-for-task", {"min_papers": "2"}, "method task papers first last", [
        ("DuskNet", "machine translation", 2, 2026, 2026),
        ("GateRNN", "machine translation", 2, 2025, 2025)]),
    ("builds-on", {"base": "LanternNet"}, "derived paper sentence", [
        ("BeaconNet", "BeaconNet for long documents",
         "BeaconNet extends LanternNet with a sparse index.")]),
    ("builds-on", {"derived": "LanternNet"}, "base", [("Transformers",)]),
    ("outperforms", {"loser": "LanternNet"}, "winner paper", [
        ("BeaconNet", "BeaconNet for long documents"), ("GateRNN", "Gates are enough")]),
    ("trained-on", {"dataset": "paperpile-9"}, "method dataset", [("BeaconNet", "PaperPile-9")]),
    ("components", {"whole": "GateRNN"}, "part", [("$\\mu$Gate",), ("Layer normalisation",)]),
    # two steps: layer normalisation, normalisation, rescaling
    ("variants", {"general": "rescaling"}, "special papers", [
        ("normalisation", 1), ("Layer normalisation", None)]),
    ("lineage", {"method": "LanternNet"}, "direction relative distance path", [
        ("builds on", "Transformers", 1, "LanternNet → Transformers"),
        ("built upon by", "BeaconNet", 1, "BeaconNet → LanternNet"),
        ("built upon by", "DuskNet", 2, "DuskNet → BeaconNet → LanternNet")]),
    ("lineage", {"method": "DuskNet"}, "relative distance path", [
        ("BeaconNet", 1, "DuskNet → BeaconNet"),
        ("LanternNet", 2, "DuskNet → BeaconNet → LanternNet"),
        ("Transformers", 3, "DuskNet → BeaconNet → LanternNet → Transformers")]),
    # lift 2 × 14 / (9 × 3) and 3 × 14 / (9 × 5)
    ("co-used", {"method": "GateRNN", "min_together": "2"}, "other together papers lift", [
        ("Transformers", 2, 3, 1.04), ("LanternNet", 3, 5, 0.93)]),
    ("co-used-pairs", {"min_papers": "2", "min_together": "2"}, "one other together lift", [
        ("GateRNN", "LanternNet", 3, 0.93), ("GateRNN", "Transformers", 2, 1.04)]),
    ("uptake", {"min_taken_up": "0"},
        "entity proposing introduced taken_up followed years_between", [
        ("LanternNet", 1, 2023, 4, 2024, 1), ("BeaconNet", 1, 2024, 2, 2025, 1),
        ("DuskNet", 1, 2026, 1, 2026, 0), ("$\\mu$Gate", 1, 2024, 0, None, None),
        ("Question answering", 1, 2024, 0, None, None)]),
    ("standing", {"min_papers": "2"}, "method better worse compared", [
        ("GateRNN", 1, 2, 1), ("LanternNet", 2, 2, 0), ("BeaconNet", 1, 0, 1)]),
    # benchmarks
    ("evaluated-on", {"benchmark": "PageQuiz"}, "method papers first last sentence", [
        ("DuskNet", 2, 2026, 2026, "DuskNet extends BeaconNet and is evaluated on PageQuiz."),
        ("Transformers", 1, 2026, 2026,
         "We run DuskNet on PageQuiz for machine translation beside a Transformer.")]),
    ("datasets-for-task", {"task": "machine translation"}, "dataset stated together", [
        ("WebTalk", 1, 3), ("PageQuiz", 0, 2)]),
    ("metrics-for-task", {"task": "online learning"}, "metric stated together", [
        ("regret", 0, 1)]),
    # 2 papers of 2023 and 3 of 2025
    ("adoption", {"benchmark": "WebTalk"}, "year evaluating papers share", [
        (2022, 0, 1, 0.0), (2023, 1, 1, 50.0), (2025, 2, 2, 66.67)]),
    ("life-curves", {"min_papers": "2"}, "benchmark first peak at_peak last papers", [
        ("WebTalk", 2023, 2025, 2, 2025, 3), ("PageQuiz", 2026, 2026, 2, 2026, 2)]),
    # of 10 papers until 2025 and 3 since
    ("successors", {"benchmark": "WebTalk"},
        "other peak until_peak share_until since_peak share_since",
        [("PageQuiz", 2025, 0, 0.0, 2, 66.67), ("WebTalk", 2025, 3, 30.0, 0, 0.0)]),
    ("one-paper-benchmarks", {}, "benchmark role paper year", [
        ("QuizBowl & co", "evaluatesOn", "Reading with $\\mu$Gate", 2024)]),
    ("tasks-without-benchmark", {}, "task methods papers evaluating", [
        ("summarisation", 3, 3, 0), ("question answering", 2, 2, 1)]),
    # trends: of 2 papers of 2023, 4 of 2024, 3 of 2025, 3 of 2026
    ("rising", {"earlier": "2023", "later": "2025", "min_papers": "3"},
        "entity papers_then share_then papers_now share_now",
        [("GateRNN", 1, 50.0, 2, 66.67), ("LanternNet", 1, 50.0, 2, 66.67)]),
    ("fading", {"earlier": "2024", "later": "2026", "min_papers": "3"},
        "entity papers_then share_then papers_now share_now",
        [("GateRNN", 3, 75.0, 1, 33.33)]),
    ("new", {}, "entity first papers", [
        ("DuskNet", 2026, 2), ("Layer normalisation", 2026, 1), ("normalisation", 2026, 1),
        ("rescaling", 2026, 1)]),
    ("new", {"earlier": "2023", "later": "2024"}, "entity first papers", [
        ("$\\mu$Gate", 2024, 1), ("BeaconNet", 2024, 1), ("Question answering", 2024, 1)]),
    # 5 of 10 papers, 3 papers since
    ("vanished", {"earlier": "2025"}, "entity first last papers expected", [
        ("LanternNet", 2023, 2025, 5, 1.5)]),
    ("curve", {"entity": "WebTalk"}, "year papers proposing share", [
        (2022, 1, 1, 100.0), (2023, 1, 0, 50.0), (2025, 2, 0, 66.67)]),
    ("venues-compared", {"here": "ACL", "there": "ICML"},
        "entity papers_here share_here papers_there share_there",
        [("GateRNN", 3, 75.0, 3, 75.0), ("BeaconNet", 0, 0.0, 2, 50.0),
         ("LanternNet", 1, 25.0, 3, 75.0)]),
    # evidence: both papers on WebTalk and BLEU are by Ada Minor, others share nobody
    ("support", {"min_papers": "2"}, "head relation tail papers teams", [
        ("WebTalk", "measuredBy", "BLEU", 2, 1),
        ("DuskNet", "evaluatedOn", "PageQuiz", 2, 2),
        ("DuskNet", "usedFor", "machine translation", 2, 2),
        ("GateRNN", "evaluatedOn", "WebTalk", 2, 2),
        ("GateRNN", "usedFor", "machine translation", 2, 2),
        ("LanternNet", "outperforms", "GateRNN", 2, 2)]),
    ("adopters", {"limit": "3"}, "entity papers teams", [
        ("GateRNN", 9, 7), ("LanternNet", 4, 4), ("Transformers", 3, 2)]),
    ("evidence", {"one": "GateRNN", "other": "LanternNet"}, "head relation tail paper", [
        ("GateRNN", "outperforms", "LanternNet", "Gates are enough"),
        ("LanternNet", "outperforms", "GateRNN",
         "LanternNet: folding attention for cheap translation"),
        ("LanternNet", "outperforms", "GateRNN", "A check of lanterns")]),
    ("contradictions", {}, "one other one_wins other_wins for_one for_other", [
        ("GateRNN", "LanternNet", 1, 2,
         "GateRNN outperforms LanternNet on WebTalk once it is tuned.",
         "LanternNet outperforms GateRNN on WebTalk for machine translation.")]),
    ("doubtful", {"relation": "trainedOn"}, "head relation tail confidence", [
        ("BeaconNet", "trainedOn", "PaperPile-9", 0.7)]),
    # names
    ("about", {"entity": "DuskNet"}, "direction relation other papers first last", [
        ("→", "basedOn", "BeaconNet", 1, 2026, 2026),
        ("→", "evaluatedOn", "PageQuiz", 2, 2026, 2026),
        ("→", "usedFor", "machine translation", 2, 2026, 2026)]),
    ("about", {"entity": "BLEU"}, "direction relation other papers", [
        ("←", "measuredBy", "WebTalk", 2)]),
    ("roles", {"entity": "GateRNN"}, "role papers first last", [
        ("studies", 4, 2022, 2025), ("uses", 3, 2024, 2026), ("comparesWith", 2, 2023, 2024)]),
    ("spellings", {"entity": "transformers"}, "spelling papers mentions", [
        ("Transformer", 2, 2), ("Transformers", 1, 1)]),
    ("acronyms", {"min_readings": "2"}, "short_form stands_for papers readings", [
        ("LN", "LanternNet", 1, 2), ("LN", "Layer normalisation", 1, 2)]),
    ("acronyms", {"short_form": "SGD"}, "short_form stands_for long_form papers readings", [
        ("SGD", "Stochastic gradient descent", "Stochastic gradient descent", 1, 1)]),
    ("same-name", {"name": "question answering"}, "name entity kind papers", [
        ("question answering", "question answering", "Task", 2),
        ("question answering", "Question answering", "Method", 1)]),
    ("merges", {"entity": "SGD"}, "entity name rule score", [
        ("Stochastic gradient descent", "SGD", "spelling", 0.9)]),
    # gaps: GateRNN and LanternNet serve both tasks, DuskNet only one
    # two of the three methods for machine translation serve summarisation too
    ("untried-tasks", {"min_papers": "1"}, "method task score bridges papers_of_method near", [
        ("DuskNet", "summarisation", 0.667, 2, 2, "machine translation")]),
    # the Transformer was run on both benchmarks; BeaconNet and PageQuiz stand in one paper
    ("untried-benchmarks", {"min_papers": "1"}, "method benchmark bridges peer near", [
        ("DuskNet", "WebTalk", 1, "Transformers", "PageQuiz"),
        ("GateRNN", "PageQuiz", 1, "Transformers", "WebTalk"),
        ("LanternNet", "PageQuiz", 1, "Transformers", "WebTalk")]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "parameters", "columns", "rows"), ANSWERS)
def test_a_saved_query_gives_the_answer_known_by_construction(
    store, name, parameters, columns, rows
):
    table = run(store, name, parameters=parameters, folder=QUERIES)
    places = [table.columns.index(column) for column in columns.split()]
    assert [tuple(row[i] for i in places) for row in table.rows] == rows
    assert table.note == ""
    assert table.title == LIBRARY[name].title


def test_every_saved_query_has_a_known_answer():
    assert {name for name, *_ in ANSWERS} == set(LIBRARY)
    assert len(LIBRARY) >= 30


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_a_saved_query_is_described_and_bounded(name):
    query = LIBRARY[name]
    assert query.group
    assert query.title
    assert query.title[0].isupper()
    assert query.description.endswith(".")
    assert len(query.description) > 60
    for parameter in query.parameters:
        assert parameter.help
        if parameter.name != "limit":
            assert f"VALUES ?{parameter.name} {{" in query.text
    assert query.parameters[-1].name == "limit", "each query bounds its rows"
    default = query.parameters[-1].default
    assert set(re.findall(r"\bLIMIT (\d+)", query.text)) == {default}
    assert query.text.rstrip().endswith(f"LIMIT {default}")
    assert "ORDER BY" in query.text


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_a_saved_query_answers_a_graph_with_nothing_in_it(name, tmp_path):
    given = {p.name: "ACL" for p in LIBRARY[name].parameters if p.default is None}
    with asking.graph(tmp_path / "graph", []) as store:
        if any(p.default is None and p.type != "text" for p in LIBRARY[name].parameters):
            with pytest.raises(QueryError, match=r"is called 'ACL'"):
                run(store, name, parameters=given, folder=QUERIES)
            return
        table = run(store, name, parameters=given, folder=QUERIES)
    assert table.rows == ()
    assert "no papers" in table.note


@pytest.mark.parametrize("name", ["fading", "new", "rising", "vanished"])
def test_a_question_of_years_is_plain_sparql(store, name):
    # an engine that knows no order of years (SPARQL 1.1, section 17.3) answers it too
    memory = rdflib.Dataset(default_union=True)
    dump = io.BytesIO()
    store.dump(dump)
    memory.parse(data=dump.getvalue(), format="nquads")
    for prefix, namespace in store.prefixes.items():
        memory.bind(prefix, namespace, replace=True)
    given = {"min_papers": "1", "earlier": "2024", "later": "2025"}
    text = prepare(store, name, parameters=given, folder=QUERIES).text
    rows = run(store, name, parameters=given, folder=QUERIES).iris
    assert [str(row[0]) for row in memory.query(text)] == [iris[0] for iris in rows]


def test_the_limit_of_the_caller_replaces_the_one_of_the_query(store):
    assert len(run(store, "top-methods", limit=2, folder=QUERIES).rows) == 2
    text = prepare(store, "top-methods", limit=77, folder=QUERIES).text
    assert text.rstrip().endswith("LIMIT 77")


def test_an_unknown_name_lists_the_nearest(store):
    with pytest.raises(QueryError, match=r"'top-method'.*top-methods"):
        run(store, "top-method", folder=QUERIES)
    assert find_query("top-methods", QUERIES).group == "overview"


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        ("# parameter: task", "cannot read the parameter line 'task'"),
        ("# parameter: task (Taks) the task", "unknown type 'Taks'"),
        ("# parameter: task (Task|Topic) the task", "unknown type"),
    ],
)
def test_a_header_at_fault_is_named(header, complaint):
    with pytest.raises(InputError, match=complaint):
        parse_query(f"# title: Broken\n{header}\nASK {{}}", name="broken")


def test_a_header_is_read_with_its_lines_joined():
    query = parse_query(
        "# title: A title\n# description: One line\n#   and another.\n#\n# not of the header\n"
        "# parameter: since (year, default any) from when\n"
        "# parameter: thing (Dataset|Benchmark) which\n# teams: teams\nSELECT * {}"
    )
    assert query.description == "One line and another."
    assert [(p.name, p.type, p.default) for p in query.parameters] == [
        ("since", "year", ""),
        ("thing", "Dataset|Benchmark", None),
    ]
    assert query.teams == ("teams",)
    assert "entity" in PARAMETER_TYPES


def test_two_queries_of_one_name_are_refused(tmp_path):
    for group in ("a", "b"):
        (tmp_path / group).mkdir()
        (tmp_path / group / "same.rq").write_text("ASK {}", encoding="utf-8")
    with pytest.raises(InputError, match="two saved queries are called 'same'"):
        saved_queries(tmp_path)


def test_a_folder_of_queries_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="nowhere"):
        saved_queries(tmp_path / "nowhere")
