"""Where the reading of a growing answer may go on, so that what is settled is not read again.

What stood before is stood in for by a stub: a few characters that open the same lists, or begin the
same paragraph. Where that might not be read alike, the reading goes on from where it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from veridical.guarding.openings import is_even, open_elements
from veridical.guarding.window import Part, Window
from veridical.guarding.window_reader import Sentence
from veridical.ledger.extraction.blocks import Block, BlockKind
from veridical.ledger.extraction.outline import Outline

_FLUSH_LEFT = "\nx\n\n"
"""A paragraph without indentation: how deep code is indented is told by the whole text."""

_BEGUN = "Stopgap ended. "
_ITEM = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+")
_LABEL_CHARS = 64


@dataclass(frozen=True, slots=True)
class Restart:
    """Go on at `at` (an offset of the window's text) behind `stub`, with that outline."""

    at: int
    stub: str
    outline: Outline


def restart(window: Window, parts: list[Part]) -> Restart | None:
    """Where to go on once these parts of a window are settled; None where it is not safe to."""
    if not parts or len(window.sentences) <= (done := _done(window, parts)):
        return None
    following = window.sentences[done]
    text, edge = window.text, parts[-1].end
    behind = text[window.stub : following.start]
    if "]:" in behind or any(True for _ in open_elements(text, window.stub, following.start)):
        return None
    block = window.blocks[following.block]
    if following.block == parts[-1].block:
        return _in_paragraph(window, following, block, edge)
    return _at_block(window, following, block, edge)


def _done(window: Window, parts: list[Part]) -> int:
    edge = parts[-1].end
    done = 0
    while done < len(window.sentences) and window.sentences[done].start < edge:
        done += 1
    return done


def _at_block(window: Window, following: Sentence, block: Block, edge: int) -> Restart | None:
    text = window.text
    start = _line_start(text, block)
    lists = _lists(window, following.block)
    if start < edge or text[edge:start].strip() or lists is None:
        return None  # what stands in between, such as a comment, has to be looked at
    if block.kind is BlockKind.MEANING:
        return None
    table = ""
    if block.kind is BlockKind.ROW:
        if lists or block.columns is None:
            return None
        head = text.rfind("\n", 0, block.columns.start) + 1
        table = text[head : text.find("\n", text.find("\n", block.columns.end) + 1) + 1]
        if table.count("\n") != 2:
            return None
    elif "|" in text[start:]:
        return None
    stub = f"{_FLUSH_LEFT}{''.join(f'{one}x' + chr(10) for one in lists)}\n{table}"
    return Restart(start, stub, window.reader.before[following.block])


def _in_paragraph(window: Window, following: Sentence, block: Block, edge: int) -> Restart | None:
    text = window.text
    rest = text[block.start :]
    lists = _lists(window, following.block + 1)
    is_plain = block.kind is BlockKind.ITEM or (block.kind is BlockKind.TEXT and block.level == 0)
    if (
        not is_plain
        or lists is None
        or following.number < 1
        or text[edge : following.start].strip()
    ):
        return None
    if any(sign in rest for sign in "\n\r|") or not text[following.start].isalpha():
        return None
    if not is_even(text[block.start : following.start]):
        return None
    if any(sign in rest[:_LABEL_CHARS] for sign in ":\uff1a"):
        return None
    if block.kind is BlockKind.TEXT and text[_line_start(text, block) : block.start].strip():
        return None
    opened = "".join(f"{one}x\n" for one in lists[:-1]) + lists[-1] if lists else ""
    return Restart(following.start, f"{_FLUSH_LEFT}{opened}{_BEGUN}", following.before)


def _line_start(text: str, block: Block) -> int:
    return text.rfind("\n", 0, block.mark.start if block.mark else block.start) + 1


def _lists(window: Window, index: int) -> list[str] | None:
    """The beginnings of the list items around a block, marks and all; None where one is odd."""
    found: list[tuple[int, str]] = []
    for block in window.blocks[:index]:
        if block.kind is BlockKind.HEADING or (block.kind is BlockKind.TEXT and not block.level):
            found.clear()
        elif block.kind is BlockKind.ITEM:
            while found and found[-1][0] >= block.level:
                found.pop()
            begins = window.text[_line_start(window.text, block) : block.start]
            found.append((block.level, begins))
        elif found and block.kind is not BlockKind.TEXT and _is_flush(window.text, block):
            return None  # it may have ended the list, or not
    if any(not _ITEM.fullmatch(begins) for _, begins in found):
        return None
    return [begins for _, begins in found]


def _is_flush(text: str, block: Block) -> bool:
    return _line_start(text, block) == block.start
