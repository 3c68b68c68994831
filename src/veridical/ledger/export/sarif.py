"""Checked answers as SARIF 2.1.0, which code hosts show at the very lines of the answers."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.ledger.checking import CheckedFile, CheckedFiles, NearestWords, Problem, ProblemKind
from veridical.validation.reports.sarif import (
    LINED,
    SCHEMA,
    artifact_uri,
    plain_message,
    printable,
    region,
)
from veridical.version import __version__

MOST_RESULTS = 5_000
"""GitHub shows no more of a run, and refuses a file with more than 25,000."""

ROOT = "%SRCROOT%"
_MOST_CHARS = 1_000
_FINGERPRINT_DIGITS = 32

_RULES = {
    ProblemKind.CONTRADICTED: ("ClaimContradicted", "A source says otherwise.", "error"),
    ProblemKind.NOT_FOUND: ("ClaimNotFound", "No source bears the claim out.", "error"),
    ProblemKind.PARTIAL: (
        "ClaimPartlySupported",
        "The sources bear the claim out in part only.",
        "warning",
    ),
    ProblemKind.UNCHECKED: (
        "WordsNotChecked",
        "Words that state something were not checked.",
        "note",
    ),
}
_HELP = {
    ProblemKind.CONTRADICTED: "A passage of the sources conflicts with this claim: another number, "
    "name or date, or a denial. Correct the claim, or take it out.",
    ProblemKind.NOT_FOUND: "The sources given say nothing of it. Take the claim out, or add the "
    "source that says it. The words that are named come nearest, and prove nothing.",
    ProblemKind.PARTIAL: "A part of the claim stands in the sources, and another does not. Say "
    "what the source says, with its conditions.",
    ProblemKind.UNCHECKED: "They stand in code, in a heading, in what a reader does not see, or "
    "beyond the limit of claims. Say it in the text, where it is checked.",
}
_NUMBERS = {kind: number for number, kind in enumerate(_RULES)}


def render_sarif(checked: CheckedFiles) -> str:
    """Checked answers as SARIF JSON: a result for each problem, at its line and columns.

    Columns count Unicode code points. Paths are relative to the root of the checkout, never
    absolute; a file that lies elsewhere is named without its folder. At most `MOST_RESULTS` are
    written, the worst first, and a notification says how many are left out.
    """
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_Run(checked).build()]}
    return json.dumps(printable(log), ensure_ascii=False, indent=2) + "\n"


@dataclass(frozen=True, slots=True)
class _Found:
    """A problem, its file, and how many problems of the same words stand before it there."""

    file: CheckedFile
    problem: Problem
    before: int


class _Run:
    """One SARIF run. Files are told apart by their places in the list of artifacts."""

    def __init__(self, checked: CheckedFiles) -> None:
        self._checked = checked
        found = sorted(_found(checked.files), key=lambda one: _NUMBERS[one.problem.kind])
        self._found, self._left_out = found[:MOST_RESULTS], len(found[MOST_RESULTS:])
        self._artifacts: dict[str, dict[str, Any]] = {}
        for file in checked.files:
            self._artifact(_location(file), file.sha256)

    def build(self) -> dict[str, Any]:
        results = [self._result(one) for one in self._found]
        driver = {
            "name": "Veridical",
            "semanticVersion": __version__,
            "rules": [_rule(kind) for kind in _RULES],
        }
        return {
            "tool": {"driver": driver},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the checkout."}}},
            "artifacts": list(self._artifacts.values()),
            "invocations": [
                {
                    "executionSuccessful": not self._checked.failures,
                    "toolExecutionNotifications": list(self._notifications()),
                }
            ],
            "results": results,
        }

    def _artifact(self, location: Mapping[str, Any], sha256: str) -> int:
        """The number of a file in the list of artifacts, where it is put if it is new."""
        key = json.dumps(location, sort_keys=True)
        if key not in self._artifacts:
            self._artifacts[key] = {
                "location": {**location, "index": len(self._artifacts)},
                "hashes": {"sha-256": sha256},
            }
        number: int = self._artifacts[key]["location"]["index"]
        return number

    def _notifications(self) -> Iterator[dict[str, Any]]:
        if self._left_out:
            yield _notification(
                "warning",
                f"{self._left_out:,} more problems are left out: {MOST_RESULTS:,} are written, the "
                "worst first.",
            )
        for failure in self._checked.failures:
            yield _notification("error", failure)
        for warning in self._checked.warnings:
            yield _notification("note", warning)
        for file in self._checked.files:
            for warning in file.check.warnings:
                yield _notification("warning", f"{file.path}: {warning}")

    def _result(self, one: _Found) -> dict[str, Any]:
        problem, file = one.problem, one.file
        location = _location(file)
        place = {
            "artifactLocation": {**location, "index": self._artifact(location, file.sha256)},
            "region": _bounded(region(file.document, problem.span)),
        }
        result: dict[str, Any] = {
            "ruleId": problem.kind.value,
            "ruleIndex": _NUMBERS[problem.kind],
            "level": _RULES[problem.kind][2],
            "message": {"text": _message(problem)},
            "locations": [{"physicalLocation": place}],
            "partialFingerprints": {"veridicalClaim/v1": _fingerprint(one)},
        }
        if problem.nearest is not None:
            result["relatedLocations"] = [self._related(problem.nearest)]
        return result

    def _related(self, nearest: NearestWords) -> dict[str, Any]:
        source = self._checked.sources.get(nearest.document.name)
        text = f"{nearest.place}: “{_cut(nearest.text)}”"
        related: dict[str, Any] = {"id": 0, "message": {"text": plain_message(text)}}
        if source is None:
            return related
        location = {"uri": artifact_uri(source.path), "uriBaseId": ROOT}
        number = self._artifact(location, source.sha256)
        place: dict[str, Any] = {"artifactLocation": {**location, "index": number}}
        if nearest.document.format in LINED:
            place["region"] = _bounded(region(nearest.document, nearest.span))
        related["physicalLocation"] = place
        return related


def _found(files: Sequence[CheckedFile]) -> Iterator[_Found]:
    for file in files:
        seen: Counter[str] = Counter()
        for problem in file.check.problems:
            yield _Found(file, problem, seen[problem.text])
            seen[problem.text] += 1


def _rule(kind: ProblemKind) -> dict[str, Any]:
    name, short, level = _RULES[kind]
    return {
        "id": kind.value,
        "name": name,
        "shortDescription": {"text": short},
        "fullDescription": {"text": _HELP[kind]},
        "help": {"text": _HELP[kind]},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["citation", "evidence"]},
    }


def _location(file: CheckedFile) -> dict[str, Any]:
    """The file relative to the root; by its bare name where it lies elsewhere."""
    if file.inside:
        return {"uri": artifact_uri(file.path), "uriBaseId": ROOT}
    return {"uri": artifact_uri(file.path.rsplit("/", 1)[-1])}


def _bounded(found: dict[str, Any]) -> dict[str, Any]:
    """A region whose snippet is no longer than one needs to see the place."""
    text = found["snippet"]["text"]
    return {**found, "snippet": {"text": text[:_MOST_CHARS]}}


def _message(problem: Problem) -> str:
    parts = [f"{problem.kind.told.capitalize()}: “{_cut(problem.text)}”. {problem.reason}"]
    if problem.nearest is not None:
        parts.append(f"Nearest: “{_cut(problem.nearest.text)}” ({problem.nearest.place}).")
    return plain_message(" ".join(parts))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else text[: _MOST_CHARS - 2] + " …"


def _notification(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": plain_message(text)}}


def _fingerprint(one: _Found) -> str:
    """What stays the same of a problem while its line moves: its words, and which of several."""
    digest = hashlib.sha256(one.problem.text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{digest[:_FINGERPRINT_DIGITS]}:{one.before + 1}"
