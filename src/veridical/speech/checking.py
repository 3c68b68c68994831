"""Evaluations that some other program wrote, or that were published: do their quotes hold?"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

from veridical.errors import ProcessingError
from veridical.sources.document import Span
from veridical.sources.transcript import Segment, Transcript, Word
from veridical.speech.drafting import quotes_of
from veridical.speech.evaluation import RECORDS, EvaluationItem, StructuredEvaluation, repaired
from veridical.speech.results import Receipt, SpeechEvaluation
from veridical.speech.schemas import load_schema
from veridical.text.spoken import SpokenTokens, spoken_keys, spoken_tokens
from veridical.validation.schema_errors import require_fit
from veridical.validation.timed import (
    DEFAULT_TIMED_POLICY,
    TimedQuoteChecker,
    TimedQuotePolicy,
    TimedQuoteResult,
)
from veridical.validation.values import same_values

_KEY_PREFIX = b"veridical speech receipt, version 1\n"


class Receipts:
    """Makes and proves the receipts of one raw transcript, which is made ready once.

    The digest of a receipt is a keyed hash (HMAC-SHA256) of the second, the number of words, the
    raw words and the quote as it is shown. The key is made from the raw text of the transcript,
    which is not published, and not from its published hash. So only who has that text can make or
    prove a receipt, and a shown quote that somebody changed has none. Names can be tried out
    against a receipt only by who can rebuild the whole raw text but for them.
    """

    def __init__(
        self, transcript: Transcript, policy: TimedQuotePolicy = DEFAULT_TIMED_POLICY
    ) -> None:
        self.transcript = transcript
        self.policy = policy

    def make(self, span: Span, shown: str) -> Receipt:
        """The receipt of `transcript.text[span.start:span.end]`, which is published as `shown`.

        Raises ProcessingError where nothing was said there or no time is known of it.
        """
        keys = spoken_keys(self.transcript.text[span.start : span.end])
        seconds = self.transcript.moment(span).start
        if not keys or seconds is None:
            raise ProcessingError(
                "a receipt needs words of the transcript and the second at which they were said; "
                "check the quote against this transcript before publishing it"
            )
        return Receipt(self._digest(keys, seconds, shown), len(keys), seconds)

    def prove(self, receipt: Receipt, shown: str) -> Span | None:
        """Where the words stand that were published as `shown`; None where nothing is proven.

        Only words that were said within `policy.tolerance_seconds` of its second are looked at, and
        only receipts of at most `policy.max_tokens` words.
        """
        if not 1 <= receipt.tokens <= self.policy.max_tokens or not math.isfinite(receipt.seconds):
            return None
        for first in self._starting_near(receipt.seconds):
            last = first + receipt.tokens
            if last > len(self._tokens):
                break
            if self._same(receipt, self._tokens.keys[first:last], shown):
                span = Span(self._tokens.starts[first], self._tokens.ends[last - 1])
                if self._said_near(span, receipt.seconds):
                    return span
        return None

    @cached_property
    def _tokens(self) -> SpokenTokens:
        return spoken_tokens(self.transcript.text)

    @cached_property
    def _key(self) -> bytes:
        text = self.transcript.text.encode("utf-8", "surrogatepass")
        return hashlib.sha256(_KEY_PREFIX + text).digest()

    def _digest(self, keys: list[str], seconds: float, shown: str) -> str:
        # Tokens hold no white space, so that no two contents are written alike.
        said = f"{seconds!r}\n{len(keys)}\n{' '.join(keys)}\n{shown}"
        return hmac.new(
            self._key, said.encode("utf-8", "surrogatepass"), hashlib.sha256
        ).hexdigest()

    def _same(self, receipt: Receipt, keys: list[str], shown: str) -> bool:
        made = self._digest(keys, receipt.seconds, shown)
        return hmac.compare_digest(made.encode(), receipt.digest.encode("utf-8", "surrogatepass"))

    def _starting_near(self, seconds: float) -> list[int]:
        """The tokens that start in a word or a segment of about that second, in order."""
        reach = self.policy.tolerance_seconds
        near: set[int] = set()
        parts: tuple[Word | Segment, ...] = (*self.transcript.words, *self.transcript.segments)
        for part in parts:
            if part.start is not None and abs(part.start - seconds) <= reach:
                first = bisect_left(self._tokens.ends, part.span.start + 1)
                near.update(range(first, bisect_left(self._tokens.starts, part.span.end)))
        return sorted(near)

    def _said_near(self, span: Span, seconds: float) -> bool:
        start = self.transcript.moment(span).start
        return start is not None and abs(start - seconds) <= self.policy.tolerance_seconds


# Does a quote without names read as the raw words do?


MOST_NAME_TOKENS = 4
"""How many words of the transcript one neutral phrase may stand for."""


def reads_as(shown: str, raw: str, phrase: str, *, has_capitals: bool) -> bool:
    """Whether `shown` is `raw` with names replaced by the phrase, and nothing else changed.

    In a transcript that `has_capitals`, what a phrase stands for must be written as names are.
    """
    stand_in = " ".join(spoken_keys(phrase))
    if not stand_in:
        return False
    # Tokens are letters and digits only, so that they can stand in a pattern as they are.
    # "Maria's" became "a fellow member's", whose last token is "members".
    name = rf"(\\S+(?: \\S+){{0,{MOST_NAME_TOKENS - 1}}})"
    pattern = re.sub(rf"(?<!\S){stand_in}s?(?!\S)", name, " ".join(spoken_keys(shown)))
    found = re.fullmatch(pattern, " ".join(spoken_keys(raw)))
    if found is None:
        return False
    names = list(_names(raw, found))
    if has_capitals and any(raw[n.start : n.end].islower() for n in names):
        return False
    return same_values(_replaced(raw, names, phrase), shown)


def _names(raw: str, found: re.Match[str]) -> Iterator[Span]:
    """Where in the raw words the names stand, in order."""
    tokens = spoken_tokens(raw)
    for group in range(1, found.re.groups + 1):
        first = found.string.count(" ", 0, found.start(group))
        last = first + found[group].count(" ")
        yield Span(tokens.starts[first], tokens.ends[last])


def _replaced(raw: str, names: list[Span], phrase: str) -> str:
    for name in reversed(names):
        said = raw[name.start : name.end]
        owner = re.search(r"['\u2019]s$", said)
        raw = raw[: name.start] + phrase + (owner.group() if owner else "") + raw[name.end :]
    return raw


@dataclass(frozen=True, slots=True)
class HandedIn:
    """An evaluation from a file.

    `receipts` are those of the items without names, by index from 0: they lead a quote back to the
    raw words. `phrase` stands in the quote for each name.
    """

    evaluation: StructuredEvaluation
    receipts: Mapping[int, Receipt] = field(default_factory=dict)
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class ItemReport:
    """An item and what its check found.

    With `proven` the quote was redacted; its receipt led to the raw words, which were checked.
    """

    item: EvaluationItem
    check: TimedQuoteResult
    proven: bool = False


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """The checks of an evaluation. `shape` says how its numbers of items differ from the contract.

    They are warnings: a file may hold a part of an evaluation.
    """

    evaluation: StructuredEvaluation
    transcript: Transcript
    policy: TimedQuotePolicy
    items: tuple[ItemReport, ...]
    shape: tuple[str, ...]

    @property
    def passed(self) -> int:
        """How many items passed."""
        return sum(report.check.passed for report in self.items)

    @property
    def all_passed(self) -> bool:
        """Whether there are items, and every one passed."""
        return bool(self.items) and self.passed == len(self.items)

    def passing(self, *, speaker: str | None = None) -> SpeechEvaluation:
        """The items that passed, as a checked evaluation with the raw quotes.

        Sentences against a rule of tone are left out; `tone` tells of them.
        """
        from veridical.speech.metrics import measure
        from veridical.speech.tone import check_tone, stripped_frame, stripped_item

        passed = [
            (replace(report.item, evidence_quote=report.check.quote), report.check)
            for report in self.items
            if report.check.passed
        ]
        told = replace(self.evaluation, items=tuple(item for item, _ in passed))
        left = [(stripped_item(item), check) for item, check in passed]
        evaluation = StructuredEvaluation(
            stripped_frame(told.opening),
            tuple(item for item, _ in left if item is not None),
            stripped_frame(told.closing),
        )
        return SpeechEvaluation(
            evaluation=evaluation,
            checks=tuple(check for item, check in left if item is not None),
            transcript=self.transcript,
            metrics=measure(self.transcript),
            author="another program",
            rule_based=False,
            speaker=speaker,
            tone=check_tone(told),
            warnings=self.transcript.warnings,
        )

    def to_mapping(self) -> dict[str, Any]:
        """The report as plain data, in the form of the shipped schema `speech_check`."""
        return {
            "transcript": {
                "name": self.transcript.name,
                "sha256": self.transcript.sha256,
                "precision": self.transcript.precision.value,
            },
            "policy": asdict(self.policy),
            "passed": self.passed,
            "total": len(self.items),
            "items": [
                {
                    "number": number,
                    "type": report.item.type.value,
                    "evidence_quote": report.item.evidence_quote,
                    "proven_by_receipt": report.proven,
                    **report.check.to_mapping(),
                }
                for number, report in enumerate(self.items, 1)
            ],
            "shape_warnings": list(self.shape),
            "transcript_warnings": list(self.transcript.warnings),
        }


def read_evaluation(data: object) -> HandedIn:
    """The evaluation in the data of a file: a `StructuredEvaluation`, a part of one, or what
    `veridical speech evaluate` wrote.

    Only `items`, and in each `type`, `evidence_quote` and `evidence_timestamp`, must be there;
    fields that are not known are left alone.
    Raises ValidationError that names what does not fit.
    """
    if isinstance(data, Mapping) and isinstance(data.get("evaluation"), Mapping):
        require_fit(load_schema("speech_evaluation"), data, _MISFIT)
        evidence = enumerate(data["evidence"])
        receipts = {i: Receipt(**item["receipt"]) for i, item in evidence if item["redacted"]}
        return HandedIn(_evaluation(data["evaluation"]), receipts, data["redaction"]["phrase"])
    return HandedIn(_evaluation({"items": data} if isinstance(data, list) else data))


def check_evaluation(
    handed_in: HandedIn,
    transcript: Transcript,
    *,
    policy: TimedQuotePolicy = DEFAULT_TIMED_POLICY,
    label: str | None = None,
) -> EvaluationReport:
    """Check every item against the raw transcript; with `label`, as words of that speaker.

    The quote of an item that was published without names is checked through its receipt: the raw
    words that it proves must read as the published ones, but for the names.
    """
    evaluation = handed_in.evaluation
    checker, receipts = TimedQuoteChecker(transcript, policy), Receipts(transcript, policy)
    raw: dict[int, str] = {}
    for index, receipt in handed_in.receipts.items():
        if index < len(evaluation.items):
            shown = evaluation.items[index].evidence_quote
            words = _proven_words(receipt, shown, handed_in.phrase, receipts)
            if words is not None:
                raw[index] = words
    quotes = [
        replace(quote, quote=raw.get(index, quote.quote))
        for index, quote in enumerate(quotes_of(evaluation.items, label))
    ]
    checks = checker.check_all(quotes)
    return EvaluationReport(
        evaluation=evaluation,
        transcript=transcript,
        policy=policy,
        items=tuple(
            ItemReport(item, check, proven=index in raw)
            for index, (item, check) in enumerate(zip(evaluation.items, checks, strict=True))
        ),
        shape=evaluation.shape_problems(),
    )


def _proven_words(receipt: Receipt, shown: str, phrase: str, receipts: Receipts) -> str | None:
    """The raw words of a redacted quote; None where the receipt proves none, or others."""
    span = receipts.prove(receipt, shown)
    if span is None:
        return None
    text = receipts.transcript.text
    raw = text[span.start : span.end]
    return raw if reads_as(shown, raw, phrase, has_capitals=not text.islower()) else None


_MISFIT = "the evaluation does not fit its schema"


def _evaluation(data: Any) -> StructuredEvaluation:
    if isinstance(data, Mapping) and isinstance(given := data.get("items"), list):
        items = [repaired(item)[0] if isinstance(item, Mapping) else item for item in given]
        data = {**data, "items": items}
    require_fit(load_schema("evaluation_to_check"), data, _MISFIT)
    items = [{"summary": "", "explanation": "", **item} for item in data["items"]]
    return RECORDS.read(
        StructuredEvaluation, {"opening": "", "closing": "", **data, "items": items}
    )
