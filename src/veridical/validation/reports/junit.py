"""The report as JUnit XML, which every CI system shows."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from veridical.validation.reports import wording
from veridical.validation.results import ClaimResult, RunError, Status, ValidationReport

SUITE = "veridical"
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(report: ValidationReport) -> str:
    """The report as one test suite with a test case for each claim.

    A failed claim is a failure. Doubtful and ambiguous claims pass, with their reason as output;
    a strict report has them among the failed ones. What kept the run from being completed is an
    error in a test case of its own. No time is given: the same report gives the same bytes.
    """
    failed = sum(result.status is Status.FAILED for result in report.results)
    counts = {
        "name": SUITE,
        "tests": str(len(report.results) + len(report.errors)),
        "failures": str(failed),
        "errors": str(len(report.errors)),
    }
    root = ET.Element("testsuites", counts)
    suite = ET.SubElement(root, "testsuite", {**counts, "skipped": "0"})
    for result in report.results:
        _add_claim(suite, result)
    for number, error in enumerate(report.errors, 1):
        _add_error(suite, number, error)
    notes = [_note(note.claim_id, note.message) for note in report.notes]
    if notes:
        ET.SubElement(suite, "system-out").text = legal("\n".join(notes))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def legal(text: str) -> str:
    """The text without the characters that XML 1.0 cannot hold, not even escaped."""
    return _ILLEGAL.sub("", text)


def _add_claim(suite: ET.Element, result: ClaimResult) -> None:
    place = wording.primary_place(result)
    document = place.document.name if place else result.claim.source
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "classname": legal(document or result.claim.evidence_type.value),
            "name": legal(f"{result.claim.id}: {wording.first_words(result.claim.quote)}"),
        },
    )
    properties = ET.SubElement(case, "properties")
    for name, value in _properties(result):
        ET.SubElement(properties, "property", {"name": name, "value": legal(value)})
    if result.status is Status.FAILED:
        kind = result.reason.value if result.reason else Status.FAILED.value
        message = legal(wording.reason(result))
        failure = ET.SubElement(case, "failure", {"type": kind, "message": message})
        failure.text = legal(_details(result))
    elif result.status is not Status.VALIDATED or result.notes:
        ET.SubElement(case, "system-out").text = legal(_details(result))


def _properties(result: ClaimResult) -> list[tuple[str, str]]:
    found = [("status", result.status.value), ("confidence", f"{result.confidence:.6g}")]
    if result.fidelity is not None:
        found.append(("fidelity", result.fidelity.value))
    place = wording.primary_place(result)
    if place is not None:
        found.append(("place", wording.place_phrase(place)))
    return found


def _details(result: ClaimResult) -> str:
    """Everything that a reader of a CI log needs, a line each."""
    lines = [f"{wording.STATUS_WORDS[result.status]}: {wording.reason(result)}"]
    lines.append(f"Quote: {result.claim.quote}")
    place = wording.primary_place(result)
    if place is not None:
        lines.append(f"Source: {place.shown}")
        lines.append(f"Place: {wording.place_phrase(place)}")
    lines += [f"Other place: {wording.place_phrase(match)}" for match in result.alternatives[:10]]
    lines += result.suggestions
    lines += [_note(None, note.message) for note in result.notes]
    return "\n".join(lines)


def _note(claim_id: str | None, message: str) -> str:
    return f"Note: {claim_id}: {message}" if claim_id else f"Note: {message}"


def _add_error(suite: ET.Element, number: int, error: RunError) -> None:
    case = ET.SubElement(
        suite, "testcase", {"classname": f"{SUITE}.run", "name": legal(f"{number}: {error.code}")}
    )
    found = ET.SubElement(
        case, "error", {"type": legal(error.code), "message": legal(error.message)}
    )
    if error.affected_claims:
        found.text = legal("Claims: " + ", ".join(error.affected_claims))
