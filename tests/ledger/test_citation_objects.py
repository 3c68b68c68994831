"""Citations as Anthropic's API has them: read with care, checked, and written."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.ledger.ledgers import LEAVE, TRAVEL, document, documents

from veridical import Document, Fidelity, Page, check_quotes, document_from_text
from veridical.errors import ValidationError
from veridical.ledger.verification import EvidenceStatus
from veridical.ledger.verify_given import check_given_citations
from veridical.ledger.wire_given import CitedAnswer, GivenCitation, read_cited
from veridical.sources.document import Span

HELD, MOVED, ALTERED, ORPHANED = EvidenceStatus
TAXIS = "Taxis are not repaid."
AT = TRAVEL.index(TAXIS)


def location(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "cited_text": TAXIS, **more}


CITATIONS = [
    location(
        "char_location",
        document_index=1,
        document_title="travel.md",
        start_char_index=AT,
        end_char_index=AT + len(TAXIS),
    ),
    location("page_location", document_index=0, start_page_number=2, end_page_number=3),
    location("content_block_location", document_index=0, start_block_index=0, end_block_index=1),
    location("search_result_location", source="travel.md", start_block_index=0, end_block_index=1),
    location("web_search_result_location", url="https://example.org/travel", title="Travel"),
]
ANTHROPIC: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": "Let me see.", "signature": "x"},
    {"type": "text", "text": "As the rules say, "},
    {"type": "text", "text": "taxis are not repaid", "citations": CITATIONS},
    {"type": "text", "text": ".", "citations": None},
]


def test_anthropic_citations_are_read():
    answer = read_cited(ANTHROPIC)
    assert answer.text == "As the rules say, taxis are not repaid."
    chars, pages, blocks, search, web = answer.citations
    assert {answer.text[c.span.start : c.span.end] for c in answer.citations} == {
        "taxis are not repaid"
    }
    assert chars.source_span == Span(AT, AT + len(TAXIS))
    assert (chars.title, chars.document_index) == ("travel.md", 1)
    assert pages.pages == Span(2, 3)
    assert blocks.blocks == Span(0, 1)
    assert search.url == "travel.md"
    assert web.url == "https://example.org/travel"
    assert read_cited({"type": "message", "content": ANTHROPIC}) == answer


def with_value(blocks: Any, path: tuple[str | int, ...], value: Any) -> Any:
    data = copy.deepcopy(blocks)
    place = data
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return data


CITED = (2, "citations", 0)


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ((1,), "text", "content[1]"),
        ((1, "text"), 5, "content[1].text"),
        ((2, "citations"), {}, "content[2].citations"),
        ((2, "citations"), [{}] * 10_001, "content[2].citations"),
        ((*CITED, "type"), "moon_location", "content[2].citations[0].type"),
        ((*CITED, "cited_text"), "x" * 1_000_001, "content[2].citations[0].cited_text"),
        ((*CITED, "document_index"), True, "content[2].citations[0].document_index"),
        ((*CITED, "document_index"), -1, "content[2].citations[0].document_index"),
        ((*CITED, "document_title"), ["x"], "content[2].citations[0].document_title"),
        ((*CITED, "end_char_index"), 0, "content[2].citations[0].end_char_index"),
        ((*CITED, "start_char_index"), 10**30, "content[2].citations[0].start_char_index"),
        ((2, "citations", 1, "start_page_number"), 0, "content[2].citations[1].start_page_number"),
    ],
)
def test_what_anthropic_never_sends_is_named(path, value, named):
    with pytest.raises(ValidationError) as caught:
        read_cited(with_value(ANTHROPIC, path, value))
    assert caught.value.details["path"] == named
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", [None, 5, "text", {}, [None], [[]]])
def test_what_is_no_message_is_refused(value):
    with pytest.raises(ValidationError):
        read_cited(value)


def cited(
    text: str | None, title: str | None = "travel.md", start: int | None = None, **more: Any
) -> CitedAnswer:
    if text is not None and start is not None:
        more["source_span"] = Span(start, start + len(text))
    return CitedAnswer("So.", (GivenCitation("char_location", Span(0, 3), text, title, **more),))


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (cited(TAXIS, start=AT), HELD),
        (cited(TAXIS), HELD),
        (cited(TAXIS, start=0), MOVED),
        (cited(TAXIS, start=10**9), MOVED),
        (cited("taxis are not repaid", start=AT), MOVED),
        (cited("Taxis are repaid.", start=AT), ALTERED),
        (cited("Claims must reach the finance office within 0 days."), ALTERED),
        (cited("Yachts are paid for by the chairman of the board himself."), ORPHANED),
        (cited("Staff get *25 days* of paid leave a year.", "leave.md"), HELD),
        (cited("Staff get 25 days of paid leave a year.", "Leave"), MOVED),
        (cited(TAXIS, "leave.md"), ORPHANED),
    ],
)
def test_cited_words_are_looked_for_in_the_document_that_is_named(answer, status):
    (check,) = check_given_citations(answer, documents())
    assert check.status is status
    assert check.ok is (status in (HELD, MOVED))


def test_a_changed_number_is_shown():
    changed = cited(LEAVE[9:50].replace("25", "52"), "leave.md")
    (check,) = check_given_citations(changed, documents())
    assert [(change.quoted, change.source) for change in check.changes] == [("52", "25")]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (cited(TAXIS, "unknown.md"), "not among those given"),
        (cited(TAXIS, None), "names no document"),
        (cited(TAXIS, None, document_index=9), "not among those given"),
        (cited(None), "quotes nothing"),
        (cited("  "), "quotes nothing"),
    ],
)
def test_what_cannot_be_checked_says_why_and_no_name_is_guessed(answer, problem):
    (check,) = check_given_citations(answer, documents())
    assert check.status is None
    assert not check.ok
    assert problem in check.problem
    twice = [document(TRAVEL, "a/travel.md"), document(TRAVEL, "b/travel.md")]
    (check,) = check_given_citations(cited(TAXIS), twice)
    assert "may mean any of a/travel.md, b/travel.md" in check.problem


@pytest.mark.parametrize(("pages", "status"), [((2, 3), HELD), ((1, 3), HELD), ((1, 2), MOVED)])
def test_pages_are_compared(pages, status):
    text = "First page.\n" + TAXIS
    paged = Document("p.pdf", text, pages=(Page(1, Span(0, 12)), Page(2, Span(12, len(text)))))
    (check,) = check_given_citations(cited(TAXIS, "p.pdf", pages=Span(*pages)), [paged])
    assert check.status is status
    assert check.now is not None
    assert check.now.page == 2


@pytest.mark.parametrize(
    ("quoted", "status"),
    [
        ("Former interns are ... years after their never", ALTERED),
        ("Former interns are ... years after their internship", ALTERED),
        ("Former yachts were ... miles below the never", ORPHANED),
    ],
)
def test_a_changed_quote_with_an_ellipsis_is_altered_as_in_the_validation(quoted, status):
    text = (
        "Former interns are told of the posts that are open to everybody else in the company and "
        "may apply for each of them as staff do for up to two years after their internship ended."
    )
    source = document_from_text(text, "leave.md")
    (check,) = check_given_citations(cited(quoted, "leave.md"), [source])
    (result,) = check_quotes([quoted], [source]).results
    assert check.status is status
    assert (result.fidelity is Fidelity.FABRICATED) is (status is ORPHANED)
    assert bool(check.changes) is (status is ALTERED)
