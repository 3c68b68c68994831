"""The HTML report: what the claims say, where links lead, and what hostile text reads as."""

from __future__ import annotations

from typing import Any

import pytest
from tests.reports.hostile import hostile_report
from tests.validation.report_page import (
    HOSTILE,
    TEXT,
    check_links,
    held,
    highlighted,
    lost,
    match,
    parse,
    report,
    squeezed,
)

from veridical.sources.document import Document, Format
from veridical.validation.claims import Claim
from veridical.validation.reports.html import render_html
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Fidelity,
    Note,
    RunError,
    Status,
)

# --- what the page says --------------------------------------------------------------------------


LOW = FailureReason.LOW_CONFIDENCE
HERE = match(Document("policy.md", TEXT), 0, 16)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({}, "Nothing close enough stands in the documents."),
        ({"reason": FailureReason.MULTIPLE_MATCHES}, "It stands in more than one place"),
        ({"reason": LOW, "confidence": 0.5}, "The confidence of 50 % is below"),
        ({"reason": LOW, "confidence": 0.9}, "a person must decide"),
        ({"fidelity": Fidelity.ALTERED}, "The words were changed."),
        ({"reason": FailureReason.CONTEXT_MISMATCH}, "not in the place or context"),
        (
            {"fidelity": Fidelity.MISATTRIBUTED, "found_at": HERE, "source": "other.md"},
            "do not stand in other.md.",
        ),
        (
            {"fidelity": Fidelity.MISATTRIBUTED, "found_at": HERE, "expected_section": "9"},
            "do not stand in section 9.",
        ),
        (
            {"fidelity": Fidelity.MISATTRIBUTED, "found_at": HERE},
            "do not stand where the claim says.",
        ),
    ],
)
def test_a_failed_claim_says_why(more: dict[str, Any], reason: str) -> None:
    said = {key: more.pop(key) for key in ("source", "expected_section") if key in more}
    settings = {"status": Status.FAILED, "confidence": 0.0, **more}
    page = parse(render_html(report(ClaimResult(Claim("EV001", "words", **said), **settings))))
    assert reason in page.by_id("EV001").all("p", "why")[0].text


@pytest.mark.parametrize(
    ("validated", "total", "rate"), [(999, 1000, "99 %"), (1000, 1000, "100 %"), (29, 100, "29 %")]
)
def test_a_rate_is_never_rounded_up(validated: int, total: int, rate: str) -> None:
    document = Document("policy.md", TEXT)
    results = [held(f"V{n}", match(document, 0, 5)) for n in range(validated)]
    results += [lost(f"F{n}") for n in range(total - validated)]
    page = render_html(report(*results, documents=(document,)))
    assert f"({rate})" in page


def test_errors_notes_and_document_facts_are_shown() -> None:
    document = Document("a.pdf", TEXT, Format.PDF, warnings=("page 3 is a picture",))
    made = report(
        documents=(document,),
        errors=(RunError("DOCUMENT_PARSING_ERROR", "b.pdf is broken", {}, ("EV001",)),),
        notes=(Note("EMPTY", "nothing in c.txt"),),
        strict=True,
    )
    text = squeezed(parse(render_html(made, generated="2026-11-01")).text)
    for part in (
        "No claim was checked.",
        "document parsing error: b.pdf is broken Claims: EV001.",
        "nothing in c.txt",
        "page 3 is a picture",
        f"sha256 {document.sha256[:12]}",
        "2026-11-01",
        "strict",
    ):
        assert part in text


# --- links ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ids", "anchors"),
    [
        (["EV001", "a.b-c_d"], ["EV001", "a.b-c_d"]),
        (["EV001", "EV001"], ["EV001", "claim:2"]),
        (["p:search", "m:1", "", "a b", 'x" onclick="y', "é"], [f"claim:{n}" for n in range(1, 7)]),
    ],
)
def test_a_claim_is_known_by_its_own_id_where_that_can_be_a_fragment(
    ids: list[str], anchors: list[str]
) -> None:
    page = parse(render_html(report(*[lost(name) for name in ids])))
    assert [row.attributes["id"] for row in page.all("li", "claim")] == anchors


def test_ids_are_unique_and_every_link_leads_somewhere_in_the_page() -> None:
    one, two = Document("a", TEXT), Document("b", TEXT)
    results = [
        held("d", match(one, 0, 5), alternatives=(match(two, 0, 5), match(one, 0, 5))),
        held("m", match(one, 0, 5), Status.AMBIGUOUS),
        held("g", match(Document("unlisted", TEXT), 3, 9)),
        lost("p"),
    ]
    page = parse(render_html(report(*results, documents=(one, two))))
    check_links(page)
    assert [squeezed(tab.text) for tab in page.all(name="tab")] == ["a 1", "b 0", "unlisted 1"]


@pytest.mark.parametrize("text", HOSTILE[:8])
def test_hostile_text_reads_as_it_was_written(text: str) -> None:
    page = parse(render_html(hostile_report(text), title=text))
    assert page.all("blockquote")[0].text == text
    assert highlighted(page, 2) == text or text in highlighted(page, 2) + highlighted(page, 1)
    assert page.all("h1")[0].text == text


@pytest.mark.parametrize(
    ("quote", "marker"),
    [
        ("pay \u202eevil", "[RLO]"),
        ("\u2066a\u2069", "[LRI]a[PDI]"),
        ("a\u200bb", "a[ZWSP]b"),
        ("a\U000e0041b", "a[U+E0041]b"),
    ],
)
def test_invisible_controls_of_a_quote_are_made_visible(quote: str, marker: str) -> None:
    page = parse(render_html(report(lost("EV1", quote))))
    (shown,) = page.all("blockquote")
    assert marker in shown.text
    assert shown.all("bdi")
