"""What reads like a statement in the parts of an answer that no claim is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from veridical.ledger.extraction.as_written import is_loaded
from veridical.ledger.extraction.extractor import Skipped, SkipReason
from veridical.ledger.extraction.page import AnswerPage, BlockKind
from veridical.ledger.extraction.words import (
    AUXILIARIES,
    FINITE_VERBS,
    OBLIGATION,
    is_full_statement,
    is_statement,
    phrases,
    words_of,
)
from veridical.sources.document import Span, front_matter_end
from veridical.sources.patterns import lazy

# A whole answer in a word: "Yes.", "Not allowed.". What it says stands in the question alone.


_FLAGS = re.VERBOSE | re.IGNORECASE
_END = r"[\W_\ufe0f]*"
_YES_WORD = f"(?:{phrases('yes')})"
_VERDICT = r"""(?:
    (?:(?:absolutely|certainly|definitely|of\ course|generally|usually|sometimes|always)\ )?
    (?:not\ )?
    (?:never|always|sometimes|neither|both|exactly|not|at\ all|necessarily|yet|really|so
      |correct|incorrect|right|true|false|wrong|agreed|confirmed|affirmative|negative|possible
      |impossible|allowed|permitted|forbidden|prohibited|required|mandatory|optional|eligible
      |included|covered)
    )"""
_PRONOUN = r"(?:it|that|this|he|she|they|there|you|we|i|one)"
_BE_OR_DO = r"""(?:
    \ (?:is|are|am|does|do|did|was|were|has|have|had|can|may|must|will|would|should|could)
      (?:\ not|n['\u2019]t)?
    |\ (?:cannot|won['\u2019]t|can['\u2019]t)|['\u2019](?:s|re|m)
    )"""
_BEFORE = rf"\W*(?:{_YES_WORD}[\s,.!:;\u2013\u2014-]+)*"
_YES = lazy(rf"{_BEFORE}{_YES_WORD}{_END}", _FLAGS)
_WORD = lazy(rf"{_BEFORE}{_VERDICT}{_END}", _FLAGS)
_POINTING = lazy(rf"{_BEFORE}{_PRONOUN}{_BE_OR_DO}(?:\ {_VERDICT})?{_END}", _FLAGS)
_MOST = 60


def is_yes_or_no(text: str) -> bool:
    """Whether a text is nothing but a "yes" or a "no"."""
    return len(text) <= _MOST and _YES().fullmatch(text) is not None


def is_bare(text: str) -> bool:
    """Whether a text is nothing but a "yes", or a verdict without what it is on."""
    return is_yes_or_no(text) or (len(text) <= _MOST and _WORD().fullmatch(text) is not None)


def points_to_question(text: str) -> bool:
    """Whether a text is on what was said before, in a word: "It is allowed.", "Yes, you may."."""
    return len(text) <= _MOST and _POINTING().fullmatch(text) is not None


def with_openings(
    skipped: Sequence[Skipped], openings: Mapping[Span, SkipReason], last_claim: int
) -> list[Skipped]:
    """What was skipped, bare answers before a claim as what they are there.

    `openings` tells that of those that may be one; `last_claim` is where the last claim begins.
    """
    return [
        replace(one, reason=openings[one.span])
        if one.span in openings and one.span.start < last_claim
        else one
        for one in skipped
    ]


_CODE = re.compile(
    r"[{}<>=$\\]|\w\(|;\s*$|:\s*$"
    r"|^\s*(?:if|elif|else|while|for|def|class|return|import|from|assert|with|raise|try|except|not|#|//)"
    r"(?!\w)|^\s*[A-Z]{2,}\b.*\b[A-Z]{2,}\b"
)
"""What a line of code has and a line of prose has not."""

_LEAST_WORDS = 4
_SENTENCE = re.compile(r"\s*[^\W\d_a-z].*[^\W_][.!]\s*", re.DOTALL)
"""A capital before it and one full stop behind it: "Loading..." is no sentence."""

_CODE_WORD = re.compile(r"\w[./_]\w|\b(?:None|True|False|null|nil|[b-hj-zB-HJ-Z])\b")
"""What three words of code may have, and of prose have not: names of files, of one letter."""


def prose_in_code(page: AnswerPage) -> int:
    """How many code blocks of an answer hold what reads like a sentence."""
    code = [Span(block.start, block.end) for block in page.blocks if block.kind is BlockKind.CODE]
    return sum(1 for _ in code_with_prose(page.text, code))


def code_with_prose(answer: str, code: Iterable[Span]) -> Iterator[Span]:
    """The code blocks of an answer that hold what reads like a sentence.

    `code` are the lines of all of them, in order: white space is all that parts those of one block.
    """
    blocks: list[list[Span]] = []
    for line in code:
        if not blocks or answer[blocks[-1][-1].end : line.start].strip():
            blocks.append([])
        blocks[-1].append(line)
    for block in blocks:
        if _holds_prose([answer[line.start : line.end] for line in block]):
            yield Span(block[0].start, block[-1].end)


def _holds_prose(lines: list[str]) -> bool:
    plain = [line for line in lines if not _CODE.search(line)]
    if any(map(_is_prose, plain)):
        return True
    whole = " ".join(lines)
    return plain == lines and (_is_prose(whole) or any(map(_is_short_prose, (*lines, whole))))


def _is_prose(text: str) -> bool:
    return len(words_of(text, _LEAST_WORDS)) >= _LEAST_WORDS and is_statement(text)


def _is_short_prose(text: str) -> bool:
    """Whether a few words in a block without any sign of code say something: "Bribes are allowed".

    A command may have a verb as well ("ufw allow ssh"): one that no command has, or the form of a
    sentence, tells them apart. "Yes." says something too, "yes" may be a value.
    """
    if _CODE_WORD.search(text):
        return False
    words = words_of(text, _LEAST_WORDS)
    is_sentence = _SENTENCE.fullmatch(text) is not None
    if is_sentence and is_bare(text):
        return True
    is_sure = text.lstrip()[:1].isupper() or not AUXILIARIES.isdisjoint(words[1:])
    if is_full_statement(text) and is_sure:
        return True
    return is_sentence and len(words) > 1 and not FINITE_VERBS.isdisjoint(words[1:])


# What reads like a statement in the parts of an answer that no claim is made of.


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
    texts: dict[str, list[str]] = {what: [] for what in (*_APART.values(), "heading")}
    for one in skipped:
        what = "heading" if one.reason in _NAMES else _APART.get(one.reason)
        if what and may_state(answer, one):
            texts[what].append(_plain(answer, one))
    for what, (first, *others) in ((what, found) for what, found in texts.items() if found):
        shown = first if len(first) <= _MOST_SHOWN else f"{first[:_MOST_SHOWN]} \u2026"
        more = f" and {len(others):,} more" if others else ""
        yield f"not checked ({what}): \u201c{shown}\u201d{more}"


def unchecked_parts(answer: str, skipped: Sequence[Skipped]) -> list[Skipped]:
    """What may state something and was not checked, in order: words that markup hides, headings
    that state something, an answer in a word, opinions, what the answer says of itself, code that
    holds sentences, and all beyond the limit of claims.

    Front matter is not among them: it is for tools, and only a warning tells of it.
    """
    front_matter = front_matter_end(answer)
    code = [one.span for one in skipped if one.reason is SkipReason.CODE]
    later = (one for one in skipped if one.span.start >= front_matter)
    found = [one for one in later if may_state(answer, one)]
    found += [Skipped(span, SkipReason.CODE) for span in code_with_prose(answer, code)]
    found += [one for one in skipped if one.reason is SkipReason.OVER_LIMIT]
    return sorted(found, key=lambda one: one.span)


def may_state(answer: str, skipped: Skipped) -> bool:
    """Whether a part of an answer that no claim was made of may state something; code apart."""
    if skipped.reason in _ALWAYS:
        return True
    if any(map(_may_state, _link_titles(answer, skipped))):
        return True
    if skipped.reason in (SkipReason.NOT_SHOWN, SkipReason.STRUCK):
        return _may_state(_plain(answer, skipped))
    return skipped.reason in _NAMES and any(
        is_full_statement(name) or (is_statement(name) and OBLIGATION().search(name))
        for name in _plain(answer, skipped).split("|")
    )


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
