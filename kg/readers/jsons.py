"""JSON arrays, lists inside an object, single objects, and JSON Lines, one record at a time.

The text is cut into records here and each is given to `json`, so that a broken record costs
itself alone and memory holds one record. (A streaming parser such as ijson ends at the first fault,
and at the NaN that pandas writes.)
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.readers.cutter import Cutter
from kg.readers.fields import KNOWN, abstract_from, plain_name
from kg.readers.shapes import plain_fields
from kg.readers.source import RECORD_LIMIT, Overlong, Text, lines
from kg.records import Abstract, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Names under which services put their list of records.
CONTAINERS = ("notes", "data", "results", "works", "papers", "items", "records", "articles",
              "publications", "entries", "documents", "docs", "abstracts", "hits", "search",
              "recommendedPapers")  # fmt: skip
_CONTAINER = re.compile(rf'"(?:{"|".join(CONTAINERS)})"\s*:\s*\[(?=\s*[\{{\]])')
_MAPPING = re.compile(r'\s*\{(?=\s*"((?:[^"\\]|\\.){0,200})"\s*:\s*\{)')
_NO_ID = ("content", "paper", "metadata", "message", "source", "externalids", "ids", "versions")


def is_jsonl(head: str) -> bool:
    """Whether most of the first lines are JSON objects, each whole."""
    rows = [row for row in head.split("\n", 40)[:40] if row.strip()]
    if len(rows) < 2 or not head.lstrip().startswith("{"):
        return False
    return 2 * sum(isinstance(_loads(row), dict) for row in rows[:20]) >= len(rows[:20])


def is_json(head: str) -> bool:
    """Whether the text begins as a JSON object or a list of objects or strings."""
    return bool(re.match(r'\s*(?:\{\s*["}]|\[\s*(?:[\{"\]]|$))', head))


def _loads(row: str) -> object:
    """The JSON value, or the fault as a string with a NUL before it."""
    try:
        return json.loads(row, strict=False)  # line breaks in strings: a common slip
    except json.JSONDecodeError as error:
        return f"\0broken JSON ({error.msg.lower()} at character {error.pos + 1})"
    except RecursionError:
        return "\0broken JSON (nested too deeply)"
    except ValueError as error:  # a number of more than 4,300 digits
        return f"\0broken JSON ({str(error).partition(';')[0].lower()})"


def read_jsonl(text: Text) -> Iterator[Abstract | Skipped]:
    """One JSON object a line; a line may also hold a list of records as a service sends it."""
    for number, line in lines(text):
        if isinstance(line, Overlong):
            yield Skipped(text.at(number), line.reason)
        elif line.strip():
            yield from _alone(_loads(line), text.at(number))


def _alone(value: object, source: str) -> Iterator[Abstract | Skipped]:
    """The records in a value of no list: a string there is no abstract, as it is among others."""
    if isinstance(value, str) and not value.startswith("\0"):
        yield Skipped(source, "no record but a JSON string")
    else:
        yield from _records(value, source)


def _records(
    value: object, source: str, *, key: str = "", listed: bool = False
) -> Iterator[Abstract | Skipped]:
    """The records in one JSON value: itself, or those of the list that it holds.

    `listed`: it comes from such a list and holds no other.
    """
    if isinstance(value, str):
        yield (
            Skipped(source, value[1:]) if value.startswith("\0")
            else Abstract(id=key, title="", abstract=value, source=source)
        )  # fmt: skip
    elif isinstance(value, dict):
        inner = next((v for k in CONTAINERS if _is_list_of_records(v := value.get(k))), None)
        if inner is not None and not listed:
            for each in inner:
                yield from _records(each, source, listed=True)
        else:
            fields = plain_fields(value)
            yield abstract_from({**fields, "id": fields.get("id") or key}, source=source)
    else:
        yield Skipped(source, f"no record but a JSON {_KINDS.get(type(value), 'number')}")


_KINDS: dict[type, str] = {list: "list", type(None): "null", bool: "truth value"}


def _is_list_of_records(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


@dataclass(frozen=True, slots=True)
class _Start:
    """Where the records begin in the text, and whether they are members of an object."""

    offset: int
    enclosed: bool
    members: bool


def _start(head: str) -> _Start:
    body = len(head) - len(head.lstrip())
    if head.startswith("[", body):
        return _Start(body + 1, enclosed=True, members=False)
    if found := _CONTAINER.search(head):
        return _Start(found.end(), enclosed=True, members=False)
    mapping = _MAPPING.match(head)
    if mapping and plain_name(mapping[1]) not in {*KNOWN, *_NO_ID}:
        return _Start(mapping.end(), enclosed=True, members=True)
    return _Start(body, enclosed=False, members=False)


def read_json(text: Text) -> Iterator[Abstract | Skipped]:
    """Records of a JSON array, of the list or mapping inside an object, or objects in a row."""
    start = _start(text.head)
    last = 0
    for count, (line, row) in enumerate(_elements(text, start), 1):
        # several records in a line: say which
        source = f"{text.at(line)} (record {count})" if line == last else text.at(line)
        last = line
        if isinstance(row, Overlong):
            yield Skipped(source, row.reason)
        elif row == _CUT_OFF:
            yield Skipped(source, "the JSON ends in the middle: the file is cut off")
        elif start.members:
            yield from _member(_loads(f"{{{row}}}"), source)
        elif not start.enclosed:
            yield from _alone(_loads(row), source)
        else:
            yield from _records(_loads(row), source)


def _member(value: object, source: str) -> Iterator[Abstract | Skipped]:
    """One `"key": record` of a mapping from ids to records."""
    if isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        yield from _records(inner, source, key=key)
    else:
        yield from _records(value, source)


_CUT_OFF = "\0"


def _elements(text: Text, start: _Start) -> Iterator[tuple[int, str | Overlong]]:
    """Each value's first line and its text; `_CUT_OFF` where the end is missing.

    A value ends at a comma outside all brackets or where its last bracket closes.
    """
    line = 1 + text.head.count("\n", 0, start.offset)
    cutter = Cutter(enclosed=start.enclosed)
    skip = start.offset
    for piece in text.pieces:
        part = piece[skip:]
        skip = max(0, skip - len(piece))
        for row, breaks, size in cutter.cut(part):
            lead = len(row) - len(row.lstrip())
            if row.strip() or size > RECORD_LIMIT:
                value = Overlong("") if size > RECORD_LIMIT else row.strip()
                yield line + row.count("\n", 0, lead), value
            line += breaks
        if cutter.closed:
            return
    rest = cutter.rest()
    if rest.strip() or cutter.size > RECORD_LIMIT or start.enclosed:
        lead = len(rest) - len(rest.lstrip())
        whole = not start.enclosed and cutter.size <= RECORD_LIMIT
        yield line + rest.count("\n", 0, lead), rest.strip() if whole else _CUT_OFF
