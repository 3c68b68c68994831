"""What finds the claims of an answer, and what it hands back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from veridical.ledger.entry import AnswerClaim
from veridical.sources.document import Span

MAX_CLAIMS = 10_000
"""Claims taken from one answer; what stands after them is named in a warning."""


class SkipReason(StrEnum):
    """Why words of an answer were not taken for a claim."""

    HEADING = "heading"
    COLUMN_TITLES = "column titles"
    TERM = "the term that is defined after it"
    LABEL = "a label without a statement"
    INTRODUCTION = "introduces what follows"
    QUESTION = "question"
    PLEASANTRY = "pleasantry"
    BARE_ANSWER = "an answer in a word, which says nothing by itself"
    OPINION = "opinion"
    REFUSAL = "says that nothing was found"
    META = "about the answer itself"
    POINTER = "points to a place to read"
    CITATION = "citation marker"
    SOURCES = "source list"
    LIST_MARK = "list mark"
    CONNECTIVE = "joins two claims"
    CODE = "code"
    STRUCK = "struck out"
    NOT_SHOWN = "not shown to a reader"
    OVER_LIMIT = "over the limit of claims"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of the answer that holds words and is no claim; `span` is its place."""

    span: Span
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class Extraction:
    """The claims of an answer in its order, disjoint, and what was not taken for one.

    Each word of the answer stands in a claim or in a member of `skipped`, in order as well, so
    that a reader can see what was not checked. `warnings` say what was lost or could not be read.
    """

    claims: tuple[AnswerClaim, ...]
    warnings: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
