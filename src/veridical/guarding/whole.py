"""What only the whole of an answer shows: a list of sources, a link's target, a footnote."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.guarding.report import GuardedSentence
from veridical.guarding.settings import FAILING
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import AnswerClaim, LedgerEntry, MarkerKind
from veridical.ledger.extraction.extractor import Extraction
from veridical.ledger.ids import content_id
from veridical.ledger.markers import source_list
from veridical.sources.span import Span


def session_of(builder: LedgerBuilder, answer: str, query: str) -> str:
    """The session id of a guarded answer: of the question, the answer and the sources."""
    versions = [f"{source.filename}:{source.sha256}" for source in builder.sources]
    return content_id("guard", builder.workspace, query, answer, *versions)


def late_entries(
    builder: LedgerBuilder,
    answer: str,
    session: str,
    query: str,
    sentences: Sequence[GuardedSentence],
) -> tuple[Extraction, tuple[LedgerEntry, ...]]:
    """What a ledger of the whole answer finds unsupported, and was not told with its sentence.

    Claims that are read as they were while the answer was written, and whose citations mean what
    they meant then, are not judged again. Raises what `LedgerBuilder.build` raises.
    """
    extraction = builder.extractor.extract(answer, session, query)
    known = {entry.claim.span: entry.claim for one in sentences for entry in one.claims}
    listed = bool(source_list(answer).entries) if "[" in answer or "\u3010" in answer else False
    new = [c for c in extraction.claims if not _is_same(c, known.get(c.span), listed=listed)]
    told = sorted(one.span for one in sentences if one.standing in FAILING)
    late = [
        entry
        for entry in (builder.entries_of(new, answer=answer, session_id=session) if new else ())
        if entry.verdict is not Verdict.SUPPORTED and not _is_told(entry.claim.span, told, answer)
    ]
    return extraction, tuple(late)


def _is_same(claim: AnswerClaim, known: AnswerClaim | None, *, listed: bool) -> bool:
    if known is None or claim.statement != known.statement or claim.context != known.context:
        return False
    if claim.markers != known.markers:
        return False
    return not (listed and any(one.kind is MarkerKind.NUMBER for one in claim.markers))


def _is_told(span: Span, told: Sequence[Span], answer: str) -> bool:
    """Whether all words of a claim stand in sentences that were told."""
    at = span.start
    for one in told:
        if one.end <= at or one.start >= span.end:
            continue
        if any(character.isalnum() for character in answer[at : one.start]):
            return False
        at = max(at, one.end)
    return not any(character.isalnum() for character in answer[at : span.end])
