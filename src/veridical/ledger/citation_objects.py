"""Citations in the forms of others, in and out, and whether those that came in are true."""

from __future__ import annotations

from veridical.ledger.verify_given import GivenCitationCheck, check_given_citations
from veridical.ledger.wire_anthropic import answer_from_anthropic, to_anthropic
from veridical.ledger.wire_given import CitedAnswer, GivenCitation
from veridical.ledger.wire_openai import answer_from_openai
from veridical.ledger.wire_web_annotations import to_web_annotations
from veridical.ledger.wire_web_annotations_read import answer_from_web_annotations

__all__ = [
    "CitedAnswer",
    "GivenCitation",
    "GivenCitationCheck",
    "answer_from_anthropic",
    "answer_from_openai",
    "answer_from_web_annotations",
    "check_given_citations",
    "to_anthropic",
    "to_web_annotations",
]
