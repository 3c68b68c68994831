"""A place in a document that may bear out a claim."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from veridical.sources.document import Document, Section
from veridical.sources.span import Span

if TYPE_CHECKING:
    from veridical.sources.transcript import Moment


class MatchType(StrEnum):
    """How a place was found."""

    EXACT = "exact"
    FUZZY = "fuzzy"
    SEMANTIC = "semantic"
    CONTEXTUAL = "contextual"


@dataclass(frozen=True, slots=True)
class Match:
    """`document.text[span.start:span.end]` is the text of this match.

    `similarity` and `confidence` are 0 to 1; `edit_distance` counts characters as compared,
    None where the match is not one of spelling. `context_score` is the share of a claim's context
    hint that stands around the match, None where there is no hint.
    """

    document: Document
    span: Span
    match_type: MatchType
    similarity: float
    confidence: float
    edit_distance: int | None = None
    context_score: float | None = None

    @property
    def text(self) -> str:
        """The words of the source, exactly as they stand there, markup included."""
        return self.document.text[self.span.start : self.span.end]

    @property
    def shown(self) -> str:
        """The words as a reader sees them."""
        return self.document.shown(self.span)

    @property
    def line(self) -> int:
        """Line of the source, from 1, on which the match starts."""
        return self.document.line_number(self.span.start)

    @property
    def page(self) -> int | None:
        """Page, from 1, on which the match starts; None where there are no pages."""
        return self.document.page_at(self.span.start)

    @property
    def section(self) -> Section | None:
        """Innermost section in which the match starts."""
        return self.document.section_at(self.span.start)

    @property
    def moment(self) -> Moment | None:
        """When the words were said, and by whom; None where the document is no recording."""
        return self.document.moment(self.span)
