"""A quote of signs alone stands where a reader sees these signs, and nowhere else."""

from __future__ import annotations

import pytest

from veridical import Format, Status, Validator
from veridical.sources.loader import document_from_text

LINKED = 'See [the *policy*](http://x.example/ "title") of § 4 & more → here.\n'


@pytest.mark.parametrize("quote", ["](", ")", '"', "://", '")', "\u202e", "\u00ad", "\u200b\u200b"])
def test_signs_of_markup_and_signs_unseen_are_not_there(quote: str) -> None:
    document = document_from_text(
        f"{LINKED}The \u202eend\u00ad\u200b\u200b.", "d.md", Format.MARKDOWN
    )
    result = Validator([document]).check(quote)
    assert result.status is Status.FAILED
    assert result.match is None


@pytest.mark.parametrize("quote", ["§", "&", "→"])
def test_signs_that_are_seen_are_there(quote: str) -> None:
    document = document_from_text(LINKED, "d.md", Format.MARKDOWN)
    result = Validator([document]).check(quote)
    assert result.status is Status.VALIDATED
    assert result.match is not None
    assert result.match.shown == quote
