"""Rubric files: read, checked, and turned into a `Rubric`. YAML and JSON come to the same.

The bytes become text, the text tokens, these data with the places of its values (`tree`). The data
is held against the schema (`shape`) and the rules (`rules`), and what has passed is made a Rubric
(`wire`).
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import islice
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.errors import ValidationError, require_package
from veridical.scoring.rubric import Criterion, Rubric
from veridical.scoring.rubrics.rules import check_rules, check_shape
from veridical.scoring.rubrics.tree import (
    Node,
    Problems,
    RubricProblem,
    Scalar,
    Token,
    TokenKind,
    Unreadable,
    build,
    check_characters,
    member,
    number_of,
)
from veridical.scoring.rubrics.wire import rubric_from_mapping, rubric_to_mapping
from veridical.sources.sniff import no_text

if TYPE_CHECKING:
    import yaml

_SUFFIX = ".yaml"


def shipped_names() -> tuple[str, ...]:
    """The names of the shipped rubrics, in order."""
    folder = _folder()
    if not folder.is_dir():
        return ()
    files = (file.name for file in folder.iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)))


def shipped_text(name: str) -> str:
    """The YAML text of a shipped rubric. Raises KeyError where there is none of that name."""
    if name not in shipped_names():
        raise KeyError(name)
    return _folder().joinpath(name + _SUFFIX).read_text("utf-8")


def _folder() -> Traversable:
    return resources.files(__package__).joinpath("files")


# The tokens of a JSON text.


_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\]:,"]+')
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
_BRACKETS: dict[str, TokenKind] = {"{": "{", "}": "}", "[": "[", "]": "]"}
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


def check_json(text: str) -> None:
    """Raises Unreadable where a text is not JSON."""
    # Numbers are left as they are: Python's limits on them are no rule of JSON. What is nested too
    # deeply is refused by who reads the tokens, at its place.
    as_it_is: Any = str
    try:
        with suppress(RecursionError):
            json.loads(text, parse_int=as_it_is, parse_float=as_it_is)
    except json.JSONDecodeError as problem:
        raise Unreadable(problem.pos, f"not valid JSON: {problem.msg}") from None


def json_tokens(text: str) -> Iterator[Token]:
    """The tokens of what `check_json` has passed. Raises Unreadable for a number that is none."""
    for found in _TOKEN.finditer(text):
        written, offset = found[0], found.start()
        if written in _BRACKETS:
            yield Token(_BRACKETS[written], offset)
        elif written.startswith('"'):
            value: str = json.loads(written)
            yield Token("scalar", offset, value, value)
        elif written in _WORDS:
            yield Token("scalar", offset, _WORDS[written], written)
        elif written in _NO_NUMBERS:
            raise Unreadable(offset, f"{written} is not a finite number")
        else:
            yield Token("scalar", offset, number_of(written, offset), written)


# The tokens of a YAML text, with the scalars of YAML 1.2 and nothing that could surprise.


_SCALARS: dict[str, Scalar] = {
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
    require_package("yaml", "Reading a rubric in YAML", "scoring")
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
    if written in _SCALARS:
        return _SCALARS[written]
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


MAX_FILE_BYTES = 1024 * 1024
"""A larger rubric file is refused."""

_MOST_LISTED = 5
_BYTE_ORDER_MARK = "\ufeff"


def load_rubric(path: str | PathLike[str]) -> Rubric:
    """The rubric of a file, or the shipped rubric of that name where there is no such file.

    Raises ValidationError that lists the first problems with file, line and column.
    """
    return rubric_from_text(*read_rubric_file(path))


def rubric_from_text(text: str | bytes, name: str = "rubric") -> Rubric:
    """The rubric of a text; `name` stands for its file in errors, and `.json` asks for JSON.

    Raises ValidationError as `load_rubric` does.
    """
    root, found = _checked(text, name)
    errors = [problem for problem in found if problem.severity == "error"]
    if errors:
        first, told = errors[0], [problem.describe() for problem in errors]
        where = {"path": first.path, "line": first.line, "column": first.column}
        lines = [f"{name}:{line}" for line in told]
        more = "; `veridical score lint` lists them all"
        raise _refused(lines, told, {**where, "constraint": first.message}, more)
    return rubric_from_mapping(root)


def lint_rubric(data: bytes | str, name: str = "rubric") -> tuple[RubricProblem, ...]:
    """All that is wrong with a rubric file, in the order of its lines; nothing where it is sound.

    Without errors, `rubric_from_text` reads it. `name` is that of the file: `.json` asks for JSON,
    anything else is read as YAML if it is not JSON.
    """
    return _checked(data, name)[1]


def read_rubric_file(path: str | PathLike[str]) -> tuple[bytes, str]:
    """The bytes of a rubric file or of a shipped rubric, and the name to call it by.

    Raises ValidationError where it cannot be read. A file that is too large is cut beyond the
    limit, so that the check refuses it.
    """
    name = fspath(path)
    try:
        if name in shipped_names() and not Path(name).exists():
            return shipped_text(name).encode(), f"{name}.yaml"
        with Path(name).open("rb") as file:
            return file.read(MAX_FILE_BYTES + 1), name
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        shipped = ", ".join(shipped_names())
        raise ValidationError(
            f"rubric: cannot read {name}: {reason}. "
            f"Check the path, or name a shipped rubric: {shipped}."
        ) from problem


def _checked(data: bytes | str, name: str) -> tuple[Any, tuple[RubricProblem, ...]]:
    """The data of a text, None where it cannot be read, and what is wrong with it."""
    data = data[: MAX_FILE_BYTES + 1]
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    text = text.removeprefix(_BYTE_ORDER_MARK)
    problems = Problems(text)
    try:
        _check_bytes(data)
        root = _read(text, name, problems)
    except Unreadable as problem:
        problems.error_at(problem.offset, "", str(problem))
        return None, problems.sorted()
    _check(root, problems)
    return root, problems.sorted()


def _check_bytes(data: bytes | str) -> None:
    """Raises Unreadable where a file is too large, or no text in UTF-8."""
    kind = no_text(data) if isinstance(data, bytes) else ""
    if kind:
        where = "" if kind == "an image" else ". Give it in the place of the transcript"
        raise Unreadable(0, f"this is {kind}, not a rubric, which is YAML or JSON{where}")
    if len(data) > MAX_FILE_BYTES:
        raise Unreadable(0, f"larger than {MAX_FILE_BYTES:,} bytes, the limit for a rubric")
    if isinstance(data, str):
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as problem:
        offset = len(data[: problem.start].decode("utf-8-sig"))
        byte = f"0x{data[problem.start]:02x}"
        raise Unreadable(offset, f"not UTF-8: byte {byte}. Save the file as UTF-8") from None


def _check(data: Any, problems: Problems) -> None:
    check_shape(Node(data), problems)
    check_rules(Node(data), problems)


def _read(text: str, name: str, problems: Problems) -> Any:
    check_characters(text)
    tokens = json_tokens(text) if _is_json(text, name) else yaml_tokens(text, problems)
    root = build(tokens, problems)
    if root is None:
        raise Unreadable(0, "is empty; a rubric has a template and sections")
    return root


def _is_json(text: str, name: str) -> bool:
    """Whether to read a text as JSON. Raises Unreadable where a `.json` file holds none."""
    if name.lower().endswith(".json") and text.strip():
        check_json(text)
        return True
    if not text.lstrip().startswith("{"):
        return False
    try:
        check_json(text)
    except Unreadable:
        return False
    return True


# A rubric that was built in Python, held against the rules of rubric files.


def check_rubric(rubric: Rubric) -> None:
    """Raises ValidationError that names the paths of what no rubric file could have.

    Takes a few milliseconds for a rubric of some dozens of criteria.
    """
    problems = Problems(None)
    try:
        data = rubric_to_mapping(rubric)
        errors = list(islice(_unfit_for_files(data, ""), 1))
    except (AttributeError, TypeError, ValueError) as error:
        raise ValidationError(f"rubric: a part of it has the wrong type: {error}") from error
    if not errors:
        _check(data, problems)
        for number, section in enumerate(rubric.sections):
            for inner, criterion in enumerate(section.criteria):
                _check_names(criterion, f"sections[{number}].criteria[{inner}]", problems)
        errors = [(p.path, p.message) for p in problems.sorted() if p.severity == "error"]
    if errors:
        path, message = errors[0]
        told = [f"{path}: {message}" if path else message for path, message in errors]
        raise _refused(told, told, {"path": path, "constraint": message})


def _unfit_for_files(data: Any, path: str) -> Iterator[tuple[str, str]]:
    """The values that files cannot hold, each a path and a message.

    Raises TypeError for what is no value.
    """
    if isinstance(data, Mapping | list):
        parts = data.items() if isinstance(data, Mapping) else enumerate(data)
        for name, value in parts:
            yield from _unfit_for_files(value, member(path, name))
    elif isinstance(data, float) and not math.isfinite(data):
        yield path, f"{data} is not a finite number"
    elif isinstance(data, str):
        try:
            check_characters(data)
        except Unreadable as error:
            yield path, str(error)
    elif data is not None and not isinstance(data, bool | int | float):
        raise TypeError(f"{path} is of type {type(data).__name__}")


def _check_names(criterion: Criterion, path: str, problems: Problems) -> None:
    """A file's mapping has each name once; in Python two groups can have the same."""
    cues = criterion.cues
    if cues is None:
        return
    kinds = {"elements": cues.elements, "options": cues.options, "events": cues.events}
    for kind, groups in kinds.items():
        for name, times in Counter(group.name for group in groups).items():
            if times > 1:
                problems.error(member(f"{path}.cues.{kind}", name), "stands twice here")


def _refused(
    lines: Sequence[str], told: Sequence[str], first: Mapping[str, Any], more: str = ""
) -> ValidationError:
    """The error that lists the first problems for a reader, and all of them for programs."""
    listed = list(lines[:_MOST_LISTED])
    if len(lines) > _MOST_LISTED:
        listed.append(f"and {len(lines) - _MOST_LISTED} more{more}")
    return ValidationError(f"rubric: {'; '.join(listed)}", {**first, "problems": list(told)})
