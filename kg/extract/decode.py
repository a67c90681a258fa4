"""Scores to names and entities: spans without overlap, one decision a spelling, one type an entity.

A spelling is decided once a document: its score is the mean over all its occurrences, and the set
of spans kept is the one of greatest total score in which no two overlap (weighted interval
scheduling, so that "deep neural networks" and "neural networks" compete as wholes).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.extract.hints import informed
from kg.extract.layout import NONE, WIDEST, Words


@dataclass(frozen=True, slots=True)
class Candidate:
    """A spelling that may be a name: mean log-probabilities over its occurrences."""

    text: str
    scores: np.ndarray


def log_softmax(scores: np.ndarray) -> np.ndarray:
    """Log-probabilities over the last axis."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))


def spellings(
    text: str, words: Words, scores: np.ndarray, *, title_end: int = 0, floor: float = 0.05
) -> dict[str, tuple[np.ndarray, list[tuple[int, int]]]]:
    """Each spelling with one occurrence of probability over `floor`: mean scores, occurrences.

    `scores` are the band `(words, WIDEST, types + 1)`: word i to word i + k. No name reaches from
    the title into the abstract.
    """
    count = len(words.start)
    if not count:
        return {}
    chance = informed(text, words, log_softmax(scores))
    likely = np.argwhere(1 - np.exp(chance[..., NONE]) > floor)
    wanted = {text[words.start[i] : words.end[i + k]] for i, k in likely if i + k < count}
    lengths = {len(w) for w in wanted}
    found: dict[str, list[tuple[int, int]]] = {w: [] for w in wanted}
    starts, ends = words.start.tolist(), words.end.tolist()
    for i in range(count):
        for j in range(i, min(count, i + WIDEST)):
            if ends[j] - starts[i] in lengths:
                string = text[starts[i] : ends[j]]
                crosses = starts[i] < title_end < ends[j]
                if string in found and not crosses and whole(text, starts[i], ends[j]):
                    found[string].append((i, j))
    return {
        s: (np.mean([chance[i, j - i] for i, j in spans], axis=0), spans)
        for s, spans in found.items()
        if spans
    }


def whole(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` does not begin or end within a word."""
    before = start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_")
    after = end < len(text) and (text[end].isalnum() or text[end] == "_")
    return not (before and text[start].isalnum()) and not (after and text[end - 1].isalnum())


def choose(
    text: str, words: Words, scores: np.ndarray, *, bias: float = 0.0, title_end: int = 0
) -> list[Candidate]:
    """The spellings of the best set of spans without overlap, in order of the text.

    `bias` is added to every span's log-odds against none: above 0 finds more.
    """
    found = spellings(text, words, scores, title_end=title_end)
    count = len(words.start)
    by_end: list[list[tuple[int, float, str]]] = [[] for _ in range(count)]
    for string, (mean, spans) in found.items():
        odds = float(np.logaddexp.reduce(mean[:NONE]) - mean[NONE]) + bias
        if odds > 0:
            for i, j in spans:
                by_end[j].append((i, odds, string))
    best = np.zeros(count + 1)
    back: list[tuple[int, str]] = []
    for j in range(count):
        value, choice = best[j], (j, "")
        for i, odds, string in sorted(by_end[j]):
            if best[i] + odds > value:
                value, choice = best[i] + odds, (i, string)
        best[j + 1] = value
        back.append(choice)
    kept: list[str] = []
    at = count
    while at > 0:
        before, string = back[at - 1]
        if string:
            kept.append(string)
        at = before
    return [Candidate(s, found[s][0]) for s in dict.fromkeys(reversed(kept))]


def clusters(same: np.ndarray, *, threshold: float = 0.5) -> np.ndarray:
    """Group numbers joined to entities: average-linkage over the probabilities `same`.

    Links the most alike pair of clusters while their mean probability is over `threshold`, so that
    one doubtful pair never glues two sure clusters.
    """
    owner = np.zeros(len(same), dtype=np.int64)
    done: list[list[int]] = []
    for part in _components(same > threshold):
        members = [[i] for i in part]
        while len(members) > 1:
            best, pair = threshold, None
            for a in range(len(members)):
                for b in range(a + 1, len(members)):
                    value = float(same[np.ix_(members[a], members[b])].mean())
                    if value > best:
                        best, pair = value, (a, b)
            if pair is None:
                break
            members[pair[0]] += members.pop(pair[1])
        done += members
    for n, group in enumerate(sorted(done, key=min)):
        owner[group] = n
    return owner


def _components(linked: np.ndarray) -> list[list[int]]:
    """The connected parts of a symmetric matrix of links: no cluster can reach beyond one."""
    left = set(range(len(linked)))
    parts = []
    while left:
        part, edge = [], [min(left)]
        left.discard(edge[0])
        while edge:
            at = edge.pop()
            part.append(at)
            near = [i for i in sorted(left) if linked[at, i]]
            left.difference_update(near)
            edge += near
        parts.append(sorted(part))
    return parts
