"""What the tests of readers share: a file written and read, papers and skipped apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kg.readers import read_abstracts
from kg.records import Abstract, Skipped

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Read = Callable[..., tuple[list[Abstract], list[Skipped]]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Write `content` to a file called `name` and read it: the papers and what was left out."""

    def written(
        name: str,
        content: str | bytes,
        *,
        format: str | None = None,  # noqa: A002
    ) -> tuple[list[Abstract], list[Skipped]]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        records = list(read_abstracts(path, format=format))
        return (
            [record for record in records if isinstance(record, Abstract)],
            [record for record in records if isinstance(record, Skipped)],
        )

    return written
