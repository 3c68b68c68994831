"""The SARIF report: its structure, its places, and what a viewer must not take for a link."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator  # type: ignore[import-untyped]
from tests.validation.report_page import match, report

from veridical.sources.document import Document, Format
from veridical.validation.claims import Claim
from veridical.validation.reports.sarif import render_sarif
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Fidelity,
    Note,
    RunError,
    Status,
)

TEXT = "# Leave\n\nLeave is 27 days.\r\nIt may be 🎉 carried\nover."
SCHEMA = Path(__file__).parents[1] / "integrations/data/sarif-2.1.0-rtm.5.json"


@cache
def schema() -> Draft4Validator:
    return Draft4Validator(json.loads(SCHEMA.read_text("utf-8")))


def render(*results: ClaimResult, claims_uri: str | None = None, **more: Any) -> dict[str, Any]:
    """The run of a report, which fits the schema, and names the rule of each result."""
    log = json.loads(render_sarif(report(*results, **more), claims_uri=claims_uri).encode("utf-8"))
    assert [error.message for error in schema().iter_errors(log)] == []
    run: dict[str, Any] = log["runs"][0]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [rules[one["ruleIndex"]] for one in run["results"]] == [
        one["ruleId"] for one in run["results"]
    ]
    return run


def result(status: Status = Status.FAILED, **more: Any) -> ClaimResult:
    return ClaimResult(Claim("EV001", "Leave is 72 days"), status, 0.4, **more)


@pytest.mark.parametrize(
    ("made", "rule", "level"),
    [
        (result(reason=FailureReason.NOT_FOUND), "quote-not-found", "error"),
        (result(fidelity=Fidelity.FABRICATED), "quote-not-found", "error"),
        (result(fidelity=Fidelity.ALTERED), "quote-altered", "error"),
        (result(fidelity=Fidelity.MISATTRIBUTED), "quote-misattributed", "error"),
        (result(reason=FailureReason.CONTEXT_MISMATCH), "context-mismatch", "error"),
        (result(reason=FailureReason.MULTIPLE_MATCHES), "quote-ambiguous", "error"),
        (result(reason=FailureReason.LOW_CONFIDENCE), "low-confidence", "error"),
        (result(Status.LOW_CONFIDENCE), "low-confidence", "warning"),
        (result(Status.LOW_CONFIDENCE, fidelity=Fidelity.ALTERED), "quote-altered", "warning"),
        (result(Status.AMBIGUOUS, fidelity=Fidelity.VERBATIM), "quote-ambiguous", "note"),
    ],
)
def test_every_kind_has_its_rule_and_level(made: ClaimResult, rule: str, level: str) -> None:
    (found,) = render(made)["results"]
    assert (found["ruleId"], found["level"]) == (rule, level)


@given(st.text(alphabet="a\n\r é🎉", max_size=40), st.data())
def test_line_and_column_lead_back_to_the_offset(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    document = Document("a.txt", text)
    found = render(result(found_at=match(document, start, len(text))))["results"][0]
    region = found["locations"][0]["physicalLocation"]["region"]
    before = "".join(line + "\n" for line in text.split("\n")[: region["startLine"] - 1])
    assert len(before) + region["startColumn"] - 1 == start == region["charOffset"]
    assert region["snippet"]["text"] == text[start:]


@pytest.mark.parametrize("kind", [Format.PDF, Format.DOCX])
def test_lines_of_extracted_text_are_not_lines_of_the_file(kind: Format) -> None:
    document = Document("policy", TEXT, kind)
    found = render(result(Status.AMBIGUOUS, match=match(document, 0, 5)))["results"][0]
    assert found["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "policy"}}},
    ]
    assert "line 1 of the text" in found["message"]["text"]


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("docs/policy.md", "docs/policy.md"),
        ("Leave policy #2 (50%?).md", "Leave%20policy%20%232%20%2850%25%3F%29.md"),
        ("ünï.md", "%C3%BCn%C3%AF.md"),
        ("a:b.md", "a%3Ab.md"),
        ("../up.md", "../up.md"),
        ("docs\\win.md", "docs/win.md"),
        ("/srv/a b.md", "file:///srv/a%20b.md"),
        ("//host/x", "file:///host/x"),
        ("C:\\docs\\x.md", "file:///C%3A/docs/x.md"),
        ('a"b\nc', "a%22b%0Ac"),
        ("\ud800", "%EF%BF%BD"),
        ("", "unnamed"),
    ],
)
def test_names_become_uris(name: str, uri: str) -> None:
    document = Document(name, TEXT)
    run = render(result(found_at=match(document, 0, 5)), documents=(document,))
    assert run["artifacts"][0]["location"]["uri"] == uri
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == uri


@given(st.text(max_size=30))
def test_any_name_is_a_uri_without_host_query_or_fragment(name: str) -> None:
    run = render(documents=(Document(name, ""),))
    uri = run["artifacts"][0]["location"]["uri"]
    parts = urlsplit(uri)
    assert (parts.netloc, parts.query, parts.fragment) == ("", "", "")
    assert parts.scheme in ("", "file")
    path = name.replace("\\", "/").lstrip("/")
    assert unquote(parts.path).lstrip("/") == (path if parts.scheme else path or "unnamed")


def test_the_run_tells_errors_and_notes() -> None:
    run = render(
        errors=(RunError("PROCESSING_ERROR", "out of time.", {}, ("EV007",)),),
        notes=(Note("EMPTY", "nothing in c.txt"),),
    )
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    told = [
        (one["level"], one["descriptor"]["id"], one["message"]["text"])
        for one in invocation["toolExecutionNotifications"]
    ]
    assert told == [
        ("error", "PROCESSING_ERROR", "out of time. Claims: EV007."),
        ("note", "EMPTY", "nothing in c.txt"),
    ]


def test_a_quote_cannot_put_a_link_into_a_message() -> None:
    claim = Claim("EV[1](2)", "see [here](https://example.org) and \ud800\x00")
    text = render(ClaimResult(claim, Status.FAILED, 0.0))["results"][0]["message"]["text"]
    assert "](" not in text


def test_the_fingerprint_stays_while_documents_and_verdicts_change() -> None:
    def fingerprint(made: ClaimResult) -> str:
        (found,) = render(made)["results"]
        (value,) = found["partialFingerprints"].values()
        return str(value)

    one = fingerprint(result())
    moved = Document("a.md", "x" * 50 + TEXT)
    assert fingerprint(result(Status.AMBIGUOUS, match=match(moved, 60, 70))) == one
    assert fingerprint(ClaimResult(Claim("EV002", "Leave is 72 days"), Status.FAILED, 0.0)) != one
    assert fingerprint(ClaimResult(Claim("EV001", "Leave"), Status.FAILED, 0.0)) != one
