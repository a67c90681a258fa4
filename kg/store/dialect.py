"""What a server needs a query to look like, though SPARQL does not ask for it.

Virtuoso (7.2) loses rows, or itself, over a variable that VALUES gives one value or none at all.
The parameters of the saved queries stand in such clauses; here they go where they are used instead,
which means the same. And it takes too much away by a MINUS of a SELECT.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.store.sparql import masked

if TYPE_CHECKING:
    from collections.abc import Mapping

_DECLARED = re.compile(r"\bPREFIX\s+([\w.-]*):", re.IGNORECASE)
_ONE = re.compile(r"\bVALUES\s+\?(\w+)\s*\{\s*([^\s{}()]+)\s*\}")
_MINUS = re.compile(r"\bMINUS\s*\{\s*SELECT\s+DISTINCT\s+((?:\?\w+\s+)+)WHERE\s*(?=\{)")


def dialect_of(server: str) -> str:
    """The dialect of a server, by how it names itself in HTTP; "" for plain SPARQL 1.1."""
    return "virtuoso" if server.lower().startswith("virtuoso") else ""


def adapted(sparql: str, dialect: str) -> str:
    """The query as a server of that dialect understands it, with the same answer."""
    if dialect != "virtuoso":
        return sparql
    text, unmask = masked(sparql)
    given: dict[str, set[str]] = {}
    for name, value in _ONE.findall(text):
        given.setdefault(name, set()).add(value)
    for name, values in given.items():
        if len(values) == 1:
            text = _put(text, name, values.pop())
    return unmask(_without_minus(text))


def _without_minus(text: str) -> str:
    """The text with OPTIONAL and a test in place of each MINUS of a SELECT DISTINCT.

    The two mean the same where a variable of the SELECT is bound around it; others are left.
    """
    place = 0
    for number, match in enumerate(list(_MINUS.finditer(text)), 1):
        start = text.index(match[0], place)
        place = start + 1
        end = _closing(text, start + text[start:].index("{"))
        if not end or not all(re.search(rf"\{v}\b", text[:start]) for v in match[1].split()):
            continue
        found = f"?found{number}"
        inner = text[start + len(match[0]) : end]
        put = f"OPTIONAL {{ SELECT DISTINCT {match[1]} (1 AS {found}) WHERE {inner}"
        text = f"{text[:start]}{put} FILTER(!BOUND({found})){text[end:]}"
    return text


def _closing(text: str, opening: int) -> int:
    """The place behind the brace that closes the one at `opening`; 0 where there is none."""
    depth = 0
    for place in range(opening, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return place + 1
    return 0


def _put(text: str, name: str, value: str) -> str:
    """The text with the one value of a variable in place of its clauses, where that is the same."""
    clause = re.compile(rf"\bVALUES\s+\?{name}\s*\{{[^{{}}]*\}}")
    sample = re.compile(rf"COALESCE\(SAMPLE\(\?{name}\),\s*((?:[^()]|\([^()]*\))*)\)")
    if value == "UNDEF":
        # a clause that says nothing, whatever stands around it
        bare = clause.sub("", text)
        without = sample.sub(r"\1", bare)
        return bare if re.search(rf"\?{name}\b", without) else without
    put = clause.sub("", text)
    put = sample.sub(lambda _: f"MAX({value})", put)  # still one row for all
    put = re.sub(rf"!BOUND\(\?{name}\)\s*\|\|\s*", "", put)
    put = re.sub(rf"([<>=])(\s*)\?{name}\b", lambda m: m[1] + m[2] + value, put)
    # used in another way too, it has to stay a variable
    return text if re.search(rf"\?{name}\b", put) else put


def with_prefixes(sparql: str, prefixes: Mapping[str, str]) -> str:
    """The query with the prefixes declared that it uses and does not declare, lines kept."""
    declared = {name.lower() for name in _DECLARED.findall(sparql)}
    used = (
        f"PREFIX {prefix}: <{namespace}> "
        for prefix, namespace in prefixes.items()
        if prefix not in declared and re.search(rf"(?<![\w:.-]){prefix}:", sparql)
    )
    return "".join(used) + sparql
