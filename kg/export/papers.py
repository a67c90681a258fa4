"""The papers behind a network, as BibTeX and as a Markdown list with what they say.

A paper is behind a network where it is one of its nodes; else where it states one of its edges, or,
if they are none that papers state, names one of its entities.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from kg import vocab
from kg.network import facts
from kg.part import ALL, Part
from kg.schema import RELATION_BY_NAME, ROLE_BY_NAME
from kg.text import web_address

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import networkx as nx

    from kg.network.facts import Claim, Edge
    from kg.store import Store

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


def papers_behind(store: Store, network: nx.MultiDiGraph, part: Part = ALL) -> list[Cited]:
    """The papers of `part` behind `network`, newest first.

    Each comes with up to three sentences for the edges of the network that it states.
    """
    part = facts.known_venues(store, part)
    among = facts.paper_years(store, part)
    papers = {n for n, kind in network.nodes(data="type") if kind == "Paper"}
    entities = set(network) - papers
    edges = {
        (head, kind, tail)
        for head, tail, kind in network.edges(keys=True)
        if kind in RELATION_BY_NAME or kind in ROLE_BY_NAME
    }
    said: dict[str, list[Claim]] = {p: [] for p in papers if p in among}
    for claim in _claims(store, part, entities, papers, edges):
        paper, head, kind, tail = claim.fact
        if (papers and paper not in papers) or paper not in among:
            continue
        if not edges or (head, kind, tail) in edges:
            said.setdefault(paper, []).append(claim)
    iris = {claim.iri for claims in said.values() for claim in claims}
    sentences = facts.texts(store, "kg:evidence", iris)
    cited = []
    for iri, fields in _fields(store, said).items():
        quoted = sorted((-c.confidence, sentences[c.iri][0], c.fact[2]) for c in said[iri])
        cited.append(Cited(iri, fields, tuple(dict.fromkeys((s, k) for _, s, k in quoted))[:3]))
    return sorted(cited, key=lambda c: (-int(c.fields.get("year", 0)), c.iri))


def _claims(
    store: Store, part: Part, entities: set[str], papers: set[str], edges: set[Edge]
) -> list[Claim]:
    """What may be said for the edges, or where there are none, of the entities."""
    kinds = {kind for _, kind, _ in edges}
    found: list[Claim] = []
    if entities and (not edges or not kinds.isdisjoint(ROLE_BY_NAME)):
        found += facts.role_claims(store, part, of=entities)
    if entities and not papers and not kinds.isdisjoint(RELATION_BY_NAME):
        found += facts.relation_claims(store, part, among=entities)
    return found


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
            "url": re.sub(r"[{}\\]", "", web_address(of.get("url", ""), of.get("page", ""))),
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
        address = web_address(of.get("url", ""), of.get("page", ""))
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


def _fields(store: Store, papers: Collection[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {p: {} for p in sorted(papers)}
    for curie, name in _FIELDS.items():
        for paper, values in facts.texts(store, curie, papers).items():
            found[paper][name] = values[0]
    return found
