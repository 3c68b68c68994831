"""Web Annotations: as the W3C's model has them, each leading to its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
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

from veridical import (
    Document,
    Verdict,
    document_from_text,
)
from veridical.errors import ValidationError
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.wire_web_annotations import to_web_annotations
from veridical.sources.document import Format, Span

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


# --- where the selectors lead ---------------------------------------------------------------------


class Content(HTMLParser):
    """The text content of a page, as a browser has it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data


SOURCES = {
    "page.html": document_from_text(PAGE, "page.html", Format.HTML),
    "leave.md": document(LEAVE, "leave.md"),
    "notes.txt": document("25 days, 25 days, 25 days\nand café 25 days.", "notes.txt"),
}


@given(st.data())
def test_selectors_lead_to_the_words(data: st.DataObject) -> None:
    source = SOURCES[data.draw(st.sampled_from(sorted(SOURCES)))]
    words = [found.span() for found in re.finditer(r"[\w]+(?:[^\w\s<>]+(?=\s|<|$))?", source.text)]
    words = [span for span in words if source.shown(Span(*span)) == source.text[span[0] : span[1]]]
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, min(first + 8, len(words) - 1)))
    span = Span(words[first][0], words[last][1])
    (made,) = items(to_web_annotations(resting_on(source, span), [source]))
    quote, position = made["target"]["selector"]
    before, within, text = (
        Content(part).text if source.format is Format.HTML else part
        for part in (source.text[: span.start], source.text[: span.end], source.text)
    )
    assert (position["start"], position["end"]) == (len(before), len(within))
    assert quote["exact"] == text[len(before) : len(within)]
    assert before.endswith(quote["prefix"])
    assert text.startswith(quote["suffix"], len(within))
