"""The answer of a session as it is shown: Markdown, with claims and citations that are links."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.judging.judge import Case, JudgeFailure, Judgement, OperatingPoint, SupportLevel
from veridical.ledger.build import LedgerBuilder
from veridical.retrieval.corpus import Corpus
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.service.pages.answer import answer_html
from veridical.service.pages.claims import claims_of
from veridical.sources.loader import document_from_text

LEAVE = "Employees get 27 days of annual leave. Up to five days may be carried over."
TAGS = set(
    "a sup p h3 h4 h5 h6 ul li span blockquote div table tr th td pre code em strong s hr".split()
)


class FirstSentence:
    """A judge for whom the first sentence of a passage decides each claim."""

    name = "first sentence"
    point = OperatingPoint.STRICT

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        full = Judgement(SupportLevel.FULL, 0.9, 0.9, 0.0, False, 1.0, (0, 1), "")
        none = Judgement(SupportLevel.NONE, 0.0, 0.0, 0.0, False, 0.0, (0, 1), "")
        return [none if "Parking" in " ".join(case.sentences) else full for case in cases]


class Read(HTMLParser):
    """The elements of a piece of HTML, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def shown(answer: str, texts: Mapping[str, str] = MappingProxyType({"leave.md": LEAVE})) -> str:
    corpus = Corpus([document_from_text(text, name) for name, text in texts.items()])
    ledger = LedgerBuilder(corpus, judge=FirstSentence()).build(answer)
    view = LedgerView(
        mark=cast("Any", None),
        inquiry=cast("Any", SimpleNamespace(id="S-1")),
        ledger=ledger,
        reviews=(),
        standing={},
        sources={source.id: source for source in ledger.sources},
        texts={},
        versions={source.id: 3 for source in ledger.sources},
    )
    return str(answer_html(view, claims_of(view, None)))


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("## Leave\n\n#### More", "<h3>Leave</h3>\n<h5>More</h5>"),
        ("It is *so*, **so** ~~no~~.", r"<em>so</em>, <strong>so</strong> <s>no</s>"),
        ("> Hello there", "<blockquote><p>Hello there</p></blockquote>"),
        ("```\nx = 1\n  y < 2\n```", "<pre><code>x = 1\n  y &lt; 2</code></pre>"),
        ("Hi\n\n---\n\nBye", "<p>Hi</p>\n<hr>\n<p>Bye</p>"),
        ("1. Hi\n2. Bye", '<span class="list-mark">1.</span> Hi'),
        ("| a | b |\n|---|---|\n| ? | ! |", "<th>b</th></tr><tr><td>?</td><td>!</td>"),
        ('Hi <b class="x">you</b> [there](javascript:x)!', "<p>Hi you there!</p>"),
        ("Hi <b onclick='x()'>you</b>!", "&lt;b onclick=&#39;x()&#39;&gt;you"),
    ],
)  # fmt: skip
def test_markdown_is_shown_as_what_it_means(markdown: str, html: str) -> None:
    assert html in re.sub(r"</?a\b[^>]*>|<sup>\d+</sup>", "", shown(markdown))


def test_each_claim_is_underlined_word_for_word_and_numbered_once() -> None:
    html = shown("Employees get **27 days** of leave [1], as said. *New* staff get 30 days.")
    links = re.findall(r'<a class="said said-supported" id="said-(\d+)"[^>]*>(.*?)</a>', html)
    assert links[0] == ("1", "Employees get <strong>27 days</strong> of leave ")
    assert links[1] == ("2", "<em>New</em> staff get 30 days<sup>2</sup>")
    assert html.count("<sup>1</sup>") == 1


def test_a_claim_in_a_table_is_underlined_in_each_cell() -> None:
    html = shown("| who | days |\n|---|---|\n| New staff | 27 |")
    assert len(re.findall(r'<td><a class="said [^>]*data-n="1"', html)) == 2
    assert html.count('id="said-1"') == 1


def test_a_citation_leads_to_the_words_in_its_source() -> None:
    html = shown("Employees get 27 days of leave [1].\n\nSources:\n1. leave.md")
    found = re.search(r'<a class="cited" href="([^"]+)"[^>]*data-words="([^"]+)"', html)
    assert found
    assert "version=3" in found[1]
    assert "start=0" in found[1]
    assert found[2] == "/sessions/S-1/claims/1/words?source=0"
    listed = "Employees get 27 days of leave [7].\n\nSources:\n1. leave.md"
    assert 'class="cited broken" href="#claim-1"' in shown(listed)


def test_numbers_that_markdown_defines_keep_their_brackets() -> None:
    html = shown("Employees get 27 days of leave [1].\n\n[1]: leave.md")
    assert re.search(r'<a class="cited" [^>]*title="leave.md">\[1\]</a>', html)


def test_without_a_source_list_no_citation_is_called_wrong() -> None:
    html = shown("Employees get 27 days of leave [1].")
    assert 'class="cited unlisted"' in html
    assert "broken" not in html


def test_a_citation_of_the_wrong_source_is_marked_and_says_why() -> None:
    listed = "Employees get 27 days of leave [2].\n\nSources:\n[1] leave.md\n[2] parking.md"
    html = shown(listed, {"leave.md": LEAVE, "parking.md": "Parking costs 12 euros a month."})
    marked = re.search(r'<a class="cited broken" href="([^"]+)"[^>]*title="([^"]+)">', html)
    assert marked
    assert marked[1].startswith("/documents/")
    assert marked[2].startswith("parking.md: the cited passage does not bear")


@given(st.text(alphabet="ab *_`~<>[]()|#-\n1.&\"'!/", max_size=120))
def test_nothing_of_an_answer_becomes_markup_of_its_own(answer: str) -> None:
    read = Read(shown(f"Employees get 27 days of leave. {answer}"))
    assert {tag for tag, _ in read.elements} <= TAGS
    ids = [given["id"] for _, given in read.elements if "id" in given]
    assert len(set(ids)) == len(ids)
    for _, attributes in read.elements:
        assert set(attributes) <= {
            "class", "id", "href", "data-n", "data-words", "title",
            "tabindex", "role", "aria-label",
        }  # fmt: skip
        assert (attributes.get("href") or "#").startswith(("#claim-", "/documents/", "#"))
    assert "27 days" in read.text


def test_markers_that_overlap_show_each_letter_once() -> None:
    html = shown("Employees get 27 days of leave [1][2] [1, 2], as said [[1]].")
    words = Read(re.sub(r"<sup>\d+</sup>", "", html)).text
    assert words == "Employees get 27 days of leave [1][2] [1, 2], as said [[1]]."


def test_code_in_a_quote_is_shown_without_its_marks() -> None:
    assert "<pre><code>x = 1</code></pre>" in shown("> ```\n> x = 1\n> ```")
