"""Nothing that cites is passed over: it is checked, or it is told that it is not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.ledger.ledgers import documents

from veridical import Document, Format, document_from_text
from veridical.ledger.verification import EvidenceStatus
from veridical.ledger.verify_given import GivenCitationCheck, check_given_citations
from veridical.ledger.wire_anthropic import answer_from_anthropic
from veridical.ledger.wire_web_annotations import answer_from_web_annotations

HELD, MOVED, ALTERED, ORPHANED = EvidenceStatus
TAXIS = "Taxis are not repaid."
INVENTED = "The chairman of the board pays for every yacht himself"
LINK = "https://a.org/travel.md#:~:text="


def quote(exact: str, **more: Any) -> dict[str, Any]:
    return {"type": "TextQuoteSelector", "exact": exact, **more}


def annotation(*selectors: Any, source: Any = "travel.md", **more: Any) -> dict[str, Any]:
    target = {"source": source, "selector": list(selectors)}
    return {"type": "Annotation", "target": target, **more}


def checked(data: object, *docs: Document) -> tuple[GivenCitationCheck, ...]:
    """What comes of annotations that go through JSON, as files do."""
    read = answer_from_web_annotations(json.loads(json.dumps(data)))
    return check_given_citations(read, docs or documents())


def fragment(value: str) -> dict[str, Any]:
    return {"type": "FragmentSelector", "value": value}


TRUE = annotation(quote(TAXIS))
XPATH = {"type": "XPathSelector", "value": "/p[1]"}
CSS = {"type": "CssSelector", "value": "p"}
PLACE = {"type": "TextPositionSelector", "start": 0, "end": 5}


# --- selectors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("selectors", "told"),
    [
        ([XPATH, quote(TAXIS)], ("XPathSelector",)),
        ([{**XPATH, "refinedBy": quote(TAXIS)}], ("XPathSelector",)),
        ([CSS, {"type": "RangeSelector"}, quote(TAXIS)], ("CssSelector", "RangeSelector")),
        ([quote(TAXIS, refinedBy=PLACE)], ("TextPositionSelector within TextQuoteSelector",)),
        ([quote(TAXIS), "urn:x"], ("the selector at “urn:x”",)),
        ([quote(TAXIS), {"value": "p"}], ("a selector without a type",)),
        ([quote(TAXIS), fragment("t=3,5")], ("FragmentSelector “t=3,5”",)),
        ([quote(TAXIS), fragment("page=7")], ("the page: the document has none",)),
        (
            [quote(TAXIS), *({"type": "PageSelector", "index": index} for index in (1, 4))],
            ("PageSelector of page 5, too", "the page: the document has none"),
        ),
        ([quote(TAXIS)], ()),
        ([quote(TAXIS), quote(TAXIS)], ()),
    ],
)
def test_what_else_selects_is_told_beside_a_quote_that_holds(
    selectors: list[Any], told: tuple[str, ...]
) -> None:
    (check,) = checked(annotation(*selectors))
    assert (check.status, check.not_checked) == (HELD, told)


@pytest.mark.parametrize(
    "target",
    [
        annotation(XPATH)["target"],
        annotation(CSS)["target"],
        annotation({"type": "RangeSelector", "startSelector": XPATH})["target"],
        annotation(fragment("section-2"))["target"],
        annotation(PLACE)["target"],
        annotation({**XPATH, "refinedBy": PLACE})["target"],
        annotation("urn:x")["target"],
        annotation({})["target"],
        "https://a.org/travel.md#section-2",
        f"{LINK}Taxis,repaid",
        {"source": "https://a.org/travel.md#section-2"},
        {"source": {"id": "travel.md", "selector": quote(TAXIS)}},
    ],
)
def test_a_target_without_words_is_not_checked(target: Any) -> None:
    first, second = checked([TRUE, {"type": "Annotation", "target": target}])
    assert first.ok
    assert (second.status, second.ok) == (None, False)
    assert "quotes nothing" in second.problem


FALSE_TARGET = annotation(quote(INVENTED))["target"]


@pytest.mark.parametrize(
    "given",
    [
        annotation(quote(TAXIS), quote(INVENTED)),
        annotation(quote(INVENTED), quote(TAXIS)),
        annotation(quote(TAXIS, refinedBy=quote(INVENTED))),
        annotation(quote(INVENTED, refinedBy=quote(TAXIS))),
        annotation(quote(TAXIS), body={**FALSE_TARGET}),
        annotation(quote(TAXIS), body={"type": "Choice", "items": [FALSE_TARGET]}),
        [TRUE, {"target": {"type": "List", "items": [FALSE_TARGET]}}],
        [TRUE, {"target": {"id": f"{LINK}The%20chairman%20pays"}}],
        [TRUE, {"type": "AnnotationPage", "items": [annotation(quote(INVENTED))]}],
        {"rows": [TRUE], "replies": [annotation(quote(INVENTED))], "total": 1},
    ],
)
def test_all_that_quotes_is_checked(given: Any) -> None:
    assert sorted(check.ok for check in checked(given)) == [False, True]


PAGED = {"type": "AnnotationPage", "items": [TRUE]}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({**PAGED, "next": "https://a.org/2"}, "annotations: there are more pages"),
        ({**PAGED, "startIndex": 20}, "annotations: there are more pages"),
        ({**PAGED, "partOf": {"id": "x", "total": 4}}, "partOf.total: it tells of 4 annotations"),
        ({"first": {**PAGED, "next": "x"}}, "annotations.first: there are more pages"),
        ({"first": {**PAGED, "id": "a"}, "last": "b"}, "its last page is not given"),
        ({"rows": [TRUE], "total": 2}, "total: it tells of 2 annotations, and 1 are given here"),
        ([TRUE, {"type": "Annotation"}], r"annotations[1]: it has no target"),
        ([TRUE, {"target": {}}], r"annotations[1].target: it names no source"),
    ],
)
def test_what_is_not_given_is_told(given: Any, told: str) -> None:
    first, second = checked(given)
    assert first.ok
    assert (second.status, second.document, second.ok) == (None, None, False)
    assert told in second.problem


def test_annotations_of_whole_documents_are_counted_and_what_is_whole_lacks_nothing() -> None:
    for whole in (
        {**PAGED, "startIndex": 0, "partOf": "x"},
        {"first": {**PAGED, "id": "a"}, "last": "a", "total": 1},
        {"rows": [TRUE], "total": 1},
    ):
        assert [check.ok for check in checked(whole)] == [True]
    targets = ["https://a.org/travel.md", {"source": "travel.md"}, {"id": "travel.md"}]
    answer = answer_from_web_annotations([TRUE, {"target": targets}])
    assert (len(answer.citations), answer.uncited) == (1, 3)


# --- which document -------------------------------------------------------------------------------


def char_location(title: str | None, index: int) -> dict[str, Any]:
    where = {"document_index": index, "start_char_index": 0, "end_char_index": 5}
    return {"type": "char_location", "cited_text": TAXIS, "document_title": title, **where}


def of_anthropic(*citations: dict[str, Any]) -> tuple[GivenCitationCheck, ...]:
    blocks = [{"type": "text", "text": "So.", "citations": list(citations)}]
    return check_given_citations(answer_from_anthropic(blocks), documents())


@pytest.mark.parametrize("title", [None, "", " ", "travel.md", "Travel"])
def test_a_number_counts_only_where_there_is_no_title(title: str | None) -> None:
    (check,) = of_anthropic(char_location(title, 1))
    assert (check.ok, check.document) == (True, "travel.md")
    (check,) = of_anthropic(char_location("gone.md", 1))
    assert (check.status, check.document) == (None, None)
    assert check.problem == "'gone.md', which it names, is not among those given"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            {"id": "https://a.org/leave.md", "label": "travel.md"},
            "means travel.md, but its address leave.md",
        ),
        ("http://[x", "is not among those given"),
    ],
)
def test_what_names_two_documents_or_none_is_told(source: Any, told: str) -> None:
    (check,) = checked(annotation(quote(TAXIS), source=source))
    assert check.status is None
    assert told in check.problem


# --- replies of services --------------------------------------------------------------------------


def test_content_blocks_and_citations_of_other_blocks_are_told_as_not_checked() -> None:
    where = {"document_index": 1, "start_block_index": 3, "end_block_index": 4}
    (check,) = of_anthropic({"type": "content_block_location", "cited_text": TAXIS, **where})
    assert (check.status, check.not_checked) == (HELD, ("the content blocks",))
    blocks = [{"type": "text", "text": "So."}, {"type": "quote", "citations": [{}]}]
    answer = answer_from_anthropic(blocks)
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
    (check,) = check_given_citations(
        answer_from_anthropic(blocks), [document_from_text(text, "d", form)]
    )
    assert not check.ok
