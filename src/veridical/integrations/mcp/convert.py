"""Values of the library become results of tools: bounded, and without a path of this machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Literal

from veridical.answering import answer as answers
from veridical.integrations.mcp import limits, results
from veridical.integrations.mcp.documents import State, version_of
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.checking import AnswerCheck, ProblemKind
from veridical.ledger.entry import Evidence, LedgerEntry
from veridical.matching.match import Match
from veridical.sources.document import Document
from veridical.sources.loader import LoadFailure
from veridical.sources.span import Span
from veridical.validation.results import ClaimResult

_LEFT_OUT = " […]"

_Says = Literal["supports", "supports in part", "contradicts", "neither"]
_SAYS: dict[SupportLevel, _Says] = {
    SupportLevel.FULL: "supports",
    SupportLevel.PARTIAL: "supports in part",
    SupportLevel.NONE: "neither",
}


def cut(text: str, most: int) -> str:
    """The text, and a sign of it where some is left out."""
    return text if len(text) <= most else text[: most - len(_LEFT_OUT)].rstrip() + _LEFT_OUT


def line(text: str) -> str:
    """A note, a title or a piece of advice: on one line, and cut."""
    return cut(" ".join(text.split()), limits.MAX_LINE_CHARS)


def lines(texts: Iterable[str]) -> list[str]:
    """The first notes of several."""
    return [line(text) for text in islice(texts, limits.MAX_LISTED)]


def told_lines(texts: Sequence[str]) -> list[str]:
    """The same, and last how many more there are."""
    more = len(texts) - limits.MAX_LISTED
    return [*lines(texts), *([f"and {more:,} more"] if more > 0 else [])]


def place(document: Document, span: Span) -> results.Place:
    """Where a span stands."""
    section = document.section_at(span.start)
    return results.Place(
        document=document.name,
        version=version_of(document),
        start=span.start,
        end=span.end,
        line=document.line_number(span.start),
        page=document.page_at(span.start),
        section=line(" > ".join(section.path)) if section else "",
    )


def unread(failures: Sequence[LoadFailure]) -> list[results.UnreadDocument]:
    """The first of the files that could not be read."""
    return [
        results.UnreadDocument(name=failure.name, problem=line(failure.message))
        for failure in failures[: limits.MAX_LISTED]
    ]


def quote_verdict(number: int, result: ClaimResult) -> results.QuoteVerdict:
    """The verdict on a quote, with the place that it rests on."""
    found = result.match or result.found_at
    return results.QuoteVerdict(
        number=number,
        valid=result.passed,
        status=result.status.value,
        reason=result.reason.value if result.reason else None,
        fidelity=result.fidelity.value if result.fidelity else None,
        confidence=result.confidence,
        place=_place_of(found) if found else None,
        source_text=cut(found.shown, limits.MAX_TEXT_CHARS) if found else "",
        changes=told_lines([change.describe() for change in result.alterations]),
        forgiven=[rule.value for rule in result.rules],
        other_places=[_place_of(match) for match in result.alternatives[: limits.MAX_LISTED]],
        advice=lines((*result.suggestions, *(note.message for note in result.notes))),
    )


def unchecked_quote(number: int, why: str) -> results.QuoteVerdict:
    """A quote for which there was no time."""
    return results.QuoteVerdict(
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
        advice=[line(why)],
    )


def answer_check(check: AnswerCheck, state: State) -> results.AnswerCheck:
    """The verdicts on an answer."""
    ledger = check.ledger
    unchecked = [problem.text for problem in check.of_kinds({ProblemKind.UNCHECKED})]
    by_verdict = ledger.summary.by_verdict
    names = {source.id: source.filename for source in ledger.sources}
    sources = {source: state.document(name) for source, name in names.items()}
    supported = by_verdict[Verdict.SUPPORTED]
    return results.AnswerCheck(
        all_supported=0 < supported == len(ledger.entries) and not unchecked,
        supported=supported,
        weak=by_verdict[Verdict.WEAK],
        contradicted=by_verdict[Verdict.CONTRADICTED],
        not_found=by_verdict[Verdict.NOT_FOUND],
        claims=[
            _claim_verdict(number, entry, sources) for number, entry in enumerate(ledger.entries, 1)
        ],
        unchecked=told_lines(unchecked),
        risks=told_lines([flag.description for flag in ledger.risk_flags]),
        warnings=told_lines(_of_the_answer(ledger.warnings, state)),
        unread=unread(state.failures),
    )


def _of_the_answer(warnings: Iterable[str], state: State) -> list[str]:
    """The warnings that are no document's: those stand in the list of documents, once."""
    documents = state.corpus.documents
    known = {f"{each.name}: {warning}" for each in documents for warning in each.warnings}
    return [warning for warning in warnings if warning not in known]


def _claim_verdict(
    number: int, entry: LedgerEntry, sources: dict[str, Document]
) -> results.ClaimVerdict:
    claim = entry.claim
    # A claim that is borne out needs one passage; what is not, its reader will want to look into.
    shown = 1 if entry.verdict is Verdict.SUPPORTED else limits.MAX_PASSAGES
    return results.ClaimVerdict(
        number=number,
        claim=cut(claim.text, limits.MAX_TEXT_CHARS),
        start=claim.span.start,
        end=claim.span.end,
        verdict=entry.verdict.value,
        confidence=entry.confidence_score,
        probability=entry.probability,
        passages=[_passage(piece, sources) for piece in entry.evidence[:shown]],
        nearest=[_passage(piece, sources) for piece in entry.near[:1]],
        citation_problems=lines(check.problem for check in entry.citations if check.problem),
    )


def _passage(piece: Evidence, sources: dict[str, Document]) -> results.Passage:
    return results.Passage(
        place=place(sources[piece.source_id], piece.snippet_span),
        text=cut(piece.snippet, limits.MAX_TEXT_CHARS),
        says="contradicts" if piece.contradicts else _SAYS[piece.support],
        anchor=piece.anchor,
        cited=piece.cited,
    )


def _citation(citation: answers.Citation, state: State) -> results.Citation:
    return results.Citation(
        number=citation.number,
        title=line(citation.title),
        place=place(state.document(citation.doc_id), citation.span),
        text=cut(citation.snippet, limits.MAX_PASSAGE_CHARS),
        anchor=citation.anchor,
    )


def corpus_answer(answer: answers.PolicyAnswer, state: State) -> results.CorpusAnswer:
    """An answer with its citations, or a refusal."""
    return results.CorpusAnswer(
        answered=answer.refusal is None,
        text=cut(answer.text, limits.MAX_REPLY_CHARS),
        refusal=answer.refusal.reason.value if answer.refusal else None,
        missing=lines(answer.refusal.missing) if answer.refusal else [],
        disagreement=cut(answer.disagreement, limits.MAX_PASSAGE_CHARS),
        citations=[_citation(citation, state) for citation in answer.citations],
        nearest=[_citation(citation, state) for citation in answer.nearest],
        answered_by=line(answer.answered_by),
        probability=answer.probability,
        notes=lines(answer.notes),
        unread=unread(state.failures),
    )


def _place_of(match: Match) -> results.Place:
    return place(match.document, match.span)
