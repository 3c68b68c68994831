"""The public copy of a speech evaluation: checked on the raw transcript first, without names after.

The order cannot be turned round. What was redacted before it was checked does not stand in the
transcript, so its check fails or belongs to other words, and is refused here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar, cast

from veridical.errors import ProcessingError
from veridical.sources.transcript import Transcript
from veridical.speech.checking import Receipts
from veridical.speech.evaluation import EvaluationItem
from veridical.speech.names.finders import NameFinder, PatternNames
from veridical.speech.names.text import name_keys
from veridical.speech.redaction import DEFAULT_PHRASE, Redactor
from veridical.speech.results import (
    PublicEvaluation,
    PublicItem,
    PublicLine,
    Receipt,
    SpeechEvaluation,
)
from veridical.speech.speakers import own_name, people_labels
from veridical.text.spoken import spoken_keys
from veridical.text.turns import turns
from veridical.validation.timed import Occurrence, TimedQuoteResult

_LOG = logging.getLogger(__name__)

_T = TypeVar("_T")

NEUTRAL_TITLE = "Speech evaluation"
"""The title where none is given, or one that holds a name that cannot be cut out of it."""


def publish(
    result: SpeechEvaluation,
    *,
    names: Sequence[str] = (),
    finder: NameFinder | None = None,
    phrase: str | None = None,
    title: str | None = None,
    with_transcript: bool = False,
) -> PublicEvaluation:
    """The copy of an evaluation that may be shown, with a receipt for every quote.

    `with_transcript` puts the whole transcript beside it, without names as everything else.

    Names are those that you list, the transcript's labels of other speakers, and those that
    `finder` (the patterns by default) finds in the transcript and in the evaluation. They are
    replaced by `phrase` in every text; the speaker's own name stays. The name of the transcript's
    file is not published: without `title` the title is a neutral one.

    Raises ProcessingError where an item has not passed its check on the raw transcript, and
    ConfigurationError where `phrase` cannot be used.
    """
    evidence = require_checked(result)
    shown_title = NEUTRAL_TITLE if title is None else title
    redactor = redactor_for(result, names=names, finder=finder, phrase=phrase, more=(shown_title,))
    redactions = 0

    def clean(text: str) -> str:
        nonlocal redactions
        cleaned, count = redactor.redact_counted(text)
        redactions += count
        return cleaned

    receipts = Receipts(result.transcript)
    items = tuple(
        _public_item(changed(item, clean), item.evidence_quote, occurrence, receipts)
        for item, occurrence in zip(result.evaluation.items, evidence, strict=True)
    )
    public = changed(_raw(result, shown_title, with_transcript=with_transcript), clean)
    public = replace(
        public,
        items=items,
        title=_title(shown_title, public.title, redactor),
        phrase=redactor.phrase,
        redactions=redactions,
    )
    # The last look: no name may get out.
    if any(map(redactor.count, _texts(public))):
        raise ProcessingError(
            "a name was left in the public evaluation; nothing was published. This is a fault of "
            "the redaction: please report it"
        )
    _LOG.info("published %d items; %d names taken out", len(items), redactions)
    return replace(public, speaker=result.speaker)


def _raw(result: SpeechEvaluation, title: str, *, with_transcript: bool) -> PublicEvaluation:
    """All texts of the copy but the items', names still in them."""
    return PublicEvaluation(
        opening=result.evaluation.opening,
        items=(),
        closing=result.evaluation.closing,
        metrics=result.metrics,
        author=result.author,
        rule_based=result.rule_based,
        title=title,
        speaker=None,
        history=result.history,
        tone=result.tone,
        warnings=result.warnings,
        redactions=0,
        phrase="",
        lines=tuple(_lines(result.transcript)) if with_transcript else (),
    )


def require_checked(result: SpeechEvaluation) -> tuple[Occurrence, ...]:
    """Where each item's quote stands in the raw transcript.

    Raises ProcessingError where an item was not checked there, or not with its own words.
    """
    items, checks = result.evaluation.items, result.checks
    if len(items) != len(checks):
        raise ProcessingError(
            f"the evaluation has {len(items)} items and {len(checks)} checks. Check every item on "
            "the raw transcript before publishing"
        )
    return tuple(
        _require(number, item, check, result)
        for number, (item, check) in enumerate(zip(items, checks, strict=True), start=1)
    )


def redactor_for(
    result: SpeechEvaluation,
    *,
    names: Sequence[str] = (),
    finder: NameFinder | None = None,
    phrase: str | None = None,
    more: Iterable[str] = (),
) -> Redactor:
    """The redactor of everything that is said of this speech; `more` are further texts to search.

    `names` count always, what is found counts where it is used as a name. In a model's texts an
    unknown word with a capital counts as found where it does not stand in the transcript; the fixed
    rules name nobody but in words of the transcript, which has been searched.

    Raises ConfigurationError where `phrase` cannot be used.
    """
    search = finder if finder is not None else PatternNames()
    labels = result.transcript.speakers
    texts = (
        result.transcript.text,
        *_texts(() if result.rule_based else result.evaluation),
        *_texts((result.metrics.notes, result.history, result.tone)),
        *result.warnings,
        *more,
    )
    found = [name for text in dict.fromkeys(texts) for name in search.find(text)]
    told, said = result.evaluation, frozenset(name_keys(result.transcript.text))
    own = [text for item in told.items for text in (item.summary, item.explanation)]
    made_up = [
        name
        for text in (() if result.rule_based else (told.opening, told.closing, *own))
        for name in PatternNames().find(text)
        if said.isdisjoint(name_keys(name))
    ]
    return Redactor(
        names,
        found=dict.fromkeys([*people_labels(labels), *found, *made_up]),
        keep=own_name(result.speaker, labels),
        phrase=DEFAULT_PHRASE if phrase is None else phrase,
    )


def _require(
    number: int, item: EvaluationItem, check: TimedQuoteResult, result: SpeechEvaluation
) -> Occurrence:
    if check.quote != item.evidence_quote or check.claimed_seconds != item.evidence_timestamp:
        raise ProcessingError(
            f"item {number}: the check is of another quote than the item's. Check the raw quote on "
            "the raw transcript first; names are taken out after"
        )
    if not check.passed or check.nearest is None:
        failed = ", ".join(outcome.check.value for outcome in check.failed_checks) or "no place"
        raise ProcessingError(
            f"item {number}: its quote did not pass the check on the raw transcript ({failed}). "
            "Drop the item or correct the quote; names are taken out after the check, never before"
        )
    span, transcript = check.nearest.span, result.transcript
    same_words = spoken_keys(transcript.text[span.start : span.end]) == spoken_keys(check.quote)
    if not same_words or transcript.moment(span) != check.nearest.moment:
        raise ProcessingError(
            f"item {number}: the check was made on another transcript than this one. Check the "
            "quote on the raw transcript"
        )
    return check.nearest


def _public_item(
    item: EvaluationItem, raw_quote: str, occurrence: Occurrence, receipts: Receipts
) -> PublicItem:
    return PublicItem(
        type=item.type,
        summary=item.summary,
        evidence_quote=item.evidence_quote,
        evidence_timestamp=item.evidence_timestamp,
        explanation=item.explanation,
        start=occurrence.moment.start,
        end=occurrence.moment.end,
        precision=occurrence.moment.precision,
        receipt=receipts.make(occurrence.span, item.evidence_quote),
        redacted=item.evidence_quote != raw_quote,
    )


def _lines(transcript: Transcript) -> Iterator[PublicLine]:
    """The transcript as it was recorded, segment by segment."""
    for turn in turns(transcript):
        for part in turn.parts:
            text = transcript.text[part.span.start : part.span.end].strip()
            yield PublicLine(part.start, part.end, part.speaker, text)


def _title(title: str, cleaned: str, redactor: Redactor) -> str:
    in_one_word = cleaned != title and " " not in title.strip()
    return NEUTRAL_TITLE if in_one_word or redactor.holds_part(cleaned) else cleaned


def changed(value: _T, change: Callable[[str], str]) -> _T:
    """The value with every text in it changed, however deep, but the digests of receipts."""
    return cast("_T", _changed(value, change))


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, Enum | Receipt):
        return value
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple):
        return tuple(_changed(part, change) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {
            field.name: _changed(getattr(value, field.name), change) for field in fields(value)
        }
        return replace(value, **parts)
    return value


def _texts(value: object) -> list[str]:
    """Every text in a value."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    changed(value, note)
    return found
