"""Many questions in one span of time: what is said when it is over."""

from __future__ import annotations

import time

import pytest

from kg.errors import LimitError
from kg.store.timed import Timed


class Slow:
    """A store whose every answer is an error, after as long as it was given or at once."""

    def __init__(self, *, waits):
        self.prefixes = {}
        self.waits = waits

    def select(self, sparql, *, timeout=None, limit=None):
        if self.waits:
            time.sleep(timeout)
            raise LimitError("stopped after 0 s")
        raise LimitError("more memory than it may have")


@pytest.mark.parametrize("rest", [0.0, 0.03])
def test_the_whole_span_is_named_however_little_of_it_was_left(rest):
    store = Timed(Slow(waits=True), 0.05)
    time.sleep(0.05 - rest)
    with pytest.raises(LimitError, match=r"stopped after 0\.05 s"):
        store.select("SELECT * {}")


def test_what_else_stops_a_question_is_said_as_it_is():
    with pytest.raises(LimitError, match="memory"):
        Timed(Slow(waits=False), 60).select("SELECT * {}")
    with pytest.raises(LimitError, match="memory"):
        Timed(Slow(waits=False), 60).select("SELECT * {}", timeout=5)
