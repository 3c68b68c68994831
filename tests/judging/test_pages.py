"""Pages of several kinds, each with claims that nearly say what it says, and some that do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from veridical import GroundingChecker, document_from_text

PAGES = Path(__file__).parent / "pages"


@cache
def checker(page: str) -> GroundingChecker:
    text = (PAGES / f"{page}.md").read_text("utf-8")
    return GroundingChecker([document_from_text(text, f"{page}.md")])


def claims(kind: str) -> Iterator[tuple[str, str]]:
    """Each page with each of its claims of a kind."""
    for path in sorted(PAGES.glob(f"*.{kind}.txt")):
        for claim in path.read_text("utf-8").splitlines():
            yield path.name.partition(".")[0], claim


@pytest.mark.parametrize(("page", "claim"), list(claims("false")))
def test_what_a_page_does_not_say_is_not_supported(page: str, claim: str) -> None:
    assert not checker(page).check(claim).grounded


@pytest.mark.parametrize(("page", "claim"), list(claims("true")))
def test_what_a_page_says_is_supported(page: str, claim: str) -> None:
    found = checker(page).check(claim)
    assert found.grounded, [one.reason for one in found.claims]


def test_there_are_claims_of_either_kind_for_each_page() -> None:
    pages = {path.stem for path in PAGES.glob("*.md")}
    assert len(pages) >= 5
    assert {page for page, _ in claims("false")} == {page for page, _ in claims("true")} == pages
