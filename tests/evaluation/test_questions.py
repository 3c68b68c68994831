from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from veridical.errors import ValidationError
from veridical.evaluation.questions import (
    MAX_FILE_BYTES,
    RECORDS,
    parse_questions,
    questions_sha256,
    read_questions,
)
from veridical.evaluation.run import EvalQuestion

ONE = {
    "id": "pto-1",
    "question": "How many days?",
    "answerable": True,
    "topic": "pto",
    "expected": ["1.67 days", ["monthly", "a month"]],
    "sources": ["pto.md"],
}
TWO = {"id": "x-1", "question": "What of Mars?", "answerable": False}


def lines(*rows: Any) -> bytes:
    return b"\n".join(json.dumps(row).encode() for row in rows)


def test_questions_are_read_with_their_expected_facts() -> None:
    first, second = parse_questions(b"\xef\xbb\xbf" + lines(ONE, TWO) + b"\r\n\n")
    assert first == EvalQuestion(
        "pto-1",
        "How many days?",
        True,
        "pto",
        (("1.67 days",), ("monthly", "a month")),
        ("pto.md",),
    )
    assert second == EvalQuestion("x-1", "What of Mars?", False)
    assert parse_questions(lines(RECORDS.write(first))) == (first,)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no questions in it"),
        (lines(ONE) + b"\n{", "line 2 is not JSON"),
        (lines(ONE) + b"\n[1]", "line 2 is not a JSON object"),
        (b'{"id": NaN}', "line 1 has NaN"),
        (b"\xff", "line 1 is not UTF-8"),
        (b"[" * 100_000, "line 1 is nested too deeply"),
        (lines(ONE, TWO, ONE), 'line 3: the id "pto-1" was used in line 1'),
        (lines({**ONE, "expcted": []}), 'line 1: (top): unknown: "expcted"'),
        (lines({"id": "a", "question": "b"}), "answerable"),
        (lines({**ONE, "answerable": "yes"}), "line 1: answerable:"),
        (lines({**ONE, "expected": [[]]}), "line 1: expected[0]:"),
        (lines({**ONE, "expected": [" "]}), "line 1: expected[0]:"),
        (lines({**ONE, "question": "x" * 2_001}), "line 1: question:"),
        (lines({**ONE, "answerable": False}), "line 1: expected: it has facts"),
        (lines({**ONE, "id": "\ud800"}), "half of a surrogate pair"),
        (lines(TWO) + b'\n{"id":"x-1","id":"x-2"}', "line 2 has the same name twice"),
        (b" " * (MAX_FILE_BYTES + 1), "larger than 16 MB"),
    ],
)
def test_what_does_not_fit_is_refused_by_line(data: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(data)
    with pytest.raises(ValidationError) as caught:
        read_questions(path)
    assert told in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(ValidationError, match="cannot read nowhere: No such file"):
        read_questions(Path("nowhere"))


def test_the_hash_is_of_what_is_asked_and_not_of_the_layout() -> None:
    plain = questions_sha256(parse_questions(lines(ONE, TWO)))
    spaced = b"\n\n".join(json.dumps(dict(reversed(row.items())), indent=None, separators=(" ,", " :")).encode() for row in (ONE, TWO))  # fmt: skip # noqa: E501
    assert questions_sha256(parse_questions(spaced)) == plain
    assert questions_sha256(parse_questions(lines(TWO, ONE))) != plain
    changed = {**ONE, "expected": ["1.76 days"]}
    assert questions_sha256(parse_questions(lines(changed, TWO))) != plain
