"""Names of all papers to entities of the graph: one thing, one node.

The order of work: leave out generic strings; give every name its key; join keys by the rules; read
short forms paper by paper; settle label, type and key of every node. Everything is a function of
the set of papers, never of their order.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from kg.records import Resolution, Skipped
from kg.resolve.clusters import Clusters, Edge
from kg.resolve.curation import Curation, check
from kg.resolve.forms import form
from kg.resolve.nodes import Node, choose_label, entity, gather, make_keys, settle_types
from kg.resolve.occurrences import KeyRecord, collect, side, table
from kg.resolve.same import listed_together, same_names
from kg.resolve.senses import read, same_abbreviation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.records import Extraction
    from kg.resolve.occurrences import Occurrence


def resolve(papers: Mapping[str, Extraction], *, curation: Curation | None = None) -> Resolution:
    """The entities that the papers (by paper key) speak of, and which of them each local id is.

    Two local ids of a paper may be one entity. A paper's own type may differ from the entity's: the
    heavier evidence wins, and what the schema then forbids (`may_relate`, `may_play`) is not to be
    written. `notes` names every line of `curation` that does not apply to these papers.
    """
    if curation is None or not curation.decisions:
        return _build(papers, Curation(()))
    before = _build(papers, Curation(()))
    after = _build(papers, curation)
    return replace(after, notes=check(curation, before, after))


def _build(papers: Mapping[str, Extraction], curation: Curation) -> Resolution:
    kept = frozenset(form(d.names[0]).key for d in curation.of("keep") if len(d.names) == 1)
    occurrences, dropped = collect(papers, kept=kept)
    _separate_spellings(occurrences, curation)
    records = table(occurrences)
    keys = _Keys(records)
    clusters = Clusters(apart=_apart(curation, keys))
    clusters.join(
        [
            *_merged(curation, keys),
            *same_names(records),
            *listed_together(occurrences, records),
        ]
    )
    clusters.join(same_abbreviation(occurrences, records, clusters))
    senses = read(occurrences, records, clusters)
    nodes = gather(occurrences, clusters, senses.chosen)
    dropped += _apply(curation, nodes)
    for node in nodes.values():
        node.label = node.label or choose_label(node)
        types = settle_types(node)
        node.types = (node.type,) if node.type else types
        node.type = node.types[0]
    make_keys(nodes.values())
    return _resolution(nodes, records, clusters, senses.candidates, dropped)


class _Keys:
    """The keys of a name as a person writes it."""

    def __init__(self, records: Mapping[str, KeyRecord]) -> None:
        self.records = records

    @cached_property
    def by_form(self) -> Mapping[str, list[str]]:
        """The keys of each form; made when a name is first asked for, which few graphs do."""
        found: dict[str, list[str]] = defaultdict(list)
        for key in sorted(self.records):
            found[key.split("\t")[0]].append(key)
        return dict(found)

    def of(self, name: str, type_: str) -> list[str]:
        """The keys that `name` has in the graph, of the side of `type_` where it is given."""
        found = self.by_form.get(form(name).key, [])
        found = [k for k in found if form(name).text in self.records[k].spellings] or found
        if type_:
            found = [k for k in found if side(self.records[k].type) == side(type_)]
        return found


def _separate_spellings(occurrences: Iterable[Occurrence], curation: Curation) -> None:
    """Give a name a key of its own where a person splits it from another spelling of its key."""
    alone = {
        form(d.names[0]).text
        for d in (*curation.of("split"), *curation.of("keep"))
        if len({form(n).key for n in d.names}) < len(d.names)
    }
    if not alone:
        return
    for o in occurrences:
        own = {}
        for i, name in enumerate(o.names):
            if form(name).text in alone:
                own[o.keys[i]] = f"{o.keys[i]}\t{form(name).text}"
                o.keys[i] = own[o.keys[i]]
        gone = {old: new for old, new in own.items() if old not in o.keys}
        o.meanings = {gone.get(s, s): gone.get(m, m) for s, m in o.meanings.items()}


def _apart(curation: Curation, keys: _Keys) -> dict[str, set[str]]:
    apart: dict[str, set[str]] = defaultdict(set)
    for decision in (*curation.of("split"), *curation.of("keep")):
        found = [keys.of(name, decision.type) for name in decision.names]
        for i, own in enumerate(found):
            for a in own:
                for others in found[:i] + found[i + 1 :]:
                    apart[a].update(b for b in others if b != a)
    return dict(apart)


def _merged(curation: Curation, keys: _Keys) -> list[Edge]:
    edges = []
    for decision in curation.of("merge"):
        found = sorted({k for name in decision.names for k in keys.of(name, decision.type)})
        # above every rule's score: a person's word is the reason that stands
        edges += [Edge(2.0, "curation", found[0], other) for other in found[1:]]
    return edges


def _apply(curation: Curation, nodes: dict[str, Node]) -> list[Skipped]:
    """Rename, retype and drop; returns what was dropped."""
    decisions = [d for d in curation.decisions if d.action in ("rename", "retype", "drop")]
    if not decisions:
        return []
    holders: dict[str, list[Node]] = defaultdict(list)
    for root in sorted(nodes):
        for text in sorted({t for t, _ in nodes[root].names}):
            holders[form(text).key].append(nodes[root])
    dropped = []
    for decision in decisions:
        name = decision.names[0]
        found = {n.root: n for n in holders[form(name).key]}
        exact = {r: n for r, n in found.items() if any(t == name for t, _ in n.names)}
        for node in (exact or found).values():
            if decision.type and settle_types(node)[0] != decision.type:
                continue
            if decision.action == "rename":
                node.label = decision.to
            elif decision.action == "retype":
                node.type = decision.to
            elif nodes.pop(node.root, None):
                dropped += [
                    Skipped(f"{o.paper}#{o.local}", f"{name!r} is dropped by {decision.source}")
                    for o in node.occurrences
                ]
    return dropped


def _resolution(
    nodes: Mapping[str, Node],
    records: Mapping[str, KeyRecord],
    clusters: Clusters,
    candidates: Mapping[str, tuple[str, ...]],
    dropped: Iterable[Skipped],
) -> Resolution:
    links: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    entities = []
    for root, node in nodes.items():
        may_mean = sorted(
            f"{nodes[r].type}/{nodes[r].key}" for r in candidates.get(root, ()) if r in nodes
        )
        entities.append(entity(node, records, clusters, tuple(may_mean)))
        for o in node.occurrences:
            links[o.paper][o.local] = node.type, node.key
    return Resolution(
        entities=tuple(sorted(entities, key=lambda e: (e.type, e.key))),
        links={paper: dict(sorted(links[paper].items())) for paper in sorted(links)},
        dropped=tuple(sorted(dropped, key=lambda s: s.source)),
    )
