"""The JUnit report: the shape that CI systems read, and what counts as a failure."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from tests.validation.report_page import match, report

from veridical.sources.document import Document
from veridical.validation.claims import Claim
from veridical.validation.reports.junit import render_junit
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Fidelity,
    Note,
    RunError,
    Status,
)

DOCUMENT = Document("policy.md", "Leave is 27 days. It may be carried over.")
PLACE = match(DOCUMENT, 0, 16)

CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase", "system-out"},
    "testcase": {"properties", "failure", "error", "skipped", "system-out"},
    "properties": {"property"},
    "property": set(),
    "failure": set(),
    "error": set(),
    "skipped": set(),
    "system-out": set(),
}
REQUIRED = {
    "testsuites": {"name", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped"},
    "testcase": {"name", "classname"},
    "property": {"name", "value"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"message"},
}


def check_shape(element: ET.Element) -> None:
    """What the schemas of Jenkins and of Surefire agree on."""
    assert set(element.attrib) == REQUIRED.get(element.tag, set())
    names = [child.tag for child in element]
    assert set(names) <= CHILDREN[element.tag]
    if element.tag == "testcase":
        assert len(names) == len(set(names))
    for child in element:
        check_shape(child)


def render(*results: ClaimResult, **more: object) -> ET.Element:
    """The suite of a report, its shape checked."""
    text = render_junit(report(*results, documents=(DOCUMENT,), **more))
    root = ET.fromstring(text.encode("utf-8"))  # noqa: S314 - our own
    check_shape(root)
    (suite,) = root
    assert suite.get("tests") == str(len(suite.findall("testcase")))
    assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
    assert suite.get("errors") == str(len(suite.findall("testcase/error")))
    assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
    return suite


def result(status: Status, **more: object) -> ClaimResult:
    return ClaimResult(Claim("EV001", "Leave is 27 days"), status, 0.7, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("made", "failure"),
    [
        (result(Status.VALIDATED, match=PLACE, fidelity=Fidelity.VERBATIM), None),
        (result(Status.VALIDATED, match=PLACE, notes=(Note("X", "odd"),)), None),
        (result(Status.AMBIGUOUS, match=PLACE), None),
        (result(Status.LOW_CONFIDENCE, match=PLACE), None),
        (result(Status.FAILED, reason=FailureReason.NOT_FOUND), "NOT_FOUND"),
        (
            result(Status.FAILED, reason=FailureReason.MULTIPLE_MATCHES, match=PLACE),
            "MULTIPLE_MATCHES",
        ),
        (result(Status.FAILED), "FAILED"),
    ],
)
def test_failed_claims_are_failures_and_no_others(made: ClaimResult, failure: str | None) -> None:
    (case,) = render(made)
    found = case.find("failure")
    assert (found.get("type") if found is not None else None) == failure
    assert (case.find("system-out") is not None) == bool(made.notes)
    doubtful = made.status in (Status.AMBIGUOUS, Status.LOW_CONFIDENCE)
    assert (case.find("skipped") is not None) == doubtful, "who counts passes counts no doubt"


def test_what_kept_the_run_from_being_completed_is_an_error() -> None:
    suite = render(
        errors=(RunError("PROCESSING_ERROR", "out of time", {}, ("EV007", "EV008")),),
        notes=(Note("EMPTY", "nothing in c.txt"), Note("X", "odd", "EV001")),
    )
    (case,) = suite.findall("testcase")
    (error,) = case
    assert (error.get("type"), error.get("message")) == ("PROCESSING_ERROR", "out of time")
    assert error.text == "Claims: EV007, EV008"
    assert suite.findtext("system-out") == "Note: nothing in c.txt\nNote: EV001: odd"


@pytest.mark.parametrize(
    ("hostile", "left"),
    [
        ("a\x00b\x1b[31m\x01\ufffe", "ab[31m"),
        ("\ud800x\udfff", "x"),
        ("]]></failure><!-- &amp; \"'", "]]></failure><!-- &amp; \"'"),
        ("🎉\U0010ffff", "🎉\U0010ffff"),
    ],
)
def test_what_xml_cannot_hold_is_removed_and_the_rest_is_kept(hostile: str, left: str) -> None:
    claim = Claim(hostile, hostile, source=hostile)
    made = ClaimResult(
        claim, Status.FAILED, 0.0, suggestions=(hostile,), notes=(Note("", hostile),)
    )
    suite = render(made, errors=(RunError(hostile, hostile),), notes=(Note("", hostile),))
    case = suite[0]
    assert (case.get("classname"), case.get("name")) == (left, f"{left}: {left}")
    assert left in (case.findtext("failure") or "")
    assert suite[1][0].get("message") == left
