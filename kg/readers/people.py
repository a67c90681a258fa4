"""Authors as "Given Family" and years out of dates, from the many ways to write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d|2100)(?!\d)")
_COMPACT_DATE = re.compile(r"(1[89]\d\d|20\d\d)(0[1-9]|1[0-2])([0-2]\d|3[01])")
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|phd|ph\.d|md|m\.d)\.?", re.I)
_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.?[ -]?){1,4}")
_AND = re.compile(r",? and ", re.I)


def year_of(value: object) -> int | None:
    """The year in a number, a date of any usual form, or milliseconds since 1970; else None."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if 10**11 < value < 4 * 10**12:
            return datetime.fromtimestamp(value / 1000, tz=UTC).year
        return int(value) if 1800 <= value <= 2100 else None
    if isinstance(value, list):  # CSL's date-parts: [2020, 5, 1]
        return year_of(value[0]) if value and not isinstance(value[0], list) else None
    if isinstance(value, str) and len(value) < 200:
        found = _COMPACT_DATE.fullmatch(value.strip()) or _YEAR.search(value)
        return int(found[1]) if found else None
    return None


def turned(name: str) -> str:
    """One name as "Given Family"; "Family, Given" and "Family, Jr., Given" are turned round."""
    parts = [" ".join(part.split()) for part in name.split(",")]
    parts = [part for part in parts if part]
    if len(parts) == 2 and not _SUFFIX.fullmatch(parts[1]):
        return f"{parts[1]} {parts[0]}"
    if len(parts) == 3 and _SUFFIX.fullmatch(parts[1]):
        return f"{parts[2]} {parts[0]} {parts[1]}"
    return ", ".join(parts)


def _split(joined: str) -> list[str]:
    """The names in one string, parted by ";", "|", " and " or commas."""
    for mark in (";", "|", "\n"):
        if mark in joined:
            return joined.split(mark)
    joined = " ".join(joined.split())
    if joined.count(",") == 1 and not _AND.search(joined):
        one, other = (part.strip() for part in joined.split(","))
        return [one, other] if " " in one and " " in other else [joined]
    parts = joined.split(" and ")
    if (
        len(parts) > 1
        and all("," in part for part in parts[:2])
        and joined.count(",") <= 2 * len(parts)
    ):  # BibTeX: Family, Given and Family, Given
        return parts
    parts = [part.strip() for part in _AND.sub(",", joined).split(",") if part.strip()]
    if len(parts) % 2 == 0 and all(_INITIALS.fullmatch(part) for part in parts[1::2]):
        return [", ".join(pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    return parts


def _person(person: Mapping[str, object]) -> str:
    """The name in an author's object: given and family, first, middle and last, or one string."""
    low = {key.lower().replace("_", ""): value for key, value in person.items()}
    if isinstance(nested := low.get("author"), dict):  # OpenAlex's authorship
        low = {**nested, "displayname": nested.get("display_name")}
    for keys in (("given", "family", "suffix"), ("first", "middle", "last", "suffix"),
                 ("firstname", "middlename", "lastname"), ("givenname", "familyname"),
                 ("forename", "surname")):  # fmt: skip
        parts = [low.get(key) for key in keys]
        words = [
            word
            for part in parts
            for word in (part if isinstance(part, list) else [part])
            if isinstance(word, str) and word.strip()
        ]
        if words:
            return " ".join(words)
    for key in ("name", "displayname", "fullname", "rawauthorname", "author", "literal", "value"):
        if isinstance(name := low.get(key), str):
            return name
    return ""


def people(value: object) -> tuple[str, ...]:
    """Authors as a tuple of names, from a list of strings or objects, or from one joined string."""
    if isinstance(value, dict):
        value = value.get("value", [value])
    if isinstance(value, str):
        value = _split(value)
    if not isinstance(value, list | tuple):
        return ()
    names: list[str] = []
    for each in value:
        if isinstance(each, dict):
            names.append(" ".join(_person(each).split()))
        elif isinstance(each, list):  # arXiv's authors_parsed: [family, given, suffix]
            family, given, *suffix = [*(part for part in each if isinstance(part, str)), "", ""]
            names.append(" ".join(f"{given} {family} {' '.join(suffix)}".split()))
        elif isinstance(each, str):
            names.append(turned(each))
    return tuple(dict.fromkeys(name for name in names if name and name.lower() != "et al."))
