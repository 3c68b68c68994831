"""The source's own words in place of a model's that change them.

A model that finds the sentence which answers a question, and then changes a word of it, has said
something false; yet the answer is found. It is then told as the extractive author tells it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veridical.answering.answer import Draft
from veridical.answering.evidence.finding import Evidence
from veridical.answering.extractive.author import draft_extractively, is_usable
from veridical.answering.generative.reply import ReplySentence
from veridical.answering.generative.sources import ShownSource
from veridical.answering.question.asked import AskedQuestion
from veridical.judging.bearing import shared_words

LEAST_COPIED = 0.6
"""Share of a sentence's words that a source sentence must have to be what it changes."""

NOTE = "What the model said is not what its source says; the source's own words are told instead."


def told_instead(
    asked: AskedQuestion,
    evidence: Sequence[Evidence],
    sources: Sequence[ShownSource],
    sentences: Iterable[ReplySentence],
) -> Draft | None:
    """The answer in the source's own words where one of a model's `sentences` changes them.

    That is where it cites the passage of the best evidence and has most of its words from that very
    sentence; None else. Evidence further behind might answer another question.
    """
    if not evidence or not is_usable(evidence[0]):
        return None
    best = evidence[0]
    numbers = {one.number for one in sources if one.chunk.sha256 == best.chunk.sha256}
    words = best.chunk.document.shown(best.chunk.sentences[best.index])
    for sentence in sentences:
        if numbers.intersection(sentence.cites) and _copies(sentence.text, words):
            draft = draft_extractively(asked, evidence)
            return draft if draft.statements else None
    return None


def _copies(text: str, words: str) -> bool:
    return shared_words(text, words) >= LEAST_COPIED
