"""The stop rule: strings that name a kind of thing instead of a thing are no nodes.

Two tests, both closed and measured on the training annotations (figures in `stopped`):
a name made only of generic nouns and evaluative adjectives, as the guidelines exclude them; and a
common word that the papers of the graph hardly ever take as a name: it stands in many texts and
was extracted from next to none of them.
"""

from __future__ import annotations

import re
from collections import Counter
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
    from collections.abc import Iterable, Mapping

    from kg.records import Extraction

#: A lone word is generic if at least so many texts hold it …
COMMON = 200
#: … and at most this share of them has it as a name.
RARELY_NAMED = 0.01
_LOWER_WORD = re.compile(r"[a-z]{3,}")


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


def rarely_named(papers: Mapping[str, Extraction], names: Iterable[str]) -> frozenset[str]:
    """Of `names`, the keys of lone lower-case words that many texts hold and hardly any names.

    Counted are papers: those whose text holds the word (in any number) and those that extracted it.
    """
    wanted = {
        form(n).key for n in names if _LOWER_WORD.fullmatch(n.casefold()) and not form(n).short
    }
    if len(papers) < COMMON or not wanted:
        return frozenset()
    held: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for key in sorted(papers):
        extraction = papers[key]
        words = set(_LOWER_WORD.findall(extraction.abstract.document.casefold()))
        held.update({settled(w) for w in words} & wanted)
        named.update({form(n).key for e in extraction.entities for n in e.names} & wanted)
    return frozenset(w for w in wanted if held[w] >= COMMON and named[w] <= RARELY_NAMED * held[w])
