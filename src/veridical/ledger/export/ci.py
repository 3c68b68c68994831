"""Checked answers for CI systems: as SARIF 2.1.0, which code hosts show at the very lines of the
answers, and as JUnit XML, which every CI system shows.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from veridical.judging.verdict import Verdict
from veridical.ledger.checking import CheckedFile, CheckedFiles, Problem, ProblemKind
from veridical.ledger.quotes import NearestWords
from veridical.reports.junit import Case, Found, Suite, render_suites
from veridical.reports.sarif import (
    LINED,
    Rule,
    artifact_uri,
    message,
    notification,
    region,
    render_run,
)
from veridical.reports.words import first_words
from veridical.sources.document import Span
from veridical.version import __version__

MOST_RESULTS = 5_000
"""GitHub shows no more of a run, and refuses a file with more than 25,000."""

ROOT = "%SRCROOT%"
_BASES = {ROOT: {"description": {"text": "The root of the checkout."}}}
_MOST_CHARS = 1_000
_FINGERPRINT_DIGITS = 32

_RULES = (
    Rule(
        ProblemKind.CONTRADICTED.value,
        "ClaimContradicted",
        "A source says otherwise.",
        "error",
        "A passage of the sources conflicts with this claim: another number, name or date, or a "
        "denial. Correct the claim, or take it out.",
    ),
    Rule(
        ProblemKind.MISQUOTED.value,
        "QuoteAltered",
        "No source has the words that are quoted.",
        "error",
        "Words in quotation marks or in a block quote are taken for those of a source, and no "
        "source has them so. Quote the words that are named, or take the quotation marks away.",
    ),
    Rule(
        ProblemKind.NOT_FOUND.value,
        "ClaimNotFound",
        "No source bears the claim out.",
        "error",
        "The sources given say nothing of it. Take the claim out, or add the source that says it. "
        "The words that are named come nearest, and prove nothing.",
    ),
    Rule(
        ProblemKind.PARTIAL.value,
        "ClaimPartlySupported",
        "The sources bear the claim out in part only.",
        "warning",
        "A part of the claim stands in the sources, and another does not. Say what the source "
        "says, with its conditions.",
    ),
    Rule(
        ProblemKind.UNCHECKED.value,
        "WordsNotChecked",
        "Words that state something were not checked.",
        "note",
        "They stand in code, in a heading, in what a reader does not see, or beyond the limit of "
        "claims. Say it in the text, where it is checked.",
    ),
)
_NUMBERS = {rule.id: number for number, rule in enumerate(_RULES)}


def render_sarif(checked: CheckedFiles) -> str:
    """Checked answers as SARIF JSON: a result for each problem, at its line and columns.

    Paths are relative to the root of the checkout, never absolute; a file that lies elsewhere is
    named without its folder. At most `MOST_RESULTS` are written, the worst first, and a
    notification says how many are left out.
    """
    found = sorted(_found(checked.files), key=lambda one: _NUMBERS[one.problem.kind.value])
    artifacts = _Artifacts()
    for file in checked.files:
        artifacts.location(_address(file), file.sha256)
    results = [_result(one, checked, artifacts) for one in found[:MOST_RESULTS]]
    return render_run(
        _RULES,
        artifacts=artifacts.all,
        results=results,
        notifications=list(_notifications(checked, len(found[MOST_RESULTS:]))),
        completed=not checked.failures,
        driver={"semanticVersion": __version__},
        bases=_BASES,
    )


class _Found(NamedTuple):
    """A problem, its file, and how many problems of the same words stand before it there."""

    file: CheckedFile
    problem: Problem
    before: int


def _found(files: Sequence[CheckedFile]) -> Iterator[_Found]:
    for file in files:
        seen: Counter[str] = Counter()
        for problem in file.check.problems:
            yield _Found(file, problem, seen[problem.text])
            seen[problem.text] += 1


class _Artifacts:
    """The files of a run, told apart by their places in the list of `all`."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []
        self._places: dict[str, int] = {}

    def location(self, address: Mapping[str, Any], sha256: str) -> dict[str, Any]:
        """The location of a file, which is put into the list if it is new."""
        place = self._places.setdefault(json.dumps(address, sort_keys=True), len(self.all))
        location = {**address, "index": place}
        if place == len(self.all):
            self.all.append({"location": location, "hashes": {"sha-256": sha256}})
        return location


def _notifications(checked: CheckedFiles, left_out: int) -> Iterator[dict[str, Any]]:
    if left_out:
        yield notification(
            "warning",
            f"{left_out:,} more problems are left out: {MOST_RESULTS:,} are written, the worst "
            "first.",
        )
    for failure in checked.failures:
        yield notification("error", failure)
    for warning in checked.warnings:
        yield notification("note", warning)
    for file in checked.files:
        for warning in file.check.warnings:
            yield notification("warning", f"{file.path}: {warning}")


def _result(one: _Found, checked: CheckedFiles, artifacts: _Artifacts) -> dict[str, Any]:
    problem, file = one.problem, one.file
    number = _NUMBERS[problem.kind.value]
    words = hashlib.sha256(problem.text.encode("utf-8", "surrogatepass")).hexdigest()
    place = {
        "artifactLocation": artifacts.location(_address(file), file.sha256),
        "region": region(file.document, problem.span, _MOST_CHARS),
    }
    result: dict[str, Any] = {
        "ruleId": problem.kind.value,
        "ruleIndex": number,
        "level": _RULES[number].level,
        "message": message(_told(problem)),
        "locations": [{"physicalLocation": place}],
        # What stays the same while its line moves: its words, and which of several it is.
        "partialFingerprints": {
            "veridicalClaim/v1": f"{words[:_FINGERPRINT_DIGITS]}:{one.before + 1}"
        },
    }
    if problem.nearest is not None:
        result["relatedLocations"] = [_related(problem.nearest, checked, artifacts)]
    if problem.repair is not None and problem.repair.edits:
        cuts = [(region(file.document, Span(e.start, e.end)), e.new) for e in problem.repair.edits]
        made = [{"deletedRegion": cut, "insertedContent": {"text": new}} for cut, new in cuts]
        change = {"artifactLocation": place["artifactLocation"], "replacements": made}
        told = message(problem.repair.told)
        result["fixes"] = [{"description": told, "artifactChanges": [change]}]
    return result


def _related(nearest: NearestWords, checked: CheckedFiles, artifacts: _Artifacts) -> dict[str, Any]:
    source = checked.sources.get(nearest.document.name)
    related: dict[str, Any] = {
        "id": 0,
        "message": message(f"{nearest.place}: “{_cut(nearest.text)}”"),
    }
    if source is None:
        return related
    address = {"uri": artifact_uri(source.path), "uriBaseId": ROOT}
    place: dict[str, Any] = {"artifactLocation": artifacts.location(address, source.sha256)}
    if nearest.document.format in LINED:
        place["region"] = region(nearest.document, nearest.span, _MOST_CHARS)
    return {**related, "physicalLocation": place}


def _address(file: CheckedFile) -> dict[str, Any]:
    """The file relative to the root; by its bare name where it lies elsewhere."""
    if file.inside:
        return {"uri": artifact_uri(file.path), "uriBaseId": ROOT}
    return {"uri": artifact_uri(file.path.rsplit("/", 1)[-1])}


def _told(problem: Problem) -> str:
    parts = [f"{problem.kind.told.capitalize()}: “{_cut(problem.text)}”. {problem.reason}"]
    if problem.nearest is not None:
        parts.append(f"Nearest: “{_cut(problem.nearest.text)}” ({problem.nearest.place}).")
    if problem.repair is not None:
        parts.append(f"Repair: {problem.repair.told}.")
    return " ".join(parts)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else text[: _MOST_CHARS - 2] + " …"


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
        lines = [f"Claim: {problem.text}"]
        if problem.nearest is not None:
            lines += [f"Nearest: {problem.nearest.text}", f"Place: {problem.nearest.place}"]
        found = Found(tag, problem.kind.value, message, "\n".join(lines))
    more = {"file": file.path, "line": str(line)}
    return Case(file.path, f"line {line}: {first_words(text)}", found, more=more)
