"""`Validator`: one set of documents, any number of claims, and where they must stand."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from veridical import (
    Claim,
    Document,
    EvidenceType,
    FailureReason,
    Fidelity,
    Format,
    MatchType,
    NoDocumentsError,
    Page,
    ProcessingError,
    Span,
    Status,
    ValidationConfig,
    ValidationError,
    Validator,
    document_from_text,
)

LEAVE = """# Leave policy

Staff get 25 days of leave a year.

## 1 Requests

The manager answers in writing.

### 1.1 Deadlines

Requests are handed in four weeks ahead. Where that was not possible, the reasons are given with the
request, and the manager decides within a week whether they will do. There is no other way.

## 2 Appeals

The manager answers in writing.
"""


@pytest.fixture(scope="module")
def validator() -> Validator:
    return Validator([document_from_text(LEAVE, "docs/leave.md")])


# --- where a quote must stand ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quote", "section", "status"),
    [
        ("The manager answers in writing", None, Status.AMBIGUOUS),
        ("The manager answers in writing", "1 Requests", Status.VALIDATED),
        ("The manager answers in writing", "Appeals", Status.VALIDATED),
        ("The manager answers in writing", "Section 2: Appeals", Status.VALIDATED),
        ("The manager answers in writing", "line 7", Status.VALIDATED),
        ("The manager answers in writing", "paragraph 8", Status.VALIDATED),
        ("The manager answers in writing", "Leave policy", Status.AMBIGUOUS),
        ("The manager answers in writing", "3 Exceptions", Status.FAILED),
        ("The manager answers in writing", "line 8", Status.FAILED),
        ("Requests are handed in four weeks", "1.1", Status.VALIDATED),
        ("Requests are handed in four weeks", "2 Appeals", Status.FAILED),
        ("Staff get 25 days of leave", "line 3", Status.VALIDATED),
    ],
)
def test_the_expected_section_decides(
    validator: Validator, quote: str, section: str | None, status: Status
) -> None:
    result = validator.check(quote, expected_section=section)
    assert result.status is status
    if status is Status.FAILED:
        assert result.reason is FailureReason.CONTEXT_MISMATCH
        assert result.fidelity is Fidelity.MISATTRIBUTED
        assert result.match is None
        assert result.found_at is not None
        assert "they stand in docs/leave.md" in result.suggestions[0]


@pytest.mark.parametrize(
    ("title", "section"),
    [
        ("A", "A"),
        ("The", "the"),
        ("The Document", "The Document"),
        ("The Rules", "RULES"),
        ("Rules", "The Rules"),
        ("Section", "Section"),
        ("???", "???"),
        ("IV. Travel", "Travel"),
        ("IV. Travel", "4 Travel"),
        ("IV. Travel", "Section IV"),
        ("4. Travel", "IV. Travel"),
        ("4. Travel", "4) travel"),
        ("4.0 Travel", "4 Travel"),
        ("B. Travel", "Section B"),
        ("Chapter 2: Travel", "Chapter II Travel"),
        ("Article 5", "Art. 5"),
    ],
)
def test_the_true_section_is_known_however_it_is_written(title: str, section: str) -> None:
    text = f"# First\n\nOne.\n\n# {title}\n\nStaff get 25 days.\n\n# Last\n\nEnd."
    validator = Validator([document_from_text(text, "leave.md")])
    assert validator.check("Staff get 25 days", expected_section=section).passed
    for other in ("V. Travel", "C. Travel", "First", "Last", "The Ruler of it all"):
        assert not validator.check("Staff get 25 days", expected_section=other).passed


def test_what_stands_before_the_first_heading_is_the_preamble() -> None:
    text = "Staff get 25 days.\n\n# Travel\n\nTrains are booked early."
    validator = Validator([document_from_text(text, "leave.md", Format.MARKDOWN)])
    report = validator.validate([Claim("EV1", "Staff get 25 days")])
    place = report.to_dict()["validated_claims"][0]["match_details"]
    assert (place["section"], place["section_path"]) == ("Document Preamble", ["Document Preamble"])
    assert validator.check("Staff get 25 days", expected_section="document preamble").passed
    found = validator.check("Trains are booked early", expected_section="Document Preamble")
    assert found.reason is FailureReason.CONTEXT_MISMATCH


def test_the_words_are_said_to_miss_the_hint(validator: Validator) -> None:
    (said,) = validator.check("Staff get 25 days", context_hint="zebra crossing").suggestions
    assert said.startswith("The words are not near the context hint; they stand in docs/leave.md")


def test_a_quote_nearly_right_says_why_it_is_doubted(validator: Validator) -> None:
    result = validator.check("The manager answers in writings, within a week of it")
    assert result.status is not Status.VALIDATED
    nearly = validator.check("Staff gets 25 days of leave")
    assert nearly.status is Status.LOW_CONFIDENCE
    assert "alike, but words were changed: read it and decide" in nearly.suggestions[0]


def test_pages() -> None:
    text = "Cover page of it.\fStaff get 25 days.\fStaff get 25 days."
    pages = (Page(1, Span(0, 18)), Page(2, Span(18, 37)), Page(3, Span(37, 55)))
    paged = Validator([Document("leave.pdf", text, pages=pages)])
    assert paged.check("Staff get 25 days").status is Status.AMBIGUOUS
    for place, start in (("page 2", 18), ("p. 3", 37), ("Page 3", 37)):
        result = paged.check("Staff get 25 days", expected_section=place)
        assert result.status is Status.VALIDATED
        assert result.match is not None
        assert result.match.span.start == start
    assert paged.check("Staff get 25 days", expected_section="page 1").status is Status.FAILED


@pytest.mark.parametrize("section", ["2 Appeals", "page 4"])
def test_a_section_that_cannot_be_looked_up_is_doubt_and_not_a_failure(section: str) -> None:
    plain = Validator([Document("note.txt", "Staff get 25 days of leave.")])
    result = plain.check("Staff get 25 days", expected_section=section)
    assert result.status is Status.LOW_CONFIDENCE
    assert [note.code for note in result.notes] == ["SECTION_UNCHECKED"]


@pytest.mark.parametrize(
    ("hint", "status"),
    [
        ("appeals", Status.VALIDATED),  # the title of the section counts
        ("where the manager decides in writing", Status.AMBIGUOUS),  # around both, equally
        ("zebra crossing", Status.FAILED),
        ("", Status.AMBIGUOUS),
    ],
)
def test_the_context_hint_decides(validator: Validator, hint: str, status: Status) -> None:
    result = validator.check("The manager answers in writing", context_hint=hint or None)
    assert result.status is status
    if status is Status.FAILED:
        assert result.reason is FailureReason.CONTEXT_MISMATCH
        assert result.fidelity is Fidelity.VERBATIM
        assert result.found_at is not None


def test_context_raises_the_confidence_but_never_over_one(validator: Validator) -> None:
    plain = validator.check("Staff have 25 days of leave yearly", **PARAPHRASE)
    hinted = validator.check(
        "Staff have 25 days of leave yearly", context_hint="leave policy", **PARAPHRASE
    )
    assert plain.match is not None
    assert hinted.match is not None
    assert plain.confidence < hinted.confidence <= 1.0
    assert hinted.confidence == pytest.approx(min(1.0, plain.confidence * 1.2), abs=1e-5)
    assert hinted.match.similarity == plain.match.similarity
    exact = validator.check("Staff get 25 days", context_hint="leave policy")
    assert exact.confidence == 1.0


PARAPHRASE: dict[str, Any] = {
    "evidence_type": EvidenceType.PARAPHRASE,
    "confidence_threshold": 0.6,
}


# --- the document that a claim names --------------------------------------------------------------


@pytest.fixture(scope="module")
def library() -> Validator:
    return Validator(
        [
            document_from_text("# A\n\nStaff get 25 days of leave.", "rules/leave.md"),
            document_from_text("# B\n\nStaff get 30 days of leave.", "old/leave.md"),
            document_from_text("# C\n\nTravel is booked early.", "travel.md"),
            document_from_text("# D\n\nTravel is booked very late.", "archive/travel.md"),
        ]
    )


@pytest.mark.parametrize(
    ("quote", "source", "status"),
    [
        ("Staff get 25 days of leave", "rules/leave.md", Status.VALIDATED),
        ("Staff get 25 days of leave", "RULES/Leave.md", Status.VALIDATED),
        ("Staff get 25 days of leave", "leave.md", Status.VALIDATED),
        ("Staff get 25 days of leave", "rules/leave", Status.VALIDATED),
        ("Staff get 25 days of leave", "/home/us/rules/leave.md", Status.VALIDATED),
        ("Staff get 25 days of leave", "old/leave.md", Status.FAILED),
        ("Staff get 25 days of leave", "new/leave.md", Status.FAILED),
        ("Travel is booked early", "travel.md", Status.VALIDATED),
        ("Travel is booked very late", "travel.md", Status.FAILED),  # travel.md is another one
        ("Travel is booked very late", "travel", Status.VALIDATED),
    ],
)
def test_a_claim_may_name_its_document(
    library: Validator, quote: str, source: str, status: Status
) -> None:
    result = library.check(quote, source=source)
    assert result.status is status
    if status is Status.FAILED:
        assert result.reason is FailureReason.CONTEXT_MISMATCH
        is_known = not result.notes
        assert result.fidelity is (Fidelity.MISATTRIBUTED if is_known else None)
        assert result.found_at is not None
        assert result.found_at.text == quote


def test_a_source_that_is_not_there_is_warned_of_and_nothing_is_said_of_its_words(
    library: Validator,
) -> None:
    for quote in ("Staff get 25 days of leave", "Dogs are welcome on Fridays"):
        result = library.check(quote, source="dogs.md")
        assert result.status is Status.FAILED
        assert result.fidelity is None
        assert [note.code for note in result.notes] == ["UNKNOWN_SOURCE"]
        assert "'dogs.md'" in result.notes[0].message


# --- strict ---------------------------------------------------------------------------------------


# --- time -----------------------------------------------------------------------------------------


def ticking(step: float) -> Callable[[], float]:
    """A clock that goes on by `step` seconds each time it is looked at."""
    return count(0.0, step).__next__


def limited(seconds: float, step: float) -> Validator:
    config = ValidationConfig.from_mapping(
        {"performance_limits": {"max_processing_time_seconds": seconds}}
    )
    return Validator([document_from_text(LEAVE, "leave.md")], config, clock=ticking(step))


def test_when_the_time_is_up_what_is_finished_is_returned() -> None:
    claims = [Claim(f"EV{n}", "Staff get 25 days of leave") for n in range(100)]
    seen: list[tuple[int, int]] = []
    report = limited(60.0, 1.0).validate(claims, progress=lambda *state: seen.append(state))
    finished = [result.claim.id for result in report.results]
    assert 0 < len(finished) < 100
    assert report.ok is False
    (error,) = report.errors
    assert error.code == "PROCESSING_ERROR"
    assert [*finished, *error.affected_claims] == [claim.id for claim in claims]
    assert "max_processing_time_seconds" in error.message
    assert report.summary.total == report.summary.validated == len(finished)
    assert seen == [(n + 1, 100) for n in range(len(finished))]
    wire = report.to_dict()
    assert wire["ok"] is False
    assert wire["errors"][0]["affected_claims"] == list(error.affected_claims)


def test_a_run_that_takes_more_memory_than_it_may_returns_what_is_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = ValidationConfig.from_mapping({"performance_limits": {"max_memory_mb": 20}})
    taken = count(0, 1024 * 1024)
    monkeypatch.setattr("veridical.validation.validator._resident_bytes", taken.__next__)
    claims = [Claim(f"EV{n}", "Staff get 25 days of leave", context_hint="a") for n in range(100)]
    report = Validator([document_from_text(LEAVE, "leave.md")], config).validate(claims)
    assert len(report.results) < 100
    (error,) = report.errors
    assert error.details == {"max_memory_mb": 20}
    assert "the memory limit of 20 MB was reached" in error.message


def test_when_there_is_no_time_at_all() -> None:
    report = limited(1.0, 10.0).validate([Claim("EV1", "Staff get 25 days")])
    assert report.results == ()
    assert report.errors[0].affected_claims == ("EV1",)
    with pytest.raises(ProcessingError, match="time limit of 1 seconds"):
        limited(1.0, 10.0).check("Staff get 25 days")


# --- documents and claims -------------------------------------------------------------------------


def test_no_documents() -> None:
    with pytest.raises(NoDocumentsError, match="no documents were given"):
        Validator([])


def test_limits() -> None:
    limits = {"max_document_size_mb": 0.001, "max_claims": 2}
    config = ValidationConfig.from_mapping({"performance_limits": limits})
    with pytest.raises(ValidationError, match=r"large: the document has 0\.01 MB, the limit is"):
        Validator([document_from_text("word " * 2000, "large")], config)
    with pytest.raises(ValidationError, match="3 claims, the limit is 2"):
        Validator([document_from_text("Some text.")], config).validate([Claim("1", "text")] * 3)


def test_an_own_embedder_takes_the_place_of_the_embedded_one() -> None:
    import numpy as np

    class Letters:
        """Texts are near each other if they share their first letter."""

        calls = 0

        def embed(self, texts: Any) -> Any:
            self.calls += 1
            rows = np.zeros((len(texts), 128), np.float32)
            for row, text in enumerate(texts):
                rows[row, ord(text[0]) % 128] = 1.0
            return rows

    embedder = Letters()
    document = document_from_text("Quarterly figures rose.\n" * 3, "q.txt")
    result = Validator([document], embedder=embedder).check(
        "Quoth the raven: nevermore", evidence_type=EvidenceType.CONCEPT_REFERENCE
    )
    assert embedder.calls
    assert result.match is not None
    assert result.match.match_type is MatchType.SEMANTIC


def test_warnings_of_documents_are_passed_on() -> None:
    document = Document("a.pdf", "Some text.", warnings=("page 2 holds no text",))
    report = Validator([document]).validate([])
    assert [(n.code, n.message, n.claim_id) for n in report.notes] == [
        ("DOCUMENT", "a.pdf: page 2 holds no text", None)
    ]


def test_nothing_of_the_text_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = Validator([document_from_text("The password is zanzibar seven.", "s.txt")])
    secret.check("The password is zanzibar eight")
    secret.check("password zanzibar", evidence_type=EvidenceType.CONCEPT_REFERENCE)
    assert "zanzibar" not in caplog.text
