"""Labelled claims: what judges are fitted on, measured on and calibrated to."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from veridical.errors import ValidationError
from veridical.judging.schemas import load_schema
from veridical.text.strict_json import Unfit, strict_json
from veridical.validation.schema_errors import first_errors

MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_ROWS = 200_000
_MOST_DIGITS = 300
_MOST_SHARE_OF_A_GROUP = 0.5
"""Rows that may hang together in one group before the weakest key is given up."""


class Label(StrEnum):
    """What a person said of a claim and its evidence."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    REFUTED = "refuted"
    NOT_ENOUGH = "not_enough"
    NOT_FULLY = "not_fully"
    NO_CLAIM = "no_claim"


GROUP_KEYS = ("claim", "evidence", "document", "group", "question", "article")
"""What makes rows belong together, strongest first: no two folds share any of it."""

_DISPENSABLE = ("article", "question", "evidence")
"""Given up in this order where they tie most of a file together."""


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """One claim with the passages that it was labelled on, or the document where there are none.

    `context` holds the words that the claim's pronouns refer to; `keys` the values of `group`,
    `question` and `article` that the row has.
    """

    id: str
    claim: str
    evidence: tuple[str, ...]
    label: Label
    document: str = ""
    context: str = ""
    keys: tuple[tuple[str, str], ...] = ()

    @property
    def supported(self) -> bool:
        """Whether all of the claim is borne out: what every measurement here is about."""
        return self.label is Label.SUPPORTED

    def shared(self) -> Iterator[tuple[str, str]]:
        """Everything by which rows may belong together, as pairs of a key and a value."""
        yield "claim", _plain(self.claim)
        yield from (("evidence", _plain(passage)) for passage in self.evidence)
        if self.document:
            yield "document", _plain(self.document)
        yield from self.keys


def read_rows(path: Path) -> tuple[LabelledRow, ...]:
    """The rows of a JSONL file. Raises ValidationError that names the line."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ValidationError(
            f"labelled rows: cannot read {path}: {reason}. Check the path."
        ) from problem
    if len(data) > MAX_FILE_BYTES:
        most = MAX_FILE_BYTES // 1024 // 1024
        raise ValidationError(f"labelled rows: {path} is larger than {most} MB; split it")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise ValidationError(
            f"labelled rows: {path} is not UTF-8: byte 0x{data[problem.start]:02x} at offset "
            f"{problem.start}. Save it as UTF-8."
        ) from problem
    return parse_rows(text, name=str(path))


def parse_rows(text: str, *, name: str = "labelled rows") -> tuple[LabelledRow, ...]:
    """The rows of JSON Lines in the form of the shipped schema `labelled_row`.

    Blank lines are passed over, and keys that the schema does not name are left alone. Raises
    ValidationError that names the line of the first thing that does not fit, for an id that is
    used twice, and where there is no row at all.
    """
    rows: list[LabelledRow] = []
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if len(rows) == MAX_ROWS:
            raise ValidationError(f"{name}: more than {MAX_ROWS:,} rows; split the file")
        row = _row(_object(line, name, number), name, number)
        if row.id in lines:
            raise _at(name, number, f"the id {row.id[:60]!r} was used in line {lines[row.id]}")
        lines[row.id] = number
        rows.append(row)
    if not rows:
        raise ValidationError(f"{name}: there is no row in it; it must hold one JSON object a line")
    return tuple(rows)


def _at(name: str, number: int, problem: str) -> ValidationError:
    return ValidationError(
        f"{name}: line {number}: {problem}", {"path": f"line {number}", "constraint": "row"}
    )


def _object(line: str, name: str, number: int) -> Any:
    try:
        return strict_json(line, most_digits=_MOST_DIGITS)
    except json.JSONDecodeError as problem:
        raise _at(
            name, number, f"not valid JSON: column {problem.colno}: {problem.msg}"
        ) from problem
    except Unfit as problem:
        raise _at(name, number, f"not valid JSON: it has {problem}") from problem
    except RecursionError as problem:
        raise _at(name, number, "it is nested too deeply") from problem


def _row(data: Any, name: str, number: int) -> LabelledRow:
    problems = first_errors(load_schema("labelled_row"), data)
    if problems:
        raise _at(name, number, "; ".join(problem.describe() for problem in problems))
    row = LabelledRow(
        id=str(data["id"]),
        claim=data["claim"],
        evidence=tuple(passage for passage in data.get("evidence") or () if passage.strip()),
        label=Label(data["label"]),
        document=data.get("document") or "",
        context=data.get("claim_context") or "",
        keys=tuple(_keys(data)),
    )
    if not row.claim.strip():
        raise _at(name, number, "the claim is empty")
    return row


def _keys(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in ("group", "question", "article"):
        if data.get(key) not in (None, ""):
            yield key, _plain(str(data[key]))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class Grouping:
    """Which rows belong together: a group number for each row, and the keys that tied them."""

    groups: tuple[int, ...]
    keys: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(set(self.groups))

    def folds(self, k: int) -> tuple[int, ...]:
        """A fold, 0 to k - 1, for each row; the rows of a group share one.

        The largest group goes first, each into the fold with the fewest rows: the same rows in the
        same order always fall the same way. There are fewer folds than `k` where there are fewer
        groups.
        """
        sizes = Counter(self.groups)
        filled = [0] * k
        placed: dict[int, int] = {}
        for group, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
            placed[group] = filled.index(min(filled))
            filled[placed[group]] += size
        return tuple(placed[group] for group in self.groups)


def group_rows(rows: Sequence[LabelledRow]) -> Grouping:
    """Which rows share a claim, a passage, a document, or a value of a group key, also by way of
    other rows.

    Where that ties more than half of them together there is nothing left to fold by: then article,
    question and evidence are given up, in this order, until it does not, or nothing is left to
    give up. A claim and a document never stand on both sides.
    """
    keys: tuple[str, ...] = GROUP_KEYS
    for weakest in (*_DISPENSABLE, None):
        groups = _tied(rows, frozenset(keys))
        largest = max(Counter(groups).values(), default=0)
        if weakest is None or largest <= max(1, _MOST_SHARE_OF_A_GROUP * len(rows)):
            break
        keys = tuple(key for key in keys if key != weakest)
    return Grouping(groups, keys)


def _tied(rows: Sequence[LabelledRow], keys: Iterable[str]) -> tuple[int, ...]:
    """Union-find: each row's group is the index of the first row in it."""
    parents = list(range(len(rows)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    first: dict[tuple[str, str], int] = {}
    for index, row in enumerate(rows):
        for pair in row.shared():
            if pair[0] not in keys:
                continue
            a, b = root(first.setdefault(pair, index)), root(index)
            parents[max(a, b)] = min(a, b)
    return tuple(root(index) for index in range(len(rows)))
