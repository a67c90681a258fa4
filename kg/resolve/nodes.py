"""From clusters of names to entities: label, key, types, and for every name why it is there.

Label: the long form, unless the short one is far commoner (`SHORT_WINS`) or the entity is a thing
that one paper proposes under a coined short name. It is spelt as most papers do, with the fewest
capitals among the usual (titles have many), without LaTeX. Type: the heaviest by the summed
confidence of its papers; a data set that is a benchmark to at least `BOTH_SHARE` of them is both.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.records import Entity, Merge
from kg.resolve.aliases import may_be_alias
from kg.resolve.forms import form
from kg.resolve.rules import SCORES, difference
from kg.schema import ENTITY_TYPES
from kg.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.resolve.clusters import Clusters
    from kg.resolve.occurrences import KeyRecord, Occurrence

#: A short form that so many times more papers use than the long one is the label ("CLIP").
SHORT_WINS = 5
#: A spelling is usual if it is at most so many times rarer than the commonest one.
USUAL = 3
#: The share of papers that makes a data set a benchmark as well (or the other way round).
BOTH_SHARE = 0.1
_ORDER = {t.name: i for i, t in enumerate(ENTITY_TYPES)}
_DATA = {"Dataset", "Benchmark"}


@dataclass(slots=True)
class Node:
    """An entity in the making. `foreign` are names from other clusters: (key, rule)."""

    root: str
    occurrences: list[Occurrence] = field(default_factory=list)
    names: Counter[tuple[str, str]] = field(default_factory=Counter)
    foreign: dict[str, str] = field(default_factory=dict)
    label: str = ""
    type: str = ""
    types: tuple[str, ...] = ()
    key: str = ""

    @property
    def papers(self) -> int:
        """How many papers hold it."""
        return len({o.paper for o in self.occurrences})


def gather(
    occurrences: Iterable[Occurrence],
    clusters: Clusters,
    chosen: Mapping[tuple[str, str], tuple[str, str]],
) -> dict[str, Node]:
    """The nodes by root, each with its occurrences and the names it owns, counted by papers.

    A name of another cluster that a paper lists for the entity becomes its name too if it is a
    defined short form, or if no other paper knows the entity and the name names nothing else:
    papers list shortenings and special cases ("white-box LLMs") that are no names of the thing.
    """
    nodes: dict[str, Node] = {}
    placed: list[tuple[Occurrence, Node]] = []
    for o in occurrences:
        own = clusters.root(o.target)
        root, _ = chosen.get((o.paper, o.local), (own, ""))
        node = nodes.setdefault(root, Node(root))
        node.occurrences.append(o)
        placed.append((o, node))
    claims: dict[str, set[str]] = {}
    papers: dict[str, set[str]] = {}
    for o, node in placed:
        papers.setdefault(node.root, set()).add(o.paper)
        for key in o.keys:
            if (root := clusters.root(key)) != node.root:
                claims.setdefault(root, set()).add(node.root)
    for o, node in placed:
        rule = chosen.get((o.paper, o.local), ("", "alias"))[1]
        for name, key in zip(o.names, o.keys, strict=True):
            root = clusters.root(key)
            if root != node.root:
                if key in o.meanings and clusters.root(o.meanings[key]) == node.root:
                    node.foreign[key] = "abbreviation defined"
                elif key == o.target and rule != "alias":
                    node.foreign.setdefault(key, rule)
                elif (
                    root in nodes
                    or claims[root] != {node.root}
                    or len(papers[node.root]) > 1
                    or not may_be_alias(form(name), form(o.names[0]))
                ):
                    continue  # one paper's list joins no two things, and widens no other's
                else:
                    node.foreign.setdefault(key, "alias")
            node.names[form(name).text, key] += 1
    return nodes


def settle_types(node: Node) -> tuple[str, ...]:
    """The type of a node, with Dataset and Benchmark both where both are meant."""
    if len({o.type for o in node.occurrences}) == 1:
        return (node.occurrences[0].type,)
    weights: Counter[str] = Counter()
    for o in node.occurrences:
        weights[o.type] += o.weight  # type: ignore[assignment]  # a Counter of confidences
    # rounding makes the sum the same in every order of addition
    ranked = sorted(weights, key=lambda t: (-round(weights[t], 6), _ORDER[t]))
    first = ranked[0]
    other = (_DATA - {first}).pop() if first in _DATA else ""
    both = other in weights and weights[other] >= BOTH_SHARE * (weights[first] + weights[other])
    return (first, other) if both else (first,)


def choose_label(node: Node) -> str:
    """The name that a researcher would look for (see the module's text)."""
    if len(node.names) == 1:
        return next(iter(node.names))[0]
    by_key: Counter[str] = Counter()
    for (_, key), count in node.names.items():
        by_key[key] += count
    texts = _spellings(node)
    short = {k for k in by_key if form(texts[k]).short or form(texts[k]).stem}
    rank = sorted(by_key, key=lambda k: (-by_key[k], form(texts[k]).head != "", texts[k]))
    long = [k for k in rank if k not in short and node.foreign.get(k) != "alias"]
    short_rank = [k for k in rank if k in short]
    if not long:
        return texts[rank[0]]
    if short_rank:
        best = short_rank[0]
        proposed = sum(o.role == "proposes" for o in node.occurrences)
        coined = proposed == node.papers == 1 and texts[long[0]][:1].isupper()
        if coined or by_key[best] > SHORT_WINS * by_key[long[0]]:
            return texts[best]
    return texts[long[0]]


def _spellings(node: Node) -> dict[str, str]:
    """Each key's commonest spelling, with the fewest capitals that are usual in it."""
    by_key: dict[str, dict[str, int]] = {}
    for (text, key), n in node.names.items():
        by_key.setdefault(key, {})[text] = n
    return {
        key: next(iter(counts)) if len(counts) == 1 else _spelling(counts)
        for key, counts in by_key.items()
    }


def _spelling(counts: Mapping[str, int]) -> str:
    alike: dict[str, dict[str, int]] = {}
    for text, n in counts.items():
        alike.setdefault(text.casefold(), {})[text] = n
    ranked: list[tuple[int, int, int, str]] = []
    for spellings in alike.values():
        most = max(spellings.values())
        usual = (t for t, n in spellings.items() if USUAL * n >= most)
        capitals, count, text = min((sum(map(str.isupper, t)), -spellings[t], t) for t in usual)
        ranked.append((-sum(spellings.values()), capitals, count, text))
    return min(ranked)[-1]


def make_keys(nodes: Iterable[Node]) -> None:
    """Give every node its key: its label folded; a second of one type takes a mark of its own."""
    taken: set[tuple[str, str]] = set()
    for node in sorted(nodes, key=lambda n: (-n.papers, n.label, n.root)):
        key = fold(node.label) or node.root
        if key.startswith("\\") or (node.type, key) in taken:
            mark = hashlib.blake2b(node.root.encode(errors="surrogatepass"), digest_size=4)
            key = f"{key.lstrip(chr(92))} {mark.hexdigest()}"
        taken.add((node.type, key))
        node.key = key


def merges(node: Node, records: Mapping[str, KeyRecord], clusters: Clusters) -> tuple[Merge, ...]:
    """For every name but the label: which name it was joined to, and the rule it hangs on.

    A name may be joined to the label by way of others ("HiL" for "HIL", and that for its long
    form): the rule is then the least sure one of the way, as all of them have to hold.
    """
    if all(text == node.label for text, _ in node.names):
        return ()
    label_key = next((k for (t, k) in sorted(node.names) if t == node.label), node.root)
    if clusters.root(label_key) != node.root:
        label_key = node.root  # the label is a short form or a person's choice
    reasons = clusters.reasons(label_key)
    spelling = _spellings(node)

    def step(key: str) -> tuple[str, str]:
        """The key that `key` was joined to, and by which rule."""
        if key == label_key or (key not in node.foreign and key not in reasons):
            return key, _label_reason(node, key)
        if key in node.foreign:
            return label_key, node.foreign[key]
        edge = reasons[key]
        return (edge.b if edge.a == key else edge.a), edge.rule

    def way(key: str) -> list[str]:
        rules = []
        while True:
            nearer, rule = step(key)
            rules.append(rule)
            if nearer == key:
                return rules
            key = nearer

    found = []
    for text, key in sorted(node.names):
        if text == node.label:
            continue
        into = spelling[key]
        rules = way(key)
        if text != into:
            rules.append(difference(form(text), form(into)))
        else:
            other = step(key)[0]
            into = node.label if other == key else spelling.get(other, records[other].form.text)
        rule = min(rules, key=lambda r: SCORES[r])
        found.append(Merge(text, into, rule, SCORES[rule]))
    return tuple(found)


def _label_reason(node: Node, key: str) -> str:
    """Why the key that holds the cluster together stands under a label from elsewhere."""
    for text, other in sorted(node.names):
        if text == node.label and other in node.foreign:
            return node.foreign[other]
        if text == node.label and other == key:
            return "case"
    return "curation"


def entity(
    node: Node,
    records: Mapping[str, KeyRecord],
    clusters: Clusters,
    candidates: tuple[str, ...],
) -> Entity:
    """The record of a finished node."""
    counts: dict[str, int] = {}
    for (text, _), n in node.names.items():
        counts[text] = counts.get(text, 0) + n
    names = sorted(counts, key=lambda t: (-counts[t], t))
    return Entity(
        type=node.type,
        key=node.key,
        label=node.label,
        alternatives=tuple(n for n in names if n != node.label),
        types=node.types,
        merges=merges(node, records, clusters),
        candidates=candidates,
    )
