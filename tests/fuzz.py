"""Coverage-guided fuzzing with atheris: what strangers give us, and every name that texts hold.

`python tests/fuzz.py readers|text|curation [CORPUS…] [-max_total_time=SECONDS]`; the options are
libFuzzer's. It ends with the input that broke a rule, or with 0. `make fuzz` runs it for long.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["kg"]):
    from kg import vocab
    from kg.errors import InputError
    from kg.readers import read_abstracts
    from kg.readers.formats import FORMATS
    from kg.readers.record import FIELD_LIMIT, TEXT_LIMIT
    from kg.records import Abstract
    from kg.resolve.abbreviations import defines, initials, long_form_before
    from kg.resolve.aliases import may_be_alias
    from kg.resolve.curation import parse_curation
    from kg.resolve.forms import form
    from kg.resolve.generic import is_generic
    from kg.resolve.rules import keys
    from kg.schema import ENTITY_TYPES
    from kg.text import fold, plain

SUFFIXES = ["", ".txt", ".json", ".jsonl", ".csv", ".tsv", ".bib", ".ris", ".nbib", ".xml", ".gz",
            ".jsonl.xz", ".json.zst"]  # fmt: skip
NAMES = [None, *(row.name for row in FORMATS)]
NO_IRI = re.compile(r"[\x00-\x20<>\"{}|^`\\\\\ud800-\udfff]")
SEEDS = {
    "readers": [
        (".json", '[{"id": "a", "abstract": "We grow trees."}, {"abstract": "b", "year": 2020}]'),
        (".json", '{"notes": [{"id": "x", "content": {"abstract": {"value": "We grow."}}}]}'),
        (".json", '[{"abstract_inverted_index": {"We": [0], "grow": [1]}, "doi": "10.1/x"}]'),
        (".jsonl", '{"title": "A", "abstract": "We grow."}\n{"abstract": "c", "authors": "d"}\n'),
        (".csv", 'id,title,abstract\n1,"a, b","We ""grow"" it."\n2,c,d\n'),
        (".tsv", "id\tabstract\n1\tWe grow trees.\n"),
        (".bib", '@string{x = "y"}\n@article{a, title={{B}ig}, abstract = {We $x_{1}$ {\\"o}}}\n'),
        (".ris", "TY  - JOUR\nTI  - A\nAB  - We grow.\nDO  - 10.1/a\nER  - \n"),
        (".nbib", "PMID- 1\nTI  - A\nAB  - We grow\n      trees.\n"),
        (".xml", '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2401.1'
                 "</id><title>A</title><summary>We &lt; grow</summary></entry></feed>"),
        (".txt", "A heading\nWe grow trees of words and cut them.\n\nSecond: another abstract.\n"),
    ],
    "text": [("", r"Schr\"odinger $\mu_{1}$-VAE (GPT-4o, LLMs) graph neural networks")],
    "curation": [("", 'merge = [{ names = ["a", "b"], type = "Task" }]\nkeep = [{ name = "c" }]')],
}  # fmt: skip
FOLDER = Path(tempfile.mkdtemp(prefix="kg-fuzz-"))


def readers(data: bytes) -> None:
    """Any bytes under any name and format: records that graph files can hold, or a reason."""
    if len(data) < 2:
        return
    path = FOLDER / f"input{SUFFIXES[data[0] % len(SUFFIXES)]}"
    path.write_bytes(data[2:])
    try:
        found = list(read_abstracts(path, format=NAMES[data[1] % len(NAMES)]))
    except InputError as error:
        assert str(error).strip()
        return
    finally:
        path.unlink()
    for record in found:
        assert record.source.startswith(str(path))
        if not isinstance(record, Abstract):
            assert record.reason.strip()
            assert "\n" not in record.reason
            continue
        assert record.abstract.strip()
        assert len(record.title) + len(record.abstract) <= TEXT_LIMIT
        fields = (record.id, record.venue, record.url, *record.authors, *record.keywords)
        assert all(len(field) <= FIELD_LIMIT for field in fields)
        "\n".join((record.document, *fields, *record.identifiers)).encode()
        assert not NO_IRI.search(vocab.paper_iri(vocab.paper_key(record)))


def text(data: bytes) -> None:
    """Any two names: what folds once folds no further, and no rule breaks on them."""
    provider = atheris.FuzzedDataProvider(data)
    first = provider.ConsumeUnicode(80)
    second = provider.ConsumeUnicode(200)
    folded = fold(first)
    assert fold(folded) == folded, (first, folded, fold(folded))
    shown = plain(first)
    assert len(shown.text) == len(shown.starts) == len(shown.ends)
    a, b = form(first), form(second)
    assert may_be_alias(a, b) in (True, False)
    for kind in ENTITY_TYPES:
        assert all(key.value for key in keys(a, kind.name))
        assert not NO_IRI.search(vocab.entity_iri(kind.name, a.key))
    is_generic(first)
    initials(second)
    defines(first, second)
    found = long_form_before(first, second)
    assert found in second


def curation(data: bytes) -> None:
    """Any text as a curation file: decisions, or a reason."""
    try:
        parse_curation(data.decode("utf-8", "replace"))
    except InputError as error:
        assert str(error).strip()


TARGETS = {"readers": readers, "text": text, "curation": curation}


def write_seeds(name: str) -> Path:
    """A folder of inputs to begin with."""
    folder = FOLDER / "seeds"
    folder.mkdir()
    for number, (suffix, content) in enumerate(SEEDS[name]):
        head = bytes([SUFFIXES.index(suffix), 0]) if name == "readers" else b""
        (folder / str(number)).write_bytes(head + content.encode())
    return folder


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"usage: {sys.argv[0]} {'|'.join(TARGETS)} [CORPUS…] [options of libFuzzer]")
    name = sys.argv.pop(1)
    atheris.Setup([*sys.argv, str(write_seeds(name))], TARGETS[name])
    atheris.Fuzz()
