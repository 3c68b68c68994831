"""Rubric files: read, checked, and turned into a `Rubric`. YAML and JSON come to the same.

The bytes become text, the text tokens (`yaml_text`, `json_text`), these a tree that knows its
places (`tree`). The tree is held against the schema (`shape`) and the rules (`rules`, `cues`), and
what has passed is made a Rubric (`wire`).
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from veridical.errors import ValidationError
from veridical.scoring.rubric import Rubric
from veridical.scoring.rubrics.json_text import check_json, json_tokens
from veridical.scoring.rubrics.problems import Problems, RubricProblem, Unreadable
from veridical.scoring.rubrics.rules import check_rules
from veridical.scoring.rubrics.shape import check_shape
from veridical.scoring.rubrics.shipped import shipped_names, shipped_text
from veridical.scoring.rubrics.tree import Node, build, check_characters
from veridical.scoring.rubrics.wire import rubric_from_mapping, rubric_to_mapping
from veridical.scoring.rubrics.yaml_text import yaml_tokens

__all__ = [
    "MAX_FILE_BYTES",
    "RubricProblem",
    "lint_rubric",
    "load_rubric",
    "read_rubric_file",
    "rubric_from_text",
    "rubric_to_mapping",
]

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
    if errors or root is None:
        raise ValidationError(_listed(errors, name), _details(errors))
    return rubric_from_mapping(root.plain())


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


def _checked(data: bytes | str, name: str) -> tuple[Node | None, tuple[RubricProblem, ...]]:
    """The tree of a text, None where it cannot be read, and what is wrong with it."""
    data = data[: MAX_FILE_BYTES + 1]
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    text = text.removeprefix(_BYTE_ORDER_MARK)
    problems = Problems(text)
    try:
        _check_bytes(data)
        root = _tree(text, name, problems)
    except Unreadable as problem:
        problems.error(problem.offset, "", str(problem))
        return None, problems.sorted()
    check_shape(root, problems)
    check_rules(root, problems)
    return root, problems.sorted()


def _check_bytes(data: bytes | str) -> None:
    """Raises Unreadable where a file is too large, or no UTF-8."""
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


def _tree(text: str, name: str, problems: Problems) -> Node:
    check_characters(text)
    tokens = json_tokens(text) if _is_json(text, name) else yaml_tokens(text, problems)
    root = build(tokens, problems)
    if root is None or root.value is None:
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


def _listed(errors: list[RubricProblem], name: str) -> str:
    lines = [f"{name}:{problem.describe()}" for problem in errors[:_MOST_LISTED]]
    more = len(errors) - len(lines)
    if more > 0:
        lines.append(f"and {more} more; `veridical score lint` lists them all")
    return "rubric: " + "; ".join(lines)


def _details(errors: list[RubricProblem]) -> dict[str, object]:
    """The first problem, and all of them in words, for programs."""
    first = errors[0]
    return {
        "path": first.path,
        "line": first.line,
        "column": first.column,
        "constraint": first.message,
        "problems": [problem.describe() for problem in errors],
    }
