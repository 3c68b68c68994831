"""What became of words of a document in a later version."""

from __future__ import annotations

import pytest

from veridical.ledger.verification import EvidenceStatus
from veridical.service.pages.viewer import fate_of
from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text
from veridical.sources.span import Span

PARAGRAPHS = {
    "title": "# Leave of absence",
    "days": "Permanent staff get 15 days of annual leave a year.",
    "carry": "Unused leave may be carried over at the discretion of the head of department.",
    "sick": "Whoever is ill tells their manager on the first day.",
    "note": "A doctor's note is needed after three days of absence.",
}


def made(*paragraphs: str, name: str = "leave.md") -> Document:
    text = "\n\n".join(PARAGRAPHS.get(one, one) for one in paragraphs) + "\n"
    return document_from_text(text, name, Format.MARKDOWN)


OLD = made("title", "days", "carry", "note")


def span_of(words: str) -> Span:
    start = OLD.text.index(words)
    return Span(start, start + len(words))


@pytest.mark.parametrize(
    ("new", "status"),
    [
        (OLD, EvidenceStatus.HELD),
        (made("title", "days", "note", "carry"), EvidenceStatus.MOVED),
        (
            made("title", PARAGRAPHS["carry"].replace("may", "may not"), "note"),
            EvidenceStatus.ALTERED,
        ),
        (made("title", "Nothing of the kind."), EvidenceStatus.ORPHANED),
        (made("title", "days", f"It is no longer so that {PARAGRAPHS['carry']}", "note"),
         EvidenceStatus.ALTERED),
    ],
)  # fmt: skip
def test_what_became_of_a_sentence(new: Document, status: EvidenceStatus) -> None:
    found, now = fate_of(OLD, span_of(PARAGRAPHS["carry"]), new, whole=True)
    assert found is status
    assert (now is None) is (status is EvidenceStatus.ORPHANED)
    if status is EvidenceStatus.MOVED:
        assert now is not None
        assert new.text[now.start : now.end] == PARAGRAPHS["carry"]
