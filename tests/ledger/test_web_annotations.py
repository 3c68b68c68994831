"""Web Annotations: as the W3C's model has them, and back again to the same words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ledger.ledgers import (
    FULL,
    LEAVE,
    TRAVEL,
    document,
    documents,
    entry,
    ledger_of,
    piece,
    sample_ledger,
)
from tests.sources.builders import simple_pdf

from veridical import (
    Decision,
    Document,
    EntryReview,
    Verdict,
    document_from_text,
    load_document_bytes,
)
from veridical.errors import ValidationError
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.verification import EvidenceStatus
from veridical.ledger.verify_given import GivenCitationCheck, check_given_citations
from veridical.ledger.wire_web_annotations import to_web_annotations
from veridical.ledger.wire_web_annotations_read import answer_from_web_annotations
from veridical.sources.document import Format
from veridical.sources.span import Span

HELD, MOVED, ALTERED, ORPHANED = EvidenceStatus
TAXIS = "Taxis are not repaid."
PAGE = """<!doctype html><title>Leave</title><body><h1>Leave</h1>
<p>Staff get <em>25&nbsp;days</em> &amp; more of leave.</p><script>var a = "25 days";</script>
<p>Managers get <b>25</b> days of leave &#x2014; each.</p>"""


def resting_on(source: Document, *spans: Span) -> EvidenceLedger:
    answer, entries = "", []
    for number, span in enumerate(spans, 1):
        claim = f"Claim number {number}."
        entries.append(entry(claim, len(answer), FULL, [piece(source, span)]))
        answer += f"{claim} "
    return ledger_of(answer, entries, [source])


def checked(data: object, *docs: Document) -> tuple[GivenCitationCheck, ...]:
    """What comes of annotations that go through JSON, as files do."""
    read = answer_from_web_annotations(json.loads(json.dumps(data)))
    return check_given_citations(read, docs or documents())


# --- the model ------------------------------------------------------------------------------------


def collection() -> dict[str, Any]:
    return to_web_annotations(sample_ledger(), documents())


def items(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = made["first"]["items"]
    return found


def every(test: Callable[[dict[str, Any]], bool]) -> Callable[[dict[str, Any]], bool]:
    return lambda made: all(map(test, items(made)))


def selectors_of(annotation: Mapping[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = annotation["target"]["selector"]
    return found


def is_iri(value: object) -> bool:
    return (
        isinstance(value, str)
        and re.match(r"[a-z][a-z0-9+.-]*:[^\s<>\"{}|\\^`]+\Z", value) is not None
    )


# Source: W3C Web Annotation Data Model, what a MUST says of the parts that are written here.
MUSTS: Mapping[str, Callable[[dict[str, Any]], bool]] = {
    "5.1 a collection has its context": lambda c: (
        c["@context"] == "http://www.w3.org/ns/anno.jsonld"
    ),
    "5.1 a collection has one IRI": lambda c: is_iri(c["id"]),
    "5.1 a collection has its class": lambda c: c["type"] == "AnnotationCollection",
    "5.1 a total that is a number from 0": lambda c: c["total"] == len(items(c)) >= 0,
    "5.1 a collection that is not empty has a first page": lambda c: "first" in c,
    "5.2 a page has an IRI, its class and a list of annotations": lambda c: (
        is_iri(c["first"]["id"])
        and c["first"]["type"] == "AnnotationPage"
        and isinstance(c["first"]["items"], list)
        and c["first"]["startIndex"] == 0
        and c["last"] == c["first"]["id"]
    ),
    "3.1 an annotation has one IRI of its own": lambda c: (
        all(is_iri(a["id"]) for a in items(c)) and len({a["id"] for a in items(c)}) == len(items(c))
    ),
    "3.1 an annotation has its class": every(lambda a: a["type"] == "Annotation"),
    "3.1 an annotation has a target": every(lambda a: bool(a["target"])),
    "3.2.4 a textual body has its class and one value": every(
        lambda a: all(b["type"] == "TextualBody" and isinstance(b["value"], str) for b in a["body"])
    ),
    "3.3.1 times are of xsd:dateTime, in UTC, ending in Z": every(
        lambda a: a["created"].endswith("Z") and datetime.fromisoformat(a["created"]) is not None
    ),
    "3.3.5 motivations and purposes are of the vocabulary": every(
        lambda a: (
            a["motivation"] == "assessing"
            and {b["purpose"] for b in a["body"]} <= {"assessing", "commenting", "tagging"}
        )
    ),
    "4 a specific resource has one source": every(lambda a: is_iri(a["target"]["source"]["id"])),
    "4.2.1 a fragment selector has one value and says its syntax": every(
        lambda a: all(
            isinstance(s["value"], str) and is_iri(s["conformsTo"])
            for s in selectors_of(a)
            if s["type"] == "FragmentSelector"
        )
    ),
    "4.2.4 a quote has its words and what stands around them": every(
        lambda a: all(
            all(isinstance(s[name], str) for name in ("exact", "prefix", "suffix"))
            for s in selectors_of(a)
            if s["type"] == "TextQuoteSelector"
        )
    ),
    "4.2.5 a position has a start and an end, from 0": every(
        lambda a: all(
            0 <= s["start"] < s["end"]
            for s in selectors_of(a)
            if s["type"] == "TextPositionSelector"
        )
    ),
    "4.3 a time state has the time of the source": every(
        lambda a: (
            a["target"]["state"]["type"] == "TimeState"
            and a["target"]["state"]["sourceDate"].endswith("Z")
        )
    ),
}


@pytest.mark.parametrize("must", sorted(MUSTS))
def test_a_collection_is_as_the_model_has_it(must: str) -> None:
    assert MUSTS[must](collection())


# Keys of http://www.w3.org/ns/anno.jsonld; others would be dropped by a reader of JSON-LD.
KEYS = set(
    "@context id type label generator created total first last startIndex items name motivation "
    "body value format purpose target source selector exact prefix suffix start end state "
    "sourceDate conformsTo refinedBy schema:sha256".split()
)


def keys(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from keys(each)
    elif isinstance(value, list):
        for each in value:
            yield from keys(each)


def test_every_key_is_one_of_the_context() -> None:
    assert set(keys(collection())) <= KEYS


def test_an_annotation_says_verdict_claim_source_and_hash() -> None:
    first, _, third = items(collection())
    assert first["body"][0]["value"].splitlines()[:2] == [
        "✓ Supported (confidence 82%, good)",
        "Claim 1: Staff get 25 days of paid leave.",
    ]
    assert [body["value"] for body in third["body"][1:]] == ["veridical", "verdict:contradicted"]
    target = third["target"]
    assert target["source"]["label"] == "travel.md"
    assert target["source"]["format"] == "text/markdown"
    assert target["state"]["schema:sha256"] == documents()[1].sha256
    assert selectors_of(third)[0]["exact"] == TAXIS


def test_a_reviewers_verdict_is_told_and_tagged() -> None:
    ledger = sample_ledger()
    row = ledger.entries[0]
    review = EntryReview(
        "r", ledger.session_id, ledger.id, 1, row.id, row.claim.id, Decision.OVERRULE, row.verdict,
        Verdict.WEAK, "Some.", "Ana", "2026-01-04T08:00:00Z",
    )  # fmt: skip
    first = items(to_web_annotations(ledger, documents(), reviews=[review]))[0]
    assert "overruled by Ana" in first["body"][0]["value"]
    assert "reviewed:weak" in [body["value"] for body in first["body"]]
    assert "verdict:supported" in [body["value"] for body in first["body"]]


def test_addresses_of_sources() -> None:
    web = "https://example.org/a%20b.html"
    source = document_from_text(PAGE, web, Format.HTML)
    span = Span(PAGE.index("Managers"), PAGE.index(" days of leave &#x"))
    (made,) = items(to_web_annotations(resting_on(source, span), [source]))
    assert made["target"]["source"]["id"] == web
    local = items(to_web_annotations(sample_ledger(), documents(), base_url="https://a.org/docs/"))
    assert local[0]["target"]["source"]["id"] == "https://a.org/docs/leave.md"


def test_no_evidence_makes_an_empty_collection() -> None:
    claim = "The office closes at noon."
    empty = ledger_of(claim, [entry(claim, 0, None, [])], documents())
    made = to_web_annotations(empty, documents())
    assert (made["total"], "first" in made) == (0, False)
    assert answer_from_web_annotations(made).citations == ()


def test_the_documents_must_be_those_of_the_ledger() -> None:
    with pytest.raises(ValidationError, match="not among those given"):
        to_web_annotations(sample_ledger(), documents()[:1])
    changed = document(TRAVEL + "More.", "travel.md")
    with pytest.raises(ValidationError, match="not the document that the ledger"):
        to_web_annotations(sample_ledger(), [documents()[0], changed])


# --- there and back -------------------------------------------------------------------------------


SOURCES = {
    "page.html": document_from_text(PAGE, "page.html", Format.HTML),
    "leave.md": document(LEAVE, "leave.md"),
    "notes.txt": document("25 days, 25 days, 25 days\nand café 25 days.", "notes.txt"),
}


@settings(max_examples=120)
@given(st.data())
def test_an_annotation_leads_back_to_the_same_words(data: st.DataObject) -> None:
    source = SOURCES[data.draw(st.sampled_from(sorted(SOURCES)))]
    words = [found.span() for found in re.finditer(r"[\w]+(?:[^\w\s<>]+(?=\s|<|$))?", source.text)]
    words = [span for span in words if source.shown(Span(*span)) == source.text[span[0] : span[1]]]
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, min(first + 8, len(words) - 1)))
    span = Span(words[first][0], words[last][1])
    (check,) = checked(to_web_annotations(resting_on(source, span), [source]), source)
    assert (check.document, check.status) == (source.name, HELD)
    assert check.now is not None
    assert check.now.span == span


def test_pages_of_a_pdf() -> None:
    source = load_document_bytes(simple_pdf(["one is here"], ["two is here"]), "a.pdf")
    span = Span(source.text.index("two"), len(source.text))
    ledger = resting_on(source, span)
    (made,) = items(to_web_annotations(ledger, [source]))
    fragment = selectors_of(made)[0]
    assert fragment["value"] == "page=2"
    assert fragment["conformsTo"].endswith("rfc8118")
    assert fragment["refinedBy"]["exact"] == "two is here"
    (check,) = checked(to_web_annotations(ledger, [source]), source)
    assert (check.status, check.citation.pages) == (HELD, Span(2, 3))
    page = {"type": "PageSelector", "index": 1, "label": "2"}
    (check,) = checked({"target": {**made["target"], "selector": [fragment, page]}}, source)
    assert (check.status, check.citation.pages) == (HELD, Span(2, 3))
    made["target"]["selector"] = [{**fragment, "value": "page=1"}]
    (check,) = checked(made, source)
    assert check.status is MOVED


# --- rows of Hypothesis ---------------------------------------------------------------------------

ROW = {
    "id": "x1", "user": "acct:ana@hypothes.is", "uri": "https://example.org/travel.md",
    "text": "Is that so?", "tags": ["check"], "document": {"title": ["Travel rules"]},
    "target": [{
        "source": "https://example.org/travel.md",
        "selector": [
            {"type": "RangeSelector", "startContainer": "/p[1]", "startOffset": 0},
            {"type": "TextPositionSelector", "start": 900, "end": 921},
            {"type": "TextQuoteSelector", "exact": TAXIS, "prefix": "class. ", "suffix": "\n\nC"},
        ],
    }],
}  # fmt: skip


def test_rows_that_hypothesis_exports() -> None:
    note = {"id": "x2", "uri": "https://a.org", "target": [{"source": "https://a.org"}]}
    reply = {"total": 2, "rows": [ROW, note]}
    (check,) = checked(reply)
    assert check.document == "travel.md"
    assert check.status is MOVED  # not at the position it gives
    assert check.now is not None
    assert TRAVEL[check.now.span.start : check.now.span.end] == TAXIS


# --- which of several places, and what is not there -----------------------------------------------


def quoted(exact: str, source: str = "notes.txt", **more: Any) -> dict[str, Any]:
    selector = [{"type": "TextQuoteSelector", "exact": exact, **more}]
    return {"type": "Annotation", "target": {"source": source, "selector": selector}}


def place(check: GivenCitationCheck) -> int | None:
    return None if check.now is None else check.now.span.start


def test_what_stands_around_a_quote_tells_which_place_is_meant() -> None:
    text = SOURCES["notes.txt"]
    at = [found.start() for found in re.finditer("25 days", text.text)]
    (first,) = checked(quoted("25 days"), text)
    (third,) = checked(quoted("25 days", prefix=", ", suffix="\nand"), text)
    (last,) = checked(quoted("25 days", suffix="."), text)
    (none,) = checked(quoted("25 days", prefix="exactly "), text)
    assert [place(one) for one in (first, third, last)] == [at[0], at[2], at[3]]
    assert [one.status for one in (first, third, last, none)] == [HELD, HELD, HELD, MOVED]


def test_a_position_tells_which_place_is_meant() -> None:
    text = SOURCES["notes.txt"]
    second = text.text.index("25 days", 5)
    made = quoted("25 days")
    position = {"type": "TextPositionSelector", "start": second, "end": second + 7}
    made["target"]["selector"].append(position)
    (check,) = checked(made, text)
    assert (check.status, place(check)) == (HELD, second)
    position["start"] = position["end"] = 2**40
    (check,) = checked(made, text)
    assert check.status is MOVED


def test_a_changed_quote_is_altered_and_an_invented_one_orphaned() -> None:
    leave = SOURCES["leave.md"]
    (altered,) = checked(quoted("Staff get 26 days of paid leave a year.", "leave.md"), leave)
    (orphaned,) = checked(quoted("Dogs may be brought on Fridays and Mondays", "leave.md"), leave)
    (part,) = checked(quoted("5 days", "notes.txt"), SOURCES["notes.txt"])
    assert [one.status for one in (altered, orphaned)] == [ALTERED, ORPHANED]
    assert not part.ok  # it says 25 there
    (nowhere,) = checked(quoted("25 days", "other.html"), leave)
    assert (nowhere.status, nowhere.document) == (None, None)


def test_words_that_nobody_sees_are_not_held() -> None:
    (check,) = checked(quoted('var a = "25 days";', "page.html"), SOURCES["page.html"])
    assert check.status is not HELD


# --- hostile input --------------------------------------------------------------------------------


def nested(depth: int) -> dict[str, Any]:
    selector: dict[str, Any] = {"type": "TextQuoteSelector", "exact": "x"}
    for _ in range(depth):
        selector = {"type": "FragmentSelector", "value": "a", "refinedBy": selector}
    return {"target": {"source": "a", "selector": selector}}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (None, "annotations"),
        (3, "annotations"),
        ("text", "annotations"),
        ([3], r"annotations\[0\]"),
        ({"rows": 3}, r"annotations\.rows"),
        ({"first": "https://a.org/page1"}, r"annotations\.first"),
        ({"target": 3}, r"annotations\.target"),
        ({"target": {"selector": 3}}, r"annotations\.target\.selector"),
        ({"target": {"selector": {"type": 3}}}, r"selector\.type"),
        (quoted("x", prefix=3), r"selector\[0\]\.prefix"),
        (
            {"target": {"source": 3, "selector": {"type": "TextQuoteSelector", "exact": "x"}}},
            "source",
        ),
        ({"target": {"selector": {"type": "TextQuoteSelector"}}}, r"selector\.exact"),
        ({"target": {"selector": {"type": "TextPositionSelector", "start": 3, "end": 2}}}, "end"),
        (
            {"target": {"selector": {"type": "TextPositionSelector", "start": -1, "end": 2}}},
            "start",
        ),
        (
            {"target": {"selector": {"type": "TextPositionSelector", "start": 0, "end": 2**99}}},
            "end",
        ),
        ({"target": {"selector": {"type": "PageSelector", "index": True}}}, "index"),
        (nested(50), "refined too often"),
        ([{}] * 10_001, "10,001 items"),
    ],
)
def test_what_is_no_annotation_is_refused_by_its_path(data: object, path: str) -> None:
    with pytest.raises(ValidationError, match=path):
        answer_from_web_annotations(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["target", "selector", "type", "exact", "source", "items", "rows", "id"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_read_or_refused(data: object) -> None:
    try:
        found = answer_from_web_annotations(data)
    except ValidationError:
        return
    check_given_citations(found, documents())


@pytest.mark.parametrize("exact", ["", " ", "\ud800", "\0", "a" * 100_000])
def test_odd_quotes_are_checked_like_others(exact: str) -> None:
    (check,) = check_given_citations(
        answer_from_web_annotations(quoted(exact)), [SOURCES["notes.txt"]]
    )
    assert not check.ok


def test_evidence_outside_of_the_text_is_refused() -> None:
    source = documents()[0]
    far = piece(source, Span(9, 20))
    far = type(far)(**{name: getattr(far, name) for name in far.__slots__} | {
        "snippet_span": Span(9, 10**9)
    })  # fmt: skip
    made = ledger_of("So.", [entry("So.", 0, FULL, [far])], [source])
    with pytest.raises(ValidationError, match="outside of its text"):
        to_web_annotations(made, [source])
