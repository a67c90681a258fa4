"""`queries/README.md` shows what the shipped model finds in the shipped sample."""

from __future__ import annotations

import re

import library

from kg.query import saved_queries


def test_the_page_of_ready_questions_is_up_to_date(tmp_path):
    wanted = library.page(library.sample(tmp_path / "graph"))
    assert library.PAGE.read_text(encoding="utf-8") == wanted, "run: python tests/library.py"


def test_each_ready_question_stands_on_the_page_with_a_command_of_its_own():
    text = library.PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^kg query ([\w-]+)", text, re.MULTILINE) == list(
        saved_queries(library.QUERIES)
    )
    assert text.count("\n| ") > 3 * len(saved_queries(library.QUERIES))
