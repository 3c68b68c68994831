"""The data of a rubric file with the place of each value, and what is wrong where in it.

YAML and JSON come to the same data.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

MOST_PROBLEMS = 100
"""More than these are not listed: whoever has mended a hundred runs the check again."""

Severity: TypeAlias = Literal["error", "warning"]

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class RubricProblem:
    """One thing that is wrong, or (a warning) that its author may not have meant.

    `line` and `column` count from 1, columns in characters. `path` is the place in the data, such
    as `sections[1].criteria[0].timing.endEvent`, and empty for the file as a whole.
    """

    severity: Severity
    line: int
    column: int
    path: str
    message: str

    def describe(self) -> str:
        """One line for a reader; with a file's name and a colon before it, editors know it."""
        path = f"{self.path}: " if self.path else ""
        return f"{self.line}:{self.column}: {self.severity}: {path}{self.message}"


class Unreadable(Exception):
    """A place from which on a text cannot be read as data; `offset` counts characters."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset


class Problems:
    """The problems of one text, or with None of data that no text was read from.

    `places` and `names` have the tokens of values, and of the names before them, by their paths.
    """

    def __init__(self, text: str | None) -> None:
        self.places: dict[str, Token] = {}
        self.names: dict[str, Token] = {}
        self._has_lines = text is not None
        self._line_starts = [0, *(end.end() for end in _LINE_END.finditer(text or ""))]
        self._found: list[RubricProblem] = []

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def where(self, path: str) -> str:
        """How another value is told of: by its line, or by its path where there are no lines."""
        return f"on line {self._of(path)[0]}" if self._has_lines else f"at {path}"

    def _of(self, path: str) -> tuple[int, int]:
        return self.place(self.places[path].offset if path in self.places else 0)

    def error(self, path: str, message: str) -> None:
        """Something that is wrong with a value."""
        self._found.append(RubricProblem("error", *self._of(path), path, message))

    def error_at_name(self, path: str, message: str) -> None:
        """Something that is wrong with a name, or with its being there at all."""
        name = self.names.get(path)
        self.error_at(0 if name is None else name.offset, path, message)

    def error_at(self, offset: int, path: str, message: str) -> None:
        """Something that is wrong at a character."""
        self._found.append(RubricProblem("error", *self.place(offset), path, message))

    def warning(self, path: str, message: str) -> None:
        """Something that is allowed, and hardly meant."""
        self._found.append(RubricProblem("warning", *self._of(path), path, message))

    def sorted(self) -> tuple[RubricProblem, ...]:
        """All of them in the order of the text, errors first where there are too many to list."""
        kept = self._found
        if len(kept) > MOST_PROBLEMS:
            kept = sorted(kept, key=lambda problem: problem.severity)[:MOST_PROBLEMS]
        return tuple(sorted(kept, key=lambda problem: (problem.line, problem.column)))


# The data of a file, built of its tokens within bounds.


MAX_DEPTH = 16
"""Six more than the deepest place of a rubric, the label of a cue."""

MAX_VALUES = 50_000
"""Values and names in all; what keeps a hostile file from taking long."""

MAX_NAME_CHARS = 200
MAX_NUMBER_CHARS = 40

Scalar: TypeAlias = str | int | float | bool | None
TokenKind: TypeAlias = Literal["{", "}", "[", "]", "scalar"]

_UNUSABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_KEY_PART = re.compile(r"\w[\w-]*")


@dataclass(frozen=True, slots=True)
class Token:
    """A bracket or a scalar of a text, where it stands, and for scalars how it is written."""

    kind: TokenKind
    offset: int
    value: Scalar = None
    written: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A value of the data, whatever it is, and its path.

    What is not there is a node too, with the path at which it would be: nothing can be read of it.
    """

    value: Any
    path: str = ""
    is_there: bool = True

    def get(self, *names: str) -> Node:
        """What stands at a path of names."""
        found = self
        for name in names:
            missing = Node(None, member(found.path, name), is_there=False)
            found = found.entries.get(name, missing)
        return found

    @property
    def entries(self) -> dict[str, Node]:
        """The values of a mapping, nothing for anything else."""
        entries = self.value.items() if isinstance(self.value, dict) else ()
        return {name: Node(value, member(self.path, name)) for name, value in entries}

    @property
    def items(self) -> list[Node]:
        """The items of a list, nothing for anything else."""
        items = self.value if isinstance(self.value, list) else ()
        return [Node(value, member(self.path, at)) for at, value in enumerate(items)]

    @property
    def text(self) -> str | None:
        """The value, where it is text."""
        return self.value if isinstance(self.value, str) else None

    @property
    def number(self) -> float | None:
        """The value, where it is a number."""
        is_number = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        return float(self.value) if is_number else None


def check_characters(text: str, *, at: int | None = None) -> None:
    """Raises Unreadable where a text holds a control character or half of a surrogate pair.

    `at` is where it stands, if the text is a part of the file.
    """
    found = _UNUSABLE.search(text)
    if found:
        code = ord(found[0])
        what = "half of a surrogate pair" if 0xD800 <= code <= 0xDFFF else "a control character"
        raise Unreadable(found.start() if at is None else at, f"{what} (U+{code:04X}) is not text")


def number_of(token: str, offset: int, base: int = 10) -> int | float:
    """The number that a token stands for. Raises Unreadable where it is not finite, or too long."""
    if len(token) > MAX_NUMBER_CHARS:
        raise Unreadable(offset, f"a number of {len(token):,} characters; give one that fits")
    try:
        return int(token, base)
    except ValueError:
        value = float(token)
    if not math.isfinite(value):
        raise Unreadable(offset, f"{token} is not a finite number")
    return value


def build(tokens: Iterator[Token], problems: Problems) -> Any:
    """The data of well-nested tokens, None where there are none, and their places in `problems`.

    A name that stands twice in one mapping is a problem, and the first one counts. Raises
    Unreadable beyond the bounds above.
    """
    root: list[Any] = []
    # What is not closed yet: a list or mapping, its path, and the name that waits for its value.
    open_parts: list[tuple[Any, str, Token | None]] = [(root, "", None)]
    for number, token in enumerate(tokens):
        if number >= MAX_VALUES:
            raise Unreadable(token.offset, f"more than {MAX_VALUES:,} values and names")
        if token.kind in ("}", "]"):
            open_parts.pop()
            continue
        parent, path, name = open_parts[-1]
        if isinstance(parent, dict) and name is None:
            open_parts[-1] = parent, path, _name(token)
            continue
        open_parts[-1] = parent, path, None
        if parent is not root:
            path = member(path, len(parent) if name is None else name.written)
        value: Any = {"{": {}, "[": []}.get(token.kind, token.value)
        if token.kind == "scalar":
            check_characters(token.written, at=token.offset)
        problems.places.setdefault(path, token)
        if name is None:
            parent.append(value)
        elif name.written in parent:
            line, _ = problems.place(problems.names[path].offset)
            problems.error_at(name.offset, path, f"stands twice here; the first is on line {line}")
        else:
            parent[name.written] = value
            problems.names.setdefault(path, name)
        if token.kind != "scalar":
            if len(open_parts) > MAX_DEPTH:
                raise Unreadable(token.offset, f"nested more than {MAX_DEPTH} levels deep")
            open_parts.append((value, path, None))
    return root[0] if root else None


def _name(token: Token) -> Token:
    if token.kind != "scalar":
        raise Unreadable(token.offset, "a name must be text, not a list or a mapping")
    if len(token.written) > MAX_NAME_CHARS:
        raise Unreadable(token.offset, f"a name of more than {MAX_NAME_CHARS} characters")
    check_characters(token.written, at=token.offset)
    return token


def member(path: str, part: str | int) -> str:
    """The path of an item or an entry of what stands at a path."""
    if isinstance(part, int):
        return f"{path}[{part}]"
    shown = part if _KEY_PART.fullmatch(part) else repr(part)
    return f"{path}.{shown}" if path else shown
