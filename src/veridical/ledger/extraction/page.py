"""An answer as it is read: what a reader sees of it, its blocks, and what is verbatim in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from veridical.errors import DocumentParsingError
from veridical.ledger.extraction.as_written import as_written
from veridical.ledger.extraction.block_reader import read_blocks
from veridical.ledger.extraction.blocks import Block, BlockKind
from veridical.ledger.extraction.reference_list import ReferenceList, find_reference_list
from veridical.sources.document import Document
from veridical.sources.markdown import read_markdown
from veridical.sources.plaintext import read_plain_text
from veridical.sources.span import Span

_NAME = "answer"
_WRAPPED = re.compile(r"\s*(```+|~~~+)[ \t]*(?:markdown|md)[ \t]*\r?\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """An answer that has been read. All spans are places in `text`, which is the answer itself."""

    text: str
    document: Document
    blocks: tuple[Block, ...]
    sources: ReferenceList
    code: tuple[Span, ...]
    """Code blocks and the insides of code spans, in order."""
    warnings: tuple[str, ...] = ()

    def is_verbatim(self, offset: int) -> bool:
        """Whether what starts at `offset` is code, struck, of the source list or not to be seen."""
        if self.sources.span and self.sources.span.start <= offset < self.sources.span.end:
            return True
        index = bisect_right(self.code, Span(offset, len(self.text))) - 1
        if index >= 0 and offset < self.code[index].end:
            return True
        struck = self.document.struck
        index = bisect_right(struck, Span(offset, len(self.text))) - 1
        if index >= 0 and offset < struck[index].end:
            return True
        around = self.document.masks.between(offset, offset + 1)
        return any(mask.start < offset or mask.unseen for mask in around)


def read_page(answer: str) -> AnswerPage:
    """Read an answer, which is Markdown or plain text. Never fails; see `AnswerPage.warnings`."""
    text = _unwrapped(answer)
    warnings: tuple[str, ...] = ()
    try:
        document = read_markdown(text, _NAME, size_bytes=len(text))
    except DocumentParsingError:
        document = read_plain_text(text, _NAME, size_bytes=len(text))
        warnings = ("the answer's markup is nested too deeply; it was read as plain text",)
    document = as_written(document)
    blocks = tuple(read_blocks(document))
    return AnswerPage(
        answer,
        document,
        blocks,
        find_reference_list(text),
        tuple(_code(document, blocks)),
        warnings,
    )


def _unwrapped(answer: str) -> str:
    """The answer with spaces for a code fence around all of it, which models like to add."""
    opening = _WRAPPED.match(answer)
    if not opening:
        return answer
    end = len(answer.rstrip())
    closing = end - len(opening[1])
    if answer[closing:end] != opening[1] or opening[1] in answer[opening.end() : closing]:
        return answer
    blank = " " * (opening.end() - 1) + "\n"
    return f"{blank}{answer[opening.end() : closing]}{' ' * (len(answer) - closing)}"


def _code(document: Document, blocks: tuple[Block, ...]) -> list[Span]:
    found: list[Span] = []
    for block in blocks:
        if block.kind is BlockKind.CODE:
            found.append(Span(block.start, block.end))
            continue
        opened = -1
        for mask in document.masks.between(block.start, block.end):
            if document.text[mask.start : mask.end].strip("`"):
                continue
            if opened < 0:
                opened = mask.end
            else:
                found.append(Span(opened, max(opened, mask.start)))
                opened = -1
    return found
