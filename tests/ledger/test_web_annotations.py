"""Web Annotations: as the W3C's model has them, and back again to the same words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
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
from tests.ledger.reviewing import Desk
from tests.ledger.test_given_unchecked import annotation, checked, quote

from veridical import (
    Document,
    Verdict,
    document_from_text,
)
from veridical.errors import ValidationError
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.verification import EvidenceStatus
from veridical.ledger.verify_given import GivenCitationCheck, check_given_citations
from veridical.ledger.wire_web_annotations import answer_from_web_annotations, to_web_annotations
from veridical.sources.document import Format, Span

HELD, MOVED, ALTERED, ORPHANED = EvidenceStatus
TAXIS = "Taxis are not repaid."
PAGE = """<!doctype html><title>Leave</title><body><h1>Leave</h1>
<p>Staff get <em>25&nbsp;days</em> &amp; more of leave.</p><script>var a = "25 days";</script>
<p>Managers get <b>25</b> days of leave &#x2014; each.</p>"""


def resting_on(source: Document, span: Span) -> EvidenceLedger:
    return ledger_of("So.", [entry("So.", 0, FULL, [piece(source, span)])], [source])


# --- the model ------------------------------------------------------------------------------------


def collection() -> dict[str, Any]:
    return to_web_annotations(sample_ledger(), documents())


def items(made: Mapping[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = made["first"]["items"]
    return found


def is_iri(value: str) -> bool:
    return re.match(r"[a-z][a-z0-9+.-]*:[^\s<>\"{}|\\^`]+\Z", value) is not None


def test_a_collection_is_as_the_model_has_it() -> None:
    """Source: W3C Web Annotation Data Model, what a MUST says of the parts written here."""
    made = collection()
    assert made["@context"] == "http://www.w3.org/ns/anno.jsonld"  # 5.1
    assert (made["type"], made["total"]) == ("AnnotationCollection", len(items(made)))
    page = made["first"]  # 5.2
    assert (page["type"], page["startIndex"], made["last"]) == ("AnnotationPage", 0, page["id"])
    ids = [each["id"] for each in items(made)]  # 3.1
    assert len({*ids}) == len(ids) > 0
    assert all(map(is_iri, (made["id"], page["id"], *ids)))


@pytest.mark.parametrize("number", range(3))
def test_an_annotation_is_as_the_model_has_it(number: int) -> None:
    made = items(collection())[number]
    assert (made["type"], made["motivation"]) == ("Annotation", "assessing")  # 3.1, 3.3.5
    assert {body["type"] for body in made["body"]} == {"TextualBody"}  # 3.2.4
    assert all(isinstance(body["value"], str) for body in made["body"])
    purposes = {body["purpose"] for body in made["body"]}
    assert purposes <= {"assessing", "commenting", "tagging"}
    target = made["target"]
    for time in (made["created"], target["state"]["sourceDate"]):  # 3.3.1: xsd:dateTime, in UTC
        assert datetime.fromisoformat(time).tzinfo is UTC
        assert time.endswith("Z")
    assert is_iri(target["source"]["id"])  # 4
    assert target["state"]["type"] == "TimeState"  # 4.3
    quote, position = target["selector"]
    assert quote["type"] == "TextQuoteSelector"  # 4.2.4
    assert all(isinstance(quote[name], str) for name in ("exact", "prefix", "suffix"))
    assert position["type"] == "TextPositionSelector"  # 4.2.5
    assert 0 <= position["start"] < position["end"]


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
    assert target["selector"][0]["exact"] == TAXIS


def test_a_reviewers_verdict_is_told_and_tagged() -> None:
    desk = Desk(sample_ledger())
    desk.overrule(1, Verdict.WEAK, "Some.")
    made = to_web_annotations(desk.ledger, documents(), reviews=desk.reviews)
    told, *tags = (body["value"] for body in items(made)[0]["body"])
    assert "overruled by Ana" in told
    assert {"reviewed:weak", "verdict:supported"} <= {*tags}


def test_addresses_of_sources() -> None:
    web = "https://example.org/a%20b.html"
    source = document_from_text(PAGE, web, Format.HTML)
    span = Span(PAGE.index("Managers"), PAGE.index(" days of leave &#x"))
    (made,) = items(to_web_annotations(resting_on(source, span), [source]))
    assert made["target"]["source"]["id"] == web
    local = items(to_web_annotations(sample_ledger(), documents(), base_url="https://a.org/docs/"))
    assert local[0]["target"]["source"]["id"] == "https://a.org/docs/leave.md"


def test_the_documents_must_be_those_of_the_ledger() -> None:
    with pytest.raises(ValidationError, match="not among those given"):
        to_web_annotations(sample_ledger(), documents()[:1])
    changed = document(TRAVEL + "More.", "travel.md")
    with pytest.raises(ValidationError, match="not the document that the ledger"):
        to_web_annotations(sample_ledger(), [documents()[0], changed])
    source = documents()[0]
    far = replace(piece(source, Span(9, 20)), snippet_span=Span(9, 10**9))
    made = ledger_of("So.", [entry("So.", 0, FULL, [far])], [source])
    with pytest.raises(ValidationError, match="outside of its text"):
        to_web_annotations(made, [source])


# --- there and back -------------------------------------------------------------------------------


SOURCES = {
    "page.html": document_from_text(PAGE, "page.html", Format.HTML),
    "leave.md": document(LEAVE, "leave.md"),
    "notes.txt": document("25 days, 25 days, 25 days\nand café 25 days.", "notes.txt"),
}


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


def quoted(exact: str, source: Any = "notes.txt", **more: Any) -> dict[str, Any]:
    return annotation(quote(exact, **more), source=source)


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


# --- hostile input --------------------------------------------------------------------------------


def nested(depth: int) -> dict[str, Any]:
    selector: dict[str, Any] = {"type": "TextQuoteSelector", "exact": "x"}
    for _ in range(depth):
        selector = {"type": "FragmentSelector", "value": "a", "refinedBy": selector}
    return {"target": {"source": "a", "selector": selector}}


def selected(kind: object, **more: Any) -> dict[str, Any]:
    return {"target": {"selector": {"type": kind, **more}}}


@pytest.mark.parametrize(
    ("data", "path"),
    [
        (None, "annotations"),
        ("text", "annotations"),
        ([3], r"annotations\[0\]"),
        ({"rows": 3}, r"annotations\.rows"),
        ({"first": "https://a.org/page1"}, r"annotations\.first"),
        ({"target": 3}, r"annotations\.target"),
        ({"target": {"selector": 3}}, r"annotations\.target\.selector"),
        (selected(3), r"selector\.type"),
        (quoted("x", prefix=3), r"selector\[0\]\.prefix"),
        (quoted("x", source=3), "source"),
        (selected("TextQuoteSelector"), r"selector\.exact"),
        (selected("TextPositionSelector", start=3, end=2), "end"),
        (selected("TextPositionSelector", start=-1, end=2), "start"),
        (selected("TextPositionSelector", start=0, end=2**99), "end"),
        (selected("PageSelector", index=True), "index"),
        (nested(50), "refined too often"),
        ([{}] * 10_001, "10,001 items"),
    ],
)
def test_what_is_no_annotation_is_refused_by_its_path(data: object, path: str) -> None:
    with pytest.raises(ValidationError, match=path):
        answer_from_web_annotations(data)


NAMES = st.sampled_from("target selector type exact source items rows id".split())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_read_or_refused(data: object) -> None:
    try:
        found = answer_from_web_annotations(data)
    except ValidationError:
        return
    check_given_citations(found, documents())
