"""Checked answers as JUnit XML, which every CI system shows."""

from __future__ import annotations

from collections.abc import Collection
from xml.etree import ElementTree as ET

from veridical.judging.verdict import Verdict
from veridical.ledger.checking import CheckedFile, CheckedFiles, Problem, ProblemKind
from veridical.ledger.export.wording import claim_words
from veridical.sources.span import Span
from veridical.validation.reports.junit import legal
from veridical.validation.reports.wording import first_words

SUITE = "veridical check"
UNREAD = "file that could not be read"


def render_junit(checked: CheckedFiles, failing: Collection[ProblemKind]) -> str:
    """Checked answers as a test suite for each file, with a test case for each claim.

    Problems of the kinds in `failing` are failures, others are output of their test case; a file
    that could not be read is an error. No time is given: the same answers give the same bytes.
    """
    root = ET.Element("testsuites", {"name": SUITE})
    tests = failures = 0
    for file in checked.files:
        suite = ET.SubElement(root, "testsuite", {"name": legal(file.path)})
        for span, text, problem in _cases(file):
            _add_case(suite, file, span, text, problem, failing)
        cases, failed = len(suite), len(suite.findall("testcase/failure"))
        suite.attrib.update(tests=str(cases), failures=str(failed), errors="0", skipped="0")
        tests, failures = tests + cases, failures + failed
        if file.check.warnings:
            ET.SubElement(suite, "system-out").text = legal("\n".join(file.check.warnings))
    for number, told in enumerate(checked.failures, 1):
        _add_failed_read(root, number, told)
    errors = len(checked.failures)
    root.attrib.update(tests=str(tests + errors), failures=str(failures), errors=str(errors))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


def _add_failed_read(root: ET.Element, number: int, told: str) -> None:
    """A file that could not be read, as an error: the run is no pass without it."""
    counts = {"tests": "1", "failures": "0", "errors": "1", "skipped": "0"}
    suite = ET.SubElement(root, "testsuite", {"name": f"{UNREAD} {number}", **counts})
    case = ET.SubElement(suite, "testcase", {"classname": SUITE, "name": f"{UNREAD} {number}"})
    ET.SubElement(case, "error", {"type": "unread", "message": legal(told)})


def _cases(file: CheckedFile) -> list[tuple[Span, str, Problem | None]]:
    """What was checked, and what could not be, in the order of the answer."""
    supported = [
        (entry.claim.span, claim_words(entry.claim), None)
        for entry in file.check.ledger.entries
        if entry.verdict is Verdict.SUPPORTED
    ]
    problems = [(problem.span, problem.text, problem) for problem in file.check.problems]
    return sorted([*supported, *problems], key=lambda case: case[0])


def _add_case(
    suite: ET.Element,
    file: CheckedFile,
    span: Span,
    text: str,
    problem: Problem | None,
    failing: Collection[ProblemKind],
) -> None:
    line = file.region(span).line
    named = {
        "classname": legal(file.path),
        "name": legal(f"line {line}: {first_words(text)}"),
        "file": legal(file.path),
        "line": str(line),
    }
    case = ET.SubElement(suite, "testcase", named)
    if problem is None:
        return
    message = legal(f"{problem.kind.told}: {problem.reason}")
    if problem.kind in failing:
        told = ET.SubElement(case, "failure", {"type": problem.kind.value, "message": message})
        told.text = legal(_details(problem))
    else:
        ET.SubElement(case, "system-out").text = f"{message}\n{legal(_details(problem))}"


def _details(problem: Problem) -> str:
    lines = [f"Claim: {problem.text}"]
    if problem.nearest is not None:
        lines += [f"Nearest: {problem.nearest.text}", f"Place: {problem.nearest.place}"]
    return "\n".join(lines)
