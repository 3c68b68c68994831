"""Rows of claims from JSON lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import IO, Any

from veridical.bulk.columns import no_column
from veridical.bulk.settings import Columns
from veridical.errors import ValidationError

MOST_LINE_BYTES = 1024 * 1024

_ENOUGH_LINES = 20
"""Lines of which at least one should be a JSON object, or it is another kind of file: of fewer,
each may be broken by itself."""

_MOST_KEYS = 20
_TOO_LONG = f"the line has more than {MOST_LINE_BYTES:,} bytes"

Values = tuple[Any, Any, Any, Any, str]
"""The values of `Columns`, and what is wrong with the row already ("" for nothing)."""


class JsonLines:
    """A file of JSON lines. Of each object the wanted keys are read, and must be there once."""

    def __init__(self, columns: Columns, name: str) -> None:
        self._name = name
        self._keys = (
            columns.claim_id, columns.document_id, columns.words, columns.evidence_type,
        )  # fmt: skip
        self._wanted = frozenset(self._keys)
        self._decode = json.JSONDecoder(object_pairs_hook=self._object).decode
        self._seen: dict[str, None] = {}
        self._lines = self._objects = 0
        self._is_new = True

    def rows(self, stream: IO[bytes]) -> Iterator[Values]:
        """The row of each line but blank ones."""
        while line := stream.readline(MOST_LINE_BYTES + 1):
            is_whole = line.endswith(b"\n") or len(line) <= MOST_LINE_BYTES
            while not is_whole and not line.endswith(b"\n"):
                line = stream.readline(MOST_LINE_BYTES)
                if not line:
                    break
            if not is_whole:
                yield _wrong(_TOO_LONG)
            elif line.strip():
                yield self._of_line(line)

    def require_right(self) -> None:
        """Raises ValidationError where what was read so far is evidently no JSONL, or has not one
        of the keys that are needed. What follows is then taken as it comes.
        """
        self._is_new = False
        if self._lines >= _ENOUGH_LINES and not self._objects:
            raise ValidationError(
                f"{self._name}: this is evidently no JSONL; none of the first {self._lines:,} "
                "lines is a JSON object. Give JSONL or Parquet."
            )
        missing = [key for key in self._keys[:3] if self._objects and key not in self._seen]
        if missing:
            raise no_column(self._name, missing[0], self._seen)

    def _of_line(self, line: bytes) -> Values:
        self._lines += self._is_new
        try:
            data = self._decode(line.decode(json.detect_encoding(line), "surrogatepass"))
        except (ValueError, RecursionError):
            return _wrong("the line is not JSON")
        if not isinstance(data, dict):
            return _wrong("the line is no JSON object")
        if self._is_new:
            self._objects += 1
            self._seen |= dict.fromkeys(islice(data, _MOST_KEYS))
            self._seen |= dict.fromkeys(self._wanted.intersection(data))
        values = [data.get(key) for key in self._keys]
        ids = [str(v) if isinstance(v, int) and not isinstance(v, bool) else v for v in values[:2]]
        problem = f"the key {data.key!r} is there twice" if isinstance(data, _Twice) else ""
        return ids[0], ids[1], values[2], values[3], problem

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        # Which of two is meant nobody can know: readers of the same file may take either.
        found = dict(pairs)
        if len(found) < len(pairs):
            counted = Counter(name for name, _ in pairs if name in self._wanted)
            twice = [name for name, times in counted.items() if times > 1]
            if twice:
                return _Twice(found, twice[0])
        return found


class _Twice(dict[str, Any]):
    """An object that has a wanted key twice."""

    def __init__(self, values: dict[str, Any], key: str) -> None:
        super().__init__(values)
        self.key = key


def _wrong(problem: str) -> Values:
    return None, None, None, None, problem
