"""Text fragments: they lead to the very words, by another reading of the specification too."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical import Document, document_from_text
from veridical.ledger import text_fragments
from veridical.ledger.text_fragments import TextDirective, TextFragments, parse_directives
from veridical.sources.document import Format, Page
from veridical.sources.span import Span

URL = "https://example.org/leave"


def page(*blocks: str) -> Document:
    body = "".join(f"<p>{html.escape(block)}</p>\n" for block in blocks)
    return document_from_text(f"<!doctype html><body>{body}", "page.html", Format.HTML)


def span_of(document: Document, words: str, at: int = 0) -> Span:
    start = document.text.index(words, at)
    return Span(start, start + len(words))


# --- the specification once more, in another way --------------------------------------------------

Point = tuple[int, int]
"""A block and a place in it."""


def base(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text.lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


class Browser:
    """Finds a range from a text directive, step by step as section 3.6 has it, in blocks whose
    characters fold to one character each.
    """

    def __init__(self, blocks: Sequence[str]) -> None:
        self.blocks = blocks
        assert all(len(base(char)) == 1 for block in blocks for char in block)

    def go(self, url: str) -> tuple[Point, Point] | None:  # noqa: C901 - as long as the section
        told = url.split(":~:text=")[1].split(",")
        prefix = unquote(told.pop(0)[:-1]) if told[0].endswith("-") else None
        suffix = unquote(told.pop()[1:]) if told[-1].startswith("-") else None
        start, end = unquote(told[0]), unquote(told[1]) if len(told) > 1 else None
        search: Point | None = (0, 0)
        while search is not None:
            if prefix is not None:
                match = self.find(prefix, search, True, False)
                if match is None:
                    return None
                search = self.next(match[0])
                place = self.skip_space(match[1])
                if place is None:
                    return None
                potential = self.find(start, place, False, end is not None or suffix is None)
                if potential is None:
                    return None
                if potential[0] != place:
                    continue
            else:
                potential = self.find(start, search, True, end is not None or suffix is None)
                if potential is None:
                    return None
                search = self.next(potential[0])
            ending: Point | None = potential[1]
            while ending is not None:
                if end is not None:
                    match = self.find(end, ending, True, suffix is None)
                    if match is None:
                        return None
                    potential = (potential[0], match[1])
                if suffix is None:
                    return potential
                place = self.skip_space(potential[1])
                if place is None:
                    return None
                match = self.find(suffix, place, False, True)
                if match is None:
                    return None
                if match[0] == place:
                    return potential
                if end is None:
                    break
                ending = potential[1]
        return None

    def find(self, words: str, at: Point, start: bool, end: bool) -> tuple[Point, Point] | None:
        for number in range(at[0], len(self.blocks)):
            block = self.blocks[number]
            begin = at[1] if number == at[0] else 0
            for first in range(begin, len(block) - len(words) + 1):
                last = first + len(words)
                fits = base(block[first:last]) == base(words)
                if (
                    fits
                    and (not start or bounded(block, first))
                    and (not end or bounded(block, last))
                ):
                    return (number, first), (number, last)
        return None

    def next(self, at: Point) -> Point | None:
        number, place = at[0], at[1] + 1
        if place < len(self.blocks[number]):
            return number, place
        return (number + 1, 0) if number + 1 < len(self.blocks) else None

    def skip_space(self, at: Point) -> Point | None:
        number, place = at
        while number < len(self.blocks):
            while place < len(self.blocks[number]):
                if not self.blocks[number][place].isspace():
                    return number, place
                place += 1
            number, place = number + 1, 0
        return None


def bounded(block: str, at: int) -> bool:
    return not (0 < at < len(block) and block[at - 1].isalnum() and block[at].isalnum())


WORDS = st.sampled_from(
    ["days", "Days", "leave", "of", "25", "a-b", "café", "x,y", "&", "may", "No."]
)
BLOCK = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)


@settings(max_examples=150)
@given(st.lists(BLOCK, min_size=1, max_size=6), st.data())
def test_a_fragment_leads_to_the_very_words(blocks: list[str], data: st.DataObject) -> None:
    document = page(*blocks)
    first = data.draw(st.integers(0, len(blocks) - 1))
    last = data.draw(st.integers(first, len(blocks) - 1))
    begin = data.draw(st.sampled_from(list(word_starts(blocks[first]))))
    stop = data.draw(
        st.sampled_from([e for e in word_ends(blocks[last]) if last > first or e > begin])
    )
    starts = [document.text.index("<p>")]
    for _ in blocks[1:]:
        starts.append(document.text.index("<p>", starts[-1] + 1))
    span = Span(
        starts[first] + 3 + len(html.escape(blocks[first][:begin])),
        starts[last] + 3 + len(html.escape(blocks[last][:stop])),
    )
    fragments = TextFragments(document)
    directive = fragments.directive(span)
    if directive is None:  # the same words stand elsewhere too
        return
    assert parse_directives(fragments.link(URL, span)) == (directive,)
    assert fragments.find(directive) == span
    browser = Browser([" ".join(block.split()) for block in blocks])
    assert browser.go(fragments.link(URL, span)) == ((first, begin), (last, stop))


@given(st.lists(st.integers(1, 60), min_size=1, max_size=5), st.data())
def test_words_that_stand_once_always_have_a_link(sizes: list[int], data: st.DataObject) -> None:
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    blocks = [
        " ".join(f"w{start + n}w" for n in range(size))
        for start, size in zip(starts, sizes, strict=True)
    ]
    document = page(*blocks)
    first = data.draw(st.integers(0, sum(sizes) - 1))
    last = data.draw(st.integers(first, sum(sizes) - 1))
    span = Span(
        document.text.index(f"w{first}w"), document.text.index(f"w{last}w") + len(f"w{last}w")
    )
    directive = TextFragments(document).directive(span)
    assert directive is not None
    assert TextFragments(document).find(directive) == span


def word_starts(block: str) -> Iterator[int]:
    return (at for at in range(len(block)) if not at or block[at - 1] == " ")


def word_ends(block: str) -> Iterator[int]:
    return (at for at in range(1, len(block) + 1) if at == len(block) or block[at] == " ")


# --- what the links are ---------------------------------------------------------------------------


def directive_of(document: Document, words: str, at: int = 0) -> str:
    return str(TextFragments(document).directive(span_of(document, words, at)))


def test_words_that_stand_once_need_nothing_around_them() -> None:
    assert directive_of(page("Staff get 25 days of leave."), "25 days") == "text=25%20days"


def test_signs_with_a_meaning_are_escaped() -> None:
    told = directive_of(page("So - it, is A&B-C 100% sure."), "it, is A&amp;B-C 100%")
    assert told == "text=it%2C%20is%20A%26B%2DC%20100%25"


def test_words_that_stand_twice_get_what_is_around_them() -> None:
    document = page("Staff get 25 days.", "Managers get 25 days.", "Interns get 25 days")
    second = document.text.index("Managers")
    link = TextFragments(document).directive(span_of(document, "25 days", second))
    assert link == TextDirective("25 days", prefix="Managers get")


def test_the_same_words_with_the_same_around_them_have_no_link() -> None:
    same = page(*["a 25 days b"] * 40)
    middle = span_of(same, "25 days", len(same.text) // 2)
    assert TextFragments(same).directive(middle) is None
    assert TextFragments(same).link(f"{URL}#top", middle) == URL


def test_case_accents_and_typography_do_not_tell_words_apart() -> None:
    document = page("The CAFÉ’s rule.", "the cafe's rule")
    found = TextFragments(document).directive(span_of(document, "the cafe&#x27;s rule"))
    assert found == TextDirective("the cafe's rule", prefix="rule.")


def test_long_words_and_words_over_blocks_are_told_by_both_ends() -> None:
    long = " ".join(f"word{n}" for n in range(100))
    found = TextFragments(page(long)).directive(span_of(page(long), long))
    assert found == TextDirective("word0 word1 word2", "word97 word98 word99")
    document = page("It begins here.", "And it ends there, later.")
    span = Span(document.text.index("begins"), document.text.index(", later"))
    assert TextFragments(document).directive(span) == TextDirective("begins here.", "it ends there")
    assert TextFragments(document).find(TextDirective("begins", "there")) == span


def test_markup_is_no_part_of_the_words() -> None:
    text = "<body><p>Staff get <em>25&nbsp;days</em> of\n   leave<br>a year.</p><!-- get --></body>"
    document = document_from_text(text, "a.html", Format.HTML)
    span = Span(text.index("get"), text.index("<br>"))
    assert directive_of(document, text[span.start : span.end]) == (
        "text=get%2025%C2%A0days%20of%20leave"
    )


def test_a_title_is_not_on_the_page() -> None:
    text = "<head><title>Annual leave</title></head><body><h1>Annual leave</h1><p>It is.</p></body>"
    document = document_from_text(text, "a.html", Format.HTML)
    heading = span_of(document, "Annual leave", text.index("<h1>"))
    assert TextFragments(document).directive(heading) == TextDirective("Annual leave")
    assert TextFragments(document).directive(span_of(document, "Annual leave")) is None


def test_quotes_that_the_style_puts_there_are_no_text() -> None:
    text = "<body><p>He said <q>no days</q> at all.</p></body>"
    document = document_from_text(text, "a.html", Format.HTML)
    span = Span(text.index("said"), text.index(" at all"))
    assert TextFragments(document).directive(span) == TextDirective("said no days")


def test_markdown_and_plain_text() -> None:
    markdown = document_from_text("# Leave\n\n- Staff get **25\n  days** a year.\n", "leave.md")
    span = Span(markdown.text.index("Staff"), markdown.text.index(" a year"))
    found = TextFragments(markdown).directive(span)
    assert found == TextDirective("Staff get 25", "days")
    plain = document_from_text("Staff get 25\ndays a year.", "leave.txt")
    assert TextFragments(plain).directive(span_of(plain, "get 25")) == TextDirective("get 25")


def test_words_whose_bounds_depend_on_a_dictionary_get_certain_ones() -> None:
    document = page("年次休暇は二十五日です。 次の行")
    found = TextFragments(document).directive(span_of(document, "二十五日"))
    assert found == TextDirective("二十五日", prefix="年次休暇は", suffix="です。")


def test_a_pdf_is_opened_at_its_page() -> None:
    document = Document(
        "a.pdf", "one\ntwo", Format.PDF, pages=(Page(1, Span(0, 3)), Page(2, Span(4, 7)))
    )
    assert TextFragments(document).link(f"{URL}.pdf", Span(4, 7)) == f"{URL}.pdf#page=2"
    assert TextFragments(document).directive(Span(4, 7)) is None
    assert TextFragments(document).find(TextDirective("one")) is None


@pytest.mark.parametrize("span", [Span(0, 0), Span(0, 3), Span(10**9, 10**9 + 5)])
def test_nothing_that_is_shown_has_no_link(span: Span) -> None:
    assert TextFragments(page("Staff get 25 days.")).directive(span) is None


# --- links that come in ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "directives"),
    [
        ("https://a.org/#:~:text=one", [TextDirective("one")]),
        ("#top:~:text=one%20two", [TextDirective("one two")]),
        (":~:text=one,two", [TextDirective("one", "two")]),
        ("#:~:text=a-,one,two,-b", [TextDirective("one", "two", "a", "b")]),
        ("#:~:text=a-,one", [TextDirective("one", prefix="a")]),
        ("#:~:text=one,-b", [TextDirective("one", suffix="b")]),
        ("#:~:text=one&text=two", [TextDirective("one"), TextDirective("two")]),
        ("#:~:other&text=one", [TextDirective("one")]),
        ("#:~:text=%2D%2C%26%E2%9C%93", [TextDirective("-,&✓")]),
        ("#:~:text=", []),
        ("#:~:text=a-,", []),
        ("#:~:text=a-", []),
        ("#:~:text=-,one", []),
        ("#:~:text=one,", []),
        ("#:~:text=a-,-b", []),
        ("#:~:text=one,two,three", []),
        ("#:~:text=a-,one,two,three,-b", []),
        ("#:~:text=a-b", []),
        ("#:~:text=one%", []),
        ("#:~:text=%FF", []),
        ("#:~:text=%ED%A0%80", []),
        ("https://a.org/#text=one", []),
        ("https://a.org/", []),
        ("", []),
        ("#:~:text=" + "x" * 100_000, []),
    ],
)
def test_directives_are_read_as_browsers_read_them(
    told: str, directives: list[TextDirective]
) -> None:
    assert list(parse_directives(told)) == directives


@given(st.builds(TextDirective, *[st.text(min_size=1)] * 4))
def test_what_is_written_is_read_again(directive: TextDirective) -> None:
    try:
        written = str(directive)
    except UnicodeEncodeError:  # half of a surrogate pair, which no URL can hold
        return
    assert parse_directives(f"#:~:{written}") == (directive,)


@given(st.text(max_size=60))
def test_any_fragment_is_read_or_left_out(told: str) -> None:
    document = page("one two three")
    for directive in parse_directives(f"#:~:text={told}"):
        TextFragments(document).find(directive)


@pytest.mark.parametrize(
    ("directive", "words"),
    [
        (TextDirective("GET 25"), "get 25"),
        (TextDirective("days", suffix="a year"), "days"),
        (TextDirective("days", prefix="5"), None),  # a prefix is made of whole words
        (TextDirective("25 days a year", "pay"), "25 days a year of full pay"),
        (TextDirective("ays"), None),
        (TextDirective("da"), None),
        (TextDirective("nothing"), None),
        (TextDirective(" "), None),
    ],
)
def test_where_a_directive_leads(directive: TextDirective, words: str | None) -> None:
    document = page("Staff get 25 days a year of full pay.")
    found = TextFragments(document).find(directive)
    assert (found and document.text[found.start : found.end]) == words


def test_a_search_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_fragments, "_MOST_LOOKED_AT", 5)
    document = page("a " * 50 + "b")
    assert TextFragments(document).find(TextDirective("a", suffix="b")) is None
    monkeypatch.setattr(text_fragments, "MOST_PAGE_CHARS", 5)
    assert TextFragments(document).find(TextDirective("a")) is None
