"""What tests of extraction ask for."""

from __future__ import annotations

from veridical.ledger.entry import AnswerClaim
from veridical.ledger.extraction.extractor import Extraction
from veridical.ledger.extraction.page import read_page
from veridical.ledger.extraction.rules import RuleExtractor

SESSION = "6f1f7c6e-3e0f-5d41-9f43-2b8c7a1d0e55"


def extracted(answer: str, query: str = "") -> Extraction:
    """What the rules make of an answer."""
    return RuleExtractor().extract(answer, SESSION, query)


def texts(answer: str) -> list[str]:
    """The claims of an answer, as they stand there."""
    return [claim.text for claim in extracted(answer).claims]


def only(answer: str, query: str = "") -> AnswerClaim:
    """The one claim of an answer."""
    (claim,) = extracted(answer, query).claims
    return claim


def unaccounted(answer: str, extraction: Extraction) -> str:
    """The letters and digits of an answer that are neither in a claim nor skipped."""
    covered = bytearray(len(answer))
    for span in [c.span for c in extraction.claims] + [s.span for s in extraction.skipped]:
        covered[span.start : span.end] = b"\1" * len(span)
    return "".join(
        character
        for character, is_covered in zip(answer, covered, strict=True)
        if character.isalnum() and not is_covered
    )


def unseen_but_shown(answer: str, extraction: Extraction) -> str:
    """Letters and digits that are called unseen, and that a reader does see."""
    document = read_page(answer).document
    return "".join(
        character
        for skip in extraction.skipped
        if skip.reason.name == "NOT_SHOWN"
        for character in document.shown(skip.span)
        if character.isalnum()
    )
