"""The stop rule: strings that name a kind of thing instead of a thing are no nodes.

Two tests:
a name made only of generic nouns and evaluative adjectives, as the guidelines exclude them; and a
common word that the papers of the graph hardly ever take as a name: it stands in many texts and
was extracted from next to none of them. Measured on the 2,747 annotated papers (25,447 entities):
the first takes out 10 entities (0.04 %, "efficiency" four times), the second about 20 lone words
("learning", "code", "inference", "cost"), where the next words above its threshold, from 1.6 %
on, are real names ("efficiency", "sampling", "error", "attention").
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from kg.resolve.forms import form
from kg.resolve.lexicon import (
    GENERIC_ADJECTIVES,
    GENERIC_COLLECTIONS,
    GENERIC_NOUNS,
    GENERIC_USES,
)
from kg.text import fold
from kg.words import settled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kg.records import PaperEntity

#: A lone word is generic if at least so many texts hold it …
COMMON = 200
#: … and at most this share of them has it as a name.
RARELY_NAMED = 0.01
_LOWER_WORD = re.compile(r"[a-z]{3,}")


@lru_cache(maxsize=1 << 16)
def is_generic(name: str) -> bool:
    """Whether a name consists of generic nouns and evaluative adjectives only.

    >>> is_generic("existing methods"), is_generic("novel framework"), is_generic("kernel methods")
    (True, True, False)
    """
    if form(name).short:
        return False
    phrase = fold(name).replace("state of the art", "state_of_the_art")
    words = [settled(w) for w in phrase.replace("real world", "real_world").split()]
    rest = [w for w in words if w not in GENERIC_ADJECTIVES and not w.isdigit()]
    if len(rest) == 2:
        return rest[0] in GENERIC_USES and rest[1] in GENERIC_COLLECTIONS
    # two nouns make a term ("sample efficiency", "data collection"), one does not
    return bool(words) and (not rest or (len(rest) == 1 and rest[0] in GENERIC_NOUNS))


class WordCount:
    """For lone lower-case words: how many papers' texts hold them, and how many take them as names.

    Words count in any number ("model", "models"), a paper counts once.
    """

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self._named: Counter[str] = Counter()

    def add(self, document: str, entities: Iterable[PaperEntity]) -> None:
        """Count one paper."""
        self._held.update({settled(w) for w in set(_LOWER_WORD.findall(document.casefold()))})
        names = {n for e in entities for n in e.names if _LOWER_WORD.fullmatch(n.casefold())}
        self._named.update({form(n).key for n in names if not form(n).short})

    def rarely_named(self) -> frozenset[str]:
        """The words (as keys) that many papers hold and hardly any of them names."""
        return frozenset(
            word
            for word, count in self._named.items()
            if self._held[word] >= COMMON and count <= RARELY_NAMED * self._held[word]
        )
