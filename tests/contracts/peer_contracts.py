"""What other tools expect of a quote, asked of Veridical: each function is one kind of case.

A verdict of VALIDATED or AMBIGUOUS means that the words stand there; LOW_CONFIDENCE does not.
"""

from __future__ import annotations

from itertools import pairwise

from tests.contracts.shared_quotes import Row

from veridical import (
    ClaimResult,
    Document,
    Format,
    MatchType,
    Span,
    Status,
    ValidationConfig,
    Validator,
    VeridicalError,
    document_from_text,
)
from veridical.matching.align import Needle
from veridical.matching.locate import Place, locate
from veridical.text.folded import FoldedText
from veridical.text.normalize import fold
from veridical.validation.wire import selectors

STANDS = (Status.VALIDATED, Status.AMBIGUOUS)
MUST_REPORT = "must report closest passage"


def places(document: Document, quote: str) -> list[Place]:
    """Where the search finds the quote, nearest first."""
    return locate(FoldedText(document), [Needle(fold(quote))])[0]


def holds(case: Row) -> bool:
    """Whether a peer's case comes out as the peer expects. An error is no answer."""
    try:
        if case.get("kind") == "strictly_decreasing_scores":
            return _in_order(case)
        document = document_from_text(case["text"], "text", Format.PLAIN_TEXT)
        if case["suite"].startswith("hypothesis"):
            return _anchored(document, case)
        if case["suite"].startswith("google/langextract"):
            return _aligned(document, case)
        return _verified(document, case)
    except VeridicalError:
        return False


def _anchored(document: Document, case: Row) -> bool:
    """Hypothesis: one place, the nearest in spelling and context, and a score for it."""
    expect = case["expect"]
    if case.get("prefix") or case.get("suffix"):
        return _is_at(_in_context(document, case["quote"], case), expect, STANDS[:1])
    found = places(document, case["quote"])
    if expect.get("match", "") is None:
        return not found and _check(document, case["quote"]).status is Status.FAILED
    best = found[0]
    text = document.text[best.span.start : best.span.end]
    scored = {1.0: best.similarity == 1, "0<s<1": 0 < best.similarity < 1, None: True}
    return (
        text == expect.get("match", text)
        and best.span.start == expect.get("start", best.span.start)
        and scored[expect.get("score")]
    )


def _in_context(document: Document, quote: str, case: Row) -> ClaimResult:
    """The verdict with a peer's prefix or suffix as the hint, looked for no further than it is
    long.
    """
    hint: str = case.get("prefix") or case["suffix"]
    config = ValidationConfig.from_mapping(
        {"context_validation": {"context_window": len(hint) + 1}}
    )
    return Validator([document], config).check(quote, context_hint=hint)


def _in_order(case: Row) -> bool:
    """Whether what is less like the text scores less."""
    document = document_from_text(case["text"], "text", Format.PLAIN_TEXT)
    scores = []
    for value in case["values"]:
        if case["vary"] == "quote":
            scores.append(places(document, value)[0].similarity)
            continue
        match = _in_context(document, case["quote"], {case["vary"]: value}).match
        scores.append((match and match.context_score) or 0.0)
    return all(one > other for one, other in pairwise(scores))


def _aligned(document: Document, case: Row) -> bool:
    """LangExtract: the place of what was extracted, and whether it is there word for word."""
    result, expect = _check(document, case["quote"]), case["expect"]
    if "start" not in expect:
        return result.status is Status.FAILED
    fuzzy = expect.get("status") == "MATCH_FUZZY"
    statuses = (Status.LOW_CONFIDENCE, *STANDS) if fuzzy else STANDS
    kind = MatchType.FUZZY if fuzzy else MatchType.EXACT
    return _is_at(result, expect, statuses) and bool(
        result.match and result.match.match_type is kind
    )


def _verified(document: Document, case: Row) -> bool:
    """Transcriberorio: does the quote stand there, yes or no?"""
    result = _check(document, case["quote"])
    if MUST_REPORT in case["why"] and not result.attempts:
        return False
    return (result.status in STANDS) is case["expect"]["found"]


def _check(document: Document, quote: str) -> ClaimResult:
    return Validator([document]).check(quote)


def _is_at(result: ClaimResult, expect: Row, statuses: tuple[Status, ...]) -> bool:
    match = result.match
    return (
        match is not None
        and result.status in statuses
        and match.text == expect.get("match", match.text)
        and match.span.start == expect.get("start", match.span.start)
        and match.span.end == expect.get("end", match.span.end)
    )


def selected(case: Row) -> list[Span]:
    """The exact places of a W3C TextQuoteSelector in an HTML page."""
    document = document_from_text(case["html"], "page", Format.HTML)
    found: list[Span] = []
    for place in places(document, case["exact"]):
        quote, _ = selectors(document, place.span)
        before, after = case["prefix"] or "", case["suffix"] or ""
        fits = quote["prefix"].endswith(before) and quote["suffix"].startswith(after)
        if fits and quote["exact"] == case["exact"]:
            found.append(place.span)
    return found
