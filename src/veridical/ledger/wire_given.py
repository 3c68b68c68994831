"""Citations that came with an answer, and the careful reading of the JSON that they came in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from veridical.errors import ValidationError
from veridical.sources.document import Span
from veridical.validation.schema_errors import shorten

MAX_ITEMS = 10_000
"""Blocks of an answer, and citations of a block; more are refused."""

MAX_CITATIONS = 100_000
WEB_ANNOTATION = "web_annotation"
"""The kind of a citation that came as a W3C Web Annotation."""

MAX_TEXT_CHARS = 1_000_000
_MOST = 2**53


@dataclass(frozen=True, slots=True)
class GivenCitation:
    """A citation as the model's service gave it: what it claims, not what is so.

    `span` is the part of the answer that it goes with; of a web annotation it is empty.
    `kind` is the service's own type. `cited_text` is None where it quotes nothing, and
    `document_index` counts from 0. `source_span` are characters, `pages` half-open page numbers
    from 1 and `blocks` half-open block numbers from 0 of the cited document. `prefix` and `suffix`
    are what stands before and after the cited text. Of a web annotation, `source_span` counts as
    its selectors do: in the text content of HTML.

    `unchecked` names what else the citation selects by and nobody can check here. What is there, or
    said to be, but could not be read at all has `unread`: why.
    """

    kind: str
    span: Span
    cited_text: str | None = None
    title: str | None = None
    document_index: int | None = None
    source_span: Span | None = None
    pages: Span | None = None
    blocks: Span | None = None
    url: str | None = None
    file_id: str | None = None
    prefix: str | None = None
    suffix: str | None = None
    unchecked: tuple[str, ...] = ()
    unread: str = ""


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """An answer and the citations that came with it, in its order.

    `uncited` counts the texts that carry no citation, and annotations of documents as wholes.
    """

    text: str
    citations: tuple[GivenCitation, ...]
    uncited: int = 0


@dataclass(frozen=True, slots=True)
class Given:
    """A value of untrusted JSON and its path. Every reading of it raises ValidationError where the
    value is not what it should be.
    """

    value: Any
    path: str

    def refused(self, message: str, constraint: str) -> ValidationError:
        """The error for this value."""
        value = shorten(self.value)
        return ValidationError(
            f"{self.path}: {message}, got {value}",
            {"path": self.path, "value": value, "constraint": constraint},
        )

    def at(self, name: str) -> Given:
        """The value of a key, None where there is no such key."""
        if not isinstance(self.value, Mapping):
            raise self.refused("must be an object", "type")
        return Given(self.value.get(name), f"{self.path}.{name}")

    def unread(self, kind: str, why: str) -> GivenCitation:
        """What stands for citations that are not read here, so that nobody passes over them."""
        return GivenCitation(kind, Span(0, 0), unread=f"{self.path}: {why}")

    def items(self) -> Iterator[Given]:
        """The items of a list; none where there is no value."""
        if self.value is None:
            return
        if not isinstance(self.value, list):
            raise self.refused("must be a list", "type")
        if len(self.value) > MAX_ITEMS:
            raise ValidationError(
                f"{self.path}: {len(self.value):,} items, the limit is {MAX_ITEMS:,}",
                {"path": self.path, "value": len(self.value), "constraint": "maxItems"},
            )
        for index, item in enumerate(self.value):
            yield Given(item, f"{self.path}[{index}]")

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self.refused("must be a string", "type")
        if len(self.value) > MAX_TEXT_CHARS:
            raise self.refused(f"must have at most {MAX_TEXT_CHARS:,} characters", "maxLength")
        return self.value

    def text_or_none(self) -> str | None:
        """A string, or nothing."""
        return None if self.value is None else self.text()

    def whole(self) -> int:
        """A whole number from 0."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.refused("must be a whole number", "type")
        if not 0 <= self.value < _MOST:
            raise self.refused("must not be negative, nor huge", "minimum")
        return self.value

    def span(self, first: str, last: str, *, least: int = 0) -> Span:
        """The half-open range of two keys, its start at least `least`."""
        start, end = self.at(first), self.at(last)
        if start.whole() < least:
            raise start.refused(f"must be at least {least}", "minimum")
        if end.whole() < start.whole():
            raise end.refused(f"must not be less than {first}", "minimum")
        return Span(start.whole(), end.whole())
