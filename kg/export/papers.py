"""The papers behind a network, as BibTeX and as a Markdown list with what they say.

A paper is behind a network where it is one of its nodes; else where it states one of its edges, or,
if there are none, names one of its entities.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from kg import vocab
from kg.schema import RELATIONS, ROLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import networkx as nx

    from kg.store import Store, Term

_CHUNK = 200
_FIELDS = {
    "dcterms:title": "title",
    "dcterms:issued": "year",
    "kg:venue": "venue",
    "kg:authors": "authors",
    "schema:url": "url",
    "schema:sameAs": "page",
}
_JOURNAL = re.compile(r"\b(journal|transactions|letters|magazine|JMLR|TMLR|TACL|nature)\b", re.I)
_TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_TEX |= {c: f"\\{c}" for c in "&%$#_{}"}
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~&.])")


@dataclass(frozen=True, slots=True)
class Cited:
    """A paper: its IRI, fields by name, and the sentences behind it, surest first."""

    iri: str
    fields: dict[str, str]
    said: tuple[tuple[str, str], ...]


def papers_behind(
    store: Store,
    network: nx.MultiDiGraph,
    *,
    years: tuple[int | None, int | None] | None = None,
) -> list[Cited]:
    """The papers behind `network`, newest first, of `years` only.

    Each comes with up to three sentences for the edges of the network that it states.
    """
    papers = {n for n, kind in network.nodes(data="type") if kind == "Paper"}
    entities = sorted(set(network) - papers)
    edges = set(network.edges(keys=True))
    known = {vocab.iri(r.curie, store.base): r.name for r in ROLES}
    known |= {vocab.iri(r.curie, store.base): r.name for r in RELATIONS}
    said: dict[str, set[tuple[float, str, str]]] = {p: set() for p in papers}
    for subject, predicate, object_, paper, confidence, sentence in _statements(store, entities):
        kind = known.get(predicate)
        if kind is None or (papers and paper not in papers):
            continue
        if (subject, object_, kind) in edges or (not edges and subject == paper):
            said.setdefault(paper, set()).add((-float(confidence), sentence, kind))
    first, last = years or (None, None)
    cited = []
    for iri, fields in _fields(store, sorted(said)).items():
        year = int(fields["year"]) if "year" in fields else None
        if (first is not None or last is not None) and (
            year is None or year < (first or year) or year > (last or year)
        ):
            continue
        sentences = dict.fromkeys((s, k) for _, s, k in sorted(said[iri]))
        cited.append(Cited(iri, fields, tuple(sentences)[:3]))
    return sorted(cited, key=lambda c: (-int(c.fields.get("year", 0)), c.iri))


def write_bib(papers: Iterable[Cited], sink: TextIO) -> None:
    """Write BibTeX entries, escaped for LaTeX; the key is the end of the paper's IRI."""
    for paper in papers:
        of = paper.fields
        venue = of.get("venue", "")
        kind, where = "misc", ""
        if venue:
            journal = _JOURNAL.search(venue)
            kind, where = ("article", "journal") if journal else ("inproceedings", "booktitle")
        authors = [name.strip() for name in of.get("authors", "").split(";") if name.strip()]
        rows = {
            "title": "{" + tex(of.get("title", "")) + "}",
            # in braces: a name with "and" or a comma in it is one name
            "author": " and ".join(tex(a) if _plain(a) else "{" + tex(a) + "}" for a in authors),
            where: tex(venue),
            "year": of.get("year", ""),
            "url": re.sub(r"[{}\\]", "", _address(of)),
        }
        sink.write(f"@{kind}{{{_key(paper.iri)},\n")
        sink.writelines(f"  {name} = {{{text}}},\n" for name, text in rows.items() if name and text)
        sink.write("}\n\n")


def write_markdown(papers: Sequence[Cited], sink: TextIO, *, title: str) -> None:
    """Write a list of the papers by year, each with its sentences as quotations."""
    sink.write(f"# {markdown(title)}\n\n{len(papers):,} papers\n")
    year = None
    for paper in papers:
        of = paper.fields
        if of.get("year", "No year") != year:
            year = of.get("year", "No year")
            sink.write(f"\n## {year}\n\n")
        name = markdown(of.get("title", "") or "Untitled abstract")
        address = _address(of)
        link = f"[{name}](<{address}>)" if address else name
        rest = ". ".join(markdown(of[f]) for f in ("authors", "venue") if of.get(f))
        sink.write(f"- **{link}**" + (f"  \n  {rest}\n" if rest else "\n"))
        sink.writelines(f"\n  > {markdown(sentence)}\n" for sentence, _ in paper.said)


def tex(text: str) -> str:
    """`text` on one line with LaTeX's own characters escaped."""
    return "".join(_TEX.get(c, c) for c in " ".join(vocab.clean(text).split()))


def markdown(text: str) -> str:
    """`text` on one line with nothing in it that Markdown or HTML would read."""
    return _MARKDOWN.sub(r"\\\1", " ".join(vocab.clean(text).split()))


def _plain(name: str) -> bool:
    return " and " not in f" {name} " and name.count(",") <= 1


def _key(iri: str) -> str:
    return re.sub(r"[^A-Za-z0-9:.-]", "-", iri.rpartition("/")[2])


def _address(of: dict[str, str]) -> str:
    for name in ("url", "page"):
        if re.fullmatch(r"https?://[^\s<>\"']+", of.get(name, ""), flags=re.IGNORECASE):
            return of[name]
    return ""


def _statements(store: Store, entities: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for batch in _batches(entities):
        rows = store.select(f"""
            SELECT ?subject ?predicate ?object ?paper ?confidence ?sentence WHERE {{
              VALUES ?object {{ {batch} }}
              ?statement rdf:object ?object ; rdf:subject ?subject ; rdf:predicate ?predicate ;
                kg:confidence ?confidence ; kg:evidence ?sentence ; prov:wasDerivedFrom ?paper .
            }}""").rows
        yield from (tuple(map(_text, row)) for row in rows)


def _fields(store: Store, papers: Sequence[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {p: {} for p in papers}
    for batch in _batches(papers):
        rows = store.select(f"""
            SELECT ?paper ?property ?value WHERE {{
              VALUES ?paper {{ {batch} }} VALUES ?property {{ {" ".join(_FIELDS)} }}
              ?paper ?property ?value .
            }} ORDER BY ?paper ?property DESC(?value)""").rows
        names = {vocab.iri(curie, store.base): name for curie, name in _FIELDS.items()}
        for paper, name, value in rows:
            found[_text(paper)][names[_text(name)]] = _text(value)
    return found


def _batches(things: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(things), _CHUNK):
        yield " ".join(f"<{t}>" for t in things[start : start + _CHUNK])


def _text(term: Term | None) -> str:
    return "" if term is None else term.value
