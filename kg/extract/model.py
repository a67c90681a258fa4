"""The model folder: ONNX sessions and tokenizer behind one Protocol; knows no spaCy.

A folder holds four graphs, the tokenizer and `config.json`: data only, nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from kg.errors import ModelError
from kg.extract.layout import TYPES, WIDEST, Words, words_of
from kg.extract.pieces import Pieces, encode
from kg.schema import RELATIONS, ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

GRAPHS = ("encode", "context", "names", "relate")
FORMAT = 2
#: Of the decoding: a change in what the same scores are read as makes another extractor.
REVISION = b"4"
WINDOW, OVERLAP = 512, 128
_CLS, _SEP = 1, 1

SHIPPED = Path(__file__).with_name("models") / "minilm"


@dataclass(frozen=True, slots=True)
class Config:
    """What was chosen on the development records; probabilities are after the temperatures.

    `type_bias` is added to the log-probabilities of types: rare ones are found too seldom without.
    `calibration` maps a kind of score ("mention", "entity", "role", "relation") to the knots
    `[score, confidence]` of a rising line: what share of such scores was right.
    """

    name: str
    span_bias: float
    type_weight: float
    none_bias: float
    same_threshold: float
    type_bias: dict[str, float]
    relation_threshold: dict[str, float]
    temperature: dict[str, float]
    calibration: dict[str, list[list[float]]]

    def confidence(self, kind: str, chance: float) -> float:
        """Give the calibrated confidence of a score, rounded to four places."""
        knots = np.array(self.calibration[kind])
        return round(float(np.interp(chance, knots[:, 0], knots[:, 1])), 4)


@dataclass(frozen=True, slots=True)
class Encoded:
    """A document as the encoder read it.

    `states` are `(pieces, width)`; `scores` are the band `(words, WIDEST, types + 1)` from word i
    to word i + k; `windows` are the pieces `(start, end, from, to)` that were read together and of
    which the part from-to was kept.
    """

    text: str
    pieces: Pieces
    words: Words
    states: np.ndarray
    scores: np.ndarray
    windows: tuple[tuple[int, int, int, int], ...]


class NameModel(Protocol):
    """What the reader needs of a model; tests pass a small fake."""

    config: Config

    def encode(self, text: str) -> Encoded:
        """Read a document of any length."""

    def context(self, encoded: Encoded, tags: np.ndarray) -> np.ndarray:
        """States `(pieces, width)` that know the tagged names."""

    def names(self, feed: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mention vectors, type scores a group, scores of pairs of groups."""

    def relate(self, feed: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Role scores an entity, relation scores a pair."""


class Session(Protocol):
    """What runs one of the `GRAPHS`: ONNX Runtime, or in training the network itself."""

    def run(self, output_names: None, input_feed: dict[str, np.ndarray], /) -> Sequence[Any]:
        """All outputs for the inputs by name."""


class OnnxModel:
    """A model folder, loaded; its sessions may be shared by threads.

    `sessions` stand in for those of the folder's graphs.
    """

    def __init__(
        self, folder: Path, *, threads: int = 1, sessions: Mapping[str, Session] | None = None
    ) -> None:
        self.config = read_config(folder)
        self._tokenizer = _tokenizer(folder)
        self._sessions = sessions or {
            name: _session(folder / f"{name}.onnx", threads) for name in GRAPHS
        }

    def encode(self, text: str) -> Encoded:
        """Read `text` in overlapping windows where it is longer than the encoder's."""
        (pieces,) = encode([text], self._tokenizer)
        words = words_of(pieces)
        count = len(words.start)
        if not count:
            none = np.zeros((0, WIDEST, len(TYPES) + 1), dtype=np.float32)
            return Encoded(
                text, pieces, words, np.zeros((len(pieces.ids), 384), np.float32), none, ()
            )
        windows = windows_of(words, len(pieces.ids))
        states = np.zeros((len(pieces.ids), 384), dtype=np.float32)
        scores = np.full((count, WIDEST, len(TYPES) + 1), -30.0, dtype=np.float32)
        scores[..., -1] = 30.0
        for start, end, low, high in windows:
            self._window(pieces, words, (start, end, low, high), states, scores)
        return Encoded(text, pieces, words, states, scores, windows)

    def _window(
        self, pieces: Pieces, words: Words, window: tuple[int, int, int, int],
        states: np.ndarray, scores: np.ndarray,
    ) -> None:  # fmt: skip
        start, end, low, high = window
        inner = np.flatnonzero((words.first >= start) & (words.last < end))
        cut = slice(start, end)
        ids = np.concatenate([[101], pieces.ids[cut], [102]])
        zero = np.zeros(1, dtype=np.int64)
        feed = {
            "ids": ids[None],
            "place": np.arange(len(ids))[None],
            "case": np.concatenate([zero, pieces.case[cut], zero])[None],
            "shape": np.concatenate([zero, pieces.shape[cut], zero])[None],
            "glue": np.concatenate([zero, pieces.glue[cut], zero])[None],
            "first": words.first[inner] - start + _CLS,
            "last": words.last[inner] - start + _CLS,
            "order": np.arange(len(inner)),
        }
        read, full, width = self._sessions["encode"].run(None, feed)
        kept = slice(low - start + _CLS, high - start + _CLS)
        states[low:high] = read[0, kept]
        if start == 1:
            states[0] = read[0, 0]
        if end == len(states) - 1:
            states[-1] = read[0, -1]
        mine = np.flatnonzero((words.first[inner] >= low) & (words.first[inner] < high))
        for k in range(WIDEST):
            fits = mine[mine + k < len(inner)]
            scores[inner[fits], k] = (full[:, fits, fits + k] + width[:, k, None]).T

    def context(self, encoded: Encoded, tags: np.ndarray) -> np.ndarray:
        """States that know the names, window by window."""
        out = encoded.states.copy()
        for start, end, low, high in encoded.windows:
            cut = np.concatenate([[0], np.arange(start, end), [len(encoded.states) - 1]])
            feed = {"states": encoded.states[cut][None], "tags": tags[cut][None]}
            (x,) = self._sessions["context"].run(None, feed)
            out[low:high] = x[0, low - start + _CLS : high - start + _CLS]
            if start == 1:
                out[0] = x[0, 0]
            if end == len(out) - 1:
                out[-1] = x[0, -1]
        return out

    def names(self, feed: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Run the graph of names."""
        vectors, types, same = self._sessions["names"].run(None, feed)
        return vectors, types, same

    def relate(self, feed: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Run the graph of roles and relations."""
        roles, relations = self._sessions["relate"].run(None, feed)
        return roles, relations


def windows_of(words: Words, pieces: int) -> tuple[tuple[int, int, int, int], ...]:
    """Windows `(start, end, from, to)` over the pieces between the special ones.

    Each begins and ends with a word and holds at most WINDOW - 2 pieces; the parts kept meet in the
    middle of the overlaps and cover every piece once.
    """
    room, last = WINDOW - 2, pieces - 1
    if last - 1 <= room:
        return ((1, last, 1, last),)
    firsts = words.first
    windows: list[tuple[int, int]] = []
    start = 1
    while True:
        if start + room >= last:
            windows.append((start, last))
            break
        fitting = firsts[(firsts > start) & (firsts <= start + room)]
        end = int(fitting[-1]) if len(fitting) else start + room
        windows.append((start, end))
        back = firsts[(firsts > start) & (firsts <= end - OVERLAP)]
        start = int(back[-1]) if len(back) else end
    out = []
    for n, (start, end) in enumerate(windows):
        low = start if n == 0 else (start + windows[n - 1][1]) // 2
        high = end if n == len(windows) - 1 else (windows[n + 1][0] + end) // 2
        out.append((start, end, low, high))
    return tuple(out)


def read_config(folder: Path) -> Config:
    """The checked `config.json` of a model folder."""
    path = folder / "config.json"
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ModelError(f"{str(folder)!r} is no model folder: it has no config.json") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{str(path)!r} is damaged ({error}): copy the model again") from error
    if held.get("format") != FORMAT:
        raise ModelError(
            f"{str(folder)!r} has model format {held.get('format')!r}, this kg reads {FORMAT}: "
            "train again or install the kg that made it"
        )
    labels = {
        "types": list(TYPES),
        "roles": [r.name for r in ROLES],
        "relations": [r.name for r in RELATIONS],
    }
    for kind, expected in labels.items():
        if held.get(kind) != expected:
            raise ModelError(f"{str(path)!r} has other {kind} ({held.get(kind)!r}): train again")
    try:
        return Config(**held["decoding"], name=held["name"])
    except (KeyError, TypeError) as error:
        raise ModelError(f"{str(path)!r} lacks or misnames a setting: {error}") from error


@lru_cache(maxsize=8)
def model_version(folder: Path) -> str:
    """The model's name and a hash of files and decoding: what an extraction is keyed by."""
    digest = hashlib.sha256(REVISION)
    for name in ("config.json", "tokenizer.json", *(f"{g}.onnx" for g in GRAPHS)):
        path = folder / name
        if not path.is_file():
            raise ModelError(f"{str(folder)!r} is no model folder: it has no {name}")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"{read_config(folder).name}+{digest.hexdigest()[:12]}"


def _tokenizer(folder: Path) -> Tokenizer:
    from tokenizers import Tokenizer  # noqa: PLC0415

    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ModelError(f"{str(folder)!r} is no model folder: it has no tokenizer.json")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _session(path: Path, threads: int) -> InferenceSession:
    import onnxruntime as ort  # noqa: PLC0415

    if not path.is_file():
        raise ModelError(f"{str(path.parent)!r} is no model folder: it has no {path.name}")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return ort.InferenceSession(
            str(path), sess_options=options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:
        raise ModelError(f"{str(path)!r} is damaged ({error}): copy the model again") from error
