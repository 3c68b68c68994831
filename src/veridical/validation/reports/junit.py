"""The report as JUnit XML, which every CI system shows."""

from __future__ import annotations

from veridical.reports.junit import Case, Found, Suite, render_suites
from veridical.reports.words import first_words
from veridical.validation import wording
from veridical.validation.results import ClaimResult, RunError, Status, ValidationReport

SUITE = "veridical"


def render_junit(report: ValidationReport) -> str:
    """The report as one test suite with a test case for each claim.

    A failed claim is a failure. Doubtful and ambiguous claims neither fail nor pass: skipped; a
    strict report has them among the failed ones. What kept the run from being completed is an error
    in a test case of its own. No time is given: the same report gives the same bytes.
    """
    cases = [_claim(result) for result in report.results]
    cases += [_error(number, error) for number, error in enumerate(report.errors, 1)]
    notes = [_note(note.claim_id, note.message) for note in report.notes]
    return render_suites(SUITE, [Suite(SUITE, cases, "\n".join(notes))])


def _claim(result: ClaimResult) -> Case:
    place = wording.primary_place(result)
    document = place.document.name if place else result.claim.source
    found, output = None, ""
    if result.status is Status.FAILED:
        kind = result.reason.value if result.reason else Status.FAILED.value
        found = Found("failure", kind, wording.reason(result), _details(result))
    elif result.status is not Status.VALIDATED:
        found = Found("skipped", result.status.value, wording.reason(result), _details(result))
    elif result.notes:
        output = _details(result)
    return Case(
        document or result.claim.evidence_type.value,
        f"{result.claim.id}: {first_words(result.claim.quote)}",
        found,
        output,
        _properties(result),
    )


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


def _error(number: int, error: RunError) -> Case:
    claims = ", ".join(error.affected_claims)
    found = Found("error", error.code, error.message, f"Claims: {claims}" if claims else "")
    return Case(f"{SUITE}.run", f"{number}: {error.code}", found)
