from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import QueryError
from kg.store.sparql import check_query, syntax_error

HARMLESS = [
    "SELECT * { ?s ?p ?o } # SERVICE <http://x/> {}",
    "SELECT * { ?s ?p 'SERVICE <http://x/> {}' }",
    'SELECT * { ?s ?p """a "quoted" \n SERVICE <http://x/> {} """ }',
    "SELECT * { ?s ?p '''it's ' SERVICE <x> ''' }",
    r"SELECT * { ?s ?p 'it\'s SERVICE <http://x/> {}' }",
    "SELECT * { ?s <http://example.org/service> ?service ; ex:service $SERVICE }",
    "PREFIX service: <http://x/> SELECT * { ?s service:load service:service.x }",
    "SELECT * { ?s ?p 'x'@service }",
    "SELECT * { _:service ?p ?o }",
    "SELECT ?insert { ?insert ex:delete <http://x/load> } # DROP ALL",
    "# INSERT DATA {}\nSELECT * {}",
    "PREFIX insert: <http://drop/> ASK { insert:load ?p 'CLEAR ALL' }",
    "DESCRIBE <http://x/service?a=b#service>",
    "SELECT (COUNT(*) AS ?load) { FILTER(?a<?b&&?c>?d) }",
]
CALLS = [
    "SELECT * { SERVICE <http://x/> { ?s ?p ?o } }",
    "SELECT * { service silent ?x { ?s ?p ?o } }",
    "SELECT * {#\nSERVICE<http://x/>{}}",
    "SELECT * { ?s ?p '#' . SERVICE <http://x/> {} }",
    "SELECT * { ?s ?p '''\\'''' . SERVICE <http://x/> {} }",
    "SELECT * { ?s ?p <http://x/#> . SERVICE <http://x/> {} }",
    "SELECT * { { SELECT * { SERVICE ?x {} } } }",
    "SELECT * { BIND(3 AS ?a) FILTER(?a<4)SERVICE<http://x/>{?s ?p ?o} }",
    "SELECT * { BIND(3 AS ?a) BIND(4 AS ?b) FILTER(?a<?b)SERVICE?x#>\n{?s ?p ?o} }",
    "SELECT * { BIND(3 AS ?a) BIND(4 AS ?b) FILTER(?a<?b).service$x#>\n{?s ?p ?o} }",
]
UPDATES = [
    "INSERT DATA { <a:a> <a:b> <a:c> }",
    "delete where { ?s ?p ?o }",
    "LOAD <http://x/>",
    "CLEAR ALL",
    "DROP GRAPH <a:a>",
    "CREATE GRAPH <a:a>",
    "COPY <a:a> TO <a:b>",
    "MOVE <a:a> TO <a:b>",
    "ADD <a:a> TO <a:b>",
    "WITH <a:a> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "# SELECT\nPREFIX select: <a:> DELETE WHERE { ?s ?p ?o }",
    "BASE <http://x/> INSERT { <a> <b> 'SELECT' } WHERE { }",
]


@pytest.mark.parametrize("query", HARMLESS)
def test_words_in_comments_strings_and_names_are_no_calls(query):
    check_query(query)


@pytest.mark.parametrize("query", CALLS)
def test_calls_of_other_servers_are_refused_at_their_place(query):
    with pytest.raises(QueryError, match="SERVICE is refused") as caught:
        check_query(query)
    assert "line " in str(caught.value)


@pytest.mark.parametrize("query", UPDATES)
def test_updates_are_refused(query):
    with pytest.raises(QueryError, match="is refused: queries only read"):
        check_query(query)


@given(st.lists(st.sampled_from([
    "SERVICE", "<http://x/>", "?x", "{", "}", "(", ")", "'", '"', "'''", '"""', "#", "\n", " ",
    "\\", ".", "FILTER",
    "?a<?b", "<", ">", "ex:", "a", "@en", "'a'", "1", "_:b", ";", "\\u0053ERVICE",
])))  # fmt: skip
def test_what_oxigraph_would_call_is_always_refused(parts):
    body = "".join(parts)
    query = f"SELECT * {{ {body} }}"
    try:
        check_query(query)
    except QueryError:
        return
    try:
        list(ox.Store().query(query, prefixes={"ex": "http://ex/"}))
    except SyntaxError:
        return
    except (OSError, RuntimeError) as error:
        pytest.fail(f"{query!r} reached out: {error}")


def test_escapes_do_not_spell_a_call():
    # Oxigraph knows \u only in strings and IRIs; should that change, the guard has to
    with pytest.raises(SyntaxError):
        ox.Store().query("SELECT * { \\u0053ERVICE <http://x/> { ?s ?p ?o } }")


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("SELECT * {\n  ?s ?p\n}", "line 3, column 1"),
        ("", "line 1, column 1"),
        ("\tSELECT ?x { ?x nix:y ?z }", "line 1, column 17"),
        ("SELECT * { ?s ?p '" + "ä" * 200 + "' . ?x }", "line 1, column 226"),
    ],
)
def test_the_place_of_a_syntax_error(query, place):
    with pytest.raises(SyntaxError) as caught:
        ox.Store().query(query)
    lines = str(syntax_error(query, caught.value)).splitlines()
    assert lines[0].startswith(place)
    column = int(place.rpartition(" ")[2])
    mark = lines[2].index("^")
    shown = query.splitlines()[int(place.split()[1].rstrip(",")) - 1] if query else ""
    assert lines[1][mark : mark + 1].strip() == shown[column - 1 : column].strip()
    assert len(lines[1]) <= 102


def test_an_undeclared_prefix_is_said_to_be_one():
    with pytest.raises(SyntaxError) as caught:
        ox.Store().query("SELECT * { ?s nix:y ?o }")
    assert "a prefix that is not declared" in str(
        syntax_error("SELECT * { ?s nix:y ?o }", caught.value)
    )


def test_a_query_nested_beyond_reason_is_refused():
    from kg.errors import QueryError
    from kg.store.sparql import check_query

    with pytest.raises(QueryError, match="nested"):
        check_query("SELECT * " + "{" * 5000 + "}" * 5000)
    check_query("SELECT * " + "{" * 100 + "}" * 100)
