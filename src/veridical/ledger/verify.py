"""A ledger checked again, against the documents as they are now. No database, no network.

All that follows from a ledger's own inputs is made once more, by what built it, and compared field
by field. What cannot be made again (claims, warnings, notes, the judge's numbers) is taken as it
is, and must fit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from veridical.errors import ValidationError
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import FULL_SUPPORT_ABOVE
from veridical.ledger.confidence import NO_CONFIDENCE, ConfidenceComponents, displayed_confidence
from veridical.ledger.deciding import Findings, JudgedEvidence, decide
from veridical.ledger.entry import (
    DECIMALS,
    AnswerClaim,
    Evidence,
    EvidenceLedger,
    LedgerEntry,
    MarkerKind,
    RiskType,
    Source,
)
from veridical.ledger.extraction.page import AnswerPage, read_page
from veridical.ledger.extraction.remarks import plain_statement
from veridical.ledger.extraction.sentences import shown_text
from veridical.ledger.extraction.words import tokens
from veridical.ledger.freshness import Staleness, described, stale_sources
from veridical.ledger.ids import DEFAULT_WORKSPACE
from veridical.ledger.markers import Markers, markers_of
from veridical.ledger.review import decision_problem
from veridical.ledger.risks import concluded, summarised
from veridical.ledger.seal import Problem, check_seal
from veridical.ledger.verification import (
    EntryCheck,
    EvidenceCheck,
    EvidenceStatus,
    LedgerVerification,
    SourceCheck,
    SourceStatus,
)
from veridical.ledger.verify_find import EvidenceChecks, Sentences, is_cut, match_sources
from veridical.ledger.wire import LedgerFile, ledger_file_from_bytes, ledger_records
from veridical.reports.words import count
from veridical.retrieval.chunks import chunk_sha256
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Span
from veridical.text.normalize import one_line
from veridical.text.tokens import is_word_character
from veridical.validation.lexicon import NEGATIONS
from veridical.validation.settle import struck_span

Unchanged = Mapping[str, Document]
"""By source id, the documents whose text is the one that the ledger was built on."""


def verify_ledger(
    file_bytes: bytes,
    documents: Iterable[Document],
    *,
    expected_head: str | None = None,
) -> LedgerVerification:
    """Check a ledger file: its seal, that it agrees with itself, and its evidence in `documents`.
    Reviews in it must be about its entries and be well-formed; whether they are right is not asked.

    A document is a source of the ledger if it has its name; else the one of that file name in
    another folder, where there is only one; else the one of the very same text. `expected_head`
    is that of `check_seal`. What is altered or gone is a finding, not an error.

    What follows from entries and sources (risks, questions, actions, the sources' dates) is made
    again where the sources have not changed; warnings, notes and the judge's numbers cannot be.

    Raises ValidationError where the file is no ledger at all (not JSON, or not of the schema), or
    two documents have one name.
    """
    known = tuple(documents)
    if twice := _repeated(document.name for document in known):
        raise ValidationError(f"two documents are named {twice[0]!r}; rename one")
    seal = check_seal(file_bytes, expected_head=expected_head)
    file = ledger_file_from_bytes(file_bytes)
    ledger = file.ledger
    matched = match_sources(ledger.sources, known)
    checks = EvidenceChecks(ledger, known, matched)
    unchanged = {
        source.id: document
        for source in ledger.sources
        if (document := matched.get(source.id)) and document.sha256 == source.sha256
    }
    return LedgerVerification(
        ledger_id=ledger.id,
        seal=seal,
        sources=tuple(_source_check(source, matched.get(source.id)) for source in ledger.sources),
        entries=tuple(_entry_check(entry, checks.of) for entry in ledger.entries),
        problems=(*inconsistencies(ledger, unchanged), *_review_problems(file)),
    )


_RANK = [*EvidenceStatus]


def _source_check(source: Source, document: Document | None) -> SourceCheck:
    if document is None:
        return SourceCheck(source.id, source.filename, SourceStatus.MISSING, source.sha256)
    same = document.sha256 == source.sha256
    status = SourceStatus.UNCHANGED if same else SourceStatus.CHANGED
    known = source.id, source.filename, status, source.sha256
    return SourceCheck(*known, document.name, document.sha256)


def _entry_check(entry: LedgerEntry, check: Callable[[Evidence], EvidenceCheck]) -> EntryCheck:
    checks = tuple(check(piece) for piece in entry.evidence)
    return EntryCheck(
        entry_id=entry.id,
        claim_id=entry.claim.id,
        claim_text=entry.claim.text,
        verdict=entry.verdict,
        status=max((one.status for one in checks), key=_RANK.index, default=None),
        stale=any(check.stale for check in checks),
        evidence=checks,
    )


# The ledger made again, and where it differs.


def remade(ledger: EvidenceLedger, unchanged: Unchanged) -> EvidenceLedger:
    """The ledger as it follows from its own inputs: those that only its making had, and the sources
    that have not changed. Where some have, what rests on all together is taken as it is.
    """
    whole = all(source.id in unchanged for source in ledger.sources)
    sources = _sources(ledger, unchanged, whole=whole)
    stale, documents = None, list[Document]()
    if whole and _is_time(ledger.created_at):
        documents = [_as_named(unchanged[source.id], source) for source in sources]
        stale = stale_sources(documents, sources, date.fromisoformat(ledger.created_at[:10]))
    entries = tuple(_entry(entry, ledger, unchanged, stale) for entry in ledger.entries)
    made = replace(ledger, sources=sources, entries=entries, summary=summarised(entries))
    if stale is None:
        return made
    return concluded(made, stale, Corpus(documents).foreign)


def _sources(ledger: EvidenceLedger, unchanged: Unchanged, *, whole: bool) -> tuple[Source, ...]:
    """The sources as their documents are; which replaces which is known of all together."""
    kept = [source for source in ledger.sources if source.id in unchanged]
    found = [_as_named(unchanged[source.id], source) for source in kept]
    made = list(zip(kept, described(found, DEFAULT_WORKSPACE), strict=True))
    by_id = {source.id: now for source, now in made}
    # By the ids that sources get now if all are known, else by those that the ledger has.
    ids = (
        {now.id: source.id for source, now in made}
        if whole
        else {s.id: s.id for s in ledger.sources}
    )
    sources = []
    for stated in ledger.sources:
        now = by_id.get(stated.id, stated)
        successor = now.superseded_by if whole else stated.superseded_by
        sources.append(replace(now, id=stated.id, superseded_by=ids.get(successor or "")))
    return tuple(sources)


def _as_named(document: Document, source: Source) -> Document:
    """The document under the name that it had when the ledger was built."""
    return document if document.name == source.filename else replace(document, name=source.filename)


def _entry(
    entry: LedgerEntry,
    ledger: EvidenceLedger,
    unchanged: Unchanged,
    stale: Mapping[str, Staleness] | None,
) -> LedgerEntry:
    """The entry as its claim stands in the answer, and as its evidence decides it."""
    span = entry.claim.span
    claim = replace(entry.claim, text=ledger.answer[span.start : span.end])
    evidence = tuple(_supporting(_piece(piece, unchanged)) for piece in entry.evidence)
    findings = Findings(claim, [JudgedEvidence(piece, "") for piece in evidence])
    made = decide(
        ledger.session_id, findings, stale or {}, most_evidence=len(evidence), most_near=1
    )
    components = made.components
    if components != NO_CONFIDENCE:
        components = _with_unknown(components, entry.components, len(ledger.sources), stale)
    return replace(
        entry,
        claim=claim,
        verdict=made.verdict,
        components=components,
        confidence_score=displayed_confidence(components),
        # Their order is looked at by itself: similarities are rounded, and equal ones have none.
        evidence=evidence if len(made.evidence) == len(evidence) else made.evidence,
        near=tuple(_piece(piece, unchanged) for piece in entry.near),
    )


def _with_unknown(
    made: ConfidenceComponents,
    stated: ConfidenceComponents,
    sources: int,
    stale: Mapping[str, Staleness] | None,
) -> ConfidenceComponents:
    """The components, and as stated what cannot be known: sources of pieces that were not kept
    count too, and whether a source is `stale` is known of all together.
    """
    least = made.evidence_count
    fits = least <= stated.evidence_count <= max(sources, least)
    return replace(
        made,
        evidence_count=stated.evidence_count if fits else least,
        source_quality=stated.source_quality if stale is None else made.source_quality,
    )


def _piece(piece: Evidence, unchanged: Unchanged) -> Evidence:
    """The piece as it stands in its document, if that has not changed."""
    document = unchanged.get(piece.source_id)
    if document is None:
        return piece
    shown = document.shown(piece.snippet_span)
    stands = piece.snippet_span if document.places else piece.chunk_span
    return replace(
        piece,
        snippet=piece.snippet if piece.snippet.split() == shown.split() else shown,
        source_text=document.text[piece.snippet_span.start : piece.snippet_span.end],
        chunk_sha256=chunk_sha256(document.shown(piece.chunk_span)),
        page_number=document.page_at(piece.snippet_span.start),
        heading_path=document.path_of(stands),
    )


def _supporting(piece: Evidence) -> Evidence:
    """What does not contradict a claim bears it out, fully or in part, as its similarity says."""
    if piece.contradicts:
        return piece
    full = piece.similarity > FULL_SUPPORT_ABOVE
    return replace(piece, support=SupportLevel.FULL if full else SupportLevel.PARTIAL)


TOLERANCE: float = 2 * 10**-DECIMALS
"""What rounding the parts of a number, and the number itself, can make of it."""


def differences(stated: Any, made: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two pieces of plain data differ: the path, and what stands there in each."""
    if stated == made:
        return
    if isinstance(stated, dict) and isinstance(made, dict):
        for key in {**stated, **made}:
            yield from differences(stated.get(key), made.get(key), f"{at}.{key}".lstrip("."))
    elif isinstance(stated, list) and isinstance(made, list) and len(stated) == len(made):
        for index, (one, other) in enumerate(zip(stated, made, strict=True)):
            yield from differences(one, other, f"{at}[{index}]")
    elif not (_is_number(stated) and _is_number(made) and abs(stated - made) <= TOLERANCE):
        yield at, stated, made


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_OF_PIECE = "snippet|source_text|chunk_sha256|source"
_REASONS = (
    (r"sources\[", "its document gives {}"),
    (
        rf"entries\[\d+\]\.(?:evidence\.pieces|near)\[\d+\]\.(?:{_OF_PIECE})\b",
        "its document has not changed and has {} there: the ledger is wrong",
    ),
    (r"entries\[\d+\]\.claim_text", "the answer has {} where its span says"),
    (r"entries\[", "its evidence gives {}"),
    (r"summary\.", "the entries give {}"),
    ("", "the entries and the sources give {}"),
)
"""By what stands where a ledger differs: what says otherwise."""


def _problem(where: str, stated: object, made: object) -> Problem:
    reason = next(told for pattern, told in _REASONS if re.match(pattern, where))
    return Problem(where, f"it is {_told(stated)}, but {reason.format(_told(made))}")


_MOST_TOLD = 60


def _told(value: object) -> str:
    """A value of a ledger's data, for a reader."""
    if isinstance(value, list):
        return count(len(value), "item")
    if isinstance(value, str):
        return repr(one_line(value, _MOST_TOLD))
    return "nothing" if value is None else f"{value:.6g}"


def inconsistencies(ledger: EvidenceLedger, unchanged: Unchanged) -> tuple[Problem, ...]:
    """What is wrong within a ledger: what does not fit, and what is another when made again."""
    again = remade(ledger, unchanged)
    stated, made = ledger_records(ledger), ledger_records(again)
    problems = [*_ids(ledger), *_times(ledger), *_untold(ledger, again)]
    claims, pieces = _ClaimChecks(ledger), _PieceChecks(ledger, unchanged)
    for index, entry in enumerate(ledger.entries):
        problems += claims.problems(entry, f"entries[{index}]")
        problems += pieces.problems(entry, f"entries[{index}]")
    known = {problem.where for problem in problems}
    found = (_problem(*one) for one in differences(stated, made) if one[0] not in known)
    return (*problems, *found)


def _untold(ledger: EvidenceLedger, again: EvidenceLedger) -> Iterator[Problem]:
    """Instructions in sources of which a ledger tells nothing. An honest one may be of a time when
    they were not looked for: the reader learns which it may be, and what to do.
    """
    kind = RiskType.INSTRUCTION_IN_SOURCE
    if any(flag.type is kind for flag in ledger.risk_flags):
        return
    told = [flag.description for flag in again.risk_flags if flag.type is kind]
    if told:
        yield Problem(
            "risk_flags",
            f"{kind.value} is missing: taken out, or the ledger is older: build again. {told[0]}",
        )


# What cannot be made again must fit.


def _times(ledger: EvidenceLedger) -> Iterator[Problem]:
    """Times and dates that no calendar has."""
    dated = [("generated_at", ledger.created_at), ("updated_at", ledger.updated_at)]
    dated += [(f"sources[{i}].date", s.date) for i, s in enumerate(ledger.sources) if s.date]
    for where, moment in dated:
        if not _is_time(moment):
            yield Problem(where, f"there is no such time: {moment}")


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _ids(ledger: EvidenceLedger) -> Iterator[Problem]:
    claims = [entry.claim.id for entry in ledger.entries]
    known = set(claims)
    named = (
        ("sources", [source.id for source in ledger.sources]),
        ("entries", [entry.id for entry in ledger.entries]),
        ("entries", claims),
        ("risk_flags", [flag.id for flag in ledger.risk_flags]),
    )
    for where, ids in named:
        for twice in _repeated(ids):
            yield Problem(where, f"the id {twice} is used more than once")
    for index, flag in enumerate(ledger.risk_flags):
        if not known.issuperset(flag.affected_claim_ids):
            yield Problem(f"risk_flags[{index}]", "it affects a claim that the ledger has not")


def _repeated(ids: Iterable[str]) -> list[str]:
    return sorted(name for name, times in Counter(ids).items() if times > 1)


class _PieceChecks:
    """Are the pieces of evidence whole words at places that there can be, the deciding first?"""

    def __init__(self, ledger: EvidenceLedger, unchanged: Unchanged) -> None:
        self._chars = {source.id: source.chars for source in ledger.sources}
        self._unchanged = unchanged
        self._sentences = cache(lambda source_id: Sentences(unchanged[source_id]))

    def problems(self, entry: LedgerEntry, at: str) -> Iterator[Problem]:
        """What is wrong with the evidence of an entry."""
        if any(_outranks(later, earlier) for earlier, later in pairwise(entry.evidence)):
            yield Problem(f"{at}.evidence.pieces", "what decides does not stand first")
        for kind, pieces in (("evidence.pieces", entry.evidence), ("near", entry.near)):
            for number, piece in enumerate(pieces):
                where = f"{at}.{kind}[{number}]"
                yield from self._by_itself(piece, where)
                yield from self._edges(piece, where)

    def _by_itself(self, piece: Evidence, at: str) -> Iterator[Problem]:
        inner, outer = piece.snippet_span, piece.chunk_span
        if not outer.start <= inner.start <= inner.end <= outer.end:
            yield Problem(f"{at}.snippet_span", "it reaches out of its chunk")
        if outer.end > self._chars[piece.source_id]:
            yield Problem(f"{at}.chunk_span", "it reaches out of its document")
        if len(piece.source_text) != len(inner):
            yield Problem(f"{at}.source_text", "it is not as long as its span")
        if not piece.snippet.strip():
            yield Problem(f"{at}.snippet", "it is empty")
        if not piece.chunk_sha256.startswith(piece.anchor):
            yield Problem(f"{at}.anchor", "it is not a prefix of the hash of its chunk")

    def _edges(self, piece: Evidence, at: str) -> Iterator[Problem]:
        """Words cut out of others, as "7 days" of "27 days", and words that are struck through."""
        document, span = self._unchanged.get(piece.source_id), piece.snippet_span
        if document is None or span.end > len(document.text) or not len(span):
            return
        if struck_span(document, span) is not None:
            yield Problem(f"{at}.snippet", f"{document.name} shows these words struck through")
        is_part = is_cut(document, span, piece.snippet) or _parts_a_word(document, span)
        if is_part and self._sentences(piece.source_id).around(span) != span:
            yield Problem(f"{at}.snippet", "it begins or ends within a word or a number")


def _outranks(piece: Evidence, other: Evidence) -> bool:
    """Whether a piece decides before another, rounding aside: what contradicts, then the nearer."""
    if piece.contradicts != other.contradicts:
        return piece.contradicts
    if piece.contradicts:
        return piece.contradiction > other.contradiction + TOLERANCE
    return piece.similarity > other.similarity + TOLERANCE


def _parts_a_word(document: Document, span: Span) -> bool:
    """Whether a letter or digit outside the span is one word with the one inside, as shown."""
    inside = document.shown(span)
    before = document.shown(Span(max(0, span.start - 1), span.start))
    after = document.shown(Span(span.end, min(span.end + 1, len(document.text))))
    edges = (before[-1:], inside[:1]), (inside[-1:], after[:1])
    return any(
        one and other and is_word_character(one) and is_word_character(other)
        for one, other in edges
    )


class _ClaimChecks:
    """Do the claims of a ledger say what its answer says there, and carry its markers?"""

    def __init__(self, ledger: EvidenceLedger) -> None:
        self._answer = ledger.answer
        self._sources = {source.id for source in ledger.sources}

    def problems(self, entry: LedgerEntry, at: str) -> Iterator[Problem]:
        """What of an entry's claim and its citations the answer does not bear out."""
        claim = entry.claim
        stands = self._answer[claim.span.start : claim.span.end] == claim.text
        if stands and not self._says(claim):
            message = "it has other words than the claim, or leaves a denial out"
            yield Problem(f"{at}.statement", message)
        for index, marker in enumerate(claim.markers):
            if marker not in self._markers.found:
                yield Problem(f"{at}.markers[{index}]", "it does not stand in the answer")
        for index, check in enumerate(entry.citations):
            where, digest = f"{at}.citations[{index}]", check.chunk_sha256
            if check.marker not in claim.markers:
                yield Problem(where, "the claim does not carry this marker")
            if check.source_id is not None and check.source_id not in self._sources:
                yield Problem(where, "it resolved to a document that is not among the sources")
            is_anchor = check.marker.kind is MarkerKind.ANCHOR and digest is not None
            if is_anchor and not (digest or "").startswith(check.marker.value.lower()):
                yield Problem(where, "the chunk that it resolved to has another hash")

    @cached_property
    def _page(self) -> AnswerPage:
        return read_page(self._answer)

    @cached_property
    def _markers(self) -> Markers:
        return markers_of(self._page)

    @cached_property
    def _words(self) -> str:
        """All that the answer shows, a space around each word."""
        document = self._page.document
        return f" {' '.join(tokens(document.shown(Span(0, len(document.text)))))} "

    def _says(self, claim: AnswerClaim) -> bool:
        """Whether the statement's words stand in the claim, in their order, or in its context.

        Before a colon may stand the term that the claim explains; no denial may be left out.
        """
        start, end = claim.span.start, claim.span.end
        shown = shown_text(self._page.document, start, end, self._markers.places).text
        context = frozenset(tokens(claim.context))

        def follows(statement: str) -> bool:
            left = iter(tokens(shown))
            return all(word in context or word in left for word in tokens(statement))

        term, colon, rest = claim.statement.partition(": ")
        statements = [claim.statement]
        if colon and (words := tokens(term)) and f" {' '.join(words)} " in self._words:
            statements.append(rest)
        return any(map(follows, statements)) and not (
            _denials(tokens(plain_statement(shown))) - _denials(tokens(claim.statement))
        )


def _denials(words: Iterable[str]) -> Counter[str]:
    return Counter(word for word in words if word in NEGATIONS)


def _review_problems(file: LedgerFile) -> Iterator[Problem]:
    """What is wrong with reviews: whose entry they are about, what they say it said, and how they
    decide.

    What another revision of the ledger said cannot be checked: it is not in the file.
    """
    entries = {entry.id: entry for entry in file.ledger.entries}
    for twice in _repeated(review.id for review in file.reviews):
        yield Problem("reviews", f"the id {twice} is used more than once")
    for index, review in enumerate(file.reviews):
        at = f"reviews[{index}]"
        said = review.decision, review.machine_verdict, review.verdict, review.reason
        if problem := decision_problem(*said):
            yield Problem(f"{at}.decision", problem)
        entry = entries.get(review.entry_id)
        of_this = (review.ledger_id, review.revision) == (file.ledger.id, file.revision)
        if entry is None:
            yield Problem(f"{at}.entry_id", "it is about an entry that the ledger has not")
        elif entry.claim.id != review.claim_id:
            yield Problem(f"{at}.claim_id", "it is not the claim of its entry")
        if entry and of_this and review.machine_verdict is not entry.verdict:
            yield Problem(
                f"{at}.machine_verdict",
                f"the entry says {entry.verdict}, and this review is of the same revision",
            )
        if not _is_time(review.at):
            yield Problem(f"{at}.at", f"there is no such time: {review.at}")
