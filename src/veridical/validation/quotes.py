"""A claim's quote, made ready to be looked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from veridical.matching.align import Needle
from veridical.sources.document import Format
from veridical.sources.span import Span
from veridical.text.normalize import fold
from veridical.validation.claims import Claim

_ELLIPSIS = re.compile(
    r"\s*(?:[\[(<{]\s*(?:\.{2,}|\u2026|\. \. \.)\s*[\])>}]|\.{3,}|\u2026|\. \. \.)\s*"
)
_EDITORIAL_LETTER = re.compile(r"\[([^\W\d_])\](?=[^\W\d_])")
_MARKUP = re.compile(r"[*_`~<>&\[\]\\|#^]")
_MIN_PART_CHARS = 8


@dataclass(frozen=True, eq=False)
class Quote:
    """The words of a claim as given, and the readings of them that are looked for.

    `readings` holds the quote as it stands and, where it carries markup, as a reader would see it.
    `parts` are what stands between ellipses, where there are at least two such parts.
    """

    claim: Claim

    @property
    def text(self) -> str:
        """The quote as given."""
        return self.claim.quote

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """The quote, then the quote without its markup where it has some; never twice the same."""
        readings = [self.text]
        if _MARKUP.search(self.text):
            readings.append(_EDITORIAL_LETTER.sub(r"\1", self.text))
            shown = _shown(self.text)
            readings += [shown] if shown is not None else []
        return tuple(dict.fromkeys(readings))

    @cached_property
    def needles(self) -> tuple[Needle, ...]:
        """The readings in folded form, without doubles and empty ones."""
        folded = dict.fromkeys(fold(reading) for reading in self.readings)
        return tuple(Needle(text) for text in folded if text)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The parts between ellipses, in order; empty where there are fewer than two."""
        if "..." not in self.text and "\u2026" not in self.text and ". . ." not in self.text:
            return ()
        parts = [part for part in _ELLIPSIS.split(self.readings[-1]) if fold(part)]
        if len(parts) < 2 or any(len(fold(part)) < _MIN_PART_CHARS for part in parts):
            return ()
        return tuple(parts)

    @cached_property
    def has_markup(self) -> bool:
        """Whether the quote holds characters that may be markup."""
        return _MARKUP.search(self.text) is not None


_GREATER_THAN = re.compile(r"(^|\n)([ \t]*)>(?=\d)")
_TIMES = re.compile(r"(?<=\d)\*(?=\d)")


_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>")
_TAGS = frozenset(
    "a abbr b big blockquote br cite code dd div dl dt em font h1 h2 h3 h4 h5 h6 hr i kbd li mark "
    "ol p pre q s samp section small span strong sub sup table tbody td th thead tr tt u ul "
    "var".split()
)
_TARGET = re.compile(r"\]\((?:<[^<>\s]*>|[^()\s]*[/.:#][^()\s]*)\)|\]\[[^\]]*\]?|\[\^[^\]]*\]")


def _shown(text: str) -> str | None:
    """The quote without its markup; None if words would be lost that a reader of the quote sees.

    `>5` and `3*4` at places where Markdown has marks stay.
    """
    from veridical.sources.loader import document_from_text

    text = _TIMES.sub(r"\\*", _GREATER_THAN.sub(r"\1\2\\>", text))
    kind = Format.HTML if re.search(r"</?[a-zA-Z][^>]*>|<!--", text) else Format.MARKDOWN
    document = document_from_text(text, "quote", kind)
    if any(_loses_words(text[mask.start : mask.end], mask.shown) for mask in document.masks):
        return None
    return document.shown(Span(0, len(text)))


def _loses_words(written: str, shown: str) -> bool:
    """Whether a mark hides anything but the name of a tag, a link's target or an entity's name."""
    if shown.strip() or not any(map(str.isalnum, written)):
        return False
    tag = _TAG.fullmatch(written)
    if tag is not None:
        return tag[1].lower() not in _TAGS
    return _TARGET.fullmatch(written) is None
