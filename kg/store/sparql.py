"""SPARQL text before it is run: what is refused, and where an error stands.

Only the lexical grammar of SPARQL 1.1 (§19.8) is needed for that: the first keyword after the
prologue tells a query from an update, and outside comments, strings, IRIs and names the word
SERVICE can be nothing but a federated call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.errors import QueryError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\n\r]*)
    | (?P<string>\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*\"\"\" | '''(?:[^'\\]|\\.|'(?!''))*'''
        | \"(?:[^\"\\\n\r]|\\.)*\" | '(?:[^'\\\n\r]|\\.)*')
    | (?P<iri><[^<>\"{}|^`\\\x00-\x20]*>)
    | (?P<variable>[?$]\w+)
    | (?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    | (?P<name>(?:[^\W\d_][\w.\-]*|_)?:(?:[\w:.\-]|%[0-9A-Fa-f]{2}|\\.)*)
    | (?P<word>[^\W\d_]\w*)
    | (?P<space>\s+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
# "FILTER(?a<?b)SERVICE?x#>": here the grammar reads "<" as less-than, though an IRI would fit
_HIDDEN_SERVICE = re.compile(r"\)\.*service[?$#]", re.IGNORECASE)

#: Oxigraph's parser calls itself for each bracket and dies of too many.
DEEPEST = 500
_OPENING, _CLOSING = frozenset("{(["), frozenset("})]")
_QUERIES = {"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"}
_UPDATES = {"INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH"}
_MASKED = re.compile('"\0(\\d+)\0"')
_POSITION = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)


def check_query(sparql: str) -> bool:
    """Whether a query says by FROM which graphs it asks.

    Raises `RefusedError` for an update, and for a query that calls another server by SERVICE.
    """
    try:
        sparql.encode()
    except UnicodeEncodeError as error:
        raise QueryError(
            f"not a SPARQL query: {sparql[error.start]!r} at character {error.start + 1} "
            "is no character"
        ) from None
    form = ""
    graphs = False
    depth = 0
    for kind, token, start in _tokens(sparql):
        if kind == "iri" and _HIDDEN_SERVICE.search(token):
            raise _refused("SERVICE", sparql, start)
        depth += (token in _OPENING) - (token in _CLOSING)
        if depth > DEEPEST:
            line = sparql.count("\n", 0, start) + 1
            raise QueryError(f"brackets nested more than {DEEPEST} deep (line {line}): simplify it")
        if kind != "word":
            continue
        word = token.upper()
        if word == "SERVICE" or (not form and word in _UPDATES):
            raise _refused(word, sparql, start)
        if word in _QUERIES:
            form = word
        graphs = graphs or word == "FROM"
    return graphs


def masked(sparql: str) -> tuple[str, Callable[[str], str]]:
    """The query with comments left out and each string made a short one, and what undoes that."""
    strings: dict[str, int] = {}

    def put(match: re.Match[str]) -> str:
        if match.lastgroup == "comment":
            return ""
        if match.lastgroup != "string":
            return match[0]
        return f'"\0{strings.setdefault(match[0], len(strings))}\0"'

    def unmask(text: str) -> str:
        known = list(strings)
        return _MASKED.sub(lambda match: known[int(match[1])], text)

    return _TOKEN.sub(put, sparql), unmask


def syntax_error(sparql: str, error: SyntaxError) -> QueryError:
    """Oxigraph's complaint as a `QueryError` with line, column and a mark under the place."""
    found = _POSITION.match(str(error))
    if not found:
        return QueryError(f"not a SPARQL query: {error}")
    line, column, reason = int(found[1]), int(found[2]), found[3]
    text = (sparql.splitlines() or [""])[line - 1]
    before, after = text[: column - 1], text[column - 1 :]
    # Oxigraph finds some faults only when it has read past them
    if "Prefix not found" in reason:
        column -= len(re.split(r"[^\w.:\-]", before)[-1])
        reason = "a prefix that is not declared"
    elif before.endswith("}") and not after.strip():
        column -= 1
        reason = "something is missing before this brace"
    return QueryError(_at(sparql, line, column, f"not a SPARQL query: {_plain(reason)}"))


def _tokens(sparql: str) -> Iterator[tuple[str, str, int]]:
    for match in _TOKEN.finditer(sparql):
        if match.lastgroup not in {"comment", "space"}:
            yield match.lastgroup or "", match[0], match.start()


def _refused(word: str, sparql: str, start: int) -> RefusedError:
    line = sparql.count("\n", 0, start) + 1
    column = start - (sparql.rfind("\n", 0, start) + 1) + 1
    if word == "SERVICE":
        reason = "SERVICE is refused: queries are answered from this graph alone"
    else:
        reason = f"{word} is refused: queries only read; `kg build` and `kg remove` write"
    return RefusedError(_at(sparql, line, column, reason))


def _at(sparql: str, line: int, column: int, reason: str) -> str:
    """A message that shows the line of the query and a mark under the column, both from 1."""
    lines = sparql.splitlines() or [""]
    text = lines[min(line, len(lines)) - 1]
    first = max(0, column - 61)
    shown = text[first : first + 100].replace("\t", " ")
    mark = " " * (column - 1 - first) + "^"
    return f"line {line}, column {column}: {reason}\n  {shown}\n  {mark}"


def _plain(reason: str) -> str:
    """What the parser expected, without its character classes."""
    if "variable that is unbound" in reason:
        return "the SELECT names a variable that the query does not bind"
    expected = re.sub(r"\['.*?'\](?:, |$)", "", reason.replace("\n", " ")).strip(" ,")
    expected = expected.replace("[_]", "white space")
    return expected or "unexpected here"
