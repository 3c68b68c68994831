"""Text fragments: links that tell the very words."""

from __future__ import annotations

import html

import pytest

from veridical import Document, document_from_text
from veridical.ledger import text_fragments
from veridical.ledger.text_fragments import TextFragments
from veridical.sources.document import Format, Page, Span

URL = "https://example.org/leave"


def page(*blocks: str) -> Document:
    body = "".join(f"<p>{html.escape(block)}</p>\n" for block in blocks)
    return document_from_text(f"<!doctype html><body>{body}", "page.html", Format.HTML)


def span_of(document: Document, words: str, at: int = 0) -> Span:
    start = document.text.index(words, at)
    return Span(start, start + len(words))


def directive_of(document: Document, words: str, at: int = 0) -> str | None:
    return TextFragments(document).directive(span_of(document, words, at))


LONG = " ".join(f"word{n}" for n in range(100))
WORDS = [
    (["Staff get 25 days of leave."], "25 days", "25%20days"),
    (["So - it, is A&B-C 100% sure."], "it, is A&amp;B-C 100%", "it%2C%20is%20A%26B%2DC%20100%25"),
    (["may may may"], "may may", "may%20may,-may"),
    (
        ["The CAFÉ’s rule.", "the cafe's rule"],  # typography does not tell words apart
        "the cafe&#x27;s rule",
        "The%20CAF%C3%89%E2%80%99s%20rule.-,the%20cafe%27s%20rule",
    ),
    (
        [LONG],
        LONG,
        "word0%20word1%20word2%20word3%20word4,word95%20word96%20word97%20word98%20word99",
    ),
    (
        ["It begins here.", "And it ends there, later."],
        "begins here.</p>\n<p>And it ends there",
        "begins%20here.,And%20it%20ends%20there",
    ),
]


@pytest.mark.parametrize(("blocks", "words", "told"), WORDS)
def test_words_are_told_so_that_no_others_are_meant(
    blocks: list[str], words: str, told: str
) -> None:
    assert directive_of(page(*blocks), words) == f"text={told}"


def test_words_that_stand_twice_get_what_is_around_them() -> None:
    document = page("Staff get 25 days.", "Managers get 25 days.", "Interns get 25 days")
    second = document.text.index("Managers")
    assert directive_of(document, "25 days", second) == "text=Managers%20get-,25%20days,-."


def test_the_same_words_with_the_same_around_them_have_no_link() -> None:
    same = page(*["a 25 days b"] * 40)
    middle = span_of(same, "25 days", len(same.text) // 2)
    assert TextFragments(same).directive(middle) is None
    assert TextFragments(same).link(f"{URL}#top", middle) == URL


def test_markup_is_no_part_of_the_words() -> None:
    text = "<body><p>Staff get <em>25&nbsp;days</em> of\n   leave<br>a year.</p><!-- get --></body>"
    document = document_from_text(text, "a.html", Format.HTML)
    span = Span(text.index("get"), text.index("<br>"))
    assert TextFragments(document).directive(span) == "text=get%2025%20days%20of%20leave"


def test_a_pdf_is_opened_at_its_page() -> None:
    document = Document(
        "a.pdf", "one\ntwo", Format.PDF, pages=(Page(1, Span(0, 3)), Page(2, Span(4, 7)))
    )
    assert TextFragments(document).link(f"{URL}.pdf", Span(4, 7)) == f"{URL}.pdf#page=2"
    assert TextFragments(document).directive(Span(4, 7)) is None


def test_a_long_document_and_what_is_not_shown_have_no_links(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(text_fragments, "MOST_PAGE_CHARS", 5)
    assert directive_of(page("Staff get 25 days."), "25 days") is None
    monkeypatch.undo()
    for span in (Span(0, 0), Span(0, 3), Span(10**9, 10**9 + 5)):  # where nothing is shown
        assert TextFragments(page("Staff get 25 days.")).directive(span) is None
