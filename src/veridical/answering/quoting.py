"""Which words of a source are quoted: a whole sentence, list item or table row, word for word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from veridical.retrieval.chunks import Chunk
from veridical.retrieval.shown import collapse, is_heading, sentence_text
from veridical.sources.document import Span

MAX_QUOTE_CHARS = 1_000
"""The longest sentence that is quoted: quotes are whole, and a longer one is no sentence."""

_SENTENCE_ENDS = ".!?:;…。！？\"'”’)]"
_BULLET = re.compile(r"\A[-*+•‣◦▪▫●○■□∙⁃–\uf0b7]\s+(?=\S)")
_NOTE_MARKS = re.compile(r"(?:\s*\[\d{1,3}\])+$")
_LOOKS_LIKE_AN_END = re.compile(r"[\"\u201c\u201d]\s*\[\s*\d+\s*\]")
_UNSHOWN = frozenset({"Cc", "Cs", "Co", "Cn"})
"""Categories of code points that have no agreed look: controls, halves of others, private ones."""

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that change the direction of what follows them, the closing `" [n]` too."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of sentence `index` of a chunk, white space collapsed, and their place in the document:
    what it shows at `span` is `text`, but for white space.
    """

    text: str
    index: int
    span: Span


def is_plain(character: str) -> bool:
    """Whether a character shows as itself, and leaves what follows it as it is."""
    return character not in _TURNING and unicodedata.category(character) not in _UNSHOWN


def without_bullet(text: str) -> str:
    """A list item without the sign that opens it; a number stays, which may be a part of it."""
    return _BULLET.sub("", text)


def choose_quote(chunk: Chunk, deciding: Iterable[int]) -> Quote | None:
    """The first of the sentences `deciding`, indexes best first, that can be quoted.

    None where none can: a quote is never a title, never a part of a sentence, and nothing in it
    may be read as the end of its line or break it. A source's own "[2]" may stand inside. What is
    returned is an exact substring of the chunk's text once white space is collapsed in both.
    """
    whole = collapse(chunk.text)
    for index in deciding:
        shown = sentence_text(chunk, index)
        unmarked = without_bullet(shown)
        text = _NOTE_MARKS.sub("", unmarked)
        if _is_quotable(text) and not _is_partial(chunk, index) and text in whole:
            before, after = shown[: len(shown) - len(unmarked)], unmarked[len(text) :]
            return Quote(text, index, _without(chunk, index, before, after))
    return None


def _without(chunk: Chunk, index: int, before: str, after: str) -> Span:
    """The place of a sentence without the words shown at its beginning and at its end."""
    sentence, document = chunk.sentences[index], chunk.document
    if not (before or after):
        return sentence
    places: list[Span] = []
    at = sentence.start
    for mask in (*document.masks.between(sentence.start, sentence.end), None):
        start = mask.start if mask is not None else sentence.end
        written = enumerate(document.text[at : max(at, start)], at)
        places += [Span(place, place + 1) for place, sign in written if not sign.isspace()]
        if mask is not None:
            if mask.start >= sentence.start:
                places += [Span(mask.start, mask.end)] * len("".join(mask.shown.split()))
            at = min(mask.end, sentence.end)
    first = len("".join(before.split()))
    last = len(places) - len("".join(after.split()))
    return Span(places[first].start, places[last - 1].end)


def _is_quotable(text: str) -> bool:
    return (
        len(text) <= MAX_QUOTE_CHARS
        and any(map(str.isalnum, text))
        and not _LOOKS_LIKE_AN_END.search(text)
        and (text.isprintable() or all(map(is_plain, text)))
    )


def _is_partial(chunk: Chunk, index: int) -> bool:
    """Whether a sentence is a title, or what the splitter made of one that is too long for it."""
    if is_heading(chunk, index):
        return True
    shown = sentence_text(chunk, index)
    cut_off = len(shown) > _NEARLY_CUT and shown[-1] not in _SENTENCE_ENDS
    start = chunk.sentences[index].start
    return cut_off or _MIDWAY.search(chunk.document.text, max(0, start - 2), start) is not None


_MIDWAY = re.compile(r"[^\W\d_] ")
"""What stands before the rest of a sentence that was cut at a space."""

_NEARLY_CUT = MAX_QUOTE_CHARS * 9 // 10
