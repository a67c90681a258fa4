"""Annotated records as files hold them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kg.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

Record = dict[str, Any]


def read_records(path: Path, *, annotated: bool = True) -> dict[str, Record]:
    """The records of a JSONL file by id, the last of each; as `list_records` reads them."""
    return {record["id"]: record for record in list_records(path, annotated=annotated)}


def list_records(path: Path, *, annotated: bool = True) -> list[Record]:
    """The records of a JSONL file; `annotated` ones have entities and relations.

    Raises:
        InputError: the file is missing, or a line is no record of the format.

    """
    try:
        # not splitlines: a text may hold U+2028 and its like as they are
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{str(path)!r} is not UTF-8: {error.reason}") from error
    records: list[Record] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"{path}:{number}: not JSON ({error.msg})") from error
            fault = _fault(record, annotated=annotated)
            if fault:
                raise InputError(
                    f"{path}:{number}: {fault}; a record is one JSON object a line with id, "
                    "entities (id, type, role, mentions) and relations (head, name, tail)"
                )
            records.append(record)
    return records


def _fault(record: object, *, annotated: bool) -> str:
    """What keeps `record` from being one, "" where nothing does."""
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        return "no object with a string as id"
    if not annotated:
        return ""
    entities, relations = record.get("entities"), record.get("relations")
    if not isinstance(entities, list) or not isinstance(relations, list):
        return "no list of entities or of relations"
    for e in entities:
        named = isinstance(e, dict) and all(isinstance(e.get(k), str) for k in ("id", "type"))
        mentions = e.get("mentions") if named else None
        if not isinstance(mentions, list) or not all(isinstance(m, str) and m for m in mentions):
            return f"an entity without id, type or mentions: {e!r:.80}"
    known = {e["id"] for e in entities}
    for r in relations:
        named = isinstance(r, list) and len(r) == 3 and all(isinstance(part, str) for part in r)
        if not named or not {r[0], r[2]} <= known:
            return f"a relation that is no [head, name, tail] of its entities: {r!r:.80}"
    return ""
