"""An extraction in, the record of an annotator out: what `kg extract` writes a line of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kg.vocab import paper_key

if TYPE_CHECKING:
    from kg.records import Extraction


def as_record(extraction: Extraction) -> dict[str, Any]:
    """Give an extraction as the record of an annotator, with confidences and evidence added.

    `evidence[i]` belongs to `relations[i]`. A paper without an id of its own goes by
    its key in the graph.
    """
    paper = extraction.abstract
    return {
        "id": paper.id or paper_key(paper),
        "title": paper.title,
        "abstract": paper.abstract,
        "entities": [
            {
                "id": entity.id,
                "type": entity.type,
                "role": entity.role,
                "mentions": list(entity.names),
                "spans": [[mention.start, mention.end] for mention in entity.mentions],
                "confidence": round(entity.confidence, 4),
                "role_confidence": round(entity.role_confidence, 4),
                "mention_confidence": round(entity.mentions[0].confidence, 4),
            }
            for entity in extraction.entities
        ],
        "relations": [
            [relation.head, relation.type, relation.tail] for relation in extraction.relations
        ],
        "evidence": [
            {
                "confidence": round(relation.confidence, 4),
                "sentence": relation.evidence.sentence,
                "span": [relation.evidence.start, relation.evidence.end],
            }
            for relation in extraction.relations
        ],
        "model": extraction.model,
    }
