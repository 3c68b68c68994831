"""Code is not checked, and an answer may put sentences into it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.ledger.extraction.blocks import BlockKind
from veridical.ledger.extraction.page import AnswerPage
from veridical.ledger.extraction.words import is_statement, words_of

_CODE = re.compile(
    r"[{}<>=$\\]|\w\(|;\s*$|:\s*$"
    r"|^\s*(?:if|elif|else|while|for|def|class|return|import|from|assert|with|raise|try|except|not|#|//)"
    r"(?!\w)|^\s*[A-Z]{2,}\b.*\b[A-Z]{2,}\b"
)
"""What a line of code has and a line of prose has not."""

_LEAST_WORDS = 4


def prose_in_code(page: AnswerPage) -> int:
    """How many code blocks of an answer hold what reads like a sentence."""
    return sum(map(_holds_prose, _code_blocks(page)))


def _code_blocks(page: AnswerPage) -> Iterator[list[str]]:
    """The lines of each code block."""
    lines: list[str] = []
    for block in page.blocks:
        if block.kind is BlockKind.CODE:
            lines.append(page.text[block.start : block.end])
        elif lines:
            yield lines
            lines = []
    if lines:
        yield lines


def _holds_prose(lines: list[str]) -> bool:
    plain = [line for line in lines if not _CODE.search(line)]
    return any(map(_is_prose, plain)) or (plain == lines and _is_prose(" ".join(lines)))


def _is_prose(text: str) -> bool:
    return len(words_of(text, _LEAST_WORDS)) >= _LEAST_WORDS and is_statement(text)
