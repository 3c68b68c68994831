"""Checks answers against documents while they are written."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, wraps
from inspect import iscoroutinefunction
from itertools import chain
from types import TracebackType
from typing import Any, Self, TypeVar, cast, overload

from veridical.errors import ConfigurationError, ProcessingError, UngroundedError, ValidationError
from veridical.guarding.rendering import Renderer, entry_mark
from veridical.guarding.report import (
    FAILING,
    NOT_CHECKED,
    GuardedSentence,
    GuardReport,
    OnFail,
    Standing,
    worst,
)
from veridical.guarding.settling import Settler
from veridical.guarding.window import Settled
from veridical.judging.judge import (
    Case,
    Judge,
    JudgeFailure,
    Judgement,
    JudgesTogether,
    OperatingPoint,
    judge_groups,
)
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder, LedgerPolicy, extracted, require_usable
from veridical.ledger.entry import AnswerClaim, LedgerEntry, MarkerKind
from veridical.ledger.extraction.extractor import MAX_CLAIMS, Extraction, SkipReason
from veridical.ledger.extraction.remarks import may_state
from veridical.ledger.extraction.rules import claim_id
from veridical.ledger.grounding import Sources, documents_of
from veridical.ledger.ids import DEFAULT_WORKSPACE, content_id
from veridical.ledger.markers import source_list
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Span

# What only the whole of an answer shows: a list of sources, a link's target, a footnote.


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


# From a settled sentence to how it stands to the sources.


PROSE_IN_CODE = "code that holds sentences"
LEANS = "it refers to a sentence that was left out"
_MOST_REMEMBERED = 4_000


class RememberingJudge(JudgesTogether):
    """A judge that does not judge a claim again that it has judged lately."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._known: dict[tuple[Case, ...], list[Judgement | JudgeFailure]] = {}

    @property
    def name(self) -> str:
        """See `Judge.name`."""
        return self._judge.name

    @property
    def point(self) -> OperatingPoint:
        """See `Judge.point`."""
        return self._judge.point

    def judge_together(
        self, groups: Sequence[Sequence[Case]]
    ) -> list[list[Judgement | JudgeFailure]]:
        """See `JointJudge.judge_together`. What could not be judged is tried again."""
        keys = [tuple(group) for group in groups]
        new = list(dict.fromkeys(key for key in keys if key not in self._known))
        outcomes = dict(zip(new, judge_groups(self._judge, new), strict=True)) if new else {}
        given = [self._known.get(key) or outcomes.get(key, []) for key in keys]
        self._known.update(
            (key, judged)
            for key, judged in outcomes.items()
            if not any(isinstance(one, JudgeFailure) for one in judged)
        )
        while len(self._known) > _MOST_REMEMBERED:
            self._known.pop(next(iter(self._known)), None)
        return given


def judged_sentence(
    answer: str, settled: Settled, entries: tuple[LedgerEntry, ...]
) -> GuardedSentence:
    """The sentence with its claims' entries, and how it stands to the sources."""
    standing, reason = _standing(answer, settled, entries)
    span = Span(settled.start, settled.end)
    if standing is Standing.UNCHECKED and span.start == span.end:
        span = Span(settled.lead, settled.end)
    return GuardedSentence(answer[span.start : span.end], span, entries, standing, reason)


def _standing(
    answer: str, settled: Settled, entries: tuple[LedgerEntry, ...]
) -> tuple[Standing, str]:
    if any(entry.verdict is not Verdict.SUPPORTED for entry in entries):
        return Standing.UNSUPPORTED, ""
    if settled.prose:
        return Standing.UNCHECKED, PROSE_IN_CODE
    for skip in settled.skipped:
        if may_state(answer, skip):
            return Standing.UNCHECKED, skip.reason.value
    if any(skip.reason is SkipReason.REFUSAL for skip in settled.skipped):
        return Standing.REFUSAL, SkipReason.REFUSAL.value
    return (Standing.GROUNDED if entries else Standing.NEUTRAL), ""


_SUFFIX = 60
"""So much of a statement's end tells it from others in the context of the next."""


class GuardStream:
    """One answer on its way: `feed` takes what the model writes, and gives what may be shown.

    It is a context manager: at the end of its block nothing is lost unless `finish` was not called,
    which an error left behind shows. Made by `Guard.stream`.
    """

    def __init__(self, builder: LedgerBuilder, on_fail: OnFail, query: str) -> None:
        self._builder = builder
        self._on_fail = on_fail
        self._query = query
        self._names = {source.id: source.filename for source in builder.sources}
        self._settler = Settler()
        self._renderer = Renderer(on_fail, self._names)
        self._sentences: list[GuardedSentence] = []
        self._written: list[str] = []
        self._dropped: set[str] = set()
        self._claims = 0
        self._failure: UngroundedError | None = None
        self._report: GuardReport | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        if kind is not None:
            return
        if self._failure is not None:
            raise self._failure
        if self._report is None:
            raise ProcessingError(
                "the stream of an answer was left before its end: call finish() and show what it "
                "returns, or the last sentences are missing"
            )

    @property
    def report(self) -> GuardReport:
        """What was found, once `finish` was called. Raises ProcessingError before."""
        if self._report is None:
            raise ProcessingError("the answer is not finished: call finish() before its report")
        return self._report

    @property
    def failure(self) -> UngroundedError | None:
        """With `OnFail.FAIL`, what the next call will raise."""
        return self._failure

    def feed(self, text: str) -> str:
        """Take the next piece of the answer; the text that may be shown now, often none.

        With `OnFail.FAIL` the text before the first sentence that is not supported is returned, and
        the next call raises UngroundedError: see `failure`. Raises ValidationError for an answer
        that is too long, or that holds half of a surrogate pair.
        """
        self._require_open()
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise ValidationError(
                "the answer holds half of a surrogate pair; decode it as UTF-8 before"
            )
        return self._shown(self._settler.feed(text))

    def finish(self) -> str:
        """Say that the answer is complete; the rest of the text that may be shown."""
        self._require_open()
        out = self._shown(self._settler.finish())
        if self._failure is not None:
            if not out:
                raise self._failure
            return out
        answer = self._settler.text
        session = session_of(self._builder, answer, self._query)
        extraction, late = late_entries(
            self._builder, answer, session, self._query, self._sentences
        )
        out += self._told(late)
        self._written.append(self._told(late))
        self._report = GuardReport(
            answer=answer,
            text="".join(self._written),
            on_fail=self._on_fail,
            sentences=tuple(_of_session(one, session) for one in self._sentences),
            late=late,
            warnings=extraction.warnings,
        )
        if late and self._on_fail is OnFail.FAIL:
            place = late[0].claim.span
            self._failure = _failure(late[0].claim.text, place.start, place.end, late[:1])
            if not out:
                raise self._failure
        return out

    def through(self, pieces: Iterable[str]) -> Iterator[str]:
        """What may be shown of all pieces and of the end. Raises `failure` where it comes."""
        for piece in pieces:
            if shown := self.feed(piece):
                yield shown
            if self._failure is not None:
                raise self._failure
        if shown := self.finish():
            yield shown
        if self._failure is not None:
            raise self._failure

    async def through_async(self, pieces: AsyncIterable[str]) -> AsyncIterator[str]:
        """The same of pieces that come asynchronously; sentences are judged on a thread."""
        from asyncio import to_thread

        async for piece in pieces:
            if shown := await to_thread(self.feed, piece):
                yield shown
            if self._failure is not None:
                raise self._failure
        if shown := await to_thread(self.finish):
            yield shown
        if self._failure is not None:
            raise self._failure

    def expect(self, answer: str) -> None:
        """Refuse now what `feed` would refuse of a whole answer, once all before it was judged.

        Raises ValidationError for one that is too long, or makes too many claims.
        """
        require_usable(answer)
        if len(answer) > MAX_CLAIMS and any(
            one.reason is SkipReason.OVER_LIMIT
            for one in extracted(self._builder, answer, self._query).skipped
        ):
            raise _too_many_claims()

    def _require_open(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self._report is not None:
            raise ProcessingError("the answer is finished; begin another stream for the next one")

    def _shown(self, looks: Iterator[list[Settled]]) -> str:
        shown: list[str] = []
        for settled in looks:
            shown.extend(self._written_of(settled))
            if self._failure is not None:
                break
        self._written.extend(shown)
        return "".join(shown)

    def _written_of(self, settled: list[Settled]) -> Iterator[str]:
        claims = list(chain.from_iterable(one.claims for one in settled))
        self._claims += len(claims)
        if self._claims > MAX_CLAIMS:
            raise _too_many_claims()
        entries = iter(self._builder.entries_of(claims) if claims else ())
        answer = self._settler.text
        for one in settled:
            own = tuple(next(entries) for _ in one.claims)
            sentence = self._leaning(judged_sentence(answer, one, own))
            if sentence.text.strip():
                self._sentences.append(sentence)
            if sentence.standing in FAILING and self._on_fail is OnFail.FAIL:
                place = sentence.span
                self._failure = _failure(sentence.text, place.start, place.end, own)
                return
            yield self._renderer.write(answer, one, sentence)

    def _leaning(self, sentence: GuardedSentence) -> GuardedSentence:
        """The sentence; where sentences are left out, one that refers to such a one is, too."""
        if self._on_fail is not OnFail.DROP:
            return sentence
        if sentence.standing is Standing.GROUNDED and any(
            line[-_SUFFIX:] in self._dropped
            for entry in sentence.claims
            for line in entry.claim.context.split("\n")
        ):
            sentence = replace(sentence, standing=Standing.UNCHECKED, reason=LEANS)
        if sentence.standing in FAILING:
            self._dropped.update(e.claim.statement[-_SUFFIX:] for e in sentence.claims)
        return sentence

    def _told(self, late: tuple[LedgerEntry, ...]) -> str:
        """The marks of what turned out at the end, each on a line of its own."""
        if self._on_fail is OnFail.FAIL:
            return ""
        return "".join(
            f"\n\n{entry_mark(e, self._on_fail, self._names, of=e.claim.text)}\n" for e in late
        )


def _of_session(sentence: GuardedSentence, session: str) -> GuardedSentence:
    """A sentence whose claims have the ids that a ledger of the whole answer gives them."""
    entries = []
    for entry in sentence.claims:
        claim = replace(entry.claim, id=claim_id(session, entry.claim.span))
        entries.append(replace(entry, id=content_id("entry", session, claim.id), claim=claim))
    return replace(sentence, claims=tuple(entries))


def _too_many_claims() -> ValidationError:
    return ValidationError(f"the answer makes more than {MAX_CLAIMS:,} claims. Check it in parts.")


def _failure(text: str, start: int, end: int, entries: tuple[LedgerEntry, ...]) -> UngroundedError:
    entry = worst(entries)
    is_unsupported = entry is not None and entry.verdict is not Verdict.SUPPORTED
    verdict = entry.verdict.value if entry is not None and is_unsupported else ""
    what = verdict.replace("_", " ") or NOT_CHECKED
    line = " ".join(text.split())
    return UngroundedError(
        f"{what}: \u201c{line}\u201d (characters {start:,} to {end:,} of the answer)",
        sentence=text,
        start=start,
        end=end,
        verdict=verdict,
    )


class Guard:
    """Lets through what the documents bear out, and marks, drops, annotates or refuses the rest.

    The documents are indexed once, on first use or by `prepare`; one guard serves any number of
    answers over them, one after another. Make one for each thread. `judge`, `policy` and
    `workspace` are those of `LedgerBuilder`. Claims are found by rules, whoever judges them: a
    sentence cannot wait for a model that reads the whole answer.
    """

    def __init__(
        self,
        documents: Corpus | Sequence[Document],
        *,
        on_fail: OnFail = OnFail.MARK,
        judge: Judge | None = None,
        policy: LedgerPolicy | None = None,
        workspace: str = DEFAULT_WORKSPACE,
    ) -> None:
        corpus = documents if isinstance(documents, Corpus) else Corpus(documents)
        builder = LedgerBuilder(corpus, judge=judge, policy=policy, workspace=workspace)
        builder.judge = RememberingJudge(builder.judge)
        self.on_fail = OnFail(on_fail)
        self._builder = builder

    @property
    def corpus(self) -> Corpus:
        """The documents, indexed."""
        return self._builder.corpus

    def prepare(self) -> None:
        """Index the documents now, so that the first sentence need not wait for it."""
        self._builder.corpus.prepare()

    def stream(self, *, query: str = "") -> GuardStream:
        """Begin an answer that comes in pieces. `query` is the question that it answers."""
        return GuardStream(self._builder, self.on_fail, query)

    @overload
    def guarded(self, pieces: Iterable[str], *, query: str = "") -> Iterator[str]: ...

    @overload
    def guarded(self, pieces: AsyncIterable[str], *, query: str = "") -> AsyncIterator[str]: ...

    def guarded(
        self, pieces: Iterable[str] | AsyncIterable[str], *, query: str = ""
    ) -> Iterator[str] | AsyncIterator[str]:
        """What may be shown of an answer that comes in pieces, as soon as it may: to be walked
        through by `for`, or by `async for` where the pieces come asynchronously.

        With `OnFail.FAIL` raises UngroundedError at the first sentence that is not supported.
        """
        stream = self.stream(query=query)
        if isinstance(pieces, AsyncIterable):
            return stream.through_async(pieces)
        return stream.through(pieces)

    def check(self, text: str, *, query: str = "") -> GuardReport:
        """Check a whole answer, as if it had come in pieces.

        Raises UngroundedError with `OnFail.FAIL`, where a sentence is not supported.
        """
        stream = self.stream(query=query)
        stream.expect(text)
        for _ in stream.through([text]):
            pass
        return stream.report


# A decorator for functions that answer: what they return is guarded by the sources.


_Function = TypeVar("_Function", bound=Callable[..., Any])


def grounded(
    sources: Sources, *, on_fail: OnFail | str = OnFail.MARK, judge: Judge | None = None
) -> Callable[[_Function], _Function]:
    """Decorate a function that returns an answer, or yields the pieces of one: what comes out is
    what `Guard` lets through of it, as soon as it may. Coroutines and asynchronous generators too.

    `sources` are as `veridical.check` takes them; they are read and indexed at the first call.
    `on_fail` and `judge` are those of `Guard`. A call raises UngroundedError with `OnFail.FAIL`,
    and ConfigurationError where the function returns no text.
    """
    on_fail = OnFail(on_fail)

    @cache
    def corpus() -> Corpus:
        return sources if isinstance(sources, Corpus) else Corpus(documents_of(sources))

    def shown(answer: object) -> str | Iterator[str] | AsyncIterator[str]:
        guard = Guard(corpus(), on_fail=on_fail, judge=judge)  # each serves one answer at a time
        if isinstance(answer, str):
            return guard.check(answer).text
        if isinstance(answer, (AsyncIterable, Iterable)) and not isinstance(answer, bytes):
            return guard.guarded(answer)
        raise ConfigurationError(
            f"a guarded function must return text or yield it, and not {type(answer).__name__}"
        )

    def decorated(function: _Function) -> _Function:
        @wraps(function)
        async def answer_async(*args: Any, **more: Any) -> Any:
            from asyncio import to_thread

            return await to_thread(shown, await function(*args, **more))

        @wraps(function)
        def answer(*args: Any, **more: Any) -> Any:  # what generators return is walked through
            return shown(function(*args, **more))

        return cast(_Function, answer_async if iscoroutinefunction(function) else answer)

    return decorated
