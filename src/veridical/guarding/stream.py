"""An answer that is checked while it is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from types import TracebackType
from typing import Self

from veridical.errors import ProcessingError, UngroundedError, ValidationError
from veridical.guarding.judging import LEANS, judged_sentence
from veridical.guarding.rendering import Renderer
from veridical.guarding.report import GuardedSentence, GuardReport, worst
from veridical.guarding.settings import FAILING, NOT_CHECKED, OnFail, Standing
from veridical.guarding.settling import Settled, Settler
from veridical.guarding.whole import late_entries, session_of
from veridical.guarding.wording import entry_mark
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import LedgerEntry
from veridical.ledger.extraction.extractor import MAX_CLAIMS
from veridical.ledger.extraction.finishing import claim_id
from veridical.ledger.ids import content_id

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
            raise ValidationError(
                f"the answer makes more than {MAX_CLAIMS:,} claims. Check it in parts."
            )
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
