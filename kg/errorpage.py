"""A scored run in, one HTML page out: misses and false hits marked in the texts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import jinja2

from kg.evaluate import align, spans, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from kg.evaluate import Report

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text with what gold and prediction call it ("" where nothing)."""

    text: str
    gold: str
    predicted: str

    @property
    def kind(self) -> str:
        """How the two agree: "plain", "hit", "type", "miss" or "false"."""
        if self.gold and self.predicted:
            return "hit" if self.gold == self.predicted else "type"
        return "miss" if self.gold else "false" if self.predicted else "plain"


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper of the page, its errors in words below its text."""

    id: str
    pieces: tuple[Piece, ...]
    errors: tuple[str, ...]
    count: int


TEMPLATE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Misses and false hits</title>
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root{color-scheme:light dark}
body{font:16px/1.6 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
article{border-top:1px solid #8886;padding:.5rem 0}
h2{font-size:1rem} p{white-space:pre-wrap} ul{font-size:.9rem}
mark{color:inherit;padding:0 .15em;border-radius:.2em;background:none}
.hit{border-bottom:2px solid #009e73}.type{border:1px solid #e69f00}
.miss{border-bottom:2px dashed #d55e00}.false{background:#56b4e955}
sup{font-size:.65em;margin-left:.2em}
</style>
<h1>Misses and false hits</h1>
<p><mark class="hit">found</mark> &#183; <mark class="type">other type</mark> &#183;
<mark class="miss">missed</mark> &#183; <mark class="false">false</mark> &#183;
papers with most errors first</p>
{% for paper in papers %}<article><h2>{{ paper.id }} ({{ paper.count }})</h2>
<p>{% for piece in paper.pieces %}{% if piece.kind == "plain" %}{{ piece.text }}{% else -%}
<mark class="{{ piece.kind }}">{{ piece.text }}<sup>{% if piece.kind == "type" -%}
{{ piece.gold }}, not {{ piece.predicted }}{% else %}{{ piece.gold or piece.predicted }}
{%- endif %}</sup></mark>{% endif %}{% endfor %}</p>
<ul>{% for error in paper.errors %}<li>{{ error }}</li>{% endfor %}</ul></article>
{% endfor %}</html>
"""


def pieces(text: str, gold: Record, predicted: Record) -> tuple[Piece, ...]:
    """The text cut wherever a gold or predicted mention begins or ends."""
    layers: list[dict[int, tuple[int, str]]] = []
    bounds = {0, len(text)}
    for record in (gold, predicted):
        found = spans(text, record)
        layers.append({s: (e, kind) for s, e, kind in found})
        bounds |= {b for s, e, _ in found for b in (s, e)}
    ordered = sorted(bounds)
    out = []
    for start, end in pairwise(ordered):
        kinds = [
            next((k for s, (e, k) in layer.items() if s <= start and end <= e), "")
            for layer in layers
        ]
        out.append(Piece(text[start:end], kinds[0], kinds[1]))
    return tuple(out)


def errors_of(gold: Record, predicted: Record) -> tuple[str, ...]:
    """Entities and relations missed, false or called by another name, in words."""
    same = align(gold["entities"], predicted["entities"])
    mine = {e["id"]: e for e in predicted["entities"]}
    theirs = {e["id"]: e for e in gold["entities"]}
    lines = []
    for p, e in mine.items():
        if p not in same:
            lines.append(f"false {e['type']}: {e['mentions'][0]}")
        elif theirs[same[p]].get("role") != e.get("role"):
            role = theirs[same[p]].get("role")
            lines.append(f"role of {e['mentions'][0]}: {role}, not {e.get('role')}")
    found = set(same.values())
    lines += [
        f"missed {e['type']}: {e['mentions'][0]}" for g, e in theirs.items() if g not in found
    ]
    right = {tuple(r) for r in gold["relations"]}
    got = {(same.get(h, f"?{h}"), r, same.get(t, f"?{t}")) for h, r, t in predicted["relations"]}
    names = {g: e["mentions"][0] for g, e in theirs.items()}
    names |= {f"?{p}": e["mentions"][0] for p, e in mine.items()}
    lines += [f"missed: {names[h]} {r} {names[t]}" for h, r, t in sorted(right - got)]
    lines += [f"false: {names[h]} {r} {names[t]}" for h, r, t in sorted(got - right)]
    return tuple(lines)


def write_errors(report: Report, path: Path) -> None:
    """Write the page to `path`; every name and text is escaped."""
    empty: Record = {"entities": [], "relations": []}
    papers = []
    for key, gold in report.gold.items():
        predicted = report.predicted.get(key) or empty
        found = errors_of(gold, predicted)
        cut = pieces(text_of(report.texts[key]), gold, predicted)
        papers.append(Paper(key, cut, found, len(found)))
    papers.sort(key=lambda p: (-p.count, p.id))
    environment = jinja2.Environment(autoescape=True)
    page = environment.from_string(TEMPLATE).render(papers=papers)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")
