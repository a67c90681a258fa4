"""The one error family: what a user may be told in one line. Anything else is a bug."""

from __future__ import annotations


class KgError(Exception):
    """The user's input or request is at fault; the message says what, where and what to do."""


class InputError(KgError):
    """A file, record or argument that cannot be read."""


class ModelError(KgError):
    """A model folder that is missing, damaged or of another version."""


class QueryError(KgError):
    """A query, parameter or name that cannot be answered."""


class RefusedError(QueryError):
    """A query that would write, or call another server."""


class LimitError(QueryError):
    """A query that took more time or memory than it may."""


class StoreError(KgError):
    """A graph folder that is missing, locked, damaged or of another version."""


class ClusterError(KgError):
    """A cluster that cannot be reached, or does not do the work."""
