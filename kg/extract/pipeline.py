"""The spaCy pipeline: words as the model sees them, sentences, then the reader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.util import load_config, registry
from tokenizers.pre_tokenizers import BertPreTokenizer

from kg.extract import keep_confident, read_abstract
from kg.extract.model import SHIPPED, OnnxModel, model_version
from kg.extract.sentences import sentences
from kg.records import Abstract

if TYPE_CHECKING:
    from collections.abc import Callable

    from spacy.vocab import Vocab

    from kg.records import Extraction

CONFIG = Path(__file__).with_name("pipeline.cfg")


class WordTokenizer:
    """Text to a `Doc` whose tokens are the model's words, so that mentions fall on token bounds."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        self._split = BertPreTokenizer()

    def __call__(self, text: str) -> Doc:
        """Split `text`; `doc.text == text` always holds."""
        words: list[str] = []
        spaces: list[bool] = []
        at = 0
        for _, (start, end) in self._split.pre_tokenize_str(text):
            gap = text[at:start]
            _close(words, spaces, gap)
            words.append(text[start:end])
            spaces.append(False)
            at = end
        _close(words, spaces, text[at:])
        return Doc(self.vocab, words=words, spaces=spaces)

    def to_disk(self, path: str | Path, *, exclude: tuple[str, ...] = ()) -> None:
        """Nothing to write: the rules are code."""

    def from_disk(self, path: str | Path, *, exclude: tuple[str, ...] = ()) -> WordTokenizer:  # noqa: ARG002
        """Nothing to read: the rules are code."""
        return self


def _close(words: list[str], spaces: list[bool], gap: str) -> None:
    """Put the white space `gap` between words: one blank is the token's own, the rest a token."""
    if gap.startswith(" ") and words:
        spaces[-1] = True
        gap = gap[1:]
    if gap:
        words.append(gap)
        spaces.append(False)


@registry.tokenizers("kg.words.v1")  # type: ignore[untyped-decorator]
def make_tokenizer() -> Callable[[Language], WordTokenizer]:
    """Make the tokenizer for a `Language`."""

    def make(nlp: Language) -> WordTokenizer:
        return WordTokenizer(nlp.vocab)

    return make


@Language.component("kg_sentences", assigns=["token.is_sent_start", "doc.sents"])
def mark_sentences(doc: Doc) -> Doc:
    """Mark the sentences that evidence is cut by."""
    starts = {start for start, _ in sentences(doc.text)}
    for token in doc:
        token.is_sent_start = token.i == 0 or token.idx in starts
    return doc


class Reader:
    """The component that runs the model over a document."""

    def __init__(self, folder: Path, *, min_confidence: float) -> None:
        self.version = model_version(folder)
        self._model = OnnxModel(folder)
        self._least = min_confidence

    def __call__(self, doc: Doc) -> Doc:
        """Read the document; `doc.user_data["kg"]` may hold its `Abstract` (title and abstract)."""
        abstract = doc.user_data.get("kg") or Abstract(id="", title="", abstract=doc.text)
        if abstract.document != doc.text:
            raise ValueError("the text of the doc is not the document of its abstract")
        found = keep_confident(read_abstract(abstract, self._model, self.version), self._least)
        doc.spans["kg"] = [
            _span(doc, m.start, m.end, e.type, e.id) for e in found.entities for m in e.mentions
        ]
        doc._.kg = found
        return doc


def _span(doc: Doc, start: int, end: int, label: str, name: str) -> Span:
    span = doc.char_span(start, end, label=label, span_id=name, alignment_mode="expand")
    if span is None:
        raise ValueError(f"no tokens at {start}, {end}")
    return span


@Language.factory(
    "kg_reader",
    default_config={"model": None, "min_confidence": 0.0},
    requires=["doc.sents"],
    assigns=["doc.spans", "doc._.kg"],
)
def make_reader(nlp: Language, name: str, model: str | None, min_confidence: float) -> Reader:  # noqa: ARG001
    """Make the reader from its settings."""
    return Reader(Path(model) if model else SHIPPED, min_confidence=min_confidence)


def build_pipeline(model: Path | None, *, min_confidence: float) -> Language:
    """The pipeline of `pipeline.cfg` with the given model folder and threshold."""
    if not Doc.has_extension("kg"):
        Doc.set_extension("kg", default=None)
    overrides: dict[str, object] = {"components.kg_reader.min_confidence": min_confidence}
    if model:
        overrides["components.kg_reader.model"] = str(model)
    config = load_config(CONFIG, overrides=overrides)
    return spacy.util.load_model_from_config(config, auto_fill=True)


def read_doc(nlp: Language, abstract: Abstract) -> Extraction:
    """Run the pipeline over one abstract, title included."""
    doc = nlp.make_doc(abstract.document)
    doc.user_data["kg"] = abstract
    for _, component in nlp.pipeline:
        doc = component(doc)
    found: Extraction = doc._.kg
    return found
