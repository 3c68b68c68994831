"""Answers in a language model's words, none of which is believed.

A model is shown numbered sources and asked for a few cited bullets. Of its reply only those
sentences are kept that a judge finds borne out, at its strict point, by a source that they cite;
markers of others are dropped. Quotations of its own lose their marks and are judged like all other
words. What is left, if anything, is an answer; else the best sentence of a source that was changed
is told in its own words, or it is a refusal.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from veridical.answering.answer import Disagreement, Draft, DraftStatement, Refusal, RefusalReason
from veridical.answering.disagreement import find_disagreement
from veridical.answering.evidence import Evidence
from veridical.answering.extractive.author import is_usable, state_extractively
from veridical.answering.generative import prompts
from veridical.answering.generative.check import Checker, Finding, embedded_judge, place_of
from veridical.answering.generative.reply import Reply, ReplySentence, read_reply
from veridical.answering.generative.sources import ShownSource, shown_sources
from veridical.answering.question import AskedQuestion
from veridical.judging.bearing import shared_words
from veridical.judging.judge import Judge
from veridical.models.protocol import LanguageModel, Message, ModelRequest, Role
from veridical.retrieval.hybrid import Hit

# Where two policies disagree, a model may not tell one side of it.


def with_both_sides(
    asked: AskedQuestion,
    evidence: Sequence[Evidence],
    statements: Sequence[DraftStatement],
    most: int,
) -> tuple[tuple[DraftStatement, ...], Disagreement | None]:
    """The statements, at most `most`, and how the policies disagree (None where they do not).

    Where statements rest on one side of a disagreement only, the other is told in its own words, if
    need be in place of the last of them.
    """
    found = find_disagreement(asked, evidence)
    if found is None or not (is_usable(found.one) and is_usable(found.other)):
        return tuple(statements), None
    resting = {
        place_of(chunk, index) for statement in statements for chunk, index in statement.deciding
    }
    missing = [
        side for side in (found.one, found.other) if place_of(side.chunk, side.index) not in resting
    ]
    if len(missing) > 1:
        return tuple(statements), None
    told = state_extractively(asked, missing).statements if missing else ()
    return (*statements[: most - len(told)], *told), found


# The source's own words in place of a model's that change them.


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
        copied = shared_words(sentence.text, words) >= LEAST_COPIED
        if copied and numbers.intersection(sentence.cites):
            draft = state_extractively(asked, evidence[:1], evidence)
            return draft if draft.statements else None
    return None


MAX_REPLY_TOKENS = 2_048
"""Many times what four bullets take: models that think aloud do it first."""

_MOST_BULLETS_READ = 12
_MOST_NOTES = 8

_LIMITS = re.compile(
    r"(?:however|but|except|unless|only|otherwise|though|although|provided|exceptions?|"
    r"(?:this|these|that|it)\ (?:do|does|is|are)(?:\ not|n't)|note)\b",
    re.IGNORECASE | re.VERBOSE,
)
"""How a sentence begins that limits the one before it."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelAuthor:
    """Has a language model draft answers, and keeps what its sources bear out.

    `judge` holds each sentence against what it cites; None is the embedded judge at its strict
    point. Safe to use from several threads at once if model and judge are.
    """

    model: LanguageModel
    judge: Judge | None = None

    def draft(
        self, asked: AskedQuestion, hits: Sequence[Hit], evidence: Sequence[Evidence]
    ) -> Draft:
        """What the model says on a question, as far as the sources bear it out; or a refusal.

        The deciding sentences are of passages that the model was shown: those of `evidence`, then
        those of `hits`. An empty reply is asked for once more.

        Raises ModelUnavailable or ModelError where the model or a judge that is one fails.
        """
        sources = shown_sources(hits, evidence)
        if not sources:
            return Draft((), Refusal(RefusalReason.NOTHING_FOUND))
        reply = self._asked(asked.text, sources)
        notes = []
        if reply.is_empty:
            notes.append("The model replied nothing; it was asked once more.")
            reply = self._asked(asked.text, sources, remind=True)
        if reply.refused:
            return Draft((), Refusal(RefusalReason.MODEL_REFUSED), notes=tuple(notes))
        bullets = reply.bullets[:_MOST_BULLETS_READ]
        checker = Checker(self.judge or embedded_judge(), sources, evidence)
        findings = checker.check([sentence for bullet in bullets for sentence in bullet])
        kept = _Kept(notes)
        kept.take(bullets, findings)
        _log.info("%d of %d bullets of a reply hold", len(kept.statements), len(reply.bullets))
        if not kept.statements:
            instead = told_instead(asked, evidence, sources, chain.from_iterable(bullets))
            if instead is not None:
                return replace(instead, notes=_bounded([NOTE, *kept.notes]))
            denies, not_so = RefusalReason.MODEL_REFUSED, RefusalReason.UNSUPPORTED
            reason = denies if reply.denies else not_so
            return Draft((), Refusal(reason), notes=_bounded(kept.notes))
        statements, disagreement = with_both_sides(
            asked, evidence, kept.statements, prompts.MOST_BULLETS
        )
        return Draft(statements, disagreement=disagreement, notes=_bounded(kept.notes))

    def _asked(
        self, question: str, sources: Sequence[ShownSource], *, remind: bool = False
    ) -> Reply:
        """The model's reply, read."""
        request = ModelRequest(
            messages=(
                Message(Role.SYSTEM, prompts.system_prompt()),
                Message(Role.USER, prompts.question_prompt(question, sources, remind=remind)),
            ),
            max_tokens=MAX_REPLY_TOKENS,
        )
        return read_reply(self.model.complete(request), len(sources))


class _Kept:
    """Collects the statements that hold, and notes on those that do not."""

    def __init__(self, notes: list[str]) -> None:
        self.statements: list[DraftStatement] = []
        self.notes = notes
        self._words = 0
        self._texts: set[str] = set()
        self._last_held = True

    def take(self, bullets: Sequence[Sequence[ReplySentence]], findings: Iterable[Finding]) -> None:
        """Take the bullets of a reply in order, with a finding for each sentence of them."""
        following = iter(findings)
        for number, bullet in enumerate(bullets, 1):
            held = list(self._held(number, [(one, next(following)) for one in bullet]))
            if held:
                self._add(number, held)

    def _held(
        self, number: int, sentences: Sequence[tuple[ReplySentence, Finding]]
    ) -> Iterator[tuple[ReplySentence, Finding]]:
        """The sentences of a bullet that hold; none where one is lost that limits the others."""
        kept: list[tuple[ReplySentence, Finding]] = []
        for place, (sentence, finding) in enumerate(sentences):
            reason = finding.reason
            if not reason and sentence.refers_back and not self._last_held:
                reason = "it refers to what was left out"
            self._last_held = not reason
            if not reason:
                kept.append((sentence, finding))
                continue
            self.notes.append(f"Bullet {number}, sentence {place + 1} was left out: {reason}.")
            if place and kept and _LIMITS.match(sentence.text):
                self.notes.append(f"Bullet {number} was left out: it has lost what limits it.")
                return
        yield from kept

    def _add(self, number: int, held: Sequence[tuple[ReplySentence, Finding]]) -> None:
        text = " ".join(f"{one.text[:1].upper()}{one.text[1:]}." for one, _ in held)
        words = len(text.split())
        if text.lower() in self._texts:
            return
        if len(self.statements) == prompts.MOST_BULLETS:
            self.notes.append(f"Bullet {number} was left out: there are enough.")
            return
        if self._words + words > prompts.MOST_WORDS:
            self.notes.append(f"Bullet {number} was left out: the answer would be too long.")
            return
        self._words += words
        self._texts.add(text.lower())
        deciding = {
            place_of(chunk, index): (chunk, index)
            for _, finding in held
            for chunk, index in finding.deciding
        }
        self.statements.append(DraftStatement(text, tuple(deciding.values())))


def _bounded(notes: Sequence[str]) -> tuple[str, ...]:
    """The notes, or as many as anybody reads."""
    if len(notes) <= _MOST_NOTES:
        return tuple(notes)
    return (*notes[:_MOST_NOTES], f"{len(notes) - _MOST_NOTES} more notes were left out.")
