"""A verdict without explanations is the verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.properties.documents import documents
from tests.validation.test_shortcuts import texts

from veridical import Document, Status, ValidationConfig, Validator
from veridical.validation.alterations import compare
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.results import ClaimResult
from veridical.validation.settle import surely_altered

LETTERS = "abcehilmnorst .,-\n'5Aé"


def verdict(result: ClaimResult) -> ClaimResult:
    """What is left of a result without its explanations."""
    if result.passed or result.status is Status.AMBIGUOUS:
        return result
    return replace(result, comparison=None, attempts=(), suggestions=())


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(document=documents(), data=st.data())
def test_the_verdict_is_the_same_without_explanations(
    document: Document, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(document.text) - 1))
    end = data.draw(st.integers(start + 1, min(len(document.text), start + 120)))
    changed = data.draw(st.text(LETTERS, min_size=1, max_size=40))
    at = data.draw(st.integers(start, end))
    quotes = [document.text[start:end], document.text[start:at] + changed + document.text[at:end]]
    claims = [
        Claim(str(number), quote, evidence_type=kind)
        for number, (quote, kind) in enumerate((q, k) for q in quotes for k in EvidenceType)
    ]
    config = ValidationConfig.from_mapping({"semantic_matching": {"enabled": False}})
    explained = Validator([document], config).validate(claims)
    brief = Validator([document], config).validate(claims, explained=False)
    assert list(map(verdict, explained.results)) == list(map(verdict, brief.results))


@settings(max_examples=600)
@given(texts, texts)
@example("a & b", "a and b")
@example("it sells[12] well", "it sells well")
@example("CAN NOT", "cannot")
@example("one-\ntime", "one time")
def test_words_that_agree_are_not_surely_altered(quoted: str, source: str) -> None:
    if surely_altered(quoted, source):
        assert compare(quoted, source).alterations


@pytest.mark.parametrize("quote", ["Nobody may carry over more than six of them, and so on."])
def test_what_was_altered_is_told_where_it_is_asked_for(quote: str) -> None:
    validator = Validator([Document("d", "Nobody may carry over more than five of them.")])
    explained = validator.validate([Claim("1", quote)]).results[0]
    assert explained.suggestions
    brief = validator.validate([Claim("1", quote)], explained=False).results[0]
    assert brief == verdict(explained)
