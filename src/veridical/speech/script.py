"""The spoken script: an evaluation as somebody says it, within a time limit and without names."""

from __future__ import annotations

import logging
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from veridical.errors import ConfigurationError
from veridical.speech.evaluation import LEAST_ITEMS, EvaluationItem, ItemType
from veridical.speech.names.finders import NameFinder
from veridical.speech.publish import changed, redactor_for, require_checked
from veridical.speech.results import SpeechEvaluation
from veridical.text.spoken import spoken_keys

# Text as it is read out: what a model wrote, without what only the eye can use.


_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\([^()\s]{0,500}\)")
_URL = re.compile(r"<?\b(?:https?://|www\.)[^\s<>]+", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_ASIDE = re.compile(r"\[[^\[\]]{0,200}\]")
_LINE_START = re.compile(
    r"(?m)^[ \t]*(?:#{1,6}[ \t]|>[ \t]?|[-*+\u2022][ \t]|\d{1,3}[.)][ \t])[ \t]*"
)
_RULE = re.compile(r"(?m)^[ \t]*(?:[-*_=~][ \t]*){3,}$")
_EMPHASIS = re.compile(r"[*`~#|\\^<>{}\[\]()=]|(?<!\w)_+|_+(?!\w)")
_DASHES = re.compile(r"\s*(?:[\u2013\u2014]|(?<=\s)--?(?=\s)|--)\s*")
_ENDS = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb]*$")
_DOUBLE_QUOTES = re.compile("[\u201c\u201d\u201e\u00ab\u00bb]")
_SPACE_BEFORE = re.compile(r"\s+([,.;:!?])")
_AGAIN = re.compile(r"([,;:])(?:\s*[,;:])+|([,;:])\s*(?=[.!?])")

_SPOKEN_SIGNS = {"&": " and ", "@": " at ", "/": " ", "_": " "}
_SILENT = frozenset({"So", "Sk", "Cc", "Cf", "Cs", "Co", "Cn", "Me"})
_SILENT_SELECTORS = "\ufe0e\ufe0f\u20e3"


def plain_text(text: str, *, quoted: bool = False) -> str:
    """A text as one paragraph of plain words and punctuation.

    Links keep their words; addresses, tags, list marks, headings, emphasis and pictures go, and so
    does what stands in square brackets. Of a text that is `quoted` every word stays.
    """
    if not quoted:
        text = _TAG.sub(" ", _URL.sub(" ", _LINK.sub(r"\1", text)))
        text = _ASIDE.sub(" ", _LINE_START.sub("", _RULE.sub("", text)))
    text = _DASHES.sub(", ", _DOUBLE_QUOTES.sub('"', _EMPHASIS.sub("", text)))
    text = "".join(map(_said, text))
    text = _AGAIN.sub(r"\1", _SPACE_BEFORE.sub(r"\1", " ".join(text.split())))
    return text.strip(" ,;:")


def sentence(text: str) -> str:
    """The text with a capital at its start and a full stop at its end; empty stays empty."""
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if _ENDS.search(text) else f"{text}."


def _said(character: str) -> str:
    if character in _SPOKEN_SIGNS:
        return _SPOKEN_SIGNS[character]
    if character.isspace():
        return " "
    if character in _SILENT_SELECTORS:
        return ""
    return "" if unicodedata.category(character) in _SILENT else character


_LOG = logging.getLogger(__name__)

WORDS_PER_MINUTE = 150
"""The pace at which a script is read out."""

MOST_SECONDS = 24 * 3600
"""The longest time limit that makes sense."""

_LEADS = {
    ItemType.COMMENDATION: (
        "Let me start with what worked well.",
        "There was more to enjoy.",
        "And one more strength.",
    ),
    ItemType.RECOMMENDATION: (
        "Now, something to try next time.",
        "And one more idea for your next speech.",
    ),
}
_FURTHER_LEAD = "And another thought."


@dataclass(frozen=True, slots=True)
class Script:
    """A text to be read out.

    `words` counts the spoken tokens of `text`, and `estimated_seconds` is their time at
    `WORDS_PER_MINUTE`. `dropped` are the indices of the evaluation's items that were left out to
    keep the time. `fits` is False where even the least shape, 2 commendations and 1 recommendation
    between opening and closing, is longer than the limit; `note` then says so.
    """

    text: str
    words: int
    estimated_seconds: float
    dropped: tuple[int, ...] = ()
    fits: bool = True
    note: str = ""


def render_script(
    result: SpeechEvaluation,
    *,
    seconds: float | None = None,
    names: Sequence[str] = (),
    finder: NameFinder | None = None,
    phrase: str | None = None,
) -> Script:
    """Natural spoken text of an evaluation whose quotes were checked on the raw transcript.

    Plain sentences without markup, links or pictures; names are taken out here, after the checks,
    as `publish` does it. Commendations come first, unless the evaluation also ends with one. With
    `seconds`, whole items are dropped from the end until it fits at `WORDS_PER_MINUTE`; opening,
    closing and the least shape always stay whole.

    Raises ProcessingError where an item has not passed its check, ConfigurationError where
    `seconds` or `phrase` cannot be used.
    """
    limit = _word_limit(seconds)
    require_checked(result)
    parts = [(index, _cleaned(item)) for index, item in enumerate(result.evaluation.items)]
    opening, closing = (
        sentence(plain_text(text))
        for text in (result.evaluation.opening, result.evaluation.closing)
    )
    own = [t for _, item in parts for t in (item.summary, item.evidence_quote, item.explanation)]
    redactor = redactor_for(
        result, names=names, finder=finder, phrase=phrase, more=(opening, closing, *own)
    )

    # Each text by itself first: what stands around a word, and whether its text has capitals,
    # decides whether it is a name, and joining texts changes both.
    parts = [(index, changed(item, redactor.redact)) for index, item in parts]
    opening, closing = redactor.redact(opening), redactor.redact(closing)

    def rendered(items: Sequence[tuple[int, EvaluationItem]]) -> str:
        return redactor.redact(_join(opening, [item for _, item in items], closing))

    kept = _ordered(parts)
    text = rendered(kept)
    dropped: list[int] = []
    while limit is not None and len(spoken_keys(text)) > limit:
        last = _droppable(kept)
        if last is None:
            break
        dropped.append(kept.pop(last)[0])
        text = rendered(kept)
    return _script(text, sorted(dropped), limit)


def _script(text: str, dropped: list[int], limit: int | None) -> Script:
    words = len(spoken_keys(text))
    fits = limit is None or words <= limit
    note = ""
    if not fits:
        note = (
            f"{words} words where the limit is {limit}: opening, closing and the least number of "
            "items stay whole"
        )
        _LOG.warning("the script does not fit its time: %s", note)
    return Script(text, words, words * 60 / WORDS_PER_MINUTE, tuple(dropped), fits, note)


def _word_limit(seconds: float | None) -> int | None:
    if seconds is None:
        return None
    if not 0 < seconds <= MOST_SECONDS:
        raise ConfigurationError(
            f"the script's time limit must be a number of seconds above 0 and up to "
            f"{MOST_SECONDS:,}, got {seconds:g}"
        )
    return math.floor(seconds * WORDS_PER_MINUTE / 60)


def _cleaned(item: EvaluationItem) -> EvaluationItem:
    return replace(
        item,
        summary=plain_text(item.summary),
        evidence_quote=plain_text(item.evidence_quote, quoted=True),
        explanation=plain_text(item.explanation),
    )


def _ordered(items: list[tuple[int, EvaluationItem]]) -> list[tuple[int, EvaluationItem]]:
    """Praise first. An order that begins and ends with praise is natural too, and stays."""
    kinds = [item.type for _, item in items]
    if kinds and kinds[0] is kinds[-1] is ItemType.COMMENDATION:
        return list(items)
    return sorted(items, key=lambda pair: pair[1].type is ItemType.RECOMMENDATION)


def _droppable(items: Sequence[tuple[int, EvaluationItem]]) -> int | None:
    """The last item whose kind has more than its least number."""
    for index in range(len(items) - 1, -1, -1):
        kind = items[index][1].type
        if sum(item.type is kind for _, item in items) > LEAST_ITEMS[kind]:
            return index
    return None


def _join(opening: str, items: Sequence[EvaluationItem], closing: str) -> str:
    said = dict.fromkeys(ItemType, 0)
    paragraphs = [opening]
    for item in items:
        leads = _LEADS[item.type]
        lead = leads[said[item.type]] if said[item.type] < len(leads) else _FURTHER_LEAD
        said[item.type] += 1
        quote = sentence(item.evidence_quote.replace('"', ""))
        parts = (lead, sentence(item.summary), f'You said: "{quote}"', sentence(item.explanation))
        paragraphs.append(" ".join(part for part in parts if part))
    return "\n\n".join(paragraph for paragraph in (*paragraphs, closing) if paragraph)
