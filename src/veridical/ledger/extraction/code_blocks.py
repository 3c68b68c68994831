"""Code is not checked, and an answer may put sentences into it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from veridical.ledger.extraction.bare import is_bare
from veridical.ledger.extraction.blocks import BlockKind
from veridical.ledger.extraction.page import AnswerPage
from veridical.ledger.extraction.words import (
    AUXILIARIES,
    FINITE_VERBS,
    is_full_statement,
    is_statement,
    words_of,
)
from veridical.sources.span import Span

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
    block: list[Span] = []
    for line in code:
        if block and answer[block[-1].end : line.start].strip():
            yield from _if_prose(answer, block)
            block = []
        block.append(line)
    yield from _if_prose(answer, block)


def _if_prose(answer: str, block: list[Span]) -> Iterator[Span]:
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
