"""What is still open in a part of an answer: a bracket, a quotation, emphasis, a tag.

Until it is closed nobody knows how the words inside will be read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from veridical.sources.document import Document

_PAIRS = {
    ")": "(", "]": "[", "}": "{", "\uff09": "\uff08", "\uff3d": "\uff3b", "\u3011": "\u3010",
    "\u201d": "\u201c", "\u00bb": "\u00ab", "\u300d": "\u300c", "\u300f": "\u300e",
}  # fmt: skip
_OPENERS = frozenset(_PAIRS.values())
_SIGN = re.compile(
    r"\\.|(?P<run>\*+|_+|~~+|`+)|(?P<tag><(?=[a-zA-Z/!?]))|(?P<sign>[()\[\]{}\"\uff08\uff09\uff3b"
    r"\uff3d\u3010\u3011\u201c\u201d\u00ab\u00bb\u300c\u300d\u300e\u300f])",
    re.DOTALL,
)
_TAG = re.compile(r"<(?P<closing>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)\b[^<>]*?(?P<alone>/?)>")
_RUN = re.compile(r"\*+|_+|~+|`+")
_VOID = frozenset("br hr img input wbr meta link area base col embed source track".split())


def unclosed(document: Document, start: int, end: int) -> list[int]:
    """Where in `document.text[start:end]` something opens that is not closed in it, in order.

    Markup that the document has read as such, in pairs, is passed over; elements of HTML are not.
    """
    text = document.text
    paired = [(mask.start, mask.end) for mask in document.masks.between(start, end)]
    stack: list[tuple[str, int]] = []
    found: list[int] = []
    quote = -1
    for sign in _SIGN.finditer(text, start, end):
        at = sign.start()
        while paired and paired[0][1] <= at:
            paired.pop(0)
        if paired and paired[0][0] <= at:
            continue
        if sign["run"]:
            follows = text[sign.end() : min(sign.end() + 1, end)]
            before = text[max(start, at - 1) : at]
            if (
                follows
                and not follows.isspace()
                and not (sign["run"][0] == "_" and before.isalnum())
            ):
                found.append(at)
        elif sign["tag"]:
            found.append(at)
        elif sign["sign"] == '"':
            quote = at if quote < 0 else -1
        elif sign["sign"] in _OPENERS:
            stack.append((sign["sign"], at))
        elif sign["sign"] and stack and stack[-1][0] == _PAIRS[sign["sign"]]:
            stack.pop()
    found.extend(at for _, at in stack)
    found.extend(open_elements(text, start, end))
    if quote >= 0:
        found.append(start)  # which straight quotes pair is told by all of them
    return sorted(found)


def open_elements(text: str, start: int, end: int) -> Iterator[int]:
    """Where elements of HTML begin that do not end in the part."""
    opened: list[tuple[str, int]] = []
    for tag in _TAG.finditer(text, start, end):
        name = tag["name"].lower()
        if name in _VOID or tag["alone"]:
            continue
        if not tag["closing"]:
            opened.append((name, tag.start()))
        elif any(name == one for one, _ in opened):
            while opened.pop()[0] != name:
                pass
    yield from (at for _, at in opened)


def is_even(text: str) -> bool:
    """Whether the signs of emphasis and of code stand in a text in pairs."""
    runs = Counter(found[0] for found in _RUN.finditer(text))
    return all(count % 2 == 0 for count in runs.values())
