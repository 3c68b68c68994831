"""What the assistant says stands in the policies."""

from __future__ import annotations

import pytest
from assistant import answer

from veridical.integrations.pytest_plugin import Grounded


@pytest.mark.parametrize("question", ["How much leave do I get?", "Can I keep some for next year?"])
def test_the_policies_bear_the_answer_out(grounded: Grounded, question: str) -> None:
    """The fixture reads and indexes the policies once for all tests."""
    grounded(answer(question), query=question)


def test_quotes_stand_in_the_policies(grounded: Grounded) -> None:
    """A quote may differ in case and spacing; not in a word or number."""
    grounded.quotes(["entitled to 26 days of leave", "they must be used by 31 March"])
