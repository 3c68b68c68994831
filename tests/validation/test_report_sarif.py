"""The SARIF report: its structure, its places, and what a viewer must not take for a link."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.sources.document import Document, Format, Span
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.reports.sarif import render_sarif
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Fidelity,
    Match,
    MatchType,
    Note,
    RunError,
    Status,
    ValidationReport,
)

TEXT = "# Leave\n\nLeave is 27 days.\r\nIt may be 🎉 carried\nover."
KEYS = {
    "log": {"$schema", "version", "runs"},
    "run": {"tool", "columnKind", "artifacts", "invocations", "results"},
    "result": {
        "ruleId",
        "ruleIndex",
        "level",
        "message",
        "partialFingerprints",
        "properties",
        "locations",
        "relatedLocations",
    },
    "region": {
        "startLine",
        "startColumn",
        "endLine",
        "endColumn",
        "charOffset",
        "charLength",
        "snippet",
    },
}


def check_structure(log: dict[str, Any]) -> None:
    """What the SARIF 2.1.0 schema asks of the parts that we write."""
    assert set(log) == KEYS["log"]
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert set(run) == KEYS["run"]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert run["tool"]["driver"]["name"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert set(rule) == {"id", "name", "shortDescription", "defaultConfiguration"}
    for invocation in run["invocations"]:
        assert isinstance(invocation["executionSuccessful"], bool)
    for result in run["results"]:
        assert set(result) <= KEYS["result"]
        assert result["level"] in {"error", "warning", "note"}
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        for location in result.get("locations", []) + result.get("relatedLocations", []):
            check_place(location["physicalLocation"])


def check_place(place: dict[str, Any]) -> None:
    assert re.fullmatch(r"[A-Za-z0-9._~%/:@!$&'()*+,;=-]+", place["artifactLocation"]["uri"])
    region = place.get("region")
    if region is not None:
        assert set(region) == KEYS["region"]
        assert min(region[key] for key in ("startLine", "startColumn", "endLine", "endColumn")) >= 1
        assert len(region["snippet"]["text"]) == region["charLength"]


def render(*results: ClaimResult, claims_uri: str | None = None, **more: Any) -> dict[str, Any]:
    """The run of a report, its structure checked."""
    documents = more.pop("documents", ())
    made = ValidationReport(results, documents, ValidationConfig(), **more)
    log = json.loads(render_sarif(made, claims_uri=claims_uri).encode("utf-8"))
    check_structure(log)
    run: dict[str, Any] = log["runs"][0]
    return run


def match(document: Document, start: int, end: int) -> Match:
    return Match(document, Span(start, end), MatchType.EXACT, 0.9, 0.9)


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


def test_validated_claims_are_no_results() -> None:
    assert render(result(Status.VALIDATED))["results"] == []


@given(st.text(alphabet="a\n\r é🎉", max_size=40), st.data())
def test_line_and_column_lead_back_to_the_offset(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    document = Document("a.txt", text)
    found = render(result(found_at=match(document, start, len(text))))["results"][0]
    region = found["locations"][0]["physicalLocation"]["region"]
    before = "".join(line + "\n" for line in text.split("\n")[: region["startLine"] - 1])
    assert len(before) + region["startColumn"] - 1 == start == region["charOffset"]


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
    assert invocation == {
        "executionSuccessful": False,
        "toolExecutionNotifications": [
            {
                "level": "error",
                "descriptor": {"id": "PROCESSING_ERROR"},
                "message": {"text": "out of time. Claims: EV007."},
            },
            {
                "level": "note",
                "descriptor": {"id": "EMPTY"},
                "message": {"text": "nothing in c.txt"},
            },
        ],
    }


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
