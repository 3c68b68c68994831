"""The same with unittest: `python -m unittest unittest_answers.py`."""

from __future__ import annotations

import unittest

from assistant import answer

from veridical.testing import Sources, assert_grounded

POLICIES = Sources("policies")  # read and indexed once, on first use


class Answers(unittest.TestCase):
    """What the assistant says stands in the policies."""

    def test_leave(self) -> None:
        """One of its answers."""
        assert_grounded(answer("How much leave do I get?"), POLICIES)
