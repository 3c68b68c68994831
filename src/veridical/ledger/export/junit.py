"""Checked answers as JUnit XML, which every CI system shows."""

from __future__ import annotations

from collections.abc import Collection

from veridical.judging.verdict import Verdict
from veridical.ledger.checking import CheckedFile, CheckedFiles, Problem, ProblemKind
from veridical.reports.junit import Case, Found, Suite, render_suites
from veridical.reports.words import first_words
from veridical.sources.document import Span

SUITE = "veridical check"
UNREAD = "file that could not be read"


def render_junit(checked: CheckedFiles, failing: Collection[ProblemKind]) -> str:
    """Checked answers as a test suite for each file, with a test case for each claim.

    Problems of the kinds in `failing` are failures, and others skipped: they are no pass; a file
    that could not be read is an error, for the run is no pass without it. No time is given: the
    same answers give the same bytes.
    """
    suites = [
        Suite(
            file.path,
            [_case(file, *case, failing) for case in _cases(file)],
            "\n".join(file.check.warnings),
        )
        for file in checked.files
    ]
    for number, told in enumerate(checked.failures, 1):
        name = f"{UNREAD} {number}"
        suites.append(Suite(name, [Case(SUITE, name, Found("error", "unread", told))]))
    return render_suites(SUITE, suites)


def _cases(file: CheckedFile) -> list[tuple[Span, str, Problem | None]]:
    """What was checked, and what could not be, in the order of the answer."""
    supported = [
        (entry.claim.span, entry.claim.words, None)
        for entry in file.check.ledger.entries
        if entry.verdict is Verdict.SUPPORTED
    ]
    problems = [(problem.span, problem.text, problem) for problem in file.check.problems]
    return sorted([*supported, *problems], key=lambda case: case[0])


def _case(
    file: CheckedFile,
    span: Span,
    text: str,
    problem: Problem | None,
    failing: Collection[ProblemKind],
) -> Case:
    line = file.region(span).line
    found = None
    if problem is not None:
        message = f"{problem.kind.told}: {problem.reason}"
        tag = "failure" if problem.kind in failing else "skipped"
        found = Found(tag, problem.kind.value, message, _details(problem))
    more = {"file": file.path, "line": str(line)}
    return Case(file.path, f"line {line}: {first_words(text)}", found, more=more)


def _details(problem: Problem) -> str:
    lines = [f"Claim: {problem.text}"]
    if problem.nearest is not None:
        lines += [f"Nearest: {problem.nearest.text}", f"Place: {problem.nearest.place}"]
    return "\n".join(lines)
