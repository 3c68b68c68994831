"""An answer that is wrong, to see what a failure looks like."""

from __future__ import annotations

from pathlib import Path

from assistant import answer

from veridical.testing import assert_grounded

POLICIES = Path(__file__).parents[1] / "policies"


def test_a_new_colleague_gets_what_the_policy_says() -> None:
    """The same without the fixture, as any test runner can have it."""
    assert_grounded(answer("How much leave does a new colleague get?"), POLICIES)
