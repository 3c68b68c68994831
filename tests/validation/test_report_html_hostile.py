"""The HTML report: what hostile text cannot do to it."""

from __future__ import annotations

import re

import pytest
from tests.validation.report_page import (
    HOSTILE,
    check_policy,
    highlighted,
    lost,
    match,
    parse,
    report,
)

from veridical.matching.match import MatchType
from veridical.sources.document import Document, Format, Section
from veridical.sources.span import Span
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.differences import (
    Alteration,
    AlterationKind,
    Comparison,
    DiffPart,
)
from veridical.validation.reports.html import render_html
from veridical.validation.results import (
    Attempt,
    ClaimResult,
    FailureReason,
    Fidelity,
    Note,
    RunError,
    Status,
    ValidationReport,
)

# --- hostile text --------------------------------------------------------------------------------


def hostile_report(text: str) -> ValidationReport:
    section = Section(text, 1, 1, Span(0, 3), 9, (text,))
    document = Document(text, f"{text} and {text}", Format.MARKDOWN, (section,), warnings=(text,))
    where = match(document, 0, len(text), MatchType.FUZZY)
    result = ClaimResult(
        Claim(text, text, EvidenceType.DIRECT_QUOTE, text, text, text, text),
        Status.FAILED,
        0.0,
        reason=FailureReason.CONTEXT_MISMATCH,
        fidelity=Fidelity.ALTERED,
        found_at=where,
        comparison=Comparison(
            (),
            (Alteration(AlterationKind.NAME, text, text),),
            (DiffPart(text, text, equal=True), DiffPart(text, text, equal=False)),
        ),
        alternatives=(where,),
        attempts=(Attempt(where, text), Attempt(match(document, 1, 3), text)),
        suggestions=(text,),
        notes=(Note(text, text, text),),
    )
    error = RunError(text, text, {}, (text,))
    return report(result, documents=(document,), errors=(error,), notes=(Note(text, text, text),))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    def shape(page: str) -> list[tuple[str, list[str]]]:
        nodes = parse(page).all()
        return [(n.tag, sorted(n.attributes)) for n in nodes if "ctl" not in n.classes]

    tame = re.sub(r"[^\s]", "x", text.translate(dict.fromkeys(range(8234, 8298), "x")))
    page = render_html(hostile_report(text), title=text, generated=text)
    # one mark may be split where the text has a line break; the elements are otherwise the same
    assert shape(page) == shape(render_html(hostile_report(tame), title=tame, generated=tame))
    page.encode("utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", page)


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


def test_the_page_asks_nothing_of_any_network_and_allows_only_its_own_code() -> None:
    check_policy(parse(render_html(hostile_report("https://example.org/x.js"))))
