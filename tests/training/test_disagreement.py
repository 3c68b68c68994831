"""Documents that disagree on a question: what is told of pairs that others wrote."""

from __future__ import annotations

import pytest
from training.disagreement import is_told, pairs_of


@pytest.mark.parametrize(
    ("writer", "least_told"),
    [("near1", 14), ("both1", 14), ("both2", 18), ("own1", 0), ("own2", 0)],
)
def test_of_pairs_by_others_it_tells_what_the_docs_say(writer: str, least_told: int) -> None:
    told = [pair.disagree for pair in pairs_of(writer) if is_told(pair)]
    assert sum(told) >= least_told
    assert all(told)
