"""The one way in which a ledger file is written, and the strict way in which it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from veridical.errors import ValidationError
from veridical.sources.sniff import no_text
from veridical.text.strict_json import Unfit, strict_json

MAX_FILE_BYTES = 256 * 1024 * 1024
"""A larger ledger file is refused."""

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""How half of a surrogate pair, or a whole one, is escaped in a file."""

_MOST_DIGITS = 20
"""More digits than any whole number of a ledger has."""


def canonical_bytes(data: Mapping[str, Any]) -> bytes:
    """The bytes of a ledger file: UTF-8, keys sorted, two spaces of indent, a newline at the end.

    What is not ASCII is written as itself, numbers as Python prints them. The same data always
    gives the same bytes, and no other bytes are a ledger file of that data.

    Raises ValidationError for NaN, infinity and half of a surrogate pair, which JSON has not.
    """
    return _encoded(data, indent=2, separators=(",", ": ")) + b"\n"


def compact_bytes(data: object) -> bytes:
    """The same in one line and without spaces: what hashes are made of."""
    return _encoded(data, indent=None, separators=(",", ":"))


def _encoded(data: object, *, indent: int | None, separators: tuple[str, str]) -> bytes:
    try:
        text = json.dumps(
            data,
            sort_keys=True,
            indent=indent,
            separators=separators,
            ensure_ascii=False,
            allow_nan=False,
        )
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValidationError(
            "it holds half of a surrogate pair, which no UTF-8 file can hold; clean the text that "
            "it comes from"
        ) from None
    except (ValueError, TypeError, RecursionError) as problem:
        raise ValidationError(f"the ledger cannot be written as JSON: {problem}") from None


def parse_file(
    file_bytes: bytes, *, what: str = "the ledger file", most_bytes: int = MAX_FILE_BYTES
) -> dict[str, Any]:
    """The JSON object of a file, `what` in messages.

    Stricter than `json.loads`: UTF-8 only, no NaN or infinity, no name twice in one object, at
    most `most_bytes`, no escaped half of a surrogate pair. Raises ValidationError that says where.
    """
    if len(file_bytes) > most_bytes:
        raise ValidationError(f"{what} has {len(file_bytes):,} bytes, the limit is {most_bytes:,}")
    if kind := no_text(file_bytes):
        raise ValidationError(f"{what} is {kind}, not JSON")
    try:
        data = strict_json(file_bytes.decode("utf-8-sig"), most_digits=_MOST_DIGITS)
    except UnicodeDecodeError as problem:
        raise ValidationError(
            f"{what} is not UTF-8: byte {problem.start + 1:,} cannot be read"
        ) from None
    except json.JSONDecodeError as problem:
        raise ValidationError(
            f"{what} is not JSON: line {problem.lineno}, column {problem.colno}: {problem.msg}"
        ) from None
    except RecursionError:
        raise ValidationError(f"{what} is nested too deeply") from None
    except Unfit as problem:
        raise ValidationError(f"{what} has {problem}") from None
    if not isinstance(data, dict):
        raise ValidationError(f"{what} is not a JSON object")
    if _SURROGATE.search(file_bytes):
        compact_bytes(data)
    return data
