"""The embedded author: a question answered in the deciding sentences of the policies themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.answering.answer import Draft, DraftStatement, Refusal, RefusalReason
from veridical.answering.disagreement import find_disagreement
from veridical.answering.evidence import Evidence, key_of
from veridical.answering.extractive.context import belonging, in_words
from veridical.answering.question import AskedQuestion
from veridical.answering.quoting import choose_quote
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.tables.layout import Layout

MAX_WORDS = 120
"""Words of an extractive answer, its quotes aside; one statement may take more, none is cut."""

MOST_STATEMENTS = 3


def state_extractively(
    asked: AskedQuestion, told: Sequence[Evidence], read: Sequence[Evidence] = ()
) -> Draft:
    """A statement for each sentence that was found to answer, with what it is not understood
    without, and nothing twice.

    Where one of `read`, all that was looked at, is of another document and contradicts the first
    that is told, it is told behind it, and that they disagree.
    """
    usable = [one for one in told if is_usable(one)]
    if not usable:
        return Draft((), Refusal(RefusalReason.NOT_ANSWERED))
    disagreement = find_disagreement(asked, [usable[0], *filter(is_usable, read)])
    if disagreement is not None:
        usable = [disagreement.one, disagreement.other, *usable[1:]]
    parts: list[_Part] = []
    for one in usable:
        if any(part.shows(one) for part in parts):
            continue
        part = _part(one, parts)
        if all(part.text != other.text for other in parts):
            parts.append(part)
    statements = _within_limit(parts)
    return Draft(statements, disagreement=disagreement if len(statements) > 1 else None)


def is_usable(evidence: Evidence) -> bool:
    """Whether a sentence can be stated and quoted: no title, of columns or of a section."""
    layout = Layout(evidence.chunk)
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
        return key_of(evidence.chunk) == key_of(self.chunk) and evidence.index in self.indexes

    def statement(self) -> DraftStatement:
        """The part as a statement that rests on all its sentences."""
        others = tuple((self.chunk, index) for index in self.indexes if index != self.best)
        return DraftStatement(self.text, ((self.chunk, self.best), *others))


def _part(one: Evidence, before: Sequence[_Part]) -> _Part:
    """A sentence with those that it is not understood without, but for what is shown before."""
    layout = Layout(one.chunk)
    shown = {
        index
        for part in before
        if key_of(part.chunk) == key_of(one.chunk)
        for index in part.indexes
    }
    indexes = tuple(index for index in belonging(layout, one.index) if index not in shown)
    return _Part(one.chunk, one.index, indexes, in_words(layout, indexes))


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
