"""Colour, shape and size of a node, colour and stroke of an edge: one look for page and Gephi.

The types' colours stand in `kg.schema`; this module adds what only drawing needs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kg.schema import ENTITY_TYPES, PAPER_COLOUR, RELATION_BY_NAME, ROLE_BY_NAME, TYPE_BY_NAME

#: Shapes by type, so that a type is told by more than its colour. The names are those of GEXF's
#: viz module where it has them (disc, square, triangle, diamond); Gephi knows no other.
SHAPES = {
    "Method": "disc",
    "Task": "diamond",
    "Dataset": "square",
    "Benchmark": "triangle",
    "Metric": "disc",
    "Paper": "square",
}

OTHER_COLOUR = "#8a8f98"
#: Colours of the largest communities, told apart by the colour-blind as well; from the schemes
#: "bright" and "vibrant" of Paul Tol (technical note SRON/EPS/TN/09-002, 2021).
COMMUNITY_COLOURS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#aa3377", "#66ccee", "#ee7733", "#009988",
)  # fmt: skip
SMALLEST, LARGEST = 8.0, 34.0


@dataclass(frozen=True, slots=True)
class Family:
    """Kinds of edges that answer one sort of question; drawn alike."""

    name: str
    title: str
    colour: str
    dark: str
    stroke: str
    kinds: tuple[str, ...]


#: Stroke names are those of GEXF's viz module.
FAMILIES: tuple[Family, ...] = (
    Family("builds", "Builds on", "#3f6fb5", "#7fa8e6", "solid",
           ("basedOn", "partOf", "subclassOf", "proposes", "uses")),
    Family("applies", "Applies to", "#b4561a", "#e8945c", "dashed",
           ("usedFor", "benchmarkFor", "addresses")),
    Family("evaluates", "Evaluates", "#0f7f60", "#4fc3a1", "dotted",
           ("evaluatedOn", "trainedOn", "measuredBy", "evaluatesOn", "measures")),
    Family("compares", "Compares", "#a2437f", "#e08cbf", "solid",
           ("outperforms", "comparedWith", "comparesWith")),
    Family("other", "Other", "#7a808a", "#9aa1ac", "solid", ("studies", "mentions")),
)  # fmt: skip

_FAMILY_BY_KIND = {kind: family for family in FAMILIES for kind in family.kinds}
_ORDER = (
    *(t.name for t in ENTITY_TYPES),
    "Paper",
)


def node_colour(node_type: str) -> str:
    """The colour of a node of `node_type` as "#rrggbb"; papers and unknown types are grey."""
    if node_type in TYPE_BY_NAME:
        return TYPE_BY_NAME[node_type].colour
    return PAPER_COLOUR if node_type == "Paper" else OTHER_COLOUR


def community_colour(number: int) -> str:
    """The colour of the community of that number, 0 the largest; grey after the largest few."""
    return COMMUNITY_COLOURS[number] if number < len(COMMUNITY_COLOURS) else OTHER_COLOUR


def node_shape(node_type: str) -> str:
    """The shape of a node of `node_type`, a disc where nothing else is said."""
    return SHAPES.get(node_type, "disc")


def node_radius(papers: int, most: int) -> float:
    """Radius in pixels, its area growing with the papers of the node.

    `most` is the largest number of papers in the network; up to 25 the scale is the same for every
    network, so that small graphs do not look weightier than they are.
    """
    share: float = min(max(papers - 1, 0) / max(most - 1, 24), 1.0)
    return round(SMALLEST + (LARGEST - SMALLEST) * math.sqrt(share), 2)


def edge_family(kind: str) -> Family:
    """The family that an edge of `kind` is drawn as."""
    return _FAMILY_BY_KIND.get(kind, FAMILIES[-1])


def kind_label(kind: str) -> str:
    """How an edge of `kind` reads: "based on" for basedOn; unknown kinds read as they are."""
    if kind in RELATION_BY_NAME:
        return RELATION_BY_NAME[kind].label
    return ROLE_BY_NAME[kind].label if kind in ROLE_BY_NAME else kind


def type_order(node_type: str) -> tuple[int, str]:
    """A sort key: the schema's order of types, papers next, unknown types by name at the end."""
    known = node_type in _ORDER
    return (_ORDER.index(node_type) if known else len(_ORDER), "" if known else node_type)
