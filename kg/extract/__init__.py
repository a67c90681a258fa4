"""Abstracts in, what they say out: entities, roles and relations with confidence and evidence."""

from __future__ import annotations

import os
import sys
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

from kg.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from spacy.language import Language

    from kg.extract.model import NameModel
    from kg.records import Abstract, Extraction

__all__ = ["extract", "load_pipeline", "model_name"]


def load_pipeline(model: Path | None = None, *, min_confidence: float = 0.0) -> Language:
    """The spaCy pipeline around the model in folder `model` (the shipped one by default).

    Its docs carry `doc.spans["kg"]`, labelled by type, and `doc._.kg`, the `Extraction`.
    """
    from kg.extract.pipeline import build_pipeline  # noqa: PLC0415

    return build_pipeline(model, min_confidence=min_confidence)


def model_name(model: Path | None = None) -> str:
    """The name and version of a model folder: what extractions are keyed by."""
    from kg.extract.model import SHIPPED, model_version  # noqa: PLC0415

    return model_version(model or SHIPPED)


def extract(
    abstracts: Iterable[Abstract], *, model: Path | None = None, jobs: int | None = None,
    min_confidence: float | None = None,
) -> Iterator[Extraction]:  # fmt: skip
    """Read `abstracts` and yield what each says, in the same order.

    `jobs` texts are read at once (the cores by default), by threads that share one model; only a
    few texts are held at any time. Entities and relations under `min_confidence` are left out; the
    thresholds that the model was tuned with hold where it is not given.

    Raises:
        ModelError: the model folder is missing or damaged, or `min_confidence` is no probability.

    """
    from kg.extract.model import SHIPPED, OnnxModel  # noqa: PLC0415

    least = 0.0 if min_confidence is None else min_confidence
    if not 0.0 <= least <= 1.0:
        raise ModelError(f"min_confidence {min_confidence!r} is no probability: give 0 to 1")
    folder = model or SHIPPED
    version = model_name(folder)
    return _ordered(abstracts, OnnxModel(folder), version, jobs or _cores(), least)


def _ordered(
    abstracts: Iterable[Abstract], model: NameModel, version: str, jobs: int, least: float
) -> Iterator[Extraction]:
    def one(abstract: Abstract) -> Extraction:
        return keep_confident(read_abstract(abstract, model, version), least)

    waiting: deque[Future[Extraction]] = deque()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            for abstract in abstracts:
                waiting.append(pool.submit(one, abstract))
                if len(waiting) > 4 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def read_abstract(abstract: Abstract, model: NameModel, version: str) -> Extraction:
    """Read one abstract with a loaded model."""
    from kg.extract.convert import to_extraction  # noqa: PLC0415
    from kg.extract.read import read  # noqa: PLC0415

    reading = read(abstract.document, len(abstract.title), model)
    return to_extraction(abstract, reading, model.config, version)


def keep_confident(extraction: Extraction, least: float) -> Extraction:
    """Leave out entities and relations under `least`; relations go with their entities."""
    if least <= 0.0:
        return extraction
    entities = tuple(e for e in extraction.entities if e.confidence >= least)
    held = {e.id for e in entities}
    relations = tuple(
        r
        for r in extraction.relations
        if r.confidence >= least and r.head in held and r.tail in held
    )
    return replace(extraction, entities=entities, relations=relations)


class _Door(ModuleType):
    """The package `kg.extract`, which is also the function `kg.extract(abstracts)`."""

    def __call__(
        self, abstracts: Iterable[Abstract], *, model: Path | None = None,
        jobs: int | None = None, min_confidence: float | None = None,
    ) -> Iterator[Extraction]:  # fmt: skip
        """Call `extract`: a package and its main function share one public name."""
        return extract(abstracts, model=model, jobs=jobs, min_confidence=min_confidence)


sys.modules[__name__].__class__ = _Door


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
