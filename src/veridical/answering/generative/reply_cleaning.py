"""A model's reply before it is read as Markdown: without what no reader is meant to see."""

from __future__ import annotations

import re
import unicodedata

from veridical.answering.generative.markers import in_plain_form
from veridical.answering.generative.reply_json import lines_of_json

MAX_REPLY_CHARS = 16_000
"""More than twice what the tokens of a reply can hold; the rest of a longer one is not read."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_THINKING = r"(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)"
_THOUGHT = re.compile(rf"<{_THINKING}>.*?(?:</{_THINKING}>|\Z)", re.IGNORECASE | re.DOTALL)
_THOUGHT_END = re.compile(rf"</{_THINKING}>", re.IGNORECASE)

_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,}).*$", re.MULTILINE)
_INDENT = re.compile(r"^(?:\t| {4})[ \t]*", re.MULTILINE)
_NESTED = re.compile(r"^[ \t]*(?:[-*+\u2022]|\d{1,3}[.)])[ \t]", re.MULTILINE)

_QUOTE = re.compile(
    r"(?:^[ \t]*(?:[-*+\u2022>][ \t]+)?|(?<=[\s(]))[*_]{0,3}(?:direct |exact |source |supporting )?"
    r"(?:quotes?|quotation|zitat|citation)[*_]{0,3}[ \t]*[:\uff1a](?P<said>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_MARKER = re.compile(r"\[\^?\d[\d,;\s\u2013-]{0,40}\](?:[-\u2013]\[\d{1,3}\])?")
_SENTENCE_END = re.compile(r"[.!?\u3002](?=\s|\[)")


def cleaned(text: str, *, cut_off: bool = False) -> str:
    """A reply as Markdown that may be read; empty where it says nothing.

    Thoughts, code fences, unseen characters and the model's own "Quote:" lines are gone, JSON is
    made into bullets. Of a reply that was `cut_off` in the middle, the last, broken line or
    sentence is left out.
    """
    if len(text) > MAX_REPLY_CHARS:
        text, cut_off = text[:MAX_REPLY_CHARS], True
    text = _without_unseen(_LINE_ENDS.sub("\n", text))
    text = _without_thoughts(text)
    text = _FENCE.sub("", text)
    text = lines_of_json(text) or text
    if cut_off:
        text = _whole_part(text)
    text = in_plain_form(text)
    return _QUOTE.sub(_citations_of, _without_indent(text)).strip()


def _without_unseen(text: str) -> str:
    """Without controls, direction overrides, zero-width characters, lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character
        for character in text
        if character in "\n\t" or unicodedata.category(character) not in _UNSEEN
    )


def _without_thoughts(text: str) -> str:
    text = _THOUGHT.sub("\n", text)
    ends = list(_THOUGHT_END.finditer(text))  # opened in the prompt, as some servers do
    return text[ends[-1].end() :] if ends else text


def _without_indent(text: str) -> str:
    """Without the indents that would make a line code; those of nested lists stay."""
    return _INDENT.sub(lambda found: found[0] if _NESTED.match(text, found.start()) else "", text)


def _citations_of(found: re.Match[str]) -> str:
    """The markers of a quote line: the bullet above may have no others."""
    return " " + "".join(_MARKER.findall(found["said"]))


def _whole_part(text: str) -> str:
    """A text that breaks off, up to the end of its last whole line or sentence."""
    line_end = text.rstrip().rfind("\n")
    if line_end >= 0:
        return text[:line_end]
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    return text[: ends[-1]] if ends else ""
