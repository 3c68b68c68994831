"""What is wrong with a rubric file, and where in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

MOST_PROBLEMS = 100
"""More than these are not listed: whoever has mended a hundred runs the check again."""

Severity = Literal["error", "warning"]

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
    """The problems of one text, or with None of data that no text was read from."""

    def __init__(self, text: str | None) -> None:
        self._has_lines = text is not None
        self._line_starts = [0, *(end.end() for end in _LINE_END.finditer(text or ""))]
        self._found: list[RubricProblem] = []

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def where(self, offset: int, path: str) -> str:
        """How another place is told of: by its line, or by its path where there are no lines."""
        return f"on line {self.place(offset)[0]}" if self._has_lines else f"at {path}"

    def add(self, severity: Severity, offset: int, path: str, message: str) -> None:
        """One more problem."""
        self._found.append(RubricProblem(severity, *self.place(offset), path, message))

    def error(self, offset: int, path: str, message: str) -> None:
        """Something that is wrong."""
        self.add("error", offset, path, message)

    def warning(self, offset: int, path: str, message: str) -> None:
        """Something that is allowed, and hardly meant."""
        self.add("warning", offset, path, message)

    def sorted(self) -> tuple[RubricProblem, ...]:
        """All of them in the order of the text, errors first where there are too many to list."""
        kept = self._found
        if len(kept) > MOST_PROBLEMS:
            kept = sorted(kept, key=lambda problem: problem.severity)[:MOST_PROBLEMS]
        return tuple(sorted(kept, key=lambda problem: (problem.line, problem.column)))
