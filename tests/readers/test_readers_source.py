"""Where text comes from: encodings, packing, folders, standard input; files that are no input."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

from kg.errors import InputError
from kg.readers import read_abstracts
from kg.readers.source import HEAD
from kg.records import Abstract, Skipped

FIRST = "We grow a tree of prompts – naïve, “pruned”, and 5 € cheap."
SECOND = "A sketch of the gradient is shared between workers that never meet."
RECORD = {"title": "Tree", "abstract": FIRST}


def jsonl(count: int) -> str:
    return "".join(
        json.dumps({"id": str(n), "abstract": f"{FIRST} Part {n}."}, ensure_ascii=False) + "\n"
        for n in range(count)
    )


ENCODED = {
    "utf-8": FIRST.encode(),
    "utf-8 with mark": FIRST.encode("utf-8-sig"),
    "utf-16 little": codecs.BOM_UTF16_LE + FIRST.encode("utf-16-le"),
    "utf-16 big": codecs.BOM_UTF16_BE + FIRST.encode("utf-16-be"),
    "utf-32": codecs.BOM_UTF32_LE + FIRST.encode("utf-32-le"),
    "windows-1252": FIRST.encode("cp1252"),
}


@pytest.mark.parametrize("encoding", sorted(ENCODED))
def test_encodings(read, encoding):
    papers, _ = read("a.txt", ENCODED[encoding])
    assert [p.abstract for p in papers] == [FIRST]


def test_latin_1(read):
    text = "Über naïve Bäume: größer ist nicht besser, señor."
    papers, _ = read("a.txt", text.encode("latin-1"))
    assert [p.abstract for p in papers] == [text]


def test_latin_1_that_holds_a_chance_pair_of_utf_8(read):
    text = "Un CAFÉ» et un théâtre naïf."  # É and » in Latin-1 are one character of UTF-8
    papers, _ = read("a.txt", text.encode("latin-1"))
    assert [p.abstract for p in papers] == [text]


def test_a_line_of_each_encoding(read):
    content = FIRST.encode() + b"\n\n" + FIRST.encode("cp1252") + b"\n\n" + FIRST.encode()
    papers, _ = read("a.txt", content)
    assert [p.abstract for p in papers] == [FIRST] * 3


def test_one_broken_byte_leaves_the_rest_of_its_line_alone(read):
    papers, _ = read("a.txt", FIRST.encode().replace(b" and ", b" \xff "))
    assert [p.abstract for p in papers] == [FIRST.replace(" and ", " ÿ ")]


def test_bytes_that_windows_1252_leaves_undefined(read):
    papers, _ = read("a.txt", b"Something na\xefve with \x81 inside it.")
    assert [p.abstract for p in papers] == ["Something naïve with \x81 inside it."]


@pytest.mark.parametrize("breaks", ["\n", "\r\n", "\r"])
def test_line_ends(read, breaks):
    papers, _ = read("a.txt", f"Papers\n\n{FIRST}\n\n{SECOND}\n".replace("\n", breaks))
    assert [(p.abstract, p.source.rpartition(":")[2]) for p in papers] == [
        (FIRST, "3"), (SECOND, "5")
    ]  # fmt: skip


@pytest.mark.parametrize("char", ["\u2028", "\u0085", "\x0c", "\x1c"])
def test_other_separators_are_no_line_ends(read, char):
    papers, _ = read("a.jsonl", json.dumps({"abstract": f"One{char}two."}, ensure_ascii=False))
    assert [len(p.abstract) for p in papers] == [8]


# --- packing

PACK = {
    ".gz": gzip.compress,
    ".xz": lambda data: lzma.compress(data, preset=0),
    ".zst": zstandard.compress,
}


@pytest.mark.parametrize("suffix", ["", ".txt", ".jsonl"])
@pytest.mark.parametrize("packing", sorted(PACK))
def test_packed_files(read, packing, suffix):
    papers, skipped = read(f"a{suffix}{packing}", PACK[packing](jsonl(400).encode()))
    assert [p.id for p in papers] == [str(n) for n in range(400)]
    assert skipped == []


@pytest.mark.parametrize("packing", sorted(PACK))
def test_the_content_tells_the_packing_not_the_name(read, packing):
    papers, _ = read("a.jsonl", PACK[packing](jsonl(3).encode()))
    assert len(papers) == 3
    papers, _ = read(f"b.jsonl{packing}", jsonl(3))
    assert len(papers) == 3


@pytest.mark.parametrize("packing", sorted(PACK))
def test_several_packed_parts_in_a_row_are_one_text(read, packing):
    halves = jsonl(6).encode()
    cut = len(halves) // 2
    papers, _ = read("a.jsonl", PACK[packing](halves[:cut]) + PACK[packing](halves[cut:]))
    assert [p.id for p in papers] == list("012345")


@pytest.mark.parametrize("packing", sorted(PACK))
def test_a_packed_file_that_is_cut_off_keeps_what_stands_before(read, packing):
    text = "".join(
        json.dumps({"id": str(n), "abstract": f"Words {os.urandom(200).hex()}."}) + "\n"
        for n in range(1500)
    )
    assert len(text) > HEAD
    data = PACK[packing](text.encode())
    papers, skipped = read("a.jsonl", data[: len(data) * 3 // 4])
    assert 0 < len(papers) < 1500
    assert "is cut off" in skipped[-1].reason


@pytest.mark.parametrize("packing", sorted(PACK))
@pytest.mark.parametrize("keep", [8, 20])
def test_a_packed_file_cut_off_at_the_beginning_is_refused(read, packing, keep):
    data = PACK[packing](jsonl(50).encode())
    with pytest.raises(InputError, match=r"cut off|damaged|empty"):
        read("a.jsonl", data[:keep])


@pytest.mark.parametrize("packing", sorted(PACK))
def test_damaged_packed_data_are_refused(read, packing):
    data = bytearray(PACK[packing](jsonl(50).encode()))
    data[4 if packing == ".zst" else 8 : 60] = b"\xff" * 52
    with pytest.raises(InputError, match=r"a\.jsonl.*(damaged|cut off|no reader understands)"):
        read("a.jsonl", bytes(data))


# --- folders, standard input


def test_a_folder_is_read_in_order_and_strangers_are_named(tmp_path: Path):
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.jsonl").write_text(jsonl(1))
    (tmp_path / "b" / "one.jsonl").write_text(jsonl(1))
    (tmp_path / "a.txt").write_text(SECOND)
    (tmp_path / "c.bib").write_text("@misc{c, abstract={Some words that say something.}}")
    (tmp_path / "README.md").write_text("This folder holds papers. They are good papers.\n")
    (tmp_path / "figure.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(jsonl(50).encode())[:12])
    records = list(read_abstracts(tmp_path, venue="FooConf", year=2031))
    papers = [r for r in records if isinstance(r, Abstract)]
    skipped = [r for r in records if isinstance(r, Skipped)]
    assert [Path(p.source).relative_to(tmp_path).as_posix() for p in papers] == [
        "a.txt:1", "b/one.jsonl:1", "c.bib:1"
    ]  # fmt: skip
    assert {(p.venue, p.year) for p in papers} == {("FooConf", 2031)}
    assert [Path(s.source).name for s in skipped] == [
        "README.md", "cut.jsonl.gz", "empty.json", "figure.png"
    ]  # fmt: skip


def test_a_folder_of_strangers_is_refused(tmp_path: Path):
    (tmp_path / "a.png").write_bytes(bytes(99))
    with pytest.raises(InputError, match=r"none of the 1 files .* readable are atom: Atom feed"):
        list(read_abstracts(tmp_path))


def test_an_empty_folder_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="has no files in it"):
        list(read_abstracts(tmp_path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch):
    data = gzip.compress(jsonl(3).encode())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert [record.source for record in read_abstracts("-")] == ["stdin:1", "stdin:2", "stdin:3"]


def test_a_pipe_is_read_like_a_file(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; open(sys.argv[1], 'w').write(sys.argv[2])",
         str(pipe), jsonl(2)]
    ):  # fmt: skip
        assert len(list(read_abstracts(pipe))) == 2


# --- what is no input


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", "is empty"),
        ("a.jsonl", b" \n\n\t\n", "is empty"),
        ("a.json", b"[]", "no abstract found"),
        ("a.bib", b"% nothing but a comment\n", "no abstract found"),
        ("a.txt.gz", gzip.compress(b""), "is empty"),
        ("a.bin", bytes(range(256)) * 9, "no reader understands"),
        ("a.txt", b"\0" * 5000, "no reader understands"),
        ("a.pdf", b"%PDF-1.7\n%more words follow here, and they are words.\n", "no reader"),
        ("a.html", b"<!DOCTYPE html><html><body>Some words that say.</body></html>", "no reader"),
        ("a.xyz", b"<data><item>Some words that say something.</item></data>", "no reader"),
        ("a.txt", b"QUJD" * 4000, "no reader understands"),
        ("a.txt", b"one heading, no more", "no reader understands"),
        ("a.c", b"int main(void) { return x[3] ^ (y << 2) & ~z; }\n" * 9, "no reader"),
        ("a.rtf", rb"{\rtf1\ansi Some words that say something.}", "no reader understands"),
    ],
)
def test_what_no_reader_understands(read, name, content, message):
    with pytest.raises(InputError, match=message) as caught:
        read(name, content)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_refusal_lists_the_formats(read):
    with pytest.raises(InputError) as caught:
        read("a.bin", bytes(100))
    for word in ("BibTeX", "RIS", "nbib", "CSV", "TSV", "OpenReview", "OpenAlex", "plain text"):
        assert word in str(caught.value)


def test_a_missing_file_is_named_at_once(tmp_path: Path):
    with pytest.raises(InputError, match=r"no such file or folder: '.*nowhere'"):
        read_abstracts(tmp_path / "nowhere")


def test_a_file_that_may_not_be_read(tmp_path: Path):
    loop = tmp_path / "loop.txt"
    loop.symlink_to(loop)
    with pytest.raises(InputError, match=r"loop\.txt"):
        list(read_abstracts(loop))


def test_a_name_that_is_no_text(tmp_path: Path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt"))
    path.write_text(SECOND)
    (record,) = read_abstracts(path)
    assert record.source.endswith("/\ufffd.txt:1")


# --- venue and year


def test_venue_and_year_fill_in_where_there_is_none(tmp_path: Path):
    path = tmp_path / "a.jsonl"
    path.write_text(
        json.dumps(RECORD) + "\n" + json.dumps({**RECORD, "venue": "JoT", "year": 2029}) + "\n"
    )
    records = list(read_abstracts(path, venue="FooConf", year=2031))
    assert [(r.venue, r.year) for r in records if isinstance(r, Abstract)] == [
        ("FooConf", 2031), ("JoT", 2029)
    ]  # fmt: skip
