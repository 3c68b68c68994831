"""The tokens of a YAML text, with the scalars of YAML 1.2 and nothing that could surprise.

`yes`, `on`, `12:30` and `1_000` are text, as in the core schema of YAML 1.2 (chapter 10.3 of its
specification). Anchors, aliases, tags and merge keys are refused: no rubric needs them, and
aliases of aliases are how a small file becomes a huge one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from veridical.scoring.rubrics.problems import Problems, Unreadable
from veridical.scoring.rubrics.tree import Scalar, Token, number_of

if TYPE_CHECKING:
    import yaml

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_OTHER_BASES = ((re.compile(r"0o[0-7]+"), 8), (re.compile(r"0x[0-9a-fA-F]+"), 16))
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")

_HINTS = (
    ("cannot start any token", "put text that begins with this character in quotes"),
    ("mapping values are not allowed", "put text that holds a colon and a space in quotes"),
    ("could not find expected ':'", "a name needs a colon and a space after it"),
    ("did not find expected key", "indent names of one level alike, and close every quote"),
    ("expected <block end>", "indent names of one level alike, and close every quote"),
    ("did not find expected '-'", "indent the items of one list alike"),
    ("unexpected end of stream", "close every quote and every bracket"),
)

_MOST_SAID = 200
"""Characters of the parser's own words, which may quote the text."""


def yaml_tokens(text: str, problems: Problems) -> Iterator[Token]:
    """The tokens of a YAML text of one document. Raises Unreadable.

    Source: the core schema of YAML 1.2.2, chapter 10.3.
    """
    import yaml

    # The parser in C is thirty times as fast; both give the same events at the same places.
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    documents = 0
    try:
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                _check_document(event, documents)
            else:
                yield from _tokens(event)
    except yaml.MarkedYAMLError as problem:
        raise _unreadable(problem, text, problems) from None
    except yaml.YAMLError as problem:
        raise Unreadable(0, f"not valid YAML: {problem}") from None


def _tokens(event: yaml.Event) -> Iterator[Token]:
    import yaml

    if isinstance(event, yaml.AliasEvent):
        raise Unreadable(_offset(event), "an alias (*) is not allowed; write it out")
    if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
        raise Unreadable(_offset(event), "an anchor (&) is not allowed; write it out")
    if getattr(event, "tag", None) is not None:
        raise Unreadable(_offset(event), "a tag (!) is not allowed; leave it out")
    if isinstance(event, yaml.ScalarEvent):
        plain = bool(event.implicit[0])
        if plain and event.value == "<<":
            raise Unreadable(_offset(event), "a merge key (<<) is not allowed; write it out")
        value = core_scalar(event.value, _offset(event)) if plain else event.value
        yield Token("scalar", _offset(event), value, event.value)
    elif isinstance(event, yaml.MappingStartEvent):
        yield Token("{", _offset(event))
    elif isinstance(event, yaml.SequenceStartEvent):
        yield Token("[", _offset(event))
    elif isinstance(event, yaml.MappingEndEvent):
        yield Token("}", _offset(event))
    elif isinstance(event, yaml.SequenceEndEvent):
        yield Token("]", _offset(event))


def core_scalar(written: str, offset: int) -> Scalar:
    """What a scalar without quotes stands for. Raises Unreadable for a number that is not finite.

    Source: the core schema of YAML 1.2.2, chapter 10.3.2.
    """
    if written in _WORDS:
        return _WORDS[written]
    if _DECIMAL.fullmatch(written):
        return number_of(written, offset)
    if _NOT_FINITE.fullmatch(written):
        raise Unreadable(offset, f"{written} is not a finite number")
    for pattern, base in _OTHER_BASES:
        if pattern.fullmatch(written):
            return number_of(written, offset, base)
    return written


def _offset(event: yaml.Event) -> int:
    mark: Any = event.start_mark
    return int(mark.index)


def _check_document(event: yaml.DocumentStartEvent, number: int) -> None:
    if number > 1:
        raise Unreadable(_offset(event), "a second document begins here (---); a rubric is one")
    if event.tags or event.version not in (None, (1, 2)):
        raise Unreadable(_offset(event), "directives (%) are not allowed; leave them out")


def _unreadable(problem: yaml.MarkedYAMLError, text: str, problems: Problems) -> Unreadable:
    said = (problem.problem or "it cannot be understood")[:_MOST_SAID]
    mark = problem.problem_mark or problem.context_mark
    if problem.context and problem.context_mark:
        line, _ = problems.place(problem.context_mark.index)
        # What is never closed is to be mended where it begins, not at the end of the file.
        mark = problem.context_mark if "end of stream" in said else mark
        said += f", {problem.context} that begins on line {line}"
    offset = mark.index if mark else 0
    hint = next((f"; {hint}" for sign, hint in _HINTS if sign in said), "")
    hint = "; indent with spaces, not with tabs" if text[offset : offset + 1] == "\t" else hint
    return Unreadable(offset, f"not valid YAML: {said}{hint}")
