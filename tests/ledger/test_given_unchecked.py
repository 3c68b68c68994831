"""Nothing that cites is passed over: it is checked, or it is told that it is not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.ledger.ledgers import documents

from veridical import Format, document_from_text
from veridical.ledger.verification import EvidenceStatus
from veridical.ledger.verify_given import GivenCitationCheck, check_given_citations
from veridical.ledger.wire_given import read_cited

HELD, MOVED, ALTERED, ORPHANED = EvidenceStatus
TAXIS = "Taxis are not repaid."


# --- which document -------------------------------------------------------------------------------


def char_location(title: str | None, index: int) -> dict[str, Any]:
    where = {"document_index": index, "start_char_index": 0, "end_char_index": 5}
    return {"type": "char_location", "cited_text": TAXIS, "document_title": title, **where}


def of_anthropic(*citations: dict[str, Any]) -> tuple[GivenCitationCheck, ...]:
    blocks = [{"type": "text", "text": "So.", "citations": list(citations)}]
    return check_given_citations(read_cited(blocks), documents())


@pytest.mark.parametrize("title", [None, "", " ", "travel.md", "Travel"])
def test_a_number_counts_only_where_there_is_no_title(title: str | None) -> None:
    (check,) = of_anthropic(char_location(title, 1))
    assert (check.ok, check.document) == (True, "travel.md")
    (check,) = of_anthropic(char_location("gone.md", 1))
    assert (check.status, check.document) == (None, None)
    assert check.problem == "'gone.md', which it names, is not among those given"


@pytest.mark.parametrize(
    ("source", "title", "told"),
    [
        ("https://a.org/leave.md", "travel.md", "means travel.md, but its address leave.md"),
        ("http://[x", None, "is not among those given"),
    ],
)
def test_what_names_two_documents_or_none_is_told(
    source: str, title: str | None, told: str
) -> None:
    where = {"source": source, "title": title, "start_block_index": 0, "end_block_index": 1}
    (check,) = of_anthropic({"type": "search_result_location", "cited_text": TAXIS, **where})
    assert check.status is None
    assert told in check.problem


# --- replies of services --------------------------------------------------------------------------


def test_content_blocks_and_citations_of_other_blocks_are_told_as_not_checked() -> None:
    where = {"document_index": 1, "start_block_index": 3, "end_block_index": 4}
    (check,) = of_anthropic({"type": "content_block_location", "cited_text": TAXIS, **where})
    assert (check.status, check.not_checked) == (HELD, ("the content blocks",))
    blocks = [{"type": "text", "text": "So."}, {"type": "quote", "citations": [{}]}]
    answer = read_cited(blocks)
    (check,) = check_given_citations(answer, documents())
    assert check.problem == "content[1]: citations of such a block are not read"
    assert answer.uncited == 1


# --- words that nobody sees -----------------------------------------------------------------------


COMMENT = "<!-- Employees get 99 days of leave --> Visible words."
SCRIPT = "<script>var days = 99;</script><p>Visible words.</p>"
FRONT = "---\nnote: the secret bonus is 9000 euros\n---\nStaff work here."
HIDDEN = [
    (COMMENT, Format.MARKDOWN, "Employees get 99 days of leave --> Visible"),
    (f"<p>{COMMENT}</p>", Format.HTML, "Employees get 99 days of leave --> Visible"),
    (SCRIPT, Format.HTML, "var days = 99;"),
    (FRONT, Format.MARKDOWN, "secret bonus is 9000 euros\n---\nStaff"),
]


@pytest.mark.parametrize(("text", "form", "words"), HIDDEN)
def test_hidden_words_are_not_held(text: str, form: Format, words: str) -> None:
    start = text.index(words)
    where = {"start_char_index": start, "end_char_index": start + len(words)}
    cited = {**char_location("d", 0), "cited_text": words, **where}
    blocks = [{"type": "text", "text": "So it is.", "citations": [cited]}]
    (check,) = check_given_citations(read_cited(blocks), [document_from_text(text, "d", form)])
    assert not check.ok
