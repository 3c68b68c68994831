"""Results as short texts, for clients that show a model no structured ones.

What comes from a document, its name included, stands in double quotes and on one line, so that no
document can write a line of ours.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from veridical.integrations.mcp import schemas


def _quoted(text: str) -> str:
    """Words of a document: on one line, whatever is in them."""
    return json.dumps(text, ensure_ascii=False)


def _documents(found: schemas.DocumentList) -> str:
    """The documents, one a line."""
    shown = len(found.documents)
    part = "" if shown == found.total else f", from number {found.first:,} on {shown:,} of them"
    return _joined(
        f"{found.total:,} documents{part}",
        *(
            f"- {_quoted(each.name)}: {_quoted(each.title)}, {each.format}, "
            f"{each.characters:,} characters"
            for each in found.documents
        ),
        *_unread(found.unread),
    )


def _quotes(found: schemas.QuoteCheck) -> str:
    """The verdicts, and what the documents really say."""
    valid = sum(verdict.valid for verdict in found.quotes)
    return _joined(
        f"{valid} of {len(found.quotes)} quotes are valid",
        *(part for verdict in found.quotes for part in _quote(verdict)),
        *_unread(found.unread),
    )


def _claims(found: schemas.AnswerCheck) -> str:
    """The verdicts on the claims, with what decides."""
    unchecked = [f"Not checked: {_quoted(part)}" for part in found.unchecked]
    warnings = [f"Warning: {_quoted(warning)}" for warning in found.warnings]
    if not found.claims:
        nothing = "No claim was found in the answer, so nothing was checked"
        return _joined(nothing, *unchecked, *warnings)
    return _joined(
        f"{len(found.claims)} claims: {found.supported} supported, {found.weak} weak, "
        f"{found.contradicted} contradicted, {found.not_found} not found",
        *(part for verdict in found.claims for part in _claim(verdict)),
        *unchecked,
        *(f"Risk: {_quoted(risk)}" for risk in found.risks),
        *warnings,
        *_unread(found.unread),
    )


def _answer(found: schemas.CorpusAnswer) -> str:
    """The answer and its sources, or the refusal."""
    return _joined(
        "Answered from the documents:" if found.answered else "Not answered:",
        _quoted(found.text),
        *(
            f"[{citation.number}] {_place(citation.place)}, cite as [cite:{citation.anchor}]: "
            f"{_quoted(citation.text)}"
            for citation in found.citations
        ),
        *(f"Note: {_quoted(note)}" for note in found.notes),
        *_unread(found.unread),
    )


def _citation(found: schemas.CitationResolution) -> str:
    """The cited passage, or why there is none."""
    if found.place is None:
        places = (f"- {each.hash}: {_place(each.place)}" for each in found.candidates)
        return _joined(f"Not resolved: {_quoted(found.problem or '')}", *places)
    return _joined(f"{_place(found.place)}:", _quoted(found.text))


def _opened(found: schemas.OpenedSpan) -> str:
    """The words with what stands around them."""
    return _joined(
        f"{_place(found.place)}",
        f"Before: {'… ' if found.more_before else ''}{_quoted(found.before)}",
        f"Text: {_quoted(found.text)}",
        f"After: {_quoted(found.after)}{' …' if found.more_after else ''}",
    )


def _quote(verdict: schemas.QuoteVerdict) -> Iterator[str]:
    how = ", ".join(filter(None, (verdict.fidelity, verdict.reason)))
    yield f"{verdict.number}. {verdict.status}{f' ({how})' if how else ''}"
    if verdict.place is not None:
        yield f"   {_place(verdict.place)}: {_quoted(verdict.source_text)}"
    yield from (f"   Changed: {_quoted(change)}" for change in verdict.changes)
    if not verdict.valid and not verdict.changes:
        yield from (f"   {_quoted(advice)}" for advice in verdict.advice)


def _claim(verdict: schemas.ClaimVerdict) -> Iterator[str]:
    yield f"{verdict.number}. {verdict.verdict.replace('_', ' ')}: {_quoted(verdict.claim)}"
    for passage in verdict.passages:
        yield f"   {_place(passage.place)} {passage.says}: {_quoted(passage.text)}"
    for passage in verdict.nearest:
        yield f"   nearest, no evidence: {_place(passage.place)}: {_quoted(passage.text)}"
    yield from (f"   Citation: {_quoted(problem)}" for problem in verdict.citation_problems)


def _place(place: schemas.Place) -> str:
    page = f", page {place.page}" if place.page is not None else ""
    section = f", section {_quoted(place.section)}" if place.section else ""
    span = f"characters {place.start} to {place.end}"
    return f"{_quoted(place.document)}{page}{section}, line {place.line}, {span}"


def _unread(failures: Sequence[schemas.UnreadDocument]) -> Iterator[str]:
    for failure in failures:
        yield f"Not read: {_quoted(failure.name)} ({_quoted(failure.problem)})"


def _joined(*parts: str) -> str:
    return "\n".join((*parts, schemas.NOTICE))


WORDS: Mapping[str, Callable[[Any], str]] = {
    "list_documents": _documents,
    "validate_quotes": _quotes,
    "check_answer": _claims,
    "ask": _answer,
    "resolve_citation": _citation,
    "open_span": _opened,
}
"""The text of a result, by the name of the tool that gave it."""
