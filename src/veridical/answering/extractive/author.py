"""The embedded author: a question answered in the deciding sentences of the policies themselves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from veridical.answering.answer import Draft, DraftStatement, Refusal, RefusalReason
from veridical.answering.disagreement import cases_of, find_disagreement
from veridical.answering.evidence.finding import Evidence, sentences_of, tells
from veridical.answering.evidence.wanted import STRICT, names_wanted, says_directly
from veridical.answering.extractive.context import belonging, in_words
from veridical.answering.question.asked import AskedQuestion, read_question
from veridical.answering.question.kinds import Wanted
from veridical.answering.quoting import choose_quote
from veridical.answering.tables.rows import is_for_others, rows_for
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.tables.layout import Layout
from veridical.retrieval.terms import terms
from veridical.text.lexicon import any_of

# What leads and what may stand beside it: special cases, restrictions, second questions.


_MOST_QUESTIONS = 4

_ASKS = (
    r"(?:(?:by|from|for|to|with|at|until|on|after|in)\s+)?"
    r"(?:how|what|when|who|whom|where|which|why)"
)
_MODAL = r"(?:do|does|did|can|could|may|must|should|will|would|is|are|am|has|have)"
_ASKED_OF = r"(?:i|we|you|they|he|she|it|there|the|a|an|my|our|your|employees|staff|this|that)"
_OPENS = rf"{_ASKS}|{_MODAL}\s+{_ASKED_OF}"
_BETWEEN = re.compile(
    rf"(?:[?.;,]\s*(?:and|or|but)?|\s(?:and|or|but))\s+(?:also\s+|then\s+)?(?={_OPENS}\b)",
    re.IGNORECASE,
)
_IS_QUESTION = re.compile(rf"(?:{_ASKS}|{_MODAL})\b", re.IGNORECASE)

_LEAST_TOLD = 0.5
"""Share of a question's own terms from which a text answers it."""

_RESTRICTS = re.compile(
    rf"\b(?:{any_of('negations')}|can't|unless|except|exceptions?|only|excluded|excludes|exempt|"
    r"without|however)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    rf"\b(?:{any_of('negations')}|can't|excluded|exempt)\b|n['\u2019]t\b", re.IGNORECASE
)
_NO_DENIAL = re.compile(
    r"\b(?:no|not) (?:more|less|fewer|later|longer|earlier|only)\b|\bno matter\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class OneOfSeveral:
    """One of several questions that were asked at once; `own` are the terms of no other of them."""

    asked: AskedQuestion
    own: frozenset[str]

    def is_told(self, text: str) -> bool:
        """Whether a text has half of its own terms, or more, and names what it asks for."""
        held = self.own.intersection(terms(text))
        return len(held) >= _LEAST_TOLD * len(self.own) and names_wanted(self.asked, text)


def questions_in(asked: AskedQuestion) -> tuple[OneOfSeveral, ...]:
    """The questions that one holds, if they are several: "is it paid, and for how long?"."""
    parts = [part.strip(" ,.;?") for part in _BETWEEN.split(asked.text)]
    found = [part for part in parts if _IS_QUESTION.match(part)][:_MOST_QUESTIONS]
    if len(found) < 2:
        return ()
    read = [read_question(f"{part}?") for part in found]
    counts = Counter(term for one in read for term in one.terms)
    return tuple(
        OneOfSeveral(one, frozenset(term for term in one.terms if counts[term] == 1))
        for one in read
    )


def restricts(text: str) -> bool:
    """Whether a sentence takes something back, or limits it to a case."""
    return _RESTRICTS.search(_NO_DENIAL.sub("", text)) is not None


def is_special(asked: AskedQuestion, text: str) -> bool:
    """Whether a sentence is for a case that the question does not name, or denies something."""
    foreign = cases_of(text) - cases_of(asked.text)
    return bool(foreign) or _DENIES.search(_NO_DENIAL.sub("", text)) is not None


def names_moment(asked: AskedQuestion, text: str) -> bool:
    """Whether a sentence tells a day, a time of day or a length of time."""
    return any(names_wanted(replace(asked, wanted=wanted), text) for wanted in _MOMENTS)


_MOMENTS = (Wanted.DURATION, Wanted.DATE, Wanted.CLOCK)

MAX_WORDS = 120
"""Words of an extractive answer, its quotes aside; one statement may take more, none is cut."""

MOST_STATEMENTS = 3

_NEAR_BEST = 0.75
"""Share of the best evidence's score from which a table beside other evidence is looked at."""

_IN_BAND = 0.35
"""What it counts for, as a share of the question, that its number lies in the band of a row."""

_ALL_CASES = 0.01
"""What it counts for that a table has all cases where the best sentence is for one of them."""

_LEAST_LEAD = 0.6
"""Share of the best score from which evidence that alone names what is asked for comes first."""

_IN_PLACE = 0.8
"""Share of the score of the best evidence, which cannot be quoted, from which other evidence may
stand in its place: what is only near it says something else."""

_RULE = 0.7
"""Share of the best score from which the rule comes before the special case that is told best."""

_NEAR_RULE = 4
"""Sentences within which an exception stands from its rule."""

_BESIDE = 2
"""Sentences within which the rule for a group stands from the rule for all."""

_MEASURES = cases_of("longer shorter further additional extra")
"""Cases that are no group: "for how long?" names none."""

_NEXT_BEST = 0.6
"""Share of the best evidence's score from which other evidence may add to it."""


def draft_extractively(asked: AskedQuestion, evidence: Sequence[Evidence]) -> Draft:
    """One to three statements, each a deciding sentence with what it is not understood without.

    `evidence` is best first. The best sentence, or the rows of a table that have more of the
    question, is always stated, a rule before the special case that it is the rule of. Others are
    stated only where another policy says otherwise, where they answer a second question that was
    asked, or where they restrict the first.
    """
    author = _Author(asked, evidence)
    return author.draft() if author.usable else _NOTHING


def state_extractively(asked: AskedQuestion, evidence: Sequence[Evidence]) -> Draft:
    """A statement for each sentence that was found to answer, with what it is not understood
    without.
    """
    author = _Author(asked, evidence)
    return author.stated() if author.usable else _NOTHING


_NOTHING = Draft((), Refusal(RefusalReason.NOT_ANSWERED))


def is_usable(evidence: Evidence, layout: Layout | None = None) -> bool:
    """Whether a sentence can be stated and quoted: no title, of columns or of a section.

    `layout` is that of its chunk, made here if it is not given.
    """
    layout = layout or Layout(evidence.chunk)
    if layout.is_head(evidence.index) or layout.is_unread(evidence.index):
        return False
    return choose_quote(evidence.chunk, (evidence.index,)) is not None


@dataclass(frozen=True, slots=True)
class _Part:
    """A deciding sentence of a chunk, all that are shown with it, in order, and how."""

    chunk: Chunk
    best: int
    indexes: tuple[int, ...]
    text: str

    def shows(self, evidence: Evidence) -> bool:
        """Whether a sentence is among those shown."""
        return _key(evidence.chunk) == _key(self.chunk) and evidence.index in self.indexes

    def statement(self) -> DraftStatement:
        """The part as a statement that rests on all its sentences."""
        others = tuple((self.chunk, index) for index in self.indexes if index != self.best)
        return DraftStatement(self.text, ((self.chunk, self.best), *others))


class _Author:
    """Answers one question from its evidence. `usable` is what can be stated and quoted of it, what
    leads the answer first.
    """

    def __init__(self, asked: AskedQuestion, evidence: Sequence[Evidence]) -> None:
        self._asked = asked
        self._layouts: dict[_Key, Layout] = {}
        usable = [
            one
            for one in evidence
            if is_usable(one, self._layout(one.chunk)) and not self._is_for_others(one)
        ]
        if usable and usable[0] is not evidence[0]:
            usable = [one for one in usable if self._stands_for(one, evidence[0])]
        self.usable = self._ranked(usable)

    def draft(self) -> Draft:
        """The draft; there must be something usable."""
        rows = self._deciding_rows()
        disagreement = find_disagreement(self._asked, self.usable) if rows is None else None
        if rows is not None:
            parts = [rows]
        elif disagreement is not None:
            parts = [self._part(disagreement.one), self._part(disagreement.other)]
        else:
            parts = [self._part(self.usable[0])]
        statements = _within_limit(parts + self._adding(parts))
        told = disagreement.sentence if disagreement is not None and len(statements) > 1 else ""
        return Draft(statements, disagreement=told)

    def stated(self) -> Draft:
        """The draft that states all that is usable, and nothing twice."""
        parts: list[_Part] = []
        for one in self.usable:
            if not any(part.shows(one) for part in parts):
                parts.append(self._part(one))
        return Draft(_within_limit(parts))

    def _layout(self, chunk: Chunk) -> Layout:
        key = _key(chunk)
        if key not in self._layouts:
            self._layouts[key] = Layout(chunk)
        return self._layouts[key]

    def _is_for_others(self, one: Evidence) -> bool:
        """Whether evidence is a row, or introduces the rows, of a table for other numbers."""
        table = self._layout(one.chunk).table_at(one.index)
        return table is not None and is_for_others(self._asked, table)

    def _stands_for(self, one: Evidence, best: Evidence) -> bool:
        """Whether evidence may be told in the place of the best, which cannot be quoted."""
        names = names_wanted(self._asked, one.text) or not names_wanted(self._asked, best.text)
        return one.score >= _IN_PLACE * best.score and names

    def _ranked(self, usable: list[Evidence]) -> list[Evidence]:
        """The evidence, first what names the amount that is asked for, if it is near enough the
        best: "how much is paid is said in the guide" is about the question and no answer. A special
        case gives way to its rule.
        """
        asked = self._asked
        if not usable:
            return usable
        lead = usable[0]
        if asked.wanted in STRICT and not names_wanted(asked, lead.text):
            least = _LEAST_LEAD * lead.score
            naming = [one for one in usable if one.score >= least and names_wanted(asked, one.text)]
            lead = max(naming or usable[:1], key=lambda one: self._share(one.chunk, one.text))
        lead = self._rule_of(lead, usable)
        return [lead, *(one for one in usable if one is not lead)]

    def _rule_of(self, lead: Evidence, usable: Sequence[Evidence]) -> Evidence:
        """What a special case is the exception from, if it has as much of the question; else it."""
        if not is_special(self._asked, lead.text):
            return lead
        held = self._held(lead.text)
        for one in usable:
            if (
                one.chunk.document.name == lead.chunk.document.name
                and one.score >= _RULE * lead.score
                and held <= self._held(one.text)
                and names_wanted(self._asked, one.text)
                and not is_special(self._asked, one.text)
                and not self._layout(one.chunk).is_row(one.index)
            ):
                return one
        return lead

    def _part(self, evidence: Evidence) -> _Part:
        layout = self._layout(evidence.chunk)
        indexes = tuple(belonging(layout, evidence.index))
        best = evidence.index
        if not self._tells(layout.plain(best)):
            best = next((at for at in indexes if self._tells(layout.plain(at))), best)
        return _Part(evidence.chunk, best, indexes, in_words(layout, indexes))

    def _tells(self, text: str) -> bool:
        """Whether a text names what is asked for: of "when", a moment or a length of time."""
        if self._asked.wanted is Wanted.TIME:
            return names_moment(self._asked, text)
        return names_wanted(self._asked, text)

    def _deciding_rows(self) -> _Part | None:
        """Rows of a table near the best evidence, where they have more of the question than it, or
        where it is a row itself. Rows give way to a sentence that says directly where, who or what.
        """
        best = self.usable[0]
        found: _Part | None = None
        most = self._worth(best.chunk, best.text)
        # Amounts stand in rows; a place or a person that a row names may be any.
        strict = self._asked.wanted in STRICT
        directly = 0.0 if strict else says_directly(self._asked, best.text)
        if is_special(self._asked, best.text):
            most -= _ALL_CASES
        near = (one for one in self.usable if one.score >= _NEAR_BEST * best.score)
        for chunk in {_key(one.chunk): one.chunk for one in near}.values():
            layout = self._layout(chunk)
            for table in layout.tables:
                rows = rows_for(self._asked, table)
                if rows is None:
                    continue
                text = in_words(layout, rows.indexes)
                if says_directly(self._asked, text) < directly:
                    continue
                part = _Part(chunk, rows.indexes[0], rows.indexes, text)
                worth = self._worth(chunk, text) + _IN_BAND * rows.in_band
                if worth > most or (found is None and part.shows(best)):
                    found, most = part, worth
        return found

    def _worth(self, chunk: Chunk, text: str) -> float:
        """How much of the question a text has; a whole more if it names what is asked for."""
        return self._share(chunk, text) + names_wanted(self._asked, text)

    def _share(self, chunk: Chunk, text: str) -> float:
        """The share of the question's terms that a text has, or the titles above it."""
        held = self._held(" ".join((text, chunk.document.title, *chunk.heading_path)))
        return len(held) / max(1, len(self._asked.terms))

    def _adding(self, parts: Sequence[_Part]) -> list[_Part]:
        """What a second question asks for, what restricts the first part, and what stands beside
        it on the group that is asked about.
        """
        told = [*parts, *self._also_asked(parts)]
        further = [one for one in self._others(told) if self._restricts(parts[0], one)]
        told += [self._part(one) for one in (further or self._beside(parts))[:1]]
        return told[len(parts) :]

    def _beside(self, parts: Sequence[_Part]) -> list[Evidence]:
        """Sentences next to the first part on the group that the question names and nothing told
        does: "Students pay 6 euros" is the answer for students.
        """
        chunk, indexes = parts[0].chunk, parts[0].indexes
        asked = cases_of(self._asked.text) - _MEASURES
        missing = asked.difference(*(cases_of(part.text) for part in parts))
        if not missing:
            return []
        layout, texts = self._layout(chunk), sentences_of(chunk)
        near = range(indexes[0] - _BESIDE, indexes[-1] + _BESIDE + 1)
        return [
            Evidence(chunk, at, texts[at], 0.0)
            for at in near
            if at in texts
            and at not in indexes
            and not layout.is_row(at)
            and tells(chunk, texts[at])
            and not missing.isdisjoint(cases_of(texts[at]))
        ]

    def _also_asked(self, parts: Sequence[_Part]) -> list[_Part]:
        """For each further question in the question that no part tells yet, the best that does."""
        found: list[_Part] = []
        for further in questions_in(self._asked):
            if any(further.is_told(part.text) for part in (*parts, *found)):
                continue
            told = (
                one
                for one in self._others((*parts, *found))
                if further.is_told(one.text)
                and (self._held(one.text) or _key(one.chunk) == _key(parts[0].chunk))
            )
            found += [self._part(one) for one in told][:1]
        return found

    def _others(self, told: Sequence[_Part]) -> list[Evidence]:
        """The evidence that is near enough the best and not among what is told."""
        least = _NEXT_BEST * max(one.score for one in self.usable)
        return [
            one
            for one in self.usable
            if one.score >= least
            and not self._layout(one.chunk).is_row(one.index)
            and not any(part.shows(one) for part in told)
        ]

    def _restricts(self, first: _Part, one: Evidence) -> bool:
        """Whether evidence of the same passage takes back something of the first part: it has all
        of the question that this has, two words or the one that it opens with.
        """
        held = self._held(first.text)
        return (
            _key(one.chunk) == _key(first.chunk)
            and min(abs(one.index - index) for index in first.indexes) <= _NEAR_RULE
            and restricts(one.text)
            and held <= self._held(one.text)
            and (len(held) > 1 or not held.isdisjoint(terms(one.text)[:1]))
        )

    def _held(self, text: str) -> set[str]:
        """The question's terms that a text has itself."""
        return set(self._asked.terms) & set(terms(text))


_Key = tuple[str, int]
"""A chunk, by the name of its document and its ordinal there."""


def _key(chunk: Chunk) -> _Key:
    return chunk.document.name, chunk.ordinal


def _within_limit(parts: Sequence[_Part]) -> tuple[DraftStatement, ...]:
    """The first parts that keep to the limits, as statements; the very first always."""
    kept: list[DraftStatement] = []
    words = 0
    for part in parts:
        words += len(part.text.split())
        if kept and (words > MAX_WORDS or len(kept) == MOST_STATEMENTS):
            break
        kept.append(part.statement())
    return tuple(kept)
