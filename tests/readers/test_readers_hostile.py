"""Input made to hurt: it is refused or skipped, in bounded memory, and never crashes."""

from __future__ import annotations

import gzip
import json
import lzma
import subprocess
import sys
import time
import tracemalloc
import zlib
from typing import TYPE_CHECKING

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import InputError
from kg.readers import read_abstracts
from kg.readers.formats import FORMATS, choose
from kg.readers.source import RECORD_LIMIT
from kg.records import Abstract, Skipped

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "We grow a tree of prompts and prune it by a learned critic."
ONE = {"id": "good", "abstract": GOOD}
LINE = json.dumps(ONE)


def ids(papers: list[Abstract]) -> list[str]:
    return [paper.id for paper in papers]


# --- records that are too long, too deep or not text


@pytest.mark.parametrize("length", [20_000, 20_001, 100_000])
@pytest.mark.parametrize("form", ["a.jsonl", "a.txt", "a.csv", "a.bib", "a.ris", "a.nbib"])
def test_over_long_abstracts_are_skipped(read, form, length):
    text = ("word " * length)[: length - 1] + "."
    content = {
        "a.jsonl": f"{json.dumps({'abstract': text})}\n{LINE}\n",
        "a.txt": f"{text}\n\n{GOOD}\n",
        "a.csv": f"id,abstract\nx,{text}\ngood,{GOOD}\n",
        "a.bib": f"@misc{{x, abstract={{{text}}}}}\n@misc{{good, abstract={{{GOOD}}}}}\n",
        "a.ris": f"TY  - JOUR\nAB  - {text}\nER  - \nTY  - JOUR\nAB  - {GOOD}\nER  - \n",
        "a.nbib": f"PMID- 1\nAB  - {text}\n\nPMID- 2\nAB  - {GOOD}\n",
    }[form]
    papers, skipped = read(form, content)
    assert papers[-1].abstract == GOOD
    assert (len(papers), len(skipped)) == ((2, 0) if length <= 20_000 else (1, 1))
    assert all("20,000" in s.reason for s in skipped)


@pytest.mark.parametrize("field", ["id", "venue", "url", "authors", "keywords"])
def test_other_fields_have_a_limit_too(read, field):
    bad = json.dumps({"abstract": GOOD, field: "x" * 1001})
    papers, skipped = read("a.jsonl", f"{bad}\n{LINE}\n")
    assert ids(papers) == ["good"]
    assert len(skipped) == 1


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.bib", "a.ris", "a.txt"])
def test_enormous_lines_are_skipped(read, name):
    monster = "word " * (RECORD_LIMIT // 4)
    before, after = {
        "a.jsonl": (f'{LINE}\n{{"abstract": "', f'"}}\n{LINE}\n'),
        "a.json": (f'[{LINE},\n{{"abstract": "', f'"}},\n{LINE}]'),
        "a.csv": (f"id,abstract\ngood,{GOOD}\nx,", f"\ngood,{GOOD}\n"),
        "a.bib": (f"@misc{{good, abstract={{{GOOD}}}}}\n@misc{{x, abstract={{",
                  f"}}}}\n@misc{{good, abstract={{{GOOD}}}}}\n"),
        "a.ris": (f"TY  - JOUR\nID  - good\nAB  - {GOOD}\nER  - \nTY  - JOUR\nAB  - ",
                  f"\nER  - \nTY  - JOUR\nID  - good\nAB  - {GOOD}\nER  - \n"),
        "a.txt": (f"{GOOD}\n\n", f"\n\n{GOOD}\n"),
    }[name]  # fmt: skip
    papers, skipped = read(name, before + monster + after)
    assert [p.abstract for p in papers] == [GOOD, GOOD]
    assert len(skipped) == 1
    assert "more than" in skipped[0].reason


@pytest.mark.parametrize(
    "bad",
    [
        "[" * 100_000,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        '{"abstract": ' + "[" * 5_000 + "]" * 5_000 + "}",
        '{"abstract": {"value": ' * 400 + '"x"' + "}}" * 400,
        '{"year": ' + "9" * 10_000 + "}",
        '{"abstract": ' + "9" * 4_000 + "}",
        '{"id": 1e999, "year": -1e999}',
        '{"abstract": "\\u0000"}',
        '{"abstract": "\\ud800"',
        "\0",
        "{",
        '"',
        "\\",
    ],
)
def test_deep_and_odd_json_costs_itself_alone(read, bad):
    papers, skipped = read("a.jsonl", f"{LINE}\n{bad}\n{LINE}\n")
    assert ids(papers) == ["good", "good"]
    assert skipped


@pytest.mark.parametrize("depth", [2_000, 200_000])
@pytest.mark.parametrize("name", ["a.json", "a.txt", "a"])
def test_nothing_but_brackets(read, name, depth):
    try:
        papers, skipped = read(name, "[" * depth)
    except InputError:
        return
    assert papers == []
    assert skipped


def test_deep_braces_in_bibtex(read):
    deep = "{" * 20_000 + "x" + "}" * 20_000
    entry = (
        f"@misc{{x, author={{{deep[19_600:-19_600]}}}, title={{{deep}}}, abstract={{{deep}}}}}\n"
    )
    papers, _ = read("a.bib", f"{entry}@misc{{good, abstract={{{GOOD}}}}}\n")
    assert ids(papers)[-1:] == ["good"]


def test_characters_that_no_graph_file_can_hold(read):
    text = "A \ud83d lone, a \x00 null, a \x1b escape, \ufffe and \uffff; \u202e stays\ttoo."
    papers, _ = read("a.jsonl", json.dumps({"title": "x\x00y", "abstract": text}))
    assert papers[0].abstract == (
        "A \ufffd lone, a   null, a   escape, \ufffd and \ufffd; \u202e stays\ttoo."
    )
    assert len(papers[0].abstract) == len(text)
    assert papers[0].title == "x y"
    papers[0].document.encode()


def test_pairs_of_surrogates_are_one_character(read):
    papers, _ = read("a.jsonl", '{"abstract": "A tree \\ud83c\\udf33 grows."}')
    assert papers[0].abstract == "A tree 🌳 grows."


@pytest.mark.parametrize(
    "text",
    [
        "We show a<b and c>d for all i<j>k.",
        "The token <p> opens and <eos> ends; </script><img src=x onerror=alert(1)> is a label.",
        "Let $<i>$ be a mean.",
        "We write <think>thoughts</think> first &amp; answer later.",
    ],
)
def test_text_with_angles_stays_as_given(read, text):
    papers, _ = read("a.jsonl", json.dumps({"abstract": text}))
    assert papers[0].abstract == text


# --- patterns that must not take time that grows with the square of the text, or worse


@pytest.mark.parametrize(
    "run",
    [" ", "\n", "\t\n", "% x\n", "a, ", "and ", " and , ", "<feed ", "<a:", '"data"', '"', "@a ",
     "@", "{", "$", "notable ", "arXiv:", "<p>", "<i>x", "sep=", "10.1234/", "\\", ";", "a\u0301"],
)  # fmt: skip
def test_no_run_of_anything_takes_long(read, run):
    monster = run * (40_000 // len(run))
    start = time.process_time()
    contents = {
        "a": f"{monster}!",
        "a.xml": f"{FEED}<entry><summary>{monster.replace('<', '')}</summary></entry></feed>",
        "a.bib": f"@misc{{x, author={{{monster}}}, title={{{monster}}}, abstract={{{monster}}}}}",
        "a.ris": f"TY  - JOUR\nAU  - {monster}\nAB  - {monster}\nER  - \n",
        "a.csv": f"title,abstract,authors\n{monster}",
        **{
            f"{field}.jsonl": json.dumps({"abstract": GOOD, field: monster}) + f"\n{LINE}\n"
            for field in ("title", "abstract", "authors", "keywords", "id", "year", "venue")
        },
        "openreview.jsonl": json.dumps(
            {"content": {"abstract": GOOD, "venue": f"X 2031 {run * 90}!"}}
        ),
    }
    for name, content in contents.items():
        try:
            read(name, content)
        except InputError as error:
            assert str(error)
    assert time.process_time() - start < 10


@pytest.mark.parametrize("name", ["notes", "author", "value", "content", "paper"])
def test_objects_in_objects(read, name):
    nested: object = {"abstract": GOOD}
    for _ in range(300):
        nested = {name: [nested] if name == "notes" else nested, "title": "T"}
    papers, _ = read("a.jsonl", f"{LINE}\n{json.dumps({**ONE, name: nested})}\n{LINE}\n")
    assert "good" in ids(papers)


# --- XML

FEED = '<feed xmlns="http://www.w3.org/2005/Atom">'
ENTRY = f"<entry><id>good</id><summary>{GOOD}</summary></entry>\n"


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE feed [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>',
        '<!DOCTYPE feed [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE feed SYSTEM "http://example.org/x.dtd" [<!ENTITY % p SYSTEM "http://x/">%p;]>',
    ],
)
def test_xml_with_entities_is_refused(read, doctype):
    papers, skipped = read("a.xml", f"{doctype}{FEED}{ENTRY}</feed>")
    assert papers == []
    assert "declares entities" in skipped[0].reason


def test_xml_as_deep_as_it_may_be(read):
    deep = ("<a>" * 100 + "\n") * 1_000
    papers, skipped = read("a.xml", f"{FEED}\n{ENTRY}<entry>{deep}")
    assert ids(papers) == ["good"]
    assert len(skipped) == 1


def test_an_endless_entry_is_given_up(read):
    papers, skipped = read(
        "a.xml", f"{FEED}\n{ENTRY}<entry>" + f"<b>{'word ' * 1_000}</b>\n" * (RECORD_LIMIT // 5_000)
    )
    assert ids(papers) == ["good"]
    assert "more than" in skipped[0].reason


# --- bombs and memory

PACK = {
    "gz": gzip.compress,
    "xz": lambda data: lzma.compress(data, preset=0),
    "zst": zstandard.compress,
}


@pytest.mark.parametrize("packing", sorted(PACK))
@pytest.mark.parametrize("fill", [b"\0", b"a", b"word ", b"["])
def test_small_bombs_are_refused(read, packing, fill):
    data = PACK[packing](fill * (32_000_000 // len(fill)))
    tracemalloc.start()
    try:
        try:
            papers, _ = read(f"a.txt.{packing}", data)
            assert papers == []
        except InputError:
            pass
        assert tracemalloc.get_traced_memory()[1] < 24_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_a_bomb_behind_good_records_is_refused(tmp_path: Path):
    bomb = tmp_path / "a.jsonl.gz"
    with gzip.open(bomb, "wb") as stream:
        stream.write(f"{LINE}\n{LINE}\n".encode())
        for _ in range(600):
            stream.write(b" " * (1 << 20))
    records = list(read_abstracts(bomb))
    assert [type(record) for record in records] == [Abstract, Abstract, Skipped]
    assert "decompression bomb" in records[-1].reason


def test_an_xz_file_that_asks_for_too_much_memory_is_refused(read):
    raw = bytearray(lzma.compress(b"Some words that say something."))
    # the dictionary's size stands in one byte of the block header, which has its own checksum
    raw[raw.index(b"\x21\x01") + 2] = 36  # 1 GiB
    end = 12 + (raw[12] + 1) * 4
    raw[end - 4 : end] = zlib.crc32(raw[12 : end - 4]).to_bytes(4, "little")
    with pytest.raises(InputError, match=r"cannot be unpacked.*[Mm]emory"):
        read("a.txt.xz", bytes(raw))


_CHILD = """
import resource, sys
from kg.readers import read_abstracts
count = sum(1 for _ in read_abstracts(sys.argv[1]))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "jsonl", "txt", "bib", "xml"])
def test_memory_does_not_grow_with_the_file(tmp_path: Path, form):
    def peak(count: int) -> int:
        path = tmp_path / f"a.{form}"
        with path.open("w") as stream:
            stream.write({"json": "[", "xml": FEED}.get(form, ""))
            for number in range(count):
                text = f"{GOOD} {number} " + "Some more words of the abstract. " * 40
                stream.write({
                    "json": ("," if number else "") + json.dumps({"abstract": text}),
                    "jsonl": json.dumps({"abstract": text}) + "\n",
                    "txt": f"{text}\n\n",
                    "bib": f"@misc{{k{number}, abstract={{{text}}}}}\n",
                    "xml": f"<entry><summary>{text}</summary></entry>\n",
                }[form])  # fmt: skip
            stream.write({"json": "]", "xml": "</feed>"}.get(form, ""))
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, str(path)], check=True, capture_output=True, text=True
        )
        read, megabytes = map(int, done.stdout.split())
        assert read == count
        return megabytes

    assert peak(30_000) < peak(1_000) + 10  # 42 MB of file against 1.4 MB


# --- fuzzing

FUZZ = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
PIECES = st.sampled_from([
    "{", "}", "[", "]", '"', "\\", ",", ":", "@article{a,", "title={", "abstract = ", "}\n", "\n",
    "\n\n", "\r\n", "TY  - JOUR", "AB  - ", "ER  - ", "PMID- 1", "\t", "title,abstract", "<feed ",
    'xmlns="http://www.w3.org/2005/Atom">', "<entry>", "</entry>", "<summary>", "&amp;", "&x;",
    '"abstract": "', '"title": "', '"notes": [', '{"content": {', "null", "\0", "\ufeff", "é",
    "\ud7ff", "\U0001f333", "We grow a tree of words. ", "$x_{1}$", r"{\"o}", "sep=;", "#", "%",
    '"authors": ', '"authors_parsed": [[', '"abstract_inverted_index": {', '"year": ', "-1", "1e9",
    LINE, LINE + "\n", ENTRY,
])  # fmt: skip


def _survives(path: Path, content: bytes, format: str | None) -> None:  # noqa: A002
    path.write_bytes(content)
    try:
        records = list(read_abstracts(path, format=format))
    except InputError as error:
        assert "\n" not in str(error)
        return
    assert records
    for record in records:
        if isinstance(record, Abstract):
            assert record.abstract.strip()
            assert "\n" not in record.title
            record.document.encode()
            assert all(isinstance(each, str) for each in (record.id, record.venue, record.url))
            assert all(name.strip() for name in record.authors)
        else:
            assert record.reason
            assert "\n" not in record.reason


@FUZZ
@given(st.lists(PIECES, max_size=40).map("".join), st.sampled_from([f.name for f in FORMATS]))
def test_no_text_breaks_a_reader(tmp_path, text, name):
    _survives(tmp_path / "fuzz", text.encode(), name)


@FUZZ
@given(
    st.binary(max_size=600) | st.lists(PIECES, max_size=30).map("".join).map(str.encode),
    st.sampled_from(["", ".json", ".bib", ".csv", ".txt", ".xml", ".ris", ".jsonl.gz"]),
)
def test_no_bytes_break_the_sniffing(tmp_path, content, suffix):
    _survives(tmp_path / f"fuzz{suffix}", content, None)


@FUZZ
@given(st.text(max_size=300))
def test_the_sniffers_answer_for_any_text(text):
    row = choose(text, "")
    assert row is None or row in FORMATS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["title", "abstract", "authors", "content", "value", "year", "id", "venue",
                         "keywords", "notes", "abstract_inverted_index", "authorships", "author",
                         "externalIds", "versions", "authors_parsed", "categories", "issued",
                         "date-parts", "primary_location", "source", "name", "paper"]),
        inner, max_size=5,
    ),
    max_leaves=25,
)  # fmt: skip


@FUZZ
@given(JSON, st.sampled_from(["json", "jsonl"]))
def test_no_shape_of_json_breaks_a_reader(tmp_path, value, name):
    _survives(tmp_path / "fuzz", json.dumps(value).encode(), name)


@FUZZ
@given(
    st.binary(max_size=400),
    st.sampled_from(sorted(PACK)),
    st.integers(0, 300),
    st.binary(max_size=9),
)
def test_no_damage_to_packed_data_breaks_the_reading(tmp_path, extra, packing, at, damage):
    data = PACK[packing](f"{LINE}\n{LINE}\n".encode() + extra)
    _survives(tmp_path / "fuzz.jsonl", data[:at] + damage + data[at:], None)
