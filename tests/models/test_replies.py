"""JSON replies: what is taken, what is not, and why not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.models.protocol import FinishReason, ModelReply
from veridical.models.replies import (
    MAX_DEPTH,
    MAX_REPLY_CHARS,
    ReplyRejected,
    parse_json_reply,
)


def rejection(text: str, finish: FinishReason = FinishReason.STOP) -> str:
    with pytest.raises(ReplyRejected) as caught:
        parse_json_reply(ModelReply(text, finish))
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2.5, -3e2, true, null, "x"]}', {"a": [1, 2.5, -300.0, True, None, "x"]}),
        (' \n["\\ud83d\\ude00", "```"]\n', ["\U0001f600", "```"]),
        ('"\\"[{"', '"[{'),
        ("7", 7),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        (' ~~~\r\n{"a": "```"}~~~\n', {"a": "```"}),
        ("[" * MAX_DEPTH + "]" * MAX_DEPTH, json.loads("[" * MAX_DEPTH + "]" * MAX_DEPTH)),
        ('"' + "[" * 500 + '"', "[" * 500),
    ],
)
def test_json_is_taken(text: str, value: object) -> None:
    assert parse_json_reply(ModelReply(text)) == value


REJECTED: dict[str, list[str]] = {
    "is empty": ["", " \n\t"],
    "in a code fence, or around one": [
        '```json\n{"a": 1}',
        '```\n{"a": 1}\n```\nor\n```\n{"a": 2}\n```',
        'Here it is:\n\n```\n{"a": 1}\n```\nAnything else?',
        '{"a": 1}\n```',
    ],
    # Beginnings of objects are those of a property below.
    "ends in the middle": ['{"a": 1\n', '{"a": -', "[1.", "["],
    "is not JSON|has ": [
        "I think that",
        '{"a": 1} {"a": 1',
        '{"a": 1}"',
        '{"a": 1,}',
        "{'a': 1}",
        '{"a": x, "b": "c',
        '["a\nb"]',
        "[1]]",
        "[-Infinity]",
        "[1e999]",
        "[" + "9" * 5_000 + "]",
        '{"a": 1, "b": {"c": 1, "c": 1}}',
        '{"\\udfff": "\\ud800"}',
        "\ud800",
        "\ufeff{}",
    ],
    "levels deep": [
        "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        '{"a":' * 100_000,
        "[" * 400_000,
    ],
    "is longer than": ['"' + "x" * MAX_REPLY_CHARS + '"'],
}


@pytest.mark.parametrize("reason", REJECTED)
def test_anything_else_is_not(reason: str) -> None:
    for text in REJECTED[reason]:
        assert re.search(reason, rejection(text)), text[:100]


def test_a_rejection_is_without_the_replys_words() -> None:
    assert rejection('{"a": 1}', FinishReason.LENGTH).endswith("its limit of tokens")
    with pytest.raises(ReplyRejected) as caught:
        parse_json_reply(ModelReply('{"name": "Maria", "name": "Maria"}'))
    assert "Maria" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.no_cover
@pytest.mark.parametrize("piece", ['\\"', '"', "[]", "`", "\\", '"\\"'])
def test_a_long_hostile_reply_is_judged_at_once(piece: str) -> None:
    # A scan that begins anew at each piece would take hours here.
    text = piece * (MAX_REPLY_CHARS // len(piece))
    for start in ("", '"', "["):
        assert rejection((start + text)[:MAX_REPLY_CHARS])


WORDS = st.text(st.characters(codec="utf-8"), max_size=12)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=10,
)


@given(VALUES, st.booleans())
def test_what_was_written_is_read(value: Any, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert parse_json_reply(ModelReply(text)) == value


@given(st.dictionaries(st.text(max_size=5), VALUES, min_size=1, max_size=4), st.data())
def test_every_beginning_of_an_object_is_cut_and_not_malformed(
    value: dict[str, Any], data: st.DataObject
) -> None:
    text = json.dumps(value)
    length = data.draw(st.integers(1, len(text) - 1))
    assert "ends in the middle" in rejection(text[:length])


@given(st.text())
def test_no_text_gets_past_with_another_error(text: str) -> None:
    try:
        value = parse_json_reply(ModelReply(text))
    except ReplyRejected:
        return
    assert json.loads(text) == value
