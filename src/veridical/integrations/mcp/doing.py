"""What the tools do. Loads most of the library, which is why `server` does not import it.

Results are bounded, and without a path of this machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import islice
from typing import Any, Literal

from jinja2 import Environment
from markupsafe import Markup

from veridical.answering.answer import Citation
from veridical.errors import ValidationError
from veridical.integrations.mcp import limits, schemas
from veridical.integrations.mcp.documents import Documents, State, version_of
from veridical.integrations.mcp.working import Job
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.checking import ProblemKind
from veridical.ledger.citations import resolve_citation as resolve
from veridical.ledger.entry import Evidence, LedgerEntry
from veridical.reports.page import engine
from veridical.reports.words import count
from veridical.sources.document import Document, Span
from veridical.sources.loader import LoadFailure
from veridical.validation.claims import Claim
from veridical.validation.results import ClaimResult

_LEFT_OUT = " […]"

_Says = Literal["supports", "supports in part", "contradicts", "neither"]
_SAYS: dict[SupportLevel, _Says] = {
    SupportLevel.FULL: "supports",
    SupportLevel.PARTIAL: "supports in part",
    SupportLevel.NONE: "neither",
}


def _cut(text: str, most: int) -> str:
    """The text, and a sign of it where some is left out."""
    return text if len(text) <= most else text[: most - len(_LEFT_OUT)].rstrip() + _LEFT_OUT


def _line(text: str) -> str:
    """A note, a title or a piece of advice: on one line, and cut."""
    return _cut(" ".join(text.split()), limits.MAX_LINE_CHARS)


def _lines(texts: Iterable[str]) -> list[str]:
    """The first notes of several."""
    return [_line(text) for text in islice(texts, limits.MAX_LISTED)]


def _told_lines(texts: Sequence[str]) -> list[str]:
    """The same, and last how many more there are."""
    more = len(texts) - limits.MAX_LISTED
    return [*_lines(texts), *([f"and {more:,} more"] if more > 0 else [])]


def _place(document: Document, span: Span) -> schemas.Place:
    """Where a span stands."""
    return schemas.Place(
        document=document.name,
        version=version_of(document),
        start=span.start,
        end=span.end,
        line=document.line_number(span.start),
        page=document.page_at(span.start),
        section=_line(" > ".join(document.path_of(span))),
    )


def _unread(failures: Sequence[LoadFailure]) -> list[schemas.UnreadDocument]:
    """The first of the files that could not be read."""
    return [
        schemas.UnreadDocument(name=failure.name, problem=_line(failure.message))
        for failure in failures[: limits.MAX_LISTED]
    ]


def _quote_verdict(number: int, result: ClaimResult) -> schemas.QuoteVerdict:
    """The verdict on a quote, with the place that it rests on."""
    found = result.match or result.found_at
    return schemas.QuoteVerdict(
        number=number,
        valid=result.passed,
        status=result.status.value,
        reason=result.reason.value if result.reason else None,
        fidelity=result.fidelity.value if result.fidelity else None,
        confidence=result.confidence,
        place=_place(found.document, found.span) if found else None,
        source_text=_cut(found.shown, limits.MAX_TEXT_CHARS) if found else "",
        changes=_told_lines([change.describe() for change in result.alterations]),
        forgiven=[rule.value for rule in result.rules],
        other_places=[
            _place(match.document, match.span) for match in result.alternatives[: limits.MAX_LISTED]
        ],
        advice=_lines((*result.suggestions, *(note.message for note in result.notes))),
    )


def _unchecked_quote(number: int, why: str) -> schemas.QuoteVerdict:
    """A quote for which there was no time."""
    return schemas.QuoteVerdict(
        number=number,
        valid=False,
        status="NOT_CHECKED",
        reason=None,
        fidelity=None,
        confidence=0.0,
        place=None,
        source_text="",
        changes=[],
        forgiven=[],
        other_places=[],
        advice=[_line(why)],
    )


def _of_the_answer(warnings: Iterable[str], state: State) -> list[str]:
    """The warnings that are no document's: those stand in the list of documents, once."""
    known = set(state.corpus.warnings)
    return [warning for warning in warnings if warning not in known]


def _claim_verdict(
    number: int, entry: LedgerEntry, sources: dict[str, Document]
) -> schemas.ClaimVerdict:
    claim = entry.claim
    # A claim that is borne out needs one passage; what is not, its reader will want to look into.
    shown = 1 if entry.verdict is Verdict.SUPPORTED else limits.MAX_PASSAGES
    return schemas.ClaimVerdict(
        number=number,
        claim=_cut(claim.text, limits.MAX_TEXT_CHARS),
        start=claim.span.start,
        end=claim.span.end,
        verdict=entry.verdict.value,
        confidence=entry.confidence_score,
        probability=entry.probability,
        passages=[_passage(piece, sources) for piece in entry.evidence[:shown]],
        nearest=[_passage(piece, sources) for piece in entry.near[:1]],
        citation_problems=_lines(check.problem for check in entry.citations if check.problem),
    )


def _passage(piece: Evidence, sources: dict[str, Document]) -> schemas.Passage:
    return schemas.Passage(
        place=_place(sources[piece.source_id], piece.snippet_span),
        text=_cut(piece.snippet, limits.MAX_TEXT_CHARS),
        says="contradicts" if piece.contradicts else _SAYS[piece.support],
        anchor=piece.anchor,
        cited=piece.cited,
    )


def _citation(citation: Citation, state: State) -> schemas.Citation:
    return schemas.Citation(
        number=citation.number,
        title=_line(citation.title),
        place=_place(state.document(citation.doc_id), citation.span),
        text=_cut(citation.snippet, limits.MAX_PASSAGE_CHARS),
        anchor=citation.anchor,
    )


def list_documents(
    given: schemas.ListDocuments, documents: Documents, job: Job
) -> schemas.DocumentList:
    """The documents, some at a time."""
    state = documents.current(job)
    first = given.first - 1
    listed = state.corpus.documents[first : first + limits.MAX_DOCUMENTS]
    return schemas.DocumentList(
        total=len(state.corpus.documents),
        first=given.first,
        documents=[
            schemas.DocumentEntry(
                name=document.name,
                title=_line(document.title),
                format=document.format.value,
                version=version_of(document),
                characters=len(document.text),
                pages=len(document.pages),
                sections=len(document.sections),
                warnings=_lines(document.warnings),
            )
            for document in listed
        ],
        unread=_unread(state.failures),
        unread_total=len(state.failures),
    )


def validate_quotes(
    given: schemas.ValidateQuotes, documents: Documents, job: Job
) -> schemas.QuoteCheck:
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
        _quote_verdict(number, done[str(number)])
        if str(number) in done
        else _unchecked_quote(number, why)
        for number in range(1, len(given.quotes) + 1)
    ]
    return schemas.QuoteCheck(
        all_valid=all(verdict.valid for verdict in verdicts),
        quotes=verdicts,
        unread=_unread(state.failures),
    )


def check_answer(given: schemas.CheckAnswer, documents: Documents, job: Job) -> schemas.AnswerCheck:
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
    ledger = check.ledger
    unchecked = [problem.text for problem in check.of_kinds({ProblemKind.UNCHECKED})]
    by_verdict = ledger.summary.by_verdict
    sources = {source.id: state.document(source.filename) for source in ledger.sources}
    supported = by_verdict[Verdict.SUPPORTED]
    return schemas.AnswerCheck(
        all_supported=0 < supported == len(ledger.entries)
        and not check.of_kinds({ProblemKind.UNCHECKED, ProblemKind.MISQUOTED}),
        supported=supported,
        weak=by_verdict[Verdict.WEAK],
        contradicted=by_verdict[Verdict.CONTRADICTED],
        not_found=by_verdict[Verdict.NOT_FOUND],
        claims=[
            _claim_verdict(number, entry, sources) for number, entry in enumerate(ledger.entries, 1)
        ],
        unchecked=_told_lines(unchecked),
        risks=_told_lines([flag.description for flag in ledger.risk_flags]),
        warnings=_told_lines(_of_the_answer(ledger.warnings, state)),
        unread=_unread(state.failures),
    )


def ask(given: schemas.Ask, documents: Documents, job: Job) -> schemas.CorpusAnswer:
    """An answer from the documents, or a refusal."""
    state = documents.at_hand(job)
    answer = state.answerer.answer(given.question)
    return schemas.CorpusAnswer(
        answered=answer.refusal is None,
        text=_cut(answer.text, limits.MAX_REPLY_CHARS),
        refusal=answer.refusal.reason.value if answer.refusal else None,
        missing=_lines(answer.refusal.missing) if answer.refusal else [],
        disagreement=_cut(answer.disagreement, limits.MAX_PASSAGE_CHARS),
        citations=[_citation(citation, state) for citation in answer.citations],
        nearest=[_citation(citation, state) for citation in answer.nearest],
        answered_by=_line(answer.answered_by),
        probability=answer.probability,
        notes=_lines(answer.notes),
        unread=_unread(state.failures),
    )


def resolve_citation(
    given: schemas.ResolveCitation, documents: Documents, job: Job
) -> schemas.CitationResolution:
    """Where an anchor leads."""
    resolution = resolve(given.anchor, documents.at_hand(job).corpus)
    chunk = resolution.chunk
    shown = resolution.candidates[: limits.MAX_LISTED]
    return schemas.CitationResolution(
        resolved=resolution.resolved,
        anchor=resolution.chunk_hash,
        place=_place(chunk.document, chunk.span) if chunk else None,
        text=_cut(chunk.text, limits.MAX_PASSAGE_CHARS) if chunk else "",
        problem=_line(resolution.error) if resolution.error else None,
        candidates=[
            schemas.Candidate(place=_place(each.document, each.span), hash=each.sha256)
            for each in shown
        ],
        candidates_total=len(resolution.candidates),
    )


def open_span(given: schemas.OpenSpan, documents: Documents, job: Job) -> schemas.OpenedSpan:
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
    return schemas.OpenedSpan(
        place=_place(document, Span(given.start, given.end)),
        before=document.shown(Span(first, given.start)),
        text=document.shown(Span(given.start, given.end)),
        after=document.shown(Span(given.end, last)),
        more_before=first > 0,
        more_after=last < length,
    )


TOOLS = (list_documents, validate_quotes, check_answer, ask, resolve_citation, open_span)


def do(name: str, given: Any, documents: Documents, job: Job) -> schemas.Reply:
    """What the tool of this name does, in a thread, with checked arguments.

    Raises VeridicalError where it cannot be done.
    """
    tools: dict[str, Callable[..., schemas.Reply]] = {tool.__name__: tool for tool in TOOLS}
    return tools[name](given, documents, job)


def told(name: str, result: schemas.Reply) -> str:
    """The result of a tool as a short text."""
    return _texts().get_template("mcp.txt").render(tool=name, it=result)


@cache
def _texts() -> Environment:
    made = engine(_quoted, trim_blocks=True, lstrip_blocks=True)
    made.filters.update(count=count, ours=Markup)
    return made


def _quoted(value: Any) -> str:
    """Words of a document: on one line, whatever is in them."""
    return value if type(value) is Markup else json.dumps(value, ensure_ascii=False)
