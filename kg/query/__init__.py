"""Asking the graph: saved queries by name, `.rq` files and SPARQL text, names in place of IRIs.

`saved_queries` finds the library, `run` answers with a `Table`, `prepare` and `write` put the
answer into a file's format, `find_entity` and `find_paper` know what a person means by a name.
"""

from kg.query.answers import (
    RDF_FORMATS,
    RESULT_FORMATS,
    Question,
    answer,
    prepare,
    query_form,
    run,
    write,
)
from kg.query.corrected import Precision, read_precisions
from kg.query.library import Parameter, SavedQuery, find_query, queries_folder, saved_queries
from kg.query.names import (
    Candidate,
    candidates,
    display_names,
    entities_called,
    entity_types,
    find_entity,
    find_paper,
    only_entity,
    papers_called,
)
from kg.query.table import TABLE_FORMATS, Table, Value, table_text
from kg.query.teams import authors, teams_among

__all__ = [
    "RDF_FORMATS", "RESULT_FORMATS", "TABLE_FORMATS", "Candidate", "Parameter", "Precision",
    "Question", "SavedQuery", "Table", "Value", "answer", "authors", "candidates", "display_names",
    "entities_called", "entity_types", "find_entity", "find_paper", "find_query", "only_entity",
    "papers_called", "prepare", "queries_folder", "query_form", "read_precisions", "run",
    "saved_queries", "table_text", "teams_among", "write",
]  # fmt: skip
