"""Names in RDF: our closed vocabulary, the prefixes, and how IRIs are minted.

Every IRI is built from letters, digits and `-._~:` as they are, everything else percent-encoded as
UTF-8 (RFC 3987), so no identifier, however hostile, can leave its path segment or break a line.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from kg.errors import InputError
from kg.schema import ENTITY_TYPES, TYPE_BY_NAME

if TYPE_CHECKING:
    from rdflib.namespace import DefinedNamespace

    from kg.records import Abstract

    KG: type[DefinedNamespace]

BASE = "https://kg.example/"

#: The names of our own terms, those of the prefix kg.
TERMS = (
    "Paper", "Entity", "Method", "Task", "Dataset", "Benchmark", "Metric", "Statement", "Mention",
    "Merge",
    "about", "proposes", "evaluatesOn", "comparesWith", "uses", "studies", "addresses", "measures",
    "mentions",
    "relatedTo", "usedFor", "partOf", "basedOn", "trainedOn", "evaluatedOn", "benchmarkFor",
    "outperforms", "comparedWith", "measuredBy",
    "venue", "authors", "confidence", "evidence", "evidenceBegin", "evidenceEnd", "subjectMention",
    "objectMention", "refersTo", "candidate", "mergedName", "mergedInto", "rule", "score",
)  # fmt: skip

#: Vocabularies of others, by prefix.
VOCABULARIES: dict[str, str] = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "fabio": "http://purl.org/spar/fabio/",
    "nif": "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

#: Kinds of identifier that mint a paper's IRI, the most lasting first, and where each resolves.
RESOLVERS: dict[str, str] = {
    "doi": "https://doi.org/",
    "arxiv": "https://arxiv.org/abs/",
    "openreview": "https://openreview.net/forum?id=",
}

_KNOWN = frozenset(TERMS)
_SAFE = frozenset("-._~:")
_PLAIN_SEGMENT = re.compile(r"[A-Za-z0-9\-._:]*")
_WORD = re.compile(r"[^\W_]+")
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_ARXIV_VERSION = re.compile(r"v\d+$")


def __getattr__(name: str) -> object:
    """`KG`: our terms under the default base, as rdflib has them; rdflib is slow to import."""
    if name != "KG":
        raise AttributeError(f"module 'kg.vocab' has no attribute {name!r}")
    return _namespace()


@lru_cache
def _namespace() -> type[DefinedNamespace]:
    from rdflib.namespace import DefinedNamespace, Namespace  # noqa: PLC0415

    class KG(DefinedNamespace):
        """A misspelt term raises `AttributeError`."""

        _fail = True
        _NS = Namespace(BASE + "ontology#")
        _extras = list(TERMS)  # noqa: RUF012 - rdflib's own way

    return KG


def check_base(base: str) -> str:
    """`base` as an absolute IRI that ends in "/"; `InputError` where it cannot be one."""
    parts = urlsplit(base)
    legal = all(c > " " and c not in '<>"{}|\\^`?#' and c.isprintable() for c in base)
    if not (parts.scheme and parts.netloc and legal):
        raise InputError(
            f"{base!r} cannot be a base IRI: give one like https://example.org/graph/ "
            "(a scheme, a host, no query, no fragment)"
        )
    return base if base.endswith("/") else base + "/"


def prefixes(base: str = BASE) -> dict[str, str]:
    """Prefix → namespace for queries and files, with one prefix a kind of resource.

    `kgr:method/x` needs an escaped slash in Turtle and SPARQL, `method:x` does not.
    """
    ours = {"kg": base + "ontology#", "kgr": base + "id/", "paper": base + "id/paper/"}
    ours |= {t.slug: f"{base}id/{t.slug}/" for t in ENTITY_TYPES}
    return ours | VOCABULARIES


def iri(curie: str, base: str = BASE) -> str:
    """The full IRI of a prefixed name such as "kg:proposes" or "skos:broader"."""
    prefix, _, local = curie.partition(":")
    if prefix == "kg":
        if local not in _KNOWN:
            raise AttributeError(f"no term of ours is called {curie!r}")
        return base + "ontology#" + local
    return VOCABULARIES[prefix] + local


def ontology(base: str = BASE) -> str:
    """The vocabulary in Turtle, for graphs with that base."""
    text = Path(__file__).with_name("ontology.ttl").read_text(encoding="utf-8")
    return text.replace(BASE, base)


def clean(text: str) -> str:
    """`text` with each character that XML 1.0 or UTF-8 cannot hold replaced by U+FFFD.

    One for one, so that offsets into the text still hold.
    """
    return _ILLEGAL.sub("\ufffd", text)


def segment(text: str) -> str:
    """`text` as one path segment of an IRI; different legal texts give different ones."""
    out = text
    if not _PLAIN_SEGMENT.fullmatch(text):
        out = "".join(
            c if c in _SAFE - {"~"} or (c.isalnum() and c.isprintable()) else _percent(c)
            for c in clean(text)
        )
    # "." and ".." would be resolved away by anything that follows a relative reference
    return "~" + out if out in {"", ".", ".."} else out


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


def normal_identifier(identifier: str) -> str:
    """One spelling of an identifier "kind:value", so that equal ones compare equal.

    DOIs and arXiv ids lose their case, arXiv ids their version, and arXiv's own DOIs
    (10.48550/arXiv.…) become arXiv ids; OpenReview ids keep their case.
    """
    kind, colon, value = identifier.strip().partition(":")
    kind, value = kind.strip().lower(), value.strip()
    if not colon or not value:
        return identifier.strip()
    if kind == "doi":
        value = value.lower().removeprefix("https://doi.org/").removeprefix("http://dx.doi.org/")
        if found := _ARXIV_DOI.fullmatch(value):
            kind, value = "arxiv", found[1]
    if kind == "arxiv":
        value = _ARXIV_VERSION.sub("", value.lower())
    return f"{kind}:{value}"


def page(identifier: str) -> str:
    """The web address of a DOI, arXiv or OpenReview identifier; "" for other kinds."""
    kind, _, value = normal_identifier(identifier).partition(":")
    if kind not in RESOLVERS or not value:
        return ""
    return RESOLVERS[kind] + "/".join(segment(part) for part in value.split("/"))


def strong_identifiers(abstract: Abstract) -> tuple[str, ...]:
    """The identifiers that name a paper everywhere, normal form, the most lasting kind first."""
    order = {kind: rank for rank, kind in enumerate(RESOLVERS)}
    found = {normal_identifier(i) for i in abstract.identifiers}
    strong = [i for i in found if i.partition(":")[0] in order]
    return tuple(sorted(strong, key=lambda i: (order[i.partition(":")[0]], i)))


def normal_text(text: str) -> str:
    """`text` for comparison: NFKC, case folded, letters and digits only, single spaces."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def content_hash(abstract: Abstract) -> str:
    """Twenty hexadecimal digits of SHA-256 over the normalised title and abstract."""
    text = f"{normal_text(abstract.title)}\n{normal_text(abstract.abstract)}"
    if text == "\n":  # nothing but signs: they are all there is to tell papers apart
        text = f"{abstract.title}\n{abstract.abstract}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def paper_key(abstract: Abstract) -> str:
    """The last segment of a paper's IRI: its DOI, arXiv or OpenReview id, else its content hash."""
    strong = strong_identifiers(abstract)
    return segment(strong[0]) if strong else content_hash(abstract)


def other_keys(abstract: Abstract) -> list[str]:
    """The keys that the paper would have had with fewer of its identifiers, or with none."""
    strong = strong_identifiers(abstract)
    return [*map(segment, strong[1:]), content_hash(abstract)] if strong else []


def paper_iri(key: str, base: str = BASE) -> str:
    """The IRI of the paper with `key`, which also names its graph."""
    return f"{base}id/paper/{key}"


@lru_cache(maxsize=1 << 16)  # papers share their entities, and each is written many times
def entity_iri(entity_type: str, key: str, base: str = BASE) -> str:
    """The IRI of an entity from its type and folded canonical name; spaces become hyphens."""
    slug = "-".join(segment(part).replace("-", "%2D") for part in key.split(" "))
    return f"{base}id/{TYPE_BY_NAME[entity_type].slug}/{slug}"


def mention_iri(paper: str, start: int, end: int) -> str:
    """A span of the paper's text as an RFC 5147 fragment of its IRI."""
    return f"{paper}#char={start},{end}"


def statement_iri(paper: str, number: int) -> str:
    """The IRI of a paper's statement, counted from 1."""
    return f"{paper}#s{number}"


def entities_graph(base: str = BASE) -> str:
    """The name of the graph of entities."""
    return base + "id/entities"


def description_iri(base: str = BASE) -> str:
    """The resource that describes the whole graph (`void:Dataset`)."""
    return base + "id/graph"


def run_iri(model: str, base: str = BASE) -> str:
    """The extraction run of `model` (`prov:Activity`); no clock, so equal input gives it again."""
    return f"{base}id/run/{segment(model)}"


def extractor_iri(model: str, base: str = BASE) -> str:
    """The extractor `model` itself (`prov:SoftwareAgent`)."""
    return f"{base}id/extractor/{segment(model)}"
