"""A ledger checked again, against the documents as they are now. No database, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache, cached_property

from veridical.errors import ValidationError
from veridical.judging.confidence import NO_CONFIDENCE, displayed_confidence
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import FULL_SUPPORT_ABOVE, EvidenceMatch, Verdict, assign_verdict
from veridical.ledger.deciding import QUALITY_CURRENT, QUALITY_STALE
from veridical.ledger.entry import (
    AnswerClaim,
    Evidence,
    EvidenceLedger,
    LedgerEntry,
    MarkerKind,
    Source,
)
from veridical.ledger.extraction.page import AnswerPage, read_page
from veridical.ledger.extraction.proposals import AnswerWords, tokens
from veridical.ledger.extraction.remarks import plain_statement
from veridical.ledger.extraction.shown import shown_text
from veridical.ledger.freshness import Staleness, described, stale_sources
from veridical.ledger.ids import DEFAULT_WORKSPACE
from veridical.ledger.markers import markers_of
from veridical.ledger.review import decision_problem
from veridical.ledger.risks import follow_up_questions, recommended_actions, risk_flags, summarised
from veridical.ledger.rounding import DECIMALS
from veridical.ledger.seal import Problem, check_seal
from veridical.ledger.verification import (
    EntryCheck,
    EvidenceCheck,
    LedgerVerification,
    SourceCheck,
    SourceStatus,
    worst,
)
from veridical.ledger.verify_find import (
    EvidenceChecks,
    Sentences,
    Words,
    is_cut,
    match_sources,
    reads_at,
)
from veridical.ledger.wire import LedgerFile, ledger_file_from_bytes
from veridical.reports.words import count
from veridical.retrieval.chunks import chunk_sha256
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.text.tokens import is_word_character
from veridical.validation.lexicon import NEGATIONS
from veridical.validation.struck import struck_span

# Is what follows from entries and documents what the ledger says: dates, risks, what to do next?


Documents = Mapping[str, Document]
"""By source id, the documents whose text is the one that the ledger was built on."""


def time_problems(ledger: EvidenceLedger) -> Iterator[Problem]:
    """Times and dates that no calendar has."""
    for where, moment in (("generated_at", ledger.created_at), ("updated_at", ledger.updated_at)):
        if not is_time(moment):
            yield Problem(where, f"there is no such time: {moment}")
    for index, source in enumerate(ledger.sources):
        if source.date is not None and not is_time(source.date):
            yield Problem(f"sources[{index}].date", f"there is no such day: {source.date}")


def is_time(text: str) -> bool:
    """Whether a calendar has this time or day."""
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def source_problems(ledger: EvidenceLedger, unchanged: Documents) -> Iterator[Problem]:
    """What is said of sources that is not so. Which replaces which is known of all together."""
    known = {source.id for source in ledger.sources}
    for index, source in enumerate(ledger.sources):
        at = f"sources[{index}]"
        if source.superseded_by is not None and source.superseded_by not in known:
            yield Problem(at, "it is superseded by a document that is not among the sources")
        if source.id not in unchanged:
            continue
        (now,) = described([_as_named(unchanged[source.id], source)], DEFAULT_WORKSPACE)
        if now.chars != source.chars:
            yield Problem(at, f"it has {now.chars:,} characters, not {source.chars:,}")
        if now.format != source.format:
            yield Problem(f"{at}.format", f"it was read as {now.format}, not {source.format}")
        if now.date != source.date:
            yield Problem(f"{at}.date", f"the document says {now.date or 'nothing'}")
    if known and known == unchanged.keys():
        yield from _successors(ledger, unchanged)


def _successors(ledger: EvidenceLedger, unchanged: Documents) -> Iterator[Problem]:
    documents = [_as_named(unchanged[source.id], source) for source in ledger.sources]
    made = described(documents, DEFAULT_WORKSPACE)
    ids = {now.id: source.id for now, source in zip(made, ledger.sources, strict=True)}
    for index, (now, source) in enumerate(zip(made, ledger.sources, strict=True)):
        newer = None if now.superseded_by is None else ids[now.superseded_by]
        if newer != source.superseded_by:
            where = f"sources[{index}].superseded_by"
            yield Problem(where, f"the names of the sources say {newer or 'nothing'}")


def _as_named(document: Document, source: Source) -> Document:
    """The document under the name that it had when the ledger was built."""
    return document if document.name == source.filename else replace(document, name=source.filename)


def follows(ledger: EvidenceLedger, unchanged: Documents) -> Iterator[Problem]:
    """What does not follow from the entries, where all sources are as they were.

    Only for a ledger that is right otherwise: it would be made from what is wrong.
    """
    if any(source.id not in unchanged for source in ledger.sources):
        return
    entries, sources = ledger.entries, ledger.sources
    documents = [_as_named(unchanged[source.id], source) for source in sources]
    stale = stale_sources(documents, sources, date.fromisoformat(ledger.created_at[:10]))
    yield from _qualities(ledger, stale)
    flags = risk_flags(ledger.session_id, entries, sources, stale)
    expected = (
        ("risk_flags", ledger.risk_flags, flags),
        (
            "follow_up_questions",
            ledger.follow_up_questions,
            follow_up_questions(entries, sources, stale),
        ),
        ("actions", ledger.actions, recommended_actions(entries, flags)),
    )
    for where, stated, made in expected:
        if tuple(stated) != tuple(made):
            yield Problem(where, "they are not those that follow from the entries and the sources")


def _qualities(ledger: EvidenceLedger, stale: Mapping[str, Staleness]) -> Iterator[Problem]:
    for index, entry in enumerate(ledger.entries):
        if entry.verdict in (Verdict.NOT_FOUND, Verdict.CONTRADICTED):
            continue  # their confidence rests on no source
        quality = QUALITY_STALE if entry.evidence[0].source_id in stale else QUALITY_CURRENT
        if entry.components.source_quality != quality:
            where = f"entries[{index}].components.source_quality"
            yield Problem(where, f"the source of the deciding piece gives {quality:.6g}")


# Are the pieces of evidence of a ledger what stands in sources that have not changed?


class PieceChecks:
    """Checks pieces against `sources`, and `unchanged`: the documents, by source id, whose text is
    the one that the ledger was built on.
    """

    def __init__(self, sources: Mapping[str, Source], unchanged: Mapping[str, Document]) -> None:
        self._sources = sources
        self._unchanged = unchanged
        self._sentences = cache(lambda source_id: Sentences(unchanged[source_id]))

    def problems(self, entry: LedgerEntry, at: str) -> Iterator[Problem]:
        """What is wrong with the evidence of an entry."""
        for kind, pieces in (("evidence.pieces", entry.evidence), ("near", entry.near)):
            for number, piece in enumerate(pieces):
                where = f"{at}.{kind}[{number}]"
                yield from _by_itself(piece, self._sources[piece.source_id], where)
                document = self._unchanged.get(piece.source_id)
                if document is not None:
                    yield from _in_source(piece, document, where)
                    yield from self._edges(piece, document, where)

    def _edges(self, piece: Evidence, document: Document, at: str) -> Iterator[Problem]:
        """Words cut out of others, as "7 days" of "27 days", and words that are struck through."""
        span = piece.snippet_span
        if span.end > len(document.text) or not len(span):
            return
        if struck_span(document, span) is not None:
            yield Problem(f"{at}.snippet", f"{document.name} shows these words struck through")
        is_part = is_cut(document, span, piece.snippet) or _parts_a_word(document, span)
        if is_part and self._sentences(piece.source_id).around(span) != span:
            yield Problem(f"{at}.snippet", "it begins or ends within a word or a number")


def _by_itself(piece: Evidence, source: Source, at: str) -> Iterator[Problem]:
    inner, outer = piece.snippet_span, piece.chunk_span
    if not outer.start <= inner.start <= inner.end <= outer.end:
        yield Problem(f"{at}.snippet_span", "it reaches out of its chunk")
    if outer.end > source.chars:
        yield Problem(f"{at}.chunk_span", "it reaches out of its document")
    if len(piece.source_text) != len(inner):
        yield Problem(f"{at}.source_text", "it is not as long as its span")
    if not piece.snippet.strip():
        yield Problem(f"{at}.snippet", "it is empty")
    if not piece.chunk_sha256.startswith(piece.anchor):
        yield Problem(f"{at}.anchor", "it is not a prefix of the hash of its chunk")


def _in_source(piece: Evidence, document: Document, at: str) -> Iterator[Problem]:
    words = Words(piece.snippet, piece.source_text, piece.snippet_span.start)
    if not reads_at(document, words, piece.snippet_span.start):
        yield Problem(
            f"{at}.snippet",
            f"{document.name} has not changed, and these words do not stand there: "
            "the ledger is wrong",
        )
    if chunk_sha256(document.shown(piece.chunk_span)) != piece.chunk_sha256:
        yield Problem(f"{at}.chunk_sha256", "the chunk at this place has another hash")
    if piece.page_number != document.page_at(piece.snippet_span.start):
        yield Problem(f"{at}.source.page_number", "the words stand on another page")
    section = document.section_at(piece.chunk_span.start)
    if piece.heading_path != (section.path if section else ()):
        yield Problem(f"{at}.source.heading_path", "the words stand under another heading")


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


# Does the verdict on a claim follow from its evidence, and its confidence from its components?


TOLERANCE = 2 * 10**-DECIMALS
"""What rounding the parts of a number, and the number itself, can make of it."""


def verdict_problems(entry: LedgerEntry, sources: int, at: str) -> Iterator[Problem]:
    """What the evidence of an entry does not bear out, in a ledger over so many `sources`."""
    matches = [
        EvidenceMatch(p.snippet, p.similarity, p.support, p.contradicts) for p in entry.evidence
    ]
    expected = assign_verdict(matches).verdict
    if entry.verdict is not expected:
        yield Problem(f"{at}.verdict", f"its evidence makes it {expected}, not {entry.verdict}")
    else:
        yield from _components(entry, sources, at)
    for index, piece in enumerate(entry.evidence):
        full = piece.support is SupportLevel.FULL
        if not piece.contradicts and full is not (piece.similarity > FULL_SUPPORT_ABOVE):
            where = f"{at}.evidence.pieces[{index}].support"
            yield Problem(where, f"{piece.support} does not go with its similarity")
    confidence = displayed_confidence(entry.components)
    if abs(entry.confidence_score - confidence) > TOLERANCE:
        yield Problem(f"{at}.confidence_score", f"its components give {confidence:.6g}")


def _components(entry: LedgerEntry, sources: int, at: str) -> Iterator[Problem]:
    """The components are those of the deciding piece; pieces beyond those kept may count too."""
    components = entry.components
    if entry.verdict in (Verdict.NOT_FOUND, Verdict.CONTRADICTED):
        if components != NO_CONFIDENCE:
            yield Problem(f"{at}.components", "nothing bears the claim out, so that all must be 0")
        return
    best = entry.evidence[0]
    if abs(components.semantic_similarity - best.similarity) > TOLERANCE:
        where = f"{at}.components.semantic_similarity"
        yield Problem(where, f"the deciding piece gives {best.similarity:.6g}")
    if abs(components.directness - best.directness) > TOLERANCE:
        where = f"{at}.components.directness"
        yield Problem(where, f"the deciding piece gives {best.directness:.6g}")
    # Copies of the same words count once, under whichever name.
    independent = {piece.chunk_sha256: piece.source_id for piece in entry.evidence}
    least = len(set(independent.values()))
    if not least <= components.evidence_count <= max(sources, least):
        where = f"{at}.components.evidence_count"
        yield Problem(where, f"the evidence comes from {least} of {count(sources, 'source')}")


# Do the claims of a ledger stand in its answer: their words, their markers, their citations?


class ClaimChecks:
    """Checks the claims of one answer, which is read once."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def problems(
        self, entry: LedgerEntry, sources: Mapping[str, Source], at: str
    ) -> Iterator[Problem]:
        """What of an entry's claim and its citations the answer does not bear out."""
        claim = entry.claim
        if self._answer[claim.span.start : claim.span.end] != claim.text:
            yield Problem(f"{at}.claim_text", "it does not stand in the answer where its span says")
        elif not self._says(claim):
            message = "it has other words than the claim, or leaves a denial out"
            yield Problem(f"{at}.statement", message)
        for index, marker in enumerate(claim.markers):
            if marker not in self._markers:
                yield Problem(f"{at}.markers[{index}]", "it does not stand in the answer")
        yield from _citations(entry, sources, at)

    @cached_property
    def _page(self) -> AnswerPage:
        return read_page(self._answer)

    @cached_property
    def _markers(self) -> frozenset[object]:
        return frozenset(markers_of(self._page).found)

    @cached_property
    def _marker_places(self) -> list[Span]:
        return sorted({marker.span for marker in markers_of(self._page).found})

    @cached_property
    def _words(self) -> AnswerWords:
        document = self._page.document
        return AnswerWords(document.shown(Span(0, len(document.text))))

    def _says(self, claim: AnswerClaim) -> bool:
        """Whether the statement's words stand in the claim, in their order, or in its context.

        Before a colon may stand the term that the claim explains; no denial may be left out.
        """
        start, end = claim.span.start, claim.span.end
        shown = shown_text(self._page.document, start, end, self._marker_places).text
        context = frozenset(tokens(claim.context))

        def follows(statement: str) -> bool:
            left = iter(tokens(shown))
            return all(word in context or word in left for word in tokens(statement))

        term, colon, rest = claim.statement.partition(": ")
        statements = [claim.statement]
        if colon and self._words.have(term):
            statements.append(rest)
        return any(map(follows, statements)) and not (
            _denials(tokens(plain_statement(shown))) - _denials(tokens(claim.statement))
        )


def _denials(words: Iterable[str]) -> Counter[str]:
    return Counter(word for word in words if word in NEGATIONS)


def _citations(entry: LedgerEntry, sources: Mapping[str, Source], at: str) -> Iterator[Problem]:
    for index, check in enumerate(entry.citations):
        where = f"{at}.citations[{index}]"
        if check.marker not in entry.claim.markers:
            yield Problem(where, "the claim does not carry this marker")
        if check.source_id is not None and check.source_id not in sources:
            yield Problem(where, "it resolved to a document that is not among the sources")
        is_anchor = check.marker.kind is MarkerKind.ANCHOR and check.chunk_sha256 is not None
        if is_anchor and not (check.chunk_sha256 or "").startswith(check.marker.value.lower()):
            yield Problem(where, "the chunk that it resolved to has another hash")


# Does a ledger agree with itself, with its own rules, and with the sources that have not changed?


def inconsistencies(
    ledger: EvidenceLedger, unchanged: Mapping[str, Document]
) -> tuple[Problem, ...]:
    """What is wrong within a ledger. `unchanged` holds, by source id, the documents whose text is
    the one that the ledger was built on.
    """
    sources = {source.id: source for source in ledger.sources}
    claims, pieces = ClaimChecks(ledger.answer), PieceChecks(sources, unchanged)
    problems = [*_ids(ledger), *time_problems(ledger), *source_problems(ledger, unchanged)]
    problems += _summary(ledger)
    for index, entry in enumerate(ledger.entries):
        at = f"entries[{index}]"
        problems += claims.problems(entry, sources, at)
        problems += verdict_problems(entry, len(sources), at)
        problems += pieces.problems(entry, at)
    if not problems:
        problems += follows(ledger, unchanged)
    return tuple(problems)


def _ids(ledger: EvidenceLedger) -> Iterator[Problem]:
    named = (
        ("sources", [source.id for source in ledger.sources]),
        ("entries", [entry.id for entry in ledger.entries]),
        ("entries", [entry.claim.id for entry in ledger.entries]),
        ("risk_flags", [flag.id for flag in ledger.risk_flags]),
    )
    for where, ids in named:
        for twice in _repeated(ids):
            yield Problem(where, f"the id {twice} is used more than once")
    claims = {entry.claim.id for entry in ledger.entries}
    for index, flag in enumerate(ledger.risk_flags):
        if not claims.issuperset(flag.affected_claim_ids):
            yield Problem(f"risk_flags[{index}]", "it affects a claim that the ledger has not")


def _repeated(ids: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(ids).items() if count > 1)


def _summary(ledger: EvidenceLedger) -> Iterator[Problem]:
    stated, counted = ledger.summary, summarised(ledger.entries)
    for name in ("total_claims", "by_verdict", "by_importance"):
        if getattr(stated, name) != getattr(counted, name):
            yield Problem(f"summary.{name}", "it is not what the entries add up to")
    for name in ("evidence_coverage", "unsupported_rate"):
        rate, expected = getattr(stated, name), getattr(counted, name)
        none = rate is None or expected is None
        if rate is not expected and (none or abs(rate - expected) > TOLERANCE):
            shown = "null" if expected is None else f"{expected:.6g}"
            yield Problem(f"summary.{name}", f"the entries give {shown}")


# Are the reviews in a ledger file about this ledger, and such as reviewers make them?


def review_problems(file: LedgerFile) -> Iterator[Problem]:
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
        if not is_time(review.at):
            yield Problem(f"{at}.at", f"there is no such time: {review.at}")


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
    twice = [name for name, count in Counter(d.name for d in known).items() if count > 1]
    if twice:
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
        problems=(*inconsistencies(ledger, unchanged), *review_problems(file)),
    )


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
        status=worst([check.status for check in checks]),
        stale=any(check.stale for check in checks),
        evidence=checks,
    )
