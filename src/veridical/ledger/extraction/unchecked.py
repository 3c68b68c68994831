"""What reads like a statement in the parts of an answer that no claim is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veridical.ledger.extraction.as_written import is_loaded
from veridical.ledger.extraction.code_blocks import code_with_prose
from veridical.ledger.extraction.extractor import Skipped, SkipReason
from veridical.ledger.extraction.words import OBLIGATION, is_full_statement, is_statement, words_of
from veridical.sources.front_matter import front_matter_end

_NAMES = frozenset(
    {SkipReason.HEADING, SkipReason.LABEL, SkipReason.COLUMN_TITLES, SkipReason.TERM}
)
_ALWAYS = frozenset({SkipReason.BARE_ANSWER, SkipReason.OPINION, SkipReason.META})
"""What states something whatever its words are; ledgers warn of the last two by themselves."""

_APART = {
    SkipReason.NOT_SHOWN: "hidden by markup",
    SkipReason.BARE_ANSWER: SkipReason.BARE_ANSWER.value,
    SkipReason.STRUCK: SkipReason.STRUCK.value,
}
_VERBATIM = frozenset({SkipReason.CODE, SkipReason.OVER_LIMIT})
_TITLE = re.compile(
    r"""(?:\]\([^\s()]*|\]:[ \t]*[^\s\]]+)\s+
    (?:"(?P<double>[^"\n]{1,1000})"|'(?P<single>[^'\n]{1,1000})'|\((?P<round>[^()\n]{1,1000})\))
    |<[a-z][^<>]*?\s(?:title|alt|aria-label)\s*=\s*
    (?:"(?P<quoted>[^"<>]{1,1000})"|'(?P<other>[^'<>]{1,1000})')""",
    re.VERBOSE | re.IGNORECASE,
)
"""The title of a link or an image: `[x](page "words")`, `[1]: page "words"`, `<a title="words">`.
"""

_TARGETS = re.compile(
    r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*=[^<>]*)?/?>|\]\([^\s()]*|\bhttps?://\S+|\bwww\.\S+"
    r"|^\s*\[[^\]]*\]:\s*\S+",
    re.MULTILINE,
)
_MANY_WORDS = 5
_MOST_SHOWN = 80


def unchecked(answer: str, skipped: Sequence[Skipped]) -> Iterator[str]:
    """Warnings: of words that markup hides, of headings that state something, of a bare "yes"."""
    found = list(_stating(answer, skipped))
    for reason, what in _APART.items():
        of_it = [one for one in found if one.reason is reason]
        yield from _told(what, [_plain(answer, one) for one in of_it])
    names = [one for one in found if one.reason in _NAMES]
    yield from _told("heading", [_plain(answer, one) for one in names])


def unchecked_parts(answer: str, skipped: Sequence[Skipped]) -> list[Skipped]:
    """What may state something and was not checked, in order: words that markup hides, headings
    that state something, an answer in a word, opinions, what the answer says of itself, code that
    holds sentences, and all beyond the limit of claims.

    Front matter is not among them: it is for tools, and only a warning tells of it.
    """
    front_matter = front_matter_end(answer)
    code = [one.span for one in skipped if one.reason is SkipReason.CODE]
    found = [one for one in _stating(answer, skipped) if one.span.start >= front_matter]
    found += [Skipped(span, SkipReason.CODE) for span in code_with_prose(answer, code)]
    found += [one for one in skipped if one.reason is SkipReason.OVER_LIMIT]
    return sorted(found, key=lambda one: one.span)


def _stating(answer: str, skipped: Sequence[Skipped]) -> Iterator[Skipped]:
    return (one for one in skipped if may_state(answer, one))


def may_state(answer: str, skipped: Skipped) -> bool:
    """Whether a part of an answer that no claim was made of may state something; code apart."""
    if skipped.reason in _ALWAYS:
        return True
    if any(map(_may_state, _link_titles(answer, skipped))):
        return True
    if skipped.reason in (SkipReason.NOT_SHOWN, SkipReason.STRUCK):
        return _may_state(_plain(answer, skipped))
    return skipped.reason in _NAMES and any(
        _demands(name) or is_full_statement(name) for name in _plain(answer, skipped).split("|")
    )


def _demands(text: str) -> bool:
    return is_statement(text) and OBLIGATION().search(text) is not None


def _plain(answer: str, skip: Skipped) -> str:
    return " ".join(_TARGETS.sub(" ", answer[skip.span.start : skip.span.end]).split())


def _may_state(text: str) -> bool:
    """Of words that are not read as the others are: five of them are taken to state something."""
    words = words_of(text, _MANY_WORDS)
    return len(words) >= _MANY_WORDS or is_full_statement(text) or is_loaded(text)


def _link_titles(answer: str, skipped: Skipped) -> Iterator[str]:
    """What a reader is shown who points at a link or an image in a part of an answer."""
    if skipped.reason not in _VERBATIM:
        for found in _TITLE.finditer(answer, skipped.span.start, skipped.span.end):
            yield found[found.lastgroup or 0]


def _told(what: str, texts: Sequence[str]) -> Iterator[str]:
    if texts:
        first = texts[0] if len(texts[0]) <= _MOST_SHOWN else f"{texts[0][:_MOST_SHOWN]} \u2026"
        more = f" and {len(texts) - 1:,} more" if texts[1:] else ""
        yield f"not checked ({what}): \u201c{first}\u201d{more}"
