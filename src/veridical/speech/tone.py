"""Whether an evaluation is supportive, specific and actionable: rules over its sentences.

The rules know English. They look for what a careful evaluator never says; they cannot tell that a
sentence is wise. What the speaker said, as evidence or between quotation marks, is not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.speech import tone_words
from veridical.speech.evaluation import EvaluationItem, ItemType, StructuredEvaluation
from veridical.speech.lexicon import IMPERATIVES, reads_as_english
from veridical.speech.results import ToneRule, ToneViolation
from veridical.text.reading import sentence_spans
from veridical.text.signs import CLAUSE_ENDS, SENTENCE_ENDS
from veridical.text.spoken import spoken_keys

LEAST_QUOTED = 3
"""Praise needs at least so many quoted tokens to rest on."""

_QUOTED = re.compile(
    r"\"[^\"]{1,500}\"|“[^”]{1,500}”|«[^»]{1,500}»|„[^“”]{1,500}[“”]|「[^」]{1,500}」"
    r"|(?<!\w)'[^']{1,300}'(?!\w)|(?<!\w)‘[^’]{1,300}’(?!\w)"
)
_CLAUSES = re.compile(rf"[{CLAUSE_ENDS}()]|\s-\s")

_OF_THE_SPEAKER = (ToneRule.UNKIND, ToneRule.DIAGNOSIS)
"""What the speaker may well say of himself or herself, and an evaluation may tell again."""
_EVERYWHERE = (
    (ToneRule.UNKIND, tone_words.UNKIND),
    (ToneRule.DIAGNOSIS, tone_words.DIAGNOSIS),
    (ToneRule.SCORE, tone_words.SCORE),
    (ToneRule.METRIC, tone_words.METRIC),
    (ToneRule.MODEL_TALK, tone_words.MODEL_TALK),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as written, and `plain`: in lower case, what it quotes blanked out."""

    written: str
    plain: str


def check_tone(evaluation: StructuredEvaluation) -> tuple[ToneViolation, ...]:
    """Every sentence that breaks a rule of tone, in the order in which they stand.

    A sentence may break several rules and is listed once for each. Rules about English words are
    silent on other languages.
    """
    found = list(_check_frame("opening", evaluation.opening))
    for index, item in enumerate(evaluation.items):
        found.extend(_check_item(f"items[{index}]", item))
    found.extend(_check_frame("closing", evaluation.closing))
    return tuple(found)


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text, quoted ones not cut up."""
    blanked = _QUOTED.sub(_blank, text)
    return [
        Sentence(text[start:end], " ".join(blanked[start:end].lower().replace("’", "'").split()))
        for start, end in sentence_spans(blanked)
    ]


def _check_frame(field: str, text: str) -> Iterator[ToneViolation]:
    """The opening or closing: what holds everywhere, and no praise, which has no quote here."""
    for sentence in sentences(text):
        yield from _check_sentence(field, sentence)
        if tone_words.UNGROUNDED_PRAISE.search(sentence.plain):
            yield ToneViolation(ToneRule.UNGROUNDED_PRAISE, field, sentence.written)


def _check_item(field: str, item: EvaluationItem) -> Iterator[ToneViolation]:
    summary, explanation = sentences(item.summary), sentences(item.explanation)
    for name, part in (("summary", summary), ("explanation", explanation)):
        for sentence in part:
            yield from _check_sentence(f"{field}.{name}", sentence)
    if _is_generic(item.summary):
        yield ToneViolation(ToneRule.UNSPECIFIC, f"{field}.summary", item.summary.strip())
    if item.type is ItemType.COMMENDATION:
        if len(spoken_keys(item.evidence_quote)) < LEAST_QUOTED:
            place = f"{field}.evidence_quote"
            yield ToneViolation(ToneRule.UNGROUNDED_PRAISE, place, item.summary.strip())
    elif not _is_actionable([*summary, *explanation]):
        yield ToneViolation(ToneRule.NOT_ACTIONABLE, f"{field}.summary", item.summary.strip())


def _check_sentence(field: str, sentence: Sentence) -> Iterator[ToneViolation]:
    own = tone_words.REPORTED.sub("_", sentence.plain)
    for rule, pattern in _EVERYWHERE:
        judged = own if rule in _OF_THE_SPEAKER else sentence.plain
        if pattern.search(judged) or (rule is ToneRule.METRIC and _recites(sentence)):
            yield ToneViolation(rule, field, sentence.written)


def _recites(sentence: Sentence) -> bool:
    """Whether it tells how long a silence was, or how often a quoted filler was said."""
    if tone_words.SILENCE.search(sentence.plain):
        return not _advises(sentence.plain)
    return tone_words.MENTIONED_TIMES.search(sentence.written.lower()) is not None


def _is_generic(summary: str) -> bool:
    """Whether it would fit any speech: no word in it says anything of this one."""
    if _QUOTED.search(summary):
        return False
    return all(key in tone_words.GENERIC for key in spoken_keys(summary))


def _is_actionable(said: list[Sentence]) -> bool:
    keys = spoken_keys(" ".join(sentence.plain for sentence in said))
    return not reads_as_english(keys) or any(_advises(sentence.plain) for sentence in said)


def _advises(plain: str) -> bool:
    return tone_words.ADVICE.search(plain) is not None or any(
        _is_imperative(spoken_keys(clause)) for clause in _CLAUSES.split(plain)
    )


def _is_imperative(clause: list[str]) -> bool:
    at = 0
    while at < len(clause) and clause[at] in tone_words.LEADS_TO_IMPERATIVE:
        at += 1
    return at + 1 < len(clause) and clause[at] in IMPERATIVES


def _blank(quoted: re.Match[str]) -> str:
    """Something of the same length without words; what ends a sentence still ends it."""
    inside = quoted.group()[1:-1]
    last = inside[-1] if inside[-1] in SENTENCE_ENDS else "_"
    return quoted.group()[0] + "_" * (len(inside) - 1) + last + quoted.group()[-1]
