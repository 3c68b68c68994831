"""What the tools do. Loads most of the library, which is why `tools` does not import it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from veridical.errors import ValidationError
from veridical.integrations.mcp import arguments, convert, limits, results, wording
from veridical.integrations.mcp.documents import Documents, version_of
from veridical.integrations.mcp.working import Job
from veridical.ledger.citations import resolve_citation as resolve
from veridical.sources.span import Span
from veridical.validation.claims import Claim

Done = tuple[results.Result, str]
"""A result, and the same as text."""


def list_documents(
    given: arguments.ListDocuments, documents: Documents, job: Job
) -> tuple[results.DocumentList, str]:
    """The documents, some at a time."""
    state = documents.current(job)
    first = given.first - 1
    listed = state.corpus.documents[first : first + limits.MAX_DOCUMENTS]
    found = results.DocumentList(
        total=len(state.corpus.documents),
        first=given.first,
        documents=[
            results.DocumentEntry(
                name=document.name,
                title=convert.line(document.title),
                format=document.format.value,
                version=version_of(document),
                characters=len(document.text),
                pages=len(document.pages),
                sections=len(document.sections),
                warnings=convert.lines(document.warnings),
            )
            for document in listed
        ],
        unread=convert.unread(state.failures),
        unread_total=len(state.failures),
    )
    return found, wording.document_list(found)


def validate_quotes(
    given: arguments.ValidateQuotes, documents: Documents, job: Job
) -> tuple[results.QuoteCheck, str]:
    """The verdicts on quotes."""
    state = documents.at_hand(job)
    for quote in given.quotes:
        if quote.document:
            state.document(quote.document)
    report = state.validate(
        [
            Claim(
                str(number),
                quote.quote,
                source=quote.document or None,
                expected_section=quote.expected_section or None,
                context_hint=quote.context_hint or None,
            )
            for number, quote in enumerate(given.quotes, 1)
        ],
        job,
    )
    done = {result.claim.id: result for result in report.results}
    why = report.errors[0].message if report.errors else ""
    verdicts = [
        convert.quote_verdict(number, done[str(number)])
        if str(number) in done
        else convert.unchecked_quote(number, why)
        for number in range(1, len(given.quotes) + 1)
    ]
    found = results.QuoteCheck(
        all_valid=all(verdict.valid for verdict in verdicts),
        quotes=verdicts,
        unread=convert.unread(state.failures),
    )
    return found, wording.quote_check(found)


def check_answer(
    given: arguments.CheckAnswer, documents: Documents, job: Job
) -> tuple[results.AnswerCheck, str]:
    """The verdicts on the claims of an answer."""
    state = documents.at_hand(job)

    def progress(done: int, total: int) -> None:
        if total > limits.MAX_CLAIMS:
            raise ValidationError(
                f"the answer makes {total:,} claims, the limit is {limits.MAX_CLAIMS:,}. "
                "Check it in parts."
            )
        job.tell(done, total, "Checking claims")
        job.check()

    check = state.checker.check(given.answer, query=given.question, progress=progress)
    found = convert.answer_check(check, state)
    return found, wording.answer_check(found)


def ask(given: arguments.Ask, documents: Documents, job: Job) -> tuple[results.CorpusAnswer, str]:
    """An answer from the documents, or a refusal."""
    state = documents.at_hand(job)
    found = convert.corpus_answer(state.answerer.answer(given.question), state)
    return found, wording.corpus_answer(found)


def resolve_citation(
    given: arguments.ResolveCitation, documents: Documents, job: Job
) -> tuple[results.CitationResolution, str]:
    """Where an anchor leads."""
    resolution = resolve(given.anchor, documents.at_hand(job).corpus)
    chunk = resolution.chunk
    shown = resolution.candidates[: limits.MAX_LISTED]
    found = results.CitationResolution(
        resolved=resolution.resolved,
        anchor=resolution.chunk_hash,
        place=convert.place(chunk.document, chunk.span) if chunk else None,
        text=convert.cut(chunk.text, limits.MAX_PASSAGE_CHARS) if chunk else "",
        problem=convert.line(resolution.error) if resolution.error else None,
        candidates=[
            results.Candidate(place=convert.place(each.document, each.span), hash=each.sha256)
            for each in shown
        ],
        candidates_total=len(resolution.candidates),
    )
    return found, wording.citation(found)


def open_span(
    given: arguments.OpenSpan, documents: Documents, job: Job
) -> tuple[results.OpenedSpan, str]:
    """Words of a document with what stands around them."""
    document = documents.at_hand(job).document(given.document)
    length = len(document.text)
    if given.version and given.version != version_of(document):
        raise ValidationError(
            "the document has changed since that place was told, so the place may hold other "
            "words now. Check again what it stood for"
        )
    if not given.start <= given.end <= length:
        raise ValidationError(
            f"characters {given.start:,} to {given.end:,} are no span of this document, which has "
            f"{length:,} characters"
        )
    if given.end - given.start > limits.MAX_SPAN_CHARS:
        raise ValidationError(
            f"the span has {given.end - given.start:,} characters, the limit is "
            f"{limits.MAX_SPAN_CHARS:,}. Open it in parts"
        )
    first, last = max(0, given.start - given.context), min(length, given.end + given.context)
    found = results.OpenedSpan(
        place=convert.place(document, Span(given.start, given.end)),
        before=document.shown(Span(first, given.start)),
        text=document.shown(Span(given.start, given.end)),
        after=document.shown(Span(given.end, last)),
        more_before=first > 0,
        more_after=last < length,
    )
    return found, wording.opened(found)


DOES: Mapping[str, Callable[[Any, Documents, Job], Done]] = {
    does.__name__: does
    for does in (
        list_documents,
        validate_quotes,
        check_answer,
        ask,
        resolve_citation,
        open_span,
    )
}
"""What each tool does, by its name: called in a thread with checked arguments. Raises
VeridicalError where it cannot be done.
"""
