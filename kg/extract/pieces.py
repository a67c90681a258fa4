"""A text into word pieces with the features that an uncased vocabulary loses: case, shape, gluing.

The encoder's vocabulary is uncased while names live by their case, so every piece carries the case
of its own characters, the shape of the whole word it belongs to, and whether white space stands
before that word. Offsets are those of the text as given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizers import Encoding, Tokenizer

#: Ids of the shape tables: 0 is padding and the special tokens.
PIECE_CASES = (
    "none", "lower", "title", "upper", "single", "mixed", "digits", "alnum", "mark", "other",
)  # fmt: skip
WORD_SHAPES = (
    "none", "lower", "title", "upper", "single", "mixed", "digits", "alnum", "mark", "other",
    "plural-acronym", "title-long", "upper-digit", "lower-digit", "backslash", "hyphen", "bracket",
)  # fmt: skip
_CASE = {name: i for i, name in enumerate(PIECE_CASES)}
_SHAPE = {name: i for i, name in enumerate(WORD_SHAPES)}
_MARKS = {"\\": "backslash", "-": "hyphen", "(": "bracket", ")": "bracket"}


@dataclass(frozen=True, slots=True)
class Pieces:
    """One text as the encoder reads it; all arrays have one entry a word piece.

    `word` numbers the pre-tokens (runs of letters and digits, single punctuation marks) from 0 and
    is -1 on special tokens; `start` and `end` are character offsets into the text as given.
    """

    ids: np.ndarray
    case: np.ndarray
    shape: np.ndarray
    glue: np.ndarray
    word: np.ndarray
    start: np.ndarray
    end: np.ndarray


def piece_case(text: str) -> str:
    """The case class of a piece of text (a row of `PIECE_CASES`)."""
    if not text.isalpha():
        if text.isalnum():
            return "digits" if text.isdigit() else "alnum"
        return "mark" if len(text) == 1 and text.isascii() else "other"
    if len(text) == 1:
        return "single" if text.isupper() else "lower"
    if text.isupper() or text.islower():
        return "upper" if text.isupper() else "lower"
    return "title" if text[0].isupper() and text[1:].islower() else "mixed"


def word_shape(text: str) -> str:
    """The shape class of a whole word (a row of `WORD_SHAPES`)."""
    if text in _MARKS:
        return _MARKS[text]
    case = piece_case(text)
    if case == "mixed" and len(text) > 2 and text[:-1].isupper() and text[-1] == "s":
        return "plural-acronym"
    if case == "title" and len(text) > 8:
        return "title-long"
    if case == "alnum" and text.upper() == text:
        return "upper-digit"
    if case == "alnum" and text.lower() == text:
        return "lower-digit"
    return case


def featurize(text: str, encoding: Encoding) -> Pieces:
    """The pieces of `text` from its tokenizer `encoding` (special tokens may be there)."""
    offsets = encoding.offsets
    words = [-1 if w is None else w for w in encoding.word_ids]
    spans: dict[int, tuple[int, int]] = {}
    for word, (start, end) in zip(words, offsets, strict=True):
        if word >= 0:
            first = spans.get(word)
            spans[word] = (first[0], end) if first else (start, end)
    shapes = {
        word: (_SHAPE[word_shape(text[start:end])], int(start == 0 or text[start - 1].isspace()))
        for word, (start, end) in spans.items()
    }
    case = [
        _CASE[piece_case(text[start:end])] if word >= 0 and end > start else 0
        for word, (start, end) in zip(words, offsets, strict=True)
    ]
    shape = [shapes[word][0] if word >= 0 else 0 for word in words]
    glue = [2 - shapes[word][1] if word >= 0 else 0 for word in words]
    bounds = np.array(offsets, dtype=np.int64).reshape(-1, 2)
    return Pieces(
        ids=np.array(encoding.ids, dtype=np.int64),
        case=np.array(case, dtype=np.int64),
        shape=np.array(shape, dtype=np.int64),
        glue=np.array(glue, dtype=np.int64),
        word=np.array(words, dtype=np.int64),
        start=bounds[:, 0],
        end=bounds[:, 1],
    )


def encode(texts: Sequence[str], tokenizer: Tokenizer) -> list[Pieces]:
    """The pieces of each text, in order; the tokenizer must neither pad nor truncate."""
    return [featurize(t, e) for t, e in zip(texts, tokenizer.encode_batch(texts), strict=True)]
