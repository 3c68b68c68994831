"""The JSON of a model's reply: strictly, for what is not JSON is not an answer."""

from __future__ import annotations

import json
import re
from typing import Any

from veridical.models.protocol import FinishReason, ModelReply
from veridical.text.strict_json import Unfit, strict_json

MAX_REPLY_CHARS = 1_000_000
MAX_DEPTH = 64

_MOST_DIGITS = 300
"""More digits than any number in a reply can need."""

_FENCES = ("```", "~~~")
_INFO = re.compile(r"[ \t]*[A-Za-z0-9]{0,20}[ \t]*\r?")
"""What may stand behind the mark that opens a fence: the name of a language."""

_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)

_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+(?P<closed>"?)|[\[\]{}]', re.DOTALL)
"""Strings and brackets. An open string runs to the end, so that no part is looked at twice."""

_CUT_LITERAL = re.compile(r"(?:t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-|\.|[eE][+-]?)?")


_TRAILING_TEXT = "Extra data"
"""How `json` puts it that a whole value has something behind it."""


class ReplyRejected(Exception):
    """A model's reply is not the JSON that it should be. The message holds none of its text."""


def parse_json_reply(reply: ModelReply) -> Any:
    """The value of a reply that is one JSON value, in a code fence at most, and nothing else.

    Stricter than `json.loads`: no NaN or infinity, no name twice in one object, no half of a
    surrogate pair, at most `MAX_REPLY_CHARS` and `MAX_DEPTH`. Takes linear time.

    Raises ReplyRejected.
    """
    text = _unfenced(reply.text)
    if not text.strip():
        raise ReplyRejected("the reply is empty")
    if len(text) > MAX_REPLY_CHARS:
        raise ReplyRejected(f"the reply is longer than {MAX_REPLY_CHARS:,} characters")
    if reply.finish_reason is FinishReason.LENGTH:
        raise ReplyRejected("the reply ran into its limit of tokens")
    end_of_whole, depth = _outline(text)
    if depth > MAX_DEPTH:
        raise ReplyRejected(f"the reply is nested more than {MAX_DEPTH} levels deep")
    return _parse(text, end_of_whole)


def _unfenced(text: str) -> str:
    """What stands in a code fence that opens and closes the text; the text where there is none."""
    whole = text.strip()
    mark = whole[:3]
    first, _, rest = whole.partition("\n")
    is_fenced = mark in _FENCES and rest.endswith(mark) and _INFO.fullmatch(first[3:])
    return rest[:-3] if is_fenced else text


def _outline(text: str) -> tuple[int, int]:
    """Where a string starts that is never closed (or the text's end), and the greatest depth."""
    depth = deepest = 0
    for token in _TOKENS.finditer(text):
        if token["closed"] == "":
            return token.start(), deepest
        if token[0] in ("[", "{"):
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in ("]", "}"):
            depth -= 1
    return len(text), deepest


def _parse(text: str, end_of_whole: int) -> Any:
    try:
        value = strict_json(text, most_digits=_MOST_DIGITS)
        json.dumps(value, ensure_ascii=False).encode()  # fails on half of a surrogate pair
    except json.JSONDecodeError as problem:
        raise _rejected(text, end_of_whole, problem) from None
    except Unfit as problem:
        raise ReplyRejected(f"the reply has {problem}") from None
    except UnicodeEncodeError:
        raise ReplyRejected("the reply has half of a surrogate pair in a string") from None
    return value


def _rejected(text: str, end_of_whole: int, problem: json.JSONDecodeError) -> ReplyRejected:
    if _FENCE.search(text):
        return ReplyRejected("the reply is JSON in a code fence, or around one")
    rest = text[problem.pos :].strip()
    cut = problem.pos >= end_of_whole or _CUT_LITERAL.fullmatch(rest)
    if cut and problem.msg != _TRAILING_TEXT:
        return ReplyRejected(f"the reply ends in the middle, at line {problem.lineno}")
    return ReplyRejected(
        f"the reply is not JSON: line {problem.lineno}, column {problem.colno}: {problem.msg}"
    )
