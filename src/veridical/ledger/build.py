"""From an answer and its sources to a ledger."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from veridical.errors import ConfigurationError, ValidationError
from veridical.judging.judge import Judge
from veridical.judging.verdict import Verdict
from veridical.ledger.citations import CitationChecker
from veridical.ledger.deciding import Findings, JudgedEvidence, decide
from veridical.ledger.entry import (
    MAX_ANSWER_CHARS,
    AnswerClaim,
    EvidenceLedger,
    JudgeRecord,
    LedgerEntry,
    MarkerKind,
)
from veridical.ledger.export.wording import called
from veridical.ledger.extraction.extractor import Extraction, SkipReason
from veridical.ledger.extraction.rules import RuleExtractor
from veridical.ledger.freshness import Staleness, described, stale_sources
from veridical.ledger.ids import DEFAULT_WORKSPACE, as_uuid, content_id
from veridical.ledger.markers import source_list
from veridical.ledger.passages import PassageFinder, as_evidence, judge_passages
from veridical.ledger.quotes import QuoteCheck, QuoteChecker, is_misquoted
from veridical.ledger.risks import concluded, summarised
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Span
from veridical.text.normalize import one_line
from veridical.tracing import evaluated, span, tell, traced

# What telemetry is told of claims: verdicts, numbers and codes, and nothing of a text.


def _reason(entry: LedgerEntry) -> str:
    """Why a claim has its verdict, as a code."""
    if entry.verdict is Verdict.CONTRADICTED:
        return "contradicting_passage"
    if entry.verdict is Verdict.NOT_FOUND:
        return "nearest_passage_only" if entry.near else "no_passage"
    return f"{entry.evidence[0].support.value}_support"


_BATCH_CLAIMS = 200
"""Claims that are looked at together: bounds memory, and paces the progress."""

_WATCHED_CLAIMS = 8
"""The same where somebody waits for the entries."""

_MOST_TITLE_CHARS = 80
_HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]")

Progress = Callable[[int, int], None]
"""Called with how many claims are done, and how many there are."""

OnEntries = Callable[[Sequence[LedgerEntry]], None]
"""Called with entries as soon as their claims were judged, in the order of the answer."""


@dataclass(frozen=True, slots=True)
class LedgerPolicy:
    """How much is looked at for a claim, and how much of it is kept.

    `most_passages` chunks that retrieval proposes are judged for each claim, and beside them those
    of the first `most_cited` citations. `most_evidence` of those that bear on it are kept, and
    `most_near` of the nearest where none does.
    """

    most_passages: int = 6
    most_cited: int = 8
    most_evidence: int = 5
    most_near: int = 2

    def __post_init__(self) -> None:
        for name in ("most_passages", "most_cited", "most_evidence", "most_near"):
            if not 1 <= getattr(self, name) <= 50:
                raise ConfigurationError(f"{name} must lie between 1 and 50")


class LedgerBuilder:
    """Builds ledgers over one corpus, which is indexed once, on first use.

    `judge` is the embedded one unless given; that needs no network and no key. `workspace` keeps
    the ids of documents of the same name apart.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        judge: Judge | None = None,
        policy: LedgerPolicy | None = None,
        workspace: str = DEFAULT_WORKSPACE,
    ) -> None:
        self.corpus = corpus
        if judge is None:
            from veridical.judging.reader_judge import ReaderJudge

            judge = ReaderJudge()
        self.judge = judge
        self.extractor = RuleExtractor()
        self.policy = policy or LedgerPolicy()
        self.workspace = workspace
        self.sources = described(corpus.documents, workspace)
        names = Counter(source.filename for source in self.sources)
        if twice := [name for name, count in names.items() if count > 1]:
            raise ValidationError(f"two documents are named {twice[0]!r}; rename one")
        self._finder = PassageFinder(
            corpus,
            self.sources,
            most=self.policy.most_passages,
            most_cited=self.policy.most_cited,
        )
        self.quotes = QuoteChecker(corpus.documents)
        self._stale_on: tuple[date, dict[str, Staleness]] | None = None

    @traced("ledger.build")
    def build(
        self,
        answer: str,
        *,
        query: str = "",
        title: str = "",
        created_at: datetime | None = None,
        progress: Progress | None = None,
        on_entries: OnEntries | None = None,
        session_id: str | None = None,
        extraction: Extraction | None = None,
        quotes: Sequence[QuoteCheck] | None = None,
    ) -> EvidenceLedger:
        """The ledger of an answer.

        `query` is the question that it answers and `title` how the ledger is called; both may be
        empty. `created_at` is now, unless given. An answer without claims gives a ledger without
        entries, and a warning that says so.

        `session_id` is a UUID that the session of the answer already has; without it one is made
        from the workspace, the question, the answer and the sources. All other ids follow from it
        and from what is in the ledger, so that a ledger that is built again for its session keeps
        the ids of ledger, claims and entries even where sources have changed. `extraction` is what
        `extracted` gave for the answer and `quotes` what the builder's `quotes` found in it, where
        that was looked at before.

        Raises ValidationError for an answer over `MAX_ANSWER_CHARS`, or one that no file can hold,
        and for a session id that is no UUID; ProcessingError where the judge can judge nothing,
        such as a model that cannot be reached.
        """
        require_usable(answer, query, title)
        session_id = self._session_id(answer, query, session_id)
        moment = (created_at or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
        stamp = moment.isoformat().replace("+00:00", "Z")
        stale = self._stale(moment.date())
        extraction = extraction or self.extractor.extract(answer, session_id, query)
        quotes = self.quotes.check(answer) if quotes is None else quotes
        many = _WATCHED_CLAIMS if on_entries else _BATCH_CLAIMS
        found = self._findings(answer, extraction.claims, quotes, many)
        entries, failures = self._entries(
            session_id, found, extraction, stale, progress, on_entries
        )
        told = (*extraction.warnings, *misquoted_told(quotes), *_unchecked(answer, extraction))
        judge = JudgeRecord(self.judge.name, self.judge.point.value, self.extractor.name)
        made = EvidenceLedger(
            id=self._ledger_id(session_id, judge, title),
            session_id=session_id,
            title=title or one_line(called("", query, answer), _MOST_TITLE_CHARS),
            query=query,
            answer=answer,
            created_at=stamp,
            updated_at=stamp,
            judge=judge,
            sources=self.sources,
            entries=tuple(entries),
            summary=summarised(entries),
            warnings=(*told, *self.corpus.warnings, *_lost(failures)),
        )
        verdicts = Counter(entry.verdict.value for entry in entries)
        tell(documents=len(self.sources), claims=len(entries), **verdicts)
        return concluded(made, stale, self.corpus.foreign)

    def _entries(
        self,
        session_id: str,
        found: Iterator[list[Findings]],
        extraction: Extraction,
        stale: dict[str, Staleness],
        progress: Progress | None,
        on_entries: OnEntries | None,
    ) -> tuple[list[LedgerEntry], Counter[str]]:
        """The entry of each claim, and why what could not be judged could not."""
        failures: Counter[str] = Counter()
        entries: list[LedgerEntry] = []
        if progress is not None:  # who finds them too many need not wait for the first
            progress(0, len(extraction.claims))
        for batch in found:
            made = [self._entry(session_id, findings, stale) for findings in batch]
            failures.update(failure for findings in batch for failure in findings.failures)
            entries += made
            if on_entries is not None:
                on_entries(made)
            if progress is not None:
                progress(len(entries), len(extraction.claims))
        return entries, failures

    @traced("ledger.judged")
    def judged(self, statements: Sequence[str]) -> tuple[LedgerEntry, ...]:
        """The entries of claims that are no answer's: each is judged by itself, as it stands.

        They are whole statements: none is cut in two, and none has a citation. Nor is it looked at
        whether a source may be outdated. Raises what `build` raises for what a judge cannot judge.
        """
        session_id = content_id("session", self.workspace, *statements)
        claims = [
            AnswerClaim(
                id=content_id("claim", session_id, str(number)),
                span=Span(0, len(statement)),
                text=statement,
                statement=" ".join(statement.split()),
            )
            for number, statement in enumerate(statements)
        ]
        return self._all_entries(session_id, self._findings("", claims), {})

    @traced("ledger.entries")
    def entries_of(
        self, claims: Sequence[AnswerClaim], *, answer: str = "", session_id: str = ""
    ) -> tuple[LedgerEntry, ...]:
        """The entries of claims that an extractor found, in their order, as `build` makes them.

        The list of sources that closes `answer` says what its numbered citations mean. Raises what
        `build` raises for what a judge cannot judge.
        """
        stale = self._stale(datetime.now(UTC).date())
        return self._all_entries(session_id, self._findings(answer, claims), stale)

    def _stale(self, on: date) -> dict[str, Staleness]:
        """Which sources are outdated on a day, looked up once for each."""
        if self._stale_on is None or self._stale_on[0] != on:
            self._stale_on = on, stale_sources(self.corpus.documents, self.sources, on)
        return self._stale_on[1]

    def _ledger_id(self, session_id: str, judge: JudgeRecord, title: str) -> str:
        how = (judge.name, judge.point, judge.extractor, repr(self.policy), title)
        return content_id("ledger", session_id, *how)

    def _session_id(self, answer: str, query: str, given: str | None = None) -> str:
        if given is not None:
            return as_uuid(given, "the session id")
        # In their order: it decides between passages that are equally good.
        versions = [f"{source.filename}:{source.sha256}" for source in self.sources]
        return content_id("session", self.workspace, query, answer, *versions)

    def _findings(
        self,
        answer: str,
        claims: Sequence[AnswerClaim],
        quotes: Sequence[QuoteCheck] | None = None,
        many: int = _BATCH_CLAIMS,
    ) -> Iterator[list[Findings]]:
        """What is found on claims, some at a time; without `quotes` those in each claim's words
        are looked up.
        """
        listed = {int(number): name for number, name in source_list(answer).entries.items()}
        checker = CitationChecker(self.corpus, listed, self.workspace)
        for start in range(0, len(claims), many):
            batch = claims[start : start + many]
            checks = [checker.check(claim.markers) for claim in batch]
            attributed = [checker.attributed(claim) for claim in batch]
            passages = self._finder.find(batch, checks, attributed)
            with span("ledger.judge", claims=len(batch), passages=sum(map(len, passages))):
                outcomes = judge_passages(self.judge, batch, passages)
            found: list[Findings] = []
            looked_at = zip(batch, checks, attributed, outcomes, strict=True)
            for claim, cited, said, (judged, failed) in looked_at:
                pieces = [
                    JudgedEvidence(
                        as_evidence(piece, self.corpus, self.workspace), piece.judgement.notes
                    )
                    for piece in judged
                ]
                # Those that the answer names, or counts in its own list of sources.
                told = (c.source_id for c in cited if c.marker.kind is not MarkerKind.ANCHOR)
                ids = {*told, *said}
                named = {source.id: source.filename for source in self.sources if source.id in ids}
                own = self.quotes.check(claim.text) if quotes is None else quotes
                place = Span(0, len(claim.text)) if quotes is None else claim.span
                misquoted = is_misquoted(place, own)
                found.append(Findings(claim, pieces, failed, cited, named, misquoted))
            yield found

    def _all_entries(
        self, session_id: str, found: Iterable[list[Findings]], stale: dict[str, Staleness]
    ) -> tuple[LedgerEntry, ...]:
        return tuple(self._entry(session_id, one, stale) for batch in found for one in batch)

    def _entry(
        self, session_id: str, findings: Findings, stale: dict[str, Staleness]
    ) -> LedgerEntry:
        most, near = self.policy.most_evidence, self.policy.most_near
        made = decide(session_id, findings, stale, most_evidence=most, most_near=near)
        verdict, score = made.verdict.value, made.probability
        evaluated("Groundedness", label=verdict, score=score, explanation=_reason(made))
        return made


def misquoted_told(quotes: Sequence[QuoteCheck]) -> Iterator[str]:
    """What a reader of the ledger must know of quotes that are not a source's words."""
    for one in quotes:
        if not one.grounded:
            words, reason = one_line(one.text, _MOST_TITLE_CHARS), one.reason.rstrip(".")
            yield f"misquoted: “{words}”: {reason}"


def _unchecked(answer: str, extraction: Extraction) -> Iterator[str]:
    """What reads like a statement and was not taken for a claim: a reader must know of it."""
    for reason in (SkipReason.OPINION, SkipReason.REFUSAL, SkipReason.META):
        skipped = [one.span for one in extraction.skipped if one.reason is reason]
        if skipped:
            first = one_line(answer[skipped[0].start : skipped[0].end], _MOST_TITLE_CHARS)
            more = f" and {len(skipped) - 1} more" if skipped[1:] else ""
            yield f"not checked ({reason.value}): “{first}”{more}"


def _lost(failures: Counter[str]) -> Iterator[str]:
    for reason, count in failures.items():
        were = "passage was" if count == 1 else "passages were"
        yield f"{count:,} {were} judged by the embedded judge instead: {reason}"


def require_usable(answer: str, query: str = "", title: str = "") -> None:
    """Raise ValidationError for an answer that no ledger can be built of: see `build`."""
    if len(answer) > MAX_ANSWER_CHARS:
        raise ValidationError(
            f"the answer has {len(answer):,} characters, the limit is {MAX_ANSWER_CHARS:,}. "
            "Check it in parts."
        )
    if any(map(_HALF_OF_A_PAIR.search, (answer, query, title))):
        raise ValidationError(
            "the answer, the question or the title holds half of a surrogate pair, which no file "
            "can hold; decode it as UTF-8 or UTF-16 before"
        )


def extracted(builder: LedgerBuilder, answer: str, query: str) -> Extraction:
    """The claims of an answer, and what was passed over. Raises what `LedgerBuilder.build` does."""
    require_usable(answer, query)
    return builder.extractor.extract(answer, builder._session_id(answer, query), query)


def build_ledger(
    answer: str, documents: Sequence[Document], *, query: str = "", title: str = ""
) -> EvidenceLedger:
    """The ledger of one answer over some documents, by embedded means: see `LedgerBuilder`.

    For several answers over the same documents make one `LedgerBuilder`: it indexes them once.
    """
    return LedgerBuilder(Corpus(documents)).build(answer, query=query, title=title)
