"""English words as the names of a field bend them: singular and plural, spellings, verb and noun.

All functions take and give case-folded words. They compare names, they do not write English: a
result need not be a word ("optimiz"), only the same for all forms of one word.
"""

from __future__ import annotations

import re
from functools import cache


def word_set(text: str) -> frozenset[str]:
    """The words of a text, for tables that read better as text."""
    return frozenset(text.split())


_SINGULAR = {
    "analyses": "analysis", "axes": "axis", "bases": "base", "biases": "bias", "children": "child",
    "corpora": "corpus", "criteria": "criterion", "crises": "crisis", "formulae": "formula",
    "heroes": "hero", "hypotheses": "hypothesis", "indices": "index", "lemmata": "lemma",
    "matrices": "matrix", "maxima": "maximum", "men": "man", "minima": "minimum",
    "automata": "automaton", "optima": "optimum", "phenomena": "phenomenon", "photos": "photo",
    "quizzes": "quiz", "spectra": "spectrum", "stimuli": "stimulus", "syntheses": "synthesis",
    "theses": "thesis", "vertices": "vertex", "appendices": "appendix",
    "parentheses": "parenthesis",
    "aliases": "alias", "atlases": "atlas", "canvases": "canvas", "lenses": "lens",
    "viruses": "virus", "corpuses": "corpus", "buses": "bus", "statuses": "status",
    "bonuses": "bonus", "censuses": "census", "campuses": "campus", "stimuluses": "stimulus",
    "movies": "movie", "cookies": "cookie", "selfies": "selfie", "zombies": "zombie",
    "calories": "calorie", "caches": "cache", "headaches": "headache", "niches": "niche",
    "avalanches": "avalanche",
}  # fmt: skip
_INVARIABLE = word_set(
    "series species news means lens always across perhaps thus versus plus minus bayes gibbs"
    " stokes hastings jeffreys keras pandas texas paris james jones adams williams davis rogers"
    " reuters siemens athens windows kubernetes hermes moses atlas canvas alias bias gas atari"
    " chess physics christmas pancreas"
)
#: Endings in s that are no plural: bias, loss, corpus, analysis, dynamics.
_NO_PLURAL = ("ss", "us", "is", "ics", "'s")


@cache
def singular(word: str) -> str:
    """The singular of a noun; a word that is no plural comes back as it is.

    >>> singular("networks"), singular("policies"), singular("loss"), singular("bias")
    ('network', 'policy', 'loss', 'bias')
    """
    if word in _SINGULAR:
        return _SINGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word in _INVARIABLE or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


#: British or rarer spelling, and what it becomes. Every pattern is anchored at the word's end.
_SPELLINGS = tuple(
    (re.compile(pattern + "$"), replacement)
    for pattern, replacement in (
        (
            r"(model|label|travel|signal|cancel|channel|tunnel|level|panel|fuel)l(ing|ed|er)",
            r"\1\2",
        ),
        (r"(\w)isation", r"\1ization"),
        (r"(analy|paraly|cataly|dialy)s(e|ed|er|ing)", r"\1z\2"),
        (r"(.*(?:col|behavi|neighb|fav|lab|flav|hon|rum|hum|vap|tum|harb))our(\w*)", r"\1or\2"),
        (r"(cent|fib|theat|calib)re", r"\1er"),
        (r"(def|off|lic)ence", r"\1ense"),
        (r"(dialog|catalog|analog)ue", r"\1"),
        (r"(judg|acknowledg)ement", r"\1ment"),
        (r"arte(fact)", r"arti\1"),
        (r"(program)me", r"\1"),
        (r"grey", "gray"),
        (r"(adapt)ion", r"\1ation"),
        (r"learnt", "learned"),
        (r"ageing", "aging"),
    )
)
#: Letters without which none of them applies.
_BRITISH = re.compile(
    r"ll(?:ing|ed|er)$|isation$|ys|our|re$|ence$|ue$|gement$|fact$|mme$|grey|ption$|nt$|gei"
)
_ISE = re.compile(r"(\w{3,}[^v])is(e|ed|er|ing|able)$")
#: Words in -ise that are no verbs in -ize ("noise", "otherwise"); those in -vise fall out by rule.
_NO_IZE = re.compile(
    r"(?:no|w|prec|exerc|prom|compr|comprom|surpr|enterpr|expert|conc|parad|franch|merchand|disgu"
    r"|ra|pra|cru|bru|po|prem|dem|trea|exc|r|ar|circumc|inc)is(?:e|ed|er|ing|able)$"
)


@cache
def american(word: str) -> str:
    """The word in American spelling: one of two spellings of a word must be the key of both.

    >>> american("modelling"), american("regularisation"), american("supervised")
    ('modeling', 'regularization', 'supervised')
    """
    if _BRITISH.search(word):
        for pattern, replacement in _SPELLINGS:
            word = pattern.sub(replacement, word)
    if _ISE.search(word) and not _NO_IZE.search(word):
        word = _ISE.sub(r"\1iz\2", word)
    return word


@cache
def settled(word: str, *, plural: bool = False) -> str:
    """The word singular (unless `plural`) and American, so that a second time changes nothing."""
    for _ in range(4):
        again = american(word if plural else singular(word))
        if again == word:
            break
        word = again
    return word


_ACTIVITY = {
    "recognition": "recogniz", "retrieval": "retriev", "removal": "remov", "inference": "infer",
    "discovery": "discover", "synthesis": "synthesiz", "analysis": "analyz",
    "reduction": "reduc", "production": "produc", "description": "describ",
    "transcription": "transcrib", "perception": "perceiv", "diagnosis": "diagnos",
    "acquisition": "acquir", "resolution": "resolv", "search": "search", "control": "control",
    "design": "design",
}  # fmt: skip
#: Gerunds that are things, no activities: "edge computing" is no "edge computation".
_THINGS = word_set("computing setting building string king ring spring thing being engineering")
_VOWELS = "aeiou"


@cache
def activity(word: str) -> str:
    """The verb behind a gerund or a noun of action, as a stem; "" for any other word.

    >>> activity("estimating") == activity("estimation") != ""
    True
    >>> activity("sample")
    ''
    """
    if word in _ACTIVITY:
        return _ACTIVITY[word]
    if word in _THINGS or len(word) < 5:
        return ""
    for ending, kept in (("ification", "if"), ("ifying", "if"), ("ization", "iz"), ("ment", "")):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)] + kept
    if word.endswith("ing"):
        stem = word[:-3]
        if not re.search("[aeiouy]", stem):
            return ""
        if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS + "sl":
            stem = stem[:-1]
    elif word.endswith("ion"):
        stem = word[:-3]
    else:
        return ""
    return stem[:-2] if stem.endswith("at") and len(stem) > 5 else stem
