"""Results as short texts, for clients that show a model no structured ones.

What comes from a document, its name included, stands in double quotes and on one line, so that no
document can write a line of ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from veridical.integrations.mcp import results


def quoted(text: str) -> str:
    """Words of a document: on one line, whatever is in them."""
    return json.dumps(text, ensure_ascii=False)


def document_list(found: results.DocumentList) -> str:
    """The documents, one a line."""
    return _joined(
        f"{found.total:,} documents{_listed(found)}",
        *(
            f"- {quoted(each.name)}: {quoted(each.title)}, {each.format}, "
            f"{each.characters:,} characters"
            for each in found.documents
        ),
        *_unread(found.unread),
    )


def quote_check(found: results.QuoteCheck) -> str:
    """The verdicts, and what the documents really say."""
    valid = sum(verdict.valid for verdict in found.quotes)
    return _joined(
        f"{valid} of {len(found.quotes)} quotes are valid",
        *(part for verdict in found.quotes for part in _quote(verdict)),
        *_unread(found.unread),
    )


def answer_check(found: results.AnswerCheck) -> str:
    """The verdicts on the claims, with what decides."""
    unchecked = [f"Not checked: {quoted(part)}" for part in found.unchecked]
    if not found.claims:
        return _joined(
            "No claim was found in the answer, so nothing was checked",
            *unchecked,
            *_warnings(found),
        )
    return _joined(
        f"{len(found.claims)} claims: {found.supported} supported, {found.weak} weak, "
        f"{found.contradicted} contradicted, {found.not_found} not found",
        *(part for verdict in found.claims for part in _claim(verdict)),
        *unchecked,
        *(f"Risk: {quoted(risk)}" for risk in found.risks),
        *_warnings(found),
        *_unread(found.unread),
    )


def corpus_answer(found: results.CorpusAnswer) -> str:
    """The answer and its sources, or the refusal."""
    return _joined(
        "Answered from the documents:" if found.answered else "Not answered:",
        quoted(found.text),
        *(
            f"[{citation.number}] {_place(citation.place)}, cite as [cite:{citation.anchor}]: "
            f"{quoted(citation.text)}"
            for citation in found.citations
        ),
        *(f"Note: {quoted(note)}" for note in found.notes),
        *_unread(found.unread),
    )


def citation(found: results.CitationResolution) -> str:
    """The cited passage, or why there is none."""
    if found.place is None:
        places = (f"- {each.hash}: {_place(each.place)}" for each in found.candidates)
        return _joined(f"Not resolved: {quoted(found.problem or '')}", *places)
    return _joined(f"{_place(found.place)}:", quoted(found.text))


def opened(found: results.OpenedSpan) -> str:
    """The words with what stands around them."""
    return _joined(
        f"{_place(found.place)}",
        f"Before: {'… ' if found.more_before else ''}{quoted(found.before)}",
        f"Text: {quoted(found.text)}",
        f"After: {quoted(found.after)}{' …' if found.more_after else ''}",
    )


def _quote(verdict: results.QuoteVerdict) -> Iterator[str]:
    how = ", ".join(filter(None, (verdict.fidelity, verdict.reason)))
    yield f"{verdict.number}. {verdict.status}{f' ({how})' if how else ''}"
    if verdict.place is not None:
        yield f"   {_place(verdict.place)}: {quoted(verdict.source_text)}"
    yield from (f"   Changed: {quoted(change)}" for change in verdict.changes)
    if not verdict.valid and not verdict.changes:
        yield from (f"   {quoted(advice)}" for advice in verdict.advice)


def _claim(verdict: results.ClaimVerdict) -> Iterator[str]:
    yield f"{verdict.number}. {verdict.verdict.replace('_', ' ')}: {quoted(verdict.claim)}"
    for passage in verdict.passages:
        yield f"   {_place(passage.place)} {passage.says}: {quoted(passage.text)}"
    for passage in verdict.nearest:
        yield f"   nearest, no evidence: {_place(passage.place)}: {quoted(passage.text)}"
    yield from (f"   Citation: {quoted(problem)}" for problem in verdict.citation_problems)


def _place(place: results.Place) -> str:
    page = f", page {place.page}" if place.page is not None else ""
    section = f", section {quoted(place.section)}" if place.section else ""
    span = f"characters {place.start} to {place.end}"
    return f"{quoted(place.document)}{page}{section}, line {place.line}, {span}"


def _listed(found: results.DocumentList) -> str:
    if len(found.documents) == found.total:
        return ""
    return f", from number {found.first:,} on {len(found.documents):,} of them"


def _warnings(found: results.AnswerCheck) -> Iterator[str]:
    yield from (f"Warning: {quoted(warning)}" for warning in found.warnings)


def _unread(failures: Sequence[results.UnreadDocument]) -> Iterator[str]:
    for failure in failures:
        yield f"Not read: {quoted(failure.name)} ({quoted(failure.problem)})"


def _joined(*parts: str) -> str:
    return "\n".join((*parts, results.NOTICE))
